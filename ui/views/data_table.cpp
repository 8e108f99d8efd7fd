// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/data_table.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/table_export.h"
#include "ui/views/row_glow.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QItemSelection>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <functional>
#include <numeric>

namespace lockui {

namespace {

constexpr int TitleMargin = 4;
constexpr int SignWidth = 12; // of the order

} // namespace

TableHeader::TableHeader(const RowStyle &style, QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_style(style)
{
    setHighlightSections(false);
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setMinimumSectionSize(32);
}

QSize TableHeader::sizeHint() const { return { QHeaderView::sizeHint().width(), m_style.rowHeight + 1 }; }

void TableHeader::toggleOrder(int section)
{
    const bool again = sortIndicatorSection() == section;
    const Qt::SortOrder first
        = static_cast<Qt::SortOrder>(model()->headerData(section, Qt::Horizontal, Qt::InitialSortOrderRole).toInt());
    const Qt::SortOrder other = sortIndicatorOrder() == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
    setSortIndicator(section, again ? other : first);
}

QFont TableHeader::titleFont() const
{
    QFont font = m_style.theme.uiFont();
    font.setPixelSize(12);
    font.setWeight(QFont::DemiBold);
    return font;
}

int TableHeader::titleWidth(int section) const
{
    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    const int sign = sectionsClickable() ? SignWidth : 0;
    return m_style.padding + QFontMetrics(titleFont()).horizontalAdvance(title) + sign + TitleMargin + 1;
}

/// What is cut is said whole, and what the model says of the column.
bool TableHeader::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QHeaderView::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int section = logicalIndexAt(help->pos());
    const bool isCut = section >= 0 && sectionSize(section) < titleWidth(section);
    QStringList lines;
    if (isCut)
        lines << model()->headerData(section, Qt::Horizontal).toString();
    const QString meaning
        = section >= 0 ? model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString() : QString();
    if (!meaning.isEmpty())
        lines << meaning;
    QToolTip::showText(help->globalPos(), plainToolTip(lines.join(QLatin1Char('\n'))), this);
    return true;
}

void TableHeader::paintSection(QPainter *painter, const QRect &rect, int section) const
{
    const Colors &colors = m_style.theme.colors();
    painter->save();
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    initStyleOptionForIndex(&option, section);
    const bool hovered = sectionsClickable() && option.state.testFlag(QStyle::State_MouseOver);
    painter->fillRect(rect, hovered ? colors.hover : m_style.onWindow ? colors.window : colors.surface);
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colors.line);
    painter->setFont(titleFont());
    painter->setPen(hovered ? colors.text : colors.muted);
    const QRect inner = rect.adjusted(m_style.padding, 0, -TitleMargin, -1);
    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    const QString text
        = painter->fontMetrics().elidedText(title, Qt::ElideRight, inner.width() - (sorted ? SignWidth : 0));
    painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeft, text);
    if (sorted) {
        const int x = inner.left() + painter->fontMetrics().horizontalAdvance(text) + 8;
        const int y = inner.center().y();
        const int up = sortIndicatorOrder() == Qt::AscendingOrder ? -2 : 2;
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(colors.muted);
        painter->setPen(Qt::NoPen);
        painter->drawPolygon(
            QPolygonF({ QPointF(x - 3.5, y - up), QPointF(x + 3.5, y - up), QPointF(x, y + 1.5 * up) }));
    }
    painter->restore();
}

DataTable::DataTable(const RowStyle &style, const ViewClock &clock, QWidget *parent)
    : QTableView(parent)
    , m_style(style)
{
    setHorizontalHeader(new TableHeader(style, this));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(style.rowHeight);
    verticalHeader()->setMinimumSectionSize(style.rowHeight);
    setItemDelegate(new TextDelegate(style, this));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setWordWrap(false);
    makeOpaque(*viewport());
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setCornerButtonEnabled(false);
    setProperty("role", style.onWindow ? QStringLiteral("panelTable") : QStringLiteral("table"));
    connect(&clock, &ViewClock::tick, this, &DataTable::repaintTicking);
    connect(&clock, &ViewClock::tick, this, &DataTable::refreshToolTip);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        const bool dragged = !m_fitting && QGuiApplication::mouseButtons().testFlag(Qt::LeftButton);
        if (dragged)
            rememberShares();
    });
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, &DataTable::offerUsualWidths);
}

