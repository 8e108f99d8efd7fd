// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/bulk_table.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

enum BulkColumn { BulkLock, BulkHolder, BulkTtl, BulkMeaning, BulkOutcome, BulkColumns };

constexpr qsizetype LongestBulkName = 120;

/// What it means and what became of it is read to its end; a name has one line.
class OneLineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features.setFlag(QStyleOptionViewItem::WrapText, false);
        constexpr int Edges = 8;
        if (const QString name = index.data(ClientNameRole).toString(); !name.isEmpty())
            option->text = elidedOwner(option->text, name, QFontMetricsF(option->font), option->rect.width() - Edges);
    }
};

/// The holders who are to lose the lock, as the person saw them: who holds it by now is told with what became of it.
QString holdersText(const BulkLine &line, const ClientNames &names)
{
    if (!line.isPart)
        return holderText(*line.seen, &names);
    QStringList owners;
    for (const ExpectedHolder &holder : line.expected)
        owners << namedOwner(holder.owner, &names);
    return owners.join(QStringLiteral(", "));
}

/// What was not done is told of as it is, as what is still to come is.
bool isToldAsItIs(const BulkLine &line)
{
    using State = BulkLine::State;
    constexpr State LeftAsIs[]{ State::Open, State::Queued, State::NotSent, State::Refused, State::Failed };
    return line.current && std::ranges::find(LeftAsIs, line.state) != std::end(LeftAsIs);
}

/// Of the holds that are to be taken, while all of them are there: a read lock lives on with those of others.
QString timeLeftText(const BulkLine &line, MonoTime now)
{
    QString none = QStringLiteral("–");
    if (!isToldAsItIs(line))
        return none;
    std::vector<const Holder *> holds;
    for (const Holder &holder : line.current->holders)
        if (std::ranges::find(line.expected, ExpectedHolder{ holder.owner, holder.mode }) != line.expected.end())
            holds.push_back(&holder);
    if (holds.empty() || holds.size() != line.expected.size())
        return none;
    if (std::ranges::all_of(holds, &Holder::expired))
        return BulkTable::tr("run out");
    auto end = line.current->expiresAt;
    if (line.isPart) // the last of them; one without an end has the longest
        end = std::ranges::max(holds, {}, [](const Holder *each) {
            return each->expired ? MonoTime::min() : each->expiresAt.value_or(MonoTime::max());
        })->expiresAt;
    const MonoTime seen = std::min(now, line.seenUntil); // nothing is known of what it came to since
    return end ? ttlText(std::max(Millis(0), std::chrono::ceil<Millis>(*end - seen))) : BulkTable::tr("none");
}

QString outcomeText(const BulkLine &line, bool asks)
{
    using State = BulkLine::State;
    switch (line.state) {
    case State::Queued:
        return BulkTable::tr("its turn is to come");
    case State::Asking:
        return BulkTable::tr("connecting …");
    case State::Sent:
        return BulkTable::tr("sent …");
    case State::Open:
        if (!line.lostServer.isEmpty())
            return lossText(line.lostServer);
        if (line.untickedFor.isEmpty())
            return line.said;
        return asks
            ? BulkTable::tr("%1 is seen again: tick this line to release it all the same.").arg(line.untickedFor)
            : BulkTable::tr("Left out: %1 was lost.").arg(line.untickedFor);
    default:
        return line.said;
    }
}

} // namespace

BulkTable::BulkTable(
    const std::vector<BulkLine> &lines, const ClientNames &names, const ViewClock &clock, QWidget *parent)
    : QTableWidget(static_cast<int>(lines.size()), BulkColumns, parent)
    , m_lines(lines)
    , m_names(names)
    , m_clock(clock)
{
    setHorizontalHeaderLabels({ tr("Lock"), tr("Held by"), tr("TTL"), tr("What it means"), tr("What became of it") });
    setAccessibleName(tr("Locks to release"));
    verticalHeader()->hide();
    QHeaderView &header = *horizontalHeader();
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header.setHighlightSections(false);
    header.setStretchLastSection(true);
    header.resizeSection(BulkTtl, 76);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(true);
    setTextElideMode(Qt::ElideMiddle); // names differ at their ends
    for (const int column : { BulkLock, BulkHolder, BulkTtl })
        setItemDelegateForColumn(column, new OneLineDelegate(this));
    setMinimumHeight(150);
    for (std::size_t row = 0; row < m_lines.size(); ++row)
        fillRow(row);
    connect(this, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem *item) {
        if (!m_filling && m_asks)
            Q_EMIT turned(
                static_cast<std::size_t>(item->row()), this->item(item->row(), BulkLock)->checkState() == Qt::Checked);
    });
}

