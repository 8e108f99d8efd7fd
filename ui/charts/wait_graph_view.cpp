// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/wait_graph_view.h"

#include "ui/charts/chain_painter.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;

namespace {

constexpr double LeastZoom = 0.4; // below it nothing can be read
constexpr double MostZoom = 2;
constexpr double ZoomStep = 1.15;

} // namespace

WaitGraphView::WaitGraphView(const Theme &theme, const ViewClock &clock, const ChainText &text, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_text(text)
{
    setAccessibleName(tr("Wait graph"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    makeOpaque(*viewport());
    applyTheme();
    connect(&theme, &Theme::changed, this, &WaitGraphView::applyTheme);
    connect(&clock, &ViewClock::tick, this, &WaitGraphView::repaintWhatTicks);
    for (QScrollBar *bar : { horizontalScrollBar(), verticalScrollBar() }) {
        connect(bar, &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
        connect(bar, &QScrollBar::valueChanged, this, &WaitGraphView::lookForDeadlocks);
    }
}

void WaitGraphView::applyTheme() { viewport()->update(); }

void WaitGraphView::setChains(const Chains &chains)
{
    m_chains = chains;
    m_layout.place(*chains);
    updateScrollBars(chains->chains.empty() ? Beyond::Never : Beyond::WhereItIs);
    if (const bool wasArranged = std::exchange(m_arranged, isArranged()); wasArranged != m_arranged)
        Q_EMIT arrangementChanged();
    describe();
    viewport()->update();
}

void WaitGraphView::setStale(bool stale)
{
    if (std::exchange(m_stale, stale) != stale)
        viewport()->update();
}

void WaitGraphView::arrange()
{
    m_layout.arrange();
    verticalScrollBar()->setValue(0);
    setChains(m_chains);
}

void WaitGraphView::forgetWhatIsBeyond() { updateScrollBars(Beyond::Never); }

void WaitGraphView::updateScrollBars(Beyond beyond)
{
    m_beyond = beyond;
    const QPointF end = m_layout.bounds().bottomRight() * m_zoom;
    const auto set = [beyond](QScrollBar &bar, double last, int room) {
        constexpr int Step = 24;
        bar.setPageStep(room);
        bar.setSingleStep(Step);
        bar.setRange(0, std::max(qCeil(last) - room, beyond == Beyond::WhereItIs ? bar.value() : 0));
    };
    set(*horizontalScrollBar(), end.x(), viewport()->width());
    set(*verticalScrollBar(), end.y(), viewport()->height());
    lookForDeadlocks();
}

/// One is in sight where its title is.
void WaitGraphView::lookForDeadlocks()
{
    const QRectF seen = viewport()->rect();
    std::optional<LockName> first;
    bool isSeen = false;
    for (std::size_t i = 0; i < m_layout.placed().size() && m_chains->chains[i].isDeadlock(); ++i) { // they come first
        QRectF title = frameOf(i);
        title.setHeight(m_layout.measures().titleHeight * m_zoom);
        isSeen = isSeen || (seen.intersects(title) && seen.top() <= title.top() && title.bottom() <= seen.bottom());
        first = first ? first : m_chains->chains[i].mainLock;
    }
    if (isSeen)
        first.reset();
    if (std::exchange(m_deadlockOutOfSight, first) != first)
        Q_EMIT deadlockOutOfSightChanged();
}

QPointF WaitGraphView::offset() const
{
    return { double(horizontalScrollBar()->value()), double(verticalScrollBar()->value()) };
}

void WaitGraphView::setZoom(double zoom) { zoomAt(zoom, QPointF()); }

void WaitGraphView::zoomAt(double zoom, const QPointF &fixed)
{
    const QPointF scene = toScene(fixed);
    m_zoom = std::clamp(zoom, LeastZoom, MostZoom);
    updateScrollBars(Beyond::Never);
    const QPointF place = scene * m_zoom - fixed;
    horizontalScrollBar()->setValue(qRound(place.x()));
    verticalScrollBar()->setValue(qRound(place.y()));
    viewport()->update();
}

void WaitGraphView::fit()
{
    const QSizeF all = m_layout.bounds().size();
    if (all.isEmpty())
        return;
    const QSizeF room = maximumViewportSize();
    m_zoom = std::clamp(std::min(room.width() / all.width(), room.height() / all.height()), LeastZoom, 1.0);
    updateScrollBars(Beyond::Never);
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
    viewport()->update();
}

std::optional<QRectF> WaitGraphView::placeOf(const std::string &key) const
{
    const auto place = find(key);
    return place ? std::optional(toViewport(boxOf(*place))) : std::nullopt;
}

QRectF WaitGraphView::frameOf(std::size_t chain) const { return toViewport(m_layout.placed()[chain].frame); }

std::optional<WaitGraphView::NodePlace> WaitGraphView::find(const std::string &key) const
{
    for (std::size_t chain = 0; chain < m_chains->chains.size() && !key.empty(); ++chain)
        for (std::size_t node = 0; node < m_chains->chains[chain].nodes.size(); ++node)
            if (m_chains->chains[chain].nodes[node].key == key)
                return NodePlace{ chain, node };
    return std::nullopt;
}

std::optional<WaitGraphView::NodePlace> WaitGraphView::hit(const QPointF &onViewport) const
{
    const QPointF point = toScene(onViewport);
    for (std::size_t chain = 0; chain < m_layout.placed().size(); ++chain) {
        const auto &placed = m_layout.placed()[chain];
        for (std::size_t node = 0; placed.frame.contains(point) && node < placed.nodes.size(); ++node)
            if (placed.nodes[node].contains(point))
                return NodePlace{ chain, node };
    }
    return std::nullopt;
}

const ChainNode *WaitGraphView::nodeUnder(const QPointF &onViewport) const
{
    const auto place = hit(onViewport);
    return place ? &nodeAt(*place) : nullptr;
}

/// The nearest in that direction, straight ahead before aside.
std::optional<WaitGraphView::NodePlace> WaitGraphView::neighbour(Qt::Key key) const
{
    const auto current = find(m_current);
    std::optional<NodePlace> best;
    double least = 0;
    for (std::size_t chain = 0; chain < m_chains->chains.size(); ++chain)
        for (std::size_t node = 0; node < m_chains->chains[chain].nodes.size(); ++node) {
            const QPointF center = boxOf({ chain, node }).center();
            double cost = center.y() * 1'000 + center.x(); // the first of all, where there is no current one
            if (current) {
                const QPointF way = center - boxOf(*current).center();
                const double ahead = key == Qt::Key_Right ? way.x()
                    : key == Qt::Key_Left                 ? -way.x()
                    : key == Qt::Key_Down                 ? way.y()
                                                          : -way.y();
                const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
                const double aside = std::abs(isSideways ? way.y() : way.x());
                if (ahead < 1 || (isSideways && chain != current->chain))
                    continue;
                cost = ahead + 3 * aside;
            }
            if (!best || cost < least) {
                best = NodePlace{ chain, node };
                least = cost;
            }
        }
    return best;
}

void WaitGraphView::choose(const NodePlace &place)
{
    m_current = nodeAt(place).key;
    m_selected = nodeAt(place).lock;
    ensureVisible(boxOf(place));
    describe();
    viewport()->update();
    Q_EMIT lockChosen(LockName(*m_selected));
}

void WaitGraphView::select(const std::optional<LockName> &lock)
{
    if (lock == m_selected)
        return;
    m_selected = lock;
    const auto current = find(m_current);
    if (!current || nodeAt(*current).lock != lock) {
        const auto place = lock ? find("lock " + *lock) : std::nullopt;
        m_current = place ? nodeAt(*place).key : std::string();
        if (place)
            ensureVisible(boxOf(*place));
    }
    describe();
    viewport()->update();
}

void WaitGraphView::showChain(const LockName &lock)
{
    for (std::size_t chain = 0; chain < m_chains->chains.size(); ++chain)
        if (const auto &locks = m_chains->chains[chain].locks; std::ranges::find(locks, lock) != locks.end()) {
            ensureVisible(m_layout.placed()[chain].frame);
            return;
        }
}

/// Its beginning, where it is larger than the viewport.
void WaitGraphView::ensureVisible(const QRectF &box)
{
    constexpr int Margin = 12;
    const QRectF there = toViewport(box).marginsAdded({ Margin, Margin, Margin, Margin });
    const auto bring = [](QScrollBar &bar, double first, double last, int room) {
        const double over = std::min(last - room, first);
        if (first < 0)
            bar.setValue(bar.value() + qFloor(first));
        else if (last > room)
            bar.setValue(bar.value() + qCeil(over));
    };
    bring(*horizontalScrollBar(), there.left(), there.right(), viewport()->width());
    bring(*verticalScrollBar(), there.top(), there.bottom(), viewport()->height());
}

/// Qt opens the menu of a key at this place.
QVariant WaitGraphView::inputMethodQuery(Qt::InputMethodQuery query) const
{
    const auto current = query == Qt::ImCursorRectangle ? find(m_current) : std::nullopt;
    if (!current)
        return QAbstractScrollArea::inputMethodQuery(query);
    const QRect box = toViewport(boxOf(*current)).toRect();
    const QRect seen = box & viewport()->rect();
    return seen.isEmpty() ? box : seen;
}

/// For a screen reader: what is current, and where it stands.
void WaitGraphView::describe()
{
    QString text;
    if (const auto place = find(m_current)) {
        const WaitChain &chain = m_chains->chains[place->chain];
        text = m_text.nodeTitle(nodeAt(*place)) + QStringLiteral(", ") + m_text.nodeLine(nodeAt(*place))
            + QStringLiteral(". ") + (chain.isDeadlock() ? m_text.cycleTitle(chain) : m_text.title(chain));
    } else {
        text = tr("%1 chains, %2 deadlocks")
                   .arg(countText(std::ssize(m_chains->chains)), countText(m_chains->deadlocks));
    }
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
}

QStringList WaitGraphView::tickingTexts() const
{
    QStringList texts;
    const QRectF seen = viewport()->rect();
    for (std::size_t i = 0; i < m_layout.placed().size(); ++i) {
        if (!frameOf(i).intersects(seen))
            continue;
        const WaitChain &chain = m_chains->chains[i];
        texts << (chain.isDeadlock() ? m_text.cycleTitle(chain) : m_text.detail(chain));
        for (const ChainNode &node : chain.nodes)
            texts << m_text.nodeLine(node);
    }
    return texts;
}

void WaitGraphView::repaintWhatTicks()
{
    if (!isVisible() || m_chains->chains.empty())
        return;
    if (QStringList texts = tickingTexts(); texts != m_ticked) {
        m_ticked = std::move(texts);
        viewport()->update();
    }
}

void WaitGraphView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.fillRect(event->rect(), m_theme.colors().surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setLayoutDirection(Qt::LeftToRight);
    painter.translate(-offset());
    painter.scale(m_zoom, m_zoom);
    const double seenRight = (offset().x() + viewport()->width()) / m_zoom;
    const ChainPainter::Look look{ m_clock.now(), m_stale, m_selected,
        hasFocus() && m_byKeys ? m_current : std::string(), seenRight };
    ChainPainter chains(painter, m_theme, m_text, look);
    for (std::size_t i = 0; i < m_layout.placed().size(); ++i) {
        const WaitChain &chain = m_chains->chains[i];
        QRectF frame = m_layout.placed()[i].frame;
        frame.setRight(std::max(frame.right(), seenRight - m_layout.measures().gap));
        const bool isSeen = toViewport(frame).intersects(QRectF(viewport()->rect()));
        if (isSeen && (frameOf(i).intersects(QRectF(event->rect())) || !chain.isDeadlock()))
            chains.paint(chain, m_layout.placed()[i], m_layout.measures());
    }
    if (hasFocus() && m_byKeys && !find(m_current)) { // no node shows where the keys go
        painter.resetTransform();
        painter.setPen(m_theme.colors().accent);
        painter.setBrush(Qt::NoBrush); // that of the last node is still set
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

/// What comes or goes beside it moves nothing; a person who makes the window another size does. A scroll bar of its own
/// comes or goes later than what it was needed for.
void WaitGraphView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    const bool isOther = std::exchange(m_window, window()->size()) != window()->size();
    updateScrollBars(isOther ? Beyond::Never : m_beyond);
}

void WaitGraphView::wheelEvent(QWheelEvent *event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    zoomAt(m_zoom * std::pow(ZoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void WaitGraphView::mousePressEvent(QMouseEvent *event)
{
    m_byKeys = false;
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position();
    m_draggedFrom = offset();
    m_dragging = false;
}

void WaitGraphView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed) {
        viewport()->setCursor(hit(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    const QPointF moved = event->position() - *m_pressed;
    m_dragging = m_dragging || moved.manhattanLength() >= QApplication::startDragDistance();
    if (!m_dragging)
        return;
    viewport()->setCursor(Qt::ClosedHandCursor);
    horizontalScrollBar()->setValue(qRound(m_draggedFrom.x() - moved.x()));
    verticalScrollBar()->setValue(qRound(m_draggedFrom.y() - moved.y()));
}

void WaitGraphView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    m_pressed.reset();
    viewport()->unsetCursor();
    if (!std::exchange(m_dragging, false))
        if (const auto place = hit(event->position()))
            choose(*place);
}

void WaitGraphView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const auto place = hit(event->position()); place && event->button() == Qt::LeftButton) {
        choose(*place);
        Q_EMIT lockOpened(LockName(*m_selected));
    }
}

void WaitGraphView::keyPressEvent(QKeyEvent *event)
{
    m_byKeys = true;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (const auto place = neighbour(static_cast<Qt::Key>(event->key())))
            choose(*place);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto place = find(m_current))
            Q_EMIT lockOpened(nodeAt(*place).lock);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        setZoom(m_zoom * ZoomStep);
        return;
    case Qt::Key_Minus:
        setZoom(m_zoom / ZoomStep);
        return;
    case Qt::Key_0:
        fit();
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void WaitGraphView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    m_byKeys = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || (m_byKeys && event->reason() != Qt::MouseFocusReason);
    describe();
    viewport()->update();
}

void WaitGraphView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

bool WaitGraphView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QPointF point = help->pos();
    QString text;
    if (const auto place = hit(point))
        text = m_text.nodeToolTip(nodeAt(*place));
    else
        for (std::size_t i = 0; i < m_layout.placed().size() && text.isEmpty(); ++i)
            if (const QRectF frame = frameOf(i);
                point.y() >= frame.top() && point.y() < frame.top() + m_layout.measures().titleHeight * m_zoom)
                text = m_chains->chains[i].isDeadlock() ? m_text.cycleTitle(m_chains->chains[i])
                                                        : m_text.title(m_chains->chains[i]);
    QToolTip::showText(help->globalPos(), plainToolTip(text), viewport());
    return true;
}

} // namespace lockui