/// A header made by hand is not clickable by itself.
void DataTable::makeSortable()
{
    setSortingEnabled(true);
    horizontalHeader()->setSectionsClickable(true);
    // The second of two quick clicks comes as a double click, and turns the order round as well.
    connect(horizontalHeader(), &QHeaderView::sectionDoubleClicked, this, &DataTable::toggleOrder);
}

void DataTable::toggleOrder(int column) { static_cast<TableHeader *>(horizontalHeader())->toggleOrder(column); }

void DataTable::setColumnWidths(std::vector<ColumnWidth> widths)
{
    m_widths = std::move(widths);
    fitColumns();
}

void DataTable::setColumnShown(int column, bool isShown)
{
    if (isColumnHidden(column) != isShown)
        return;
    {
        const QScopedValueRollback fitting(m_fitting, true); // the click that leads here drags no column
        setColumnHidden(column, !isShown);
    }
    fitColumns();
}

void DataTable::setTickingColumns(std::vector<int> columns) { m_ticking = std::move(columns); }

void DataTable::setRowsShown(int most)
{
    m_mostRows = most;
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    for (const auto signal : { &QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved })
        connect(model(), signal, this, [this] { updateGeometry(); });
    connect(model(), &QAbstractItemModel::modelReset, this, [this] { updateGeometry(); });
}

QSize DataTable::sizeHint() const
{
    if (m_mostRows == 0)
        return QTableView::sizeHint();
    const int rows = model() ? std::clamp(model()->rowCount(), 1, m_mostRows) : 1;
    return { QTableView::sizeHint().width(), headerHeight() + rows * m_style.rowHeight + 1 };
}

QSize DataTable::minimumSizeHint() const
{
    const int rows = m_mostRows == 0 || !model() ? 2 : std::clamp(model()->rowCount(), 1, 2);
    return { 120, headerHeight() + rows * m_style.rowHeight };
}

int DataTable::headerHeight() const
{
    return horizontalHeader()->isHidden() ? 0 : horizontalHeader()->sizeHint().height();
}

/// Where not all rows have room, those that have are whole: half a row at the lower edge is neither seen nor missing.
void DataTable::updateGeometries()
{
    constexpr int LeastRows = 2; // of one alone the half below it tells that there are more
    if (m_fittingRows)
        return; // the viewport is being made lower
    QTableView::updateGeometries();
    lookBelowPointer();
    const int height = viewport()->height();
    const int over = height % m_style.rowHeight;
    if (m_mostRows == 0 || over == 0 || height / m_style.rowHeight < LeastRows || verticalHeader()->length() <= height)
        return;
    const QScopedValueRollback fitting(m_fittingRows, true);
    QMargins margins = viewportMargins();
    margins.setBottom(over);
    setViewportMargins(margins);
    verticalScrollBar()->setPageStep(height - over);
    verticalScrollBar()->setRange(0, verticalHeader()->length() - (height - over));
}

QVariantList DataTable::columnShares() const { return { m_shares.begin(), m_shares.end() }; }

void DataTable::setColumnShares(const QVariantList &shares)
{
    m_shares.clear();
    if (shares.size() == static_cast<qsizetype>(m_widths.size()))
        for (const QVariant &share : shares)
            m_shares.push_back(std::clamp(share.toDouble(), 0.0, 1.0));
    fitColumns();
}

void DataTable::rememberShares()
{
    m_shares.clear();
    for (int column = 0; column < model()->columnCount(); ++column)
        m_shares.push_back(double(columnWidth(column)) / std::max(1, viewport()->width()));
    fitShares();
}

void DataTable::fitShares()
{
    const int last = static_cast<int>(m_shares.size()) - 1;
    int left = viewport()->width();
    m_fitting = true;
    for (int column = 0; column < last; ++column) {
        const auto i = static_cast<std::size_t>(column);
        const bool wasShown = m_shares[i] > 0; // when a person drew the columns
        setColumnWidth(column, wasShown ? qRound(m_shares[i] * viewport()->width()) : m_widths[i].least);
        left -= isColumnHidden(column) ? 0 : columnWidth(column);
    }
    setColumnWidth(last, std::max(left, m_widths.back().least));
    m_fitting = false;
}