void BulkTable::fillRow(std::size_t row)
{
    const BulkLine &line = m_lines[row];
    {
        const QScopedValueRollback filling(m_filling, true);
        for (int column = 0; column < BulkColumns; ++column) {
            auto *item = new QTableWidgetItem;
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            setItem(static_cast<int>(row), column, item);
        }
        QTableWidgetItem *name = item(static_cast<int>(row), BulkLock);
        name->setText(lockNameText(line.seen->name, LongestBulkName)); // cut in the middle where there is no room
        name->setToolTip(plainToolTip(lockNameTip(line.seen->name)));
        name->setCheckState(line.isWanted ? Qt::Checked : Qt::Unchecked);
    }
    showRow(row);
}

/// Sets those cells of the row alone whose text is another by now.
void BulkTable::showRow(std::size_t row)
{
    const BulkLine &line = m_lines[row];
    const QString texts[] = { {}, holdersText(line, m_names), timeLeftText(line, m_clock.now()), meaningText(line),
        outcomeText(line, m_asks) };
    const QScopedValueRollback filling(m_filling, true);
    bool isOther = false;
    for (int column = BulkHolder; column < BulkColumns; ++column) {
        QTableWidgetItem *cell = item(static_cast<int>(row), column);
        if (cell->text() == texts[column])
            continue;
        if (column == BulkHolder && !line.expected.empty())
            cell->setData(ClientNameRole, shownName(line.expected.front().owner, &m_names));
        cell->setText(texts[column]);
        cell->setToolTip(plainToolTip(texts[column]));
        isOther = isOther || column >= BulkMeaning;
    }
    const bool isPast = m_clock.isFrozen() || !line.isSeen;
    item(static_cast<int>(row), BulkTtl)->setForeground(isPast ? palette().placeholderText() : QBrush());
    if (isOther)
        fitRow(static_cast<int>(row));
    showTick(row);
}

void BulkTable::showTick(std::size_t row)
{
    const BulkLine &line = m_lines[row];
    QTableWidgetItem *name = item(static_cast<int>(row), BulkLock);
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    const bool isSeen = line.lostServer.isEmpty();
    if (m_asks && line.state == State::Open && isSeen)
        flags |= Qt::ItemIsUserCheckable;
    if (name->flags() != flags)
        name->setFlags(flags);
    // What changed or is not seen is not released, whatever was ticked.
    const bool isLeftOut
        = line.state == State::Never || line.state == State::Changed || (line.state == State::Open && !isSeen);
    const bool ticked = line.isWanted && !isLeftOut;
    if ((name->checkState() == Qt::Checked) != ticked)
        name->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
}

/// No lower than others, and as high as what wraps in it.
void BulkTable::fitRow(int row)
{
    resizeRowToContents(row);
    setRowHeight(row, std::max(rowHeight(row), verticalHeader()->defaultSectionSize()));
}

void BulkTable::fitRows()
{
    for (int row = 0; row < rowCount(); ++row)
        fitRow(row);
}

void BulkTable::resizeEvent(QResizeEvent *event)
{
    QTableWidget::resizeEvent(event);
    arrange();
}

void BulkTable::showEvent(QShowEvent *event)
{
    QTableWidget::showEvent(event);
    arrange();
}

/// The longest text of a column in one line, its title included.
int BulkTable::textWidth(int column) const
{
    constexpr int Edges = 12;
    constexpr int Tick = 24;
    int width = fontMetrics().horizontalAdvance(horizontalHeaderItem(column)->text());
    for (int row = 0; row < rowCount(); ++row)
        width = std::max(width, fontMetrics().horizontalAdvance(item(row, column)->text()));
    return width + Edges + (column == BulkLock ? Tick : 0);
}

/// Each column has what its texts need, up to a bound, and a part of what is left over. Where there is less than that,
/// those that need most have less.
void BulkTable::arrange()
{
    struct Share {
        BulkColumn column;
        int least;
        int most;
        int width = 0;
    };
    Share shares[] = { { BulkLock, 110, 320 }, { BulkHolder, 100, 220 }, { BulkMeaning, 120, 280 },
        { BulkOutcome, m_asks ? 130 : 240, 460 } };
    int room = viewport()->width() - columnWidth(BulkTtl);
    int wanted = 0;
    for (Share &share : shares) {
        share.width = std::clamp(textWidth(share.column), share.least, share.most) - share.least;
        wanted += share.width;
        room -= share.least;
    }
    for (const Share &share : shares) {
        const int more = room > wanted ? share.width + (room - wanted) / static_cast<int>(std::size(shares))
            : wanted > 0               ? share.width * std::max(0, room) / wanted
                                       : 0;
        if (share.column != BulkOutcome) // which has the rest
            setColumnWidth(share.column, share.least + more);
    }
    fitRows();
}

void BulkTable::showAll()
{
    for (std::size_t row = 0; row < m_lines.size(); ++row)
        showRow(row);
}

void BulkTable::tellOutcomes()
{
    m_asks = false;
    showAll();
    arrange();
}

void BulkTable::scrollToRow(std::size_t row) { scrollToItem(item(static_cast<int>(row), BulkLock)); }

} // namespace lockui
