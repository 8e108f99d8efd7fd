// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/bulk_table.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

enum BulkColumn { BulkLock, BulkHolder, BulkTtl, BulkMeaning, BulkOutcome, BulkColumns };

constexpr qsizetype LongestBulkName = 512;

/// A time has one line.
class OneLineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features.setFlag(QStyleOptionViewItem::WrapText, false);
    }
};

/// A name and an owner are one word each, and are read to their ends.
class WholeDelegate : public QStyledItemDelegate {
public:
    WholeDelegate(qsizetype letters, QObject *parent) // behind so many of them a word may be broken
        : QStyledItemDelegate(parent)
        , m_letters(letters)
    {
    }

    /// The style takes the whole cell for the text, and the tick has its room in it too.
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QStyleOptionViewItem whole = option;
        initStyleOption(&whole, index);
        const QStyle &style = *option.widget->style();
        QStyleOptionViewItem narrow = option;
        narrow.rect.setWidth(style.subElementRect(QStyle::SE_ItemViewItemText, &whole, option.widget).width());
        return QStyledItemDelegate::sizeHint(narrow, index);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->text = breakable(option->text, m_letters);
    }

private:
    const qsizetype m_letters;
};

std::size_t lengthOfSame(const LockName &a, const LockName &b)
{
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// The names as they are shown. Those that are cut alike show also where each of them differs from the one that is like
/// it for longest, which is beside it in order.
QStringList namesToldApart(const std::vector<BulkLine> &lines)
{
    constexpr std::size_t Before = 8; // bytes that are the same
    constexpr std::size_t Shown = 40;
    QStringList texts;
    std::map<QString, std::vector<qsizetype>> rowsOf;
    for (const BulkLine &line : lines) {
        texts << lockNameText(line.seen->name, LongestBulkName);
        rowsOf[texts.back()].push_back(texts.size() - 1);
    }
    const auto nameOf
        = [&](qsizetype row) -> const LockName & { return lines[static_cast<std::size_t>(row)].seen->name; };
    for (auto &[text, rows] : rowsOf) {
        std::ranges::sort(rows, {}, nameOf);
        for (std::size_t i = 0; i < rows.size() && rows.size() > 1; ++i) {
            const LockName &name = nameOf(rows[i]);
            const std::size_t above = i > 0 ? lengthOfSame(name, nameOf(rows[i - 1])) : 0;
            const std::size_t below = i + 1 < rows.size() ? lengthOfSame(name, nameOf(rows[i + 1])) : 0;
            const std::size_t same = std::max(above, below);
            const std::size_t from = same - std::min(same, Before);
            texts[rows[i]] += QLatin1Char('\n')
                + BulkTable::tr("from byte %1: %2")
                      .arg(countText(static_cast<qint64>(from) + 1),
                          displayText(std::string_view(name).substr(from, Shown)));
        }
    }
    return texts;
}

/// The holders who are to lose the lock, as the person saw them: who holds it by now is told with what became of it.
QString holdersText(const BulkLine &line, const ClientNames &names)
{
    constexpr qsizetype Most = 6;
    if (line.expected.empty())
        return holderText(*line.seen, &names);
    QStringList owners;
    for (const Holder &holder : line.seen->holders) {
        if (std::ranges::find(line.expected, ExpectedHolder{ holder.owner, holder.mode }) == line.expected.end())
            continue;
        QString owner = fullNamedOwner(holder.owner, &names);
        if (holder.count > 1)
            owner += QStringLiteral(" ×") + countText(holder.count);
        owners << (holder.expired ? BulkTable::tr("%1, run out").arg(owner) : owner);
    }
    if (owners.size() > Most) {
        const auto more = static_cast<qint64>(owners.size() - Most + 1);
        owners = owners.first(Most - 1) << BulkTable::tr("and %1 more").arg(countText(more));
    }
    return owners.join(QLatin1Char('\n'));
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

/// Why a line is left out of which all servers are seen again.
QString untickedText(const QStringList &servers, bool asks)
{
    const bool isOne = servers.size() == 1;
    const QString names = servers.join(QStringLiteral(", "));
    if (asks)
        return (isOne ? BulkTable::tr("%1 is seen again: tick this line to release it all the same.")
                      : BulkTable::tr("%1 are seen again: tick this line to release it all the same."))
            .arg(names);
    return (isOne ? BulkTable::tr("Left out: %1 was lost.") : BulkTable::tr("Left out: %1 were lost.")).arg(names);
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
        if (!line.lostServers.isEmpty())
            return lossText(line.lostServers);
        return line.untickedFor.isEmpty() ? line.said : untickedText(line.untickedFor, asks);
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
    setVerticalScrollMode(ScrollPerPixel); // a row may be higher than the table
    for (const int column : { BulkLock, BulkHolder })
        setItemDelegateForColumn(column, new WholeDelegate(1, this));
    constexpr qsizetype LongestWord = 16; // of a sentence
    setItemDelegateForColumn(BulkOutcome, new WholeDelegate(LongestWord, this));
    setItemDelegateForColumn(BulkTtl, new OneLineDelegate(this));
    setMinimumHeight(150);
    const QStringList shownNames = namesToldApart(m_lines);
    for (std::size_t row = 0; row < m_lines.size(); ++row)
        fillRow(row, shownNames[static_cast<qsizetype>(row)]);
    connect(this, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem *item) {
        if (!m_filling && m_asks)
            Q_EMIT turned(
                static_cast<std::size_t>(item->row()), this->item(item->row(), BulkLock)->checkState() == Qt::Checked);
    });
}

void BulkTable::fillRow(std::size_t row, const QString &shownName)
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
        name->setText(shownName);
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
        cell->setText(texts[column]);
        cell->setToolTip(plainToolTip(texts[column]));
        isOther = isOther || column != BulkTtl;
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
    const bool isSeen = line.lostServers.isEmpty();
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
    constexpr int Gap = 6; // a name of several lines ends where the next one begins
    resizeRowToContents(row);
    setRowHeight(row, std::max(rowHeight(row) + Gap, verticalHeader()->defaultSectionSize()));
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
    Share shares[] = { { BulkLock, 110, 320 }, { BulkHolder, 100, 290 }, { BulkMeaning, 120, 280 },
        { BulkOutcome, m_asks ? 130 : 240, 460 } };
    int room = viewport()->width() - columnWidth(BulkTtl);
    int wanted = 0;
    for (Share &share : shares) {
        share.width = std::clamp(textWidth(share.column), share.least, share.most) - share.least;
        wanted += share.width;
        room -= share.least;
    }
    if (!m_asks && room < wanted) { // what became of it is read then, and has what it needs before the others
        const int told = std::ranges::find(shares, BulkOutcome, &Share::column)->width;
        wanted -= told;
        room = std::max(0, room - told);
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