void DataTable::offerUsualWidths(const QPoint &place)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *usual = menu->addAction(tr("Usual column widths"));
    usual->setEnabled(!m_shares.empty());
    connect(usual, &QAction::triggered, this, [this] { setColumnShares({}); });
    menu->popup(horizontalHeader()->mapToGlobal(place));
}

void DataTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

/// No title is cut, and figures are whole: where there is no room for all, the columns that take what is to spare give
/// way first, down to what can still be told apart.
std::vector<int> DataTable::leastWidths() const
{
    constexpr int Narrowest = 60;
    const auto &header = static_cast<const TableHeader &>(*horizontalHeader());
    std::vector<int> least;
    int missing = -viewport()->width();
    for (std::size_t i = 0; i < m_widths.size(); ++i) {
        const int column = static_cast<int>(i);
        least.push_back(isColumnHidden(column) ? 0 : std::max(m_widths[i].least, header.titleWidth(column)));
        missing += least.back();
    }
    std::vector<std::size_t> givingWay(m_widths.size());
    std::iota(givingWay.begin(), givingWay.end(), 0);
    std::ranges::stable_sort(givingWay, std::greater(), [this](std::size_t i) { return m_widths[i].weight; });
    for (const std::size_t i : givingWay) {
        const int given = std::clamp(least[i] - Narrowest, 0, std::max(0, missing));
        least[i] -= m_widths[i].weight > 0 ? given : 0;
        missing -= m_widths[i].weight > 0 ? given : 0;
    }
    return least;
}

void DataTable::fitColumns()
{
    if (m_widths.empty() || !model())
        return;
    if (!m_shares.empty())
        return fitShares();
    const std::vector<int> least = leastWidths();
    int weights = 0;
    for (std::size_t i = 0; i < m_widths.size(); ++i)
        weights += isColumnHidden(static_cast<int>(i)) ? 0 : m_widths[i].weight;
    const int spare = std::max(0, viewport()->width() - std::reduce(least.begin(), least.end()));
    m_fitting = true;
    int left = viewport()->width();
    const int last = static_cast<int>(m_widths.size()) - 1;
    for (int column = 0; column < last; ++column) {
        const auto i = static_cast<std::size_t>(column);
        setColumnWidth(column, least[i] + spare * m_widths[i].weight / std::max(1, weights));
        left -= isColumnHidden(column) ? 0 : columnWidth(column);
    }
    setColumnWidth(last, std::max(left, least.back()));
    m_fitting = false;
}

/// Only cells that can be seen and say something else than at the last tick. What else may have changed in them, such
/// as a bar or a colour, changes with the text.
void DataTable::repaintTicking()
{
    if (!isVisible() || !model() || m_ticking.empty())
        return;
    std::vector<QString> texts;
    texts.reserve(m_tickedTexts.size());
    const int first = rowAt(0);
    const int last = rowAt(viewport()->height() - 1);
    const int end = first < 0 ? 0 : last < 0 ? model()->rowCount() : last + 1;
    for (int row = std::max(0, first); row < end; ++row) {
        for (const int column : m_ticking) {
            const QModelIndex cell = model()->index(row, column);
            QString text = cell.data().toString();
            if (texts.size() >= m_tickedTexts.size() || text != m_tickedTexts[texts.size()])
                viewport()->update(visualRect(cell));
            texts.push_back(std::move(text));
        }
    }
    m_tickedTexts = std::move(texts);
}

bool DataTable::viewportEvent(QEvent *event)
{
    const bool isDone = QTableView::viewportEvent(event);
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverMove
        || event->type() == QEvent::HoverLeave) {
        m_isHovered = event->type() != QEvent::HoverLeave;
        setHoveredRow(m_isHovered ? rowAt(static_cast<QHoverEvent *>(event)->position().toPoint().y()) : -1);
    }
    if (event->type() == QEvent::ToolTip) {
        m_toolTipAt = static_cast<QHelpEvent *>(event)->pos();
        m_toolTip = QToolTip::text();
    }
    return isDone;
}

