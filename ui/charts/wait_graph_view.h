// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chain_text.h"
#include "ui/models/graph_layout.h"
#include "ui/support/theme.h"

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

namespace lockui {

/// Chains of waiting as a picture: clients and locks, who holds what, who is kept waiting by it, deadlocks in a frame.
/// Ctrl and the wheel, or + and −, zoom; dragging moves the picture; 0 shows all of it. The arrow keys go from node to
/// node, Enter opens the lock.
class WaitGraphView : public QAbstractScrollArea {
    Q_OBJECT
public:
    using Chains = std::shared_ptr<const WaitChains>;

    WaitGraphView(const Theme &theme, const ViewClock &clock, const ChainText &text, QWidget *parent = nullptr);

    void setChains(const Chains &chains);
    void setStale(bool stale); // grey, as all that may no longer be true
    void select(const std::optional<lockcore::LockName> &lock); // chosen elsewhere
    void arrange(); // in the order of the chains, without holes
    void fit(); // all of it, if it can still be read then
    void forgetWhatIsBeyond(); // a person has given it more room
    void showChain(const lockcore::LockName &lock); // moves the picture, where it has to
    /// A lock of the first deadlock; absent: there is none, or one is in sight.
    const std::optional<lockcore::LockName> &deadlockOutOfSight() const { return m_deadlockOutOfSight; }

    double zoom() const { return m_zoom; }
    void setZoom(double zoom);
    const WaitChains &chains() const { return *m_chains; }
    /// Of a node on the viewport; absent: there is none of that key.
    std::optional<QRectF> placeOf(const std::string &key) const;
    QRectF frameOf(std::size_t chain) const; // on the viewport
    const ChainNode *nodeUnder(const QPointF &onViewport) const; // null: there is none
    bool isArranged() const { return m_layout.isArranged(); }

Q_SIGNALS:
    void lockChosen(const lockcore::LockName &lock);
    void lockOpened(const lockcore::LockName &lock);
    void arrangementChanged();
    void deadlockOutOfSightChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    QVariant inputMethodQuery(Qt::InputMethodQuery query) const override;

private:
    struct NodePlace {
        std::size_t chain = 0;
        std::size_t node = 0;
    };

    /// Whether the picture may be scrolled to beyond its end: where it ends earlier than before, what is still there
    /// stays where it is seen.
    enum class Beyond : std::uint8_t { Never, WhereItIs };

    void updateScrollBars(Beyond beyond);
    void zoomAt(double zoom, const QPointF &fixed); // what lies there on the viewport stays there
    QPointF offset() const;
    QPointF toScene(const QPointF &point) const { return (point + offset()) / m_zoom; }
    QRectF toViewport(const QRectF &box) const { return { box.topLeft() * m_zoom - offset(), box.size() * m_zoom }; }
    const QRectF &boxOf(const NodePlace &place) const { return m_layout.placed()[place.chain].nodes[place.node]; }
    const ChainNode &nodeAt(const NodePlace &place) const { return m_chains->chains[place.chain].nodes[place.node]; }
    std::optional<NodePlace> find(const std::string &key) const;
    std::optional<NodePlace> hit(const QPointF &onViewport) const;
    std::optional<NodePlace> neighbour(Qt::Key key) const;
    void choose(const NodePlace &place);
    void ensureVisible(const QRectF &box);
    void lookForDeadlocks();
    void repaintWhatTicks();
    QStringList tickingTexts() const; // of what can be seen
    void describe();
    void applyTheme();

    const Theme &m_theme;
    const ViewClock &m_clock;
    const ChainText &m_text;
    Chains m_chains = std::make_shared<const WaitChains>();
    GraphLayout m_layout;
    double m_zoom = 1;
    QSize m_window; // as it was at the last resizing
    Beyond m_beyond = Beyond::Never; // as it was said last
    std::optional<lockcore::LockName> m_deadlockOutOfSight;
    bool m_stale = false;
    std::string m_current; // the node's key; empty: none
    bool m_byKeys = false; // rather than with the mouse: where they go is seen
    std::optional<lockcore::LockName> m_selected;
    QStringList m_ticked; // as it was painted last
    std::optional<QPointF> m_pressed; // where, on the viewport
    QPointF m_draggedFrom; // the offset then
    bool m_dragging = false;
    bool m_arranged = true;
};

} // namespace lockui
