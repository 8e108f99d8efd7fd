// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/cell_delegates.h"

#include <QHeaderView>
#include <QTableView>
#include <vector>

namespace lockui {

class ViewClock;

/// Quiet column titles, with a small triangle for the sort order.
class TableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(const RowStyle &style, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    void toggleOrder(int section); // as a click on its title does
    int titleWidth(int section) const; // with the sign of its order

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override;
    bool viewportEvent(QEvent *event) override;

private:
    QFont titleFont() const;
    const RowStyle &m_style;
};

/// A table of whole rows: columns share the width, countdowns go with the clock, Ctrl+C copies the rows.
/// Where nothing is selected, the arrow keys begin with the current row. Home and End lead to the first and the last
/// row.
class DataTable : public QTableView {
    Q_OBJECT
public:
    struct ColumnWidth {
        int weight;
        int least;
    };

    DataTable(const RowStyle &style, const ViewClock &clock, QWidget *parent = nullptr);

    void setColumnWidths(std::vector<ColumnWidth> widths); // one a column, until a person drags a column
    void setColumnShown(int column, bool isShown); // the others share its room
    void makeSortable(); // by a click on a title, or toggleOrder()
    void toggleOrder(int column);
    void beginWithCurrentRow(); // to choose by keys
    void ensureCurrentRow(); // the first, where there is none: nothing is selected by that
    void setTickingColumns(std::vector<int> columns); // looked at with every tick of the clock
    void copyRows() const; // that are selected, from the top
    void setRowsShown(int most); // as high as its rows, up to so many

    QVariantList columnShares() const; // of the width, as dragged by a person; empty: never
    void setColumnShares(const QVariantList &shares);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setModel(QAbstractItemModel *model) override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void keyPressEvent(QKeyEvent *event) override;
    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    void updateGeometries() override;
    void scrollContentsBy(int dx, int dy) override;
    void rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end) override;
    QItemSelectionModel::SelectionFlags selectionCommand(
        const QModelIndex &index, const QEvent *event = nullptr) const override;
    /// Below its cells, and without the line below it. `first`: of the row.
    virtual void paintRowGround(QPainter &painter, const QRect &place, const QModelIndex &first) const;
    const RowStyle &rowStyle() const { return m_style; }

private:
    int headerHeight() const;
    void fitColumns();
    std::vector<int> leastWidths() const; // of the columns, zero for those that are hidden
    void fitShares();
    void rememberShares();
    void offerUsualWidths(const QPoint &place);
    void repaintTicking();
    void refreshToolTip();
    void setHoveredRow(int row);
    void lookBelowPointer();
    bool isFramed() const;
    bool isMarked(int row) const;
    void updateRows();
    void paintGround(const QRegion &region) const;

    const RowStyle &m_style;
    std::vector<ColumnWidth> m_widths;
    std::vector<int> m_ticking;
    std::vector<QString> m_tickedTexts; // of the visible cells in these columns, at the last tick
    QPoint m_toolTipAt; // in the viewport
    QString m_toolTip; // that was shown there; empty: none
    int m_mostRows = 0;
    bool m_isHovered = false;
    int m_hoveredRow = -1;
    bool m_isLedByKeys = false;
    bool m_isFramePainted = false;
    bool m_fittingRows = false;
    bool m_fitting = false;
    std::vector<double> m_shares; // of the viewport's width: what a person chose, for any width of the window
};

} // namespace lockui