void DataTable::setHoveredRow(int row)
{
    if (row == m_hoveredRow)
        return;
    for (const int each : { std::exchange(m_hoveredRow, row), row })
        viewport()->update(0, rowViewportPosition(each), viewport()->width(), rowHeight(each)); // none: nothing
}

/// Another row comes below a pointer that rests. What was painted moves with the rows; a frame stays where it is.
void DataTable::scrollContentsBy(int dx, int dy)
{
    QTableView::scrollContentsBy(dx, dy);
    m_tickedTexts.clear(); // of the rows that were there
    if (m_isFramePainted)
        viewport()->update();
    lookBelowPointer();
}

void DataTable::lookBelowPointer()
{
    if (m_isHovered)
        setHoveredRow(rowAt(viewport()->mapFromGlobal(QCursor::pos()).y()));
}

/// A cell, or the row, may change under a pointer that rests: what stands beside it says the same as it does.
void DataTable::refreshToolTip()
{
    if (m_toolTip.isEmpty())
        return;
    const bool isShown = QToolTip::isVisible() && QToolTip::text() == m_toolTip;
    if (isShown && !indexAt(m_toolTipAt).isValid())
        QToolTip::hideText();
    if (!isShown || !indexAt(m_toolTipAt).isValid()) {
        m_toolTip.clear();
        return;
    }
    QHelpEvent again(QEvent::ToolTip, m_toolTipAt, viewport()->mapToGlobal(m_toolTipAt));
    viewportEvent(&again);
}

void DataTable::focusInEvent(QFocusEvent *event)
{
    const Qt::FocusReason reason = event->reason();
    if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason)
        m_isLedByKeys
            = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    QTableView::focusInEvent(event);
}

/// Where no row is chosen that could show it, the focus is seen around the rows by whoever got there by keys.
bool DataTable::isFramed() const
{
    return hasFocus() && m_isLedByKeys && selectionModel() != nullptr && !selectionModel()->hasSelection();
}

/// At once: the view does it a moment later, and until then cells that tick would be painted among rows that stood
/// there.
void DataTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    connect(model, &QAbstractItemModel::layoutChanged, this, &DataTable::updateRows, Qt::UniqueConnection);
}

void DataTable::updateRows() { viewport()->update(); }

void DataTable::paintEvent(QPaintEvent *event)
{
    const Colors &colors = m_style.theme.colors();
    paintGround(event->region());
    QTableView::paintEvent(event);
    m_isFramePainted = isFramed();
    if (!m_isFramePainted)
        return;
    QPainter painter(viewport());
    painter.setPen(colors.accent);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

/// Of several rows that are selected, the one that the keys go from.
bool DataTable::isMarked(int row) const
{
    const QItemSelection selection = selectionModel()->selection();
    const bool isAlone = selection.size() == 1 && selection.front().height() == 1;
    return isAlone || currentIndex().row() == row;
}

void DataTable::paintGround(const QRegion &region) const
{
    const Colors &colors = m_style.theme.colors();
    QPainter painter(viewport());
    const QRect around = region.boundingRect();
    painter.fillRect(around, m_style.onWindow ? colors.window : colors.surface);
    const int first = model() ? rowAt(around.top()) : -1;
    const int below = first < 0 ? -1 : rowAt(around.bottom());
    const int end = first < 0 ? 0 : below < 0 ? model()->rowCount() : below + 1;
    for (int row = std::max(first, 0); row < end; ++row) {
        const QRect place(0, rowViewportPosition(row), viewport()->width(), rowHeight(row));
        if (!region.intersects(place))
            continue;
        paintRowGround(painter, place.adjusted(0, 0, 0, -1), model()->index(row, 0));
        painter.fillRect(0, place.bottom(), place.width(), 1, colors.line);
        if (hasFocus() && selectionModel()->isRowSelected(row) && isMarked(row))
            painter.fillRect(0, place.bottom() - 1, place.width(), 2, colors.accent);
    }
}

/// A row is chosen as one, and lights up as one below the pointer.
void DataTable::paintRowGround(QPainter &painter, const QRect &place, const QModelIndex &first) const
{
    constexpr double Glow
        = 0.14; // of the text's colour, when it has just changed: in the accent's it would look chosen
    const Colors &colors = m_style.theme.colors();
    const bool isSelected = selectionModel()->isRowSelected(first.row());
    const bool isGroup = first.data(GroupRole).isValid();
    const bool isHovered = first.row() == m_hoveredRow && !isGroup;
    const double glow = m_style.glow ? m_style.glow->strengthOf(first) : 0;
    if (!isSelected && !isHovered && !isGroup && glow <= 0)
        return;
    const QColor own = m_style.onWindow ? colors.window : colors.surface;
    const QColor ground = isSelected ? colors.selection
        : isHovered                  ? colors.hover
        : isGroup                    ? blend(colors.surface, colors.text, 0.05)
                                     : own;
    painter.fillRect(place, glow > 0 ? blend(ground, colors.text, Glow * glow) : ground);
}

void DataTable::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    if (isFramed() != m_isFramePainted)
        viewport()->update();
}

/// The mark of the current row is as wide as the table.
void DataTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    for (const QModelIndex &index : { current, previous })
        if (index.isValid() && current.row() != previous.row())
            viewport()->update(0, rowViewportPosition(index.row()), viewport()->width(), rowHeight(index.row()));
}

void DataTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copyRows();
        return;
    }
    const bool moves = event->matches(QKeySequence::MoveToNextLine) || event->matches(QKeySequence::MoveToPreviousLine);
    if (moves && !selectionModel()->hasSelection())
        return beginWithCurrentRow();
    QTableView::keyPressEvent(event);
}

/// A cell is no place here: to the first or last one of the same row, as in any table of Qt, would lead nowhere.
QModelIndex DataTable::moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers)
{
    const int rows = model()->rowCount();
    if ((action != MoveHome && action != MoveEnd) || rows == 0)
        return QTableView::moveCursor(action, modifiers);
    return model()->index(action == MoveHome ? 0 : rows - 1, std::max(0, currentIndex().column()));
}

/// What was chosen is gone: nothing else is chosen in its place, for what is done next would hit that.
void DataTable::rowsAboutToBeRemoved(const QModelIndex &parent, int start, int end)
{
    const int row = currentIndex().row();
    if (selectionMode() == SingleSelection && start <= row && row <= end)
        selectionModel()->setCurrentIndex({}, QItemSelectionModel::Clear);
    QTableView::rowsAboutToBeRemoved(parent, start, end);
}

/// Ctrl and a key, such as End, choose the row that they lead to, also where several can be selected.
QItemSelectionModel::SelectionFlags DataTable::selectionCommand(const QModelIndex &index, const QEvent *event) const
{
    const bool isKey = event != nullptr && event->type() == QEvent::KeyPress;
    if (isKey && selectionMode() == ExtendedSelection
        && static_cast<const QKeyEvent *>(event)->modifiers() == Qt::ControlModifier)
        return QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
    return QTableView::selectionCommand(index, event);
}

void DataTable::beginWithCurrentRow()
{
    if (!selectionModel()->hasSelection() && currentIndex().isValid())
        selectRow(currentIndex().row());
    setFocus(Qt::ShortcutFocusReason);
}

/// A screen reader crashes on a table without a current index (Qt 6.4).
void DataTable::ensureCurrentRow()
{
    if (!currentIndex().isValid() && model()->rowCount() > 0)
        selectionModel()->setCurrentIndex(model()->index(0, 0), QItemSelectionModel::NoUpdate);
}

void DataTable::copyRows() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row); // not in the order in which they were chosen
    QStringList lines;
    for (const QModelIndex &row : rows) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column) {
            const QModelIndex cell = row.siblingAtColumn(column);
            const QVariant whole = cell.data(CopyRole);
            const std::string text = (whole.isValid() ? whole : cell.data()).toString().toStdString();
            cells << QString::fromStdString(withoutFormula(text)); // rows are pasted into spreadsheets
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace lockui
