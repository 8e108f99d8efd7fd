// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard_page.h"

#include "ui/charts/histogram_chart.h"
#include "ui/charts/rate_chart.h"
#include "ui/charts/sparkline.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/suspect_list.h"

#include <QComboBox>
#include <QGridLayout>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QStackedWidget>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int NarrowWidth = 1'000; // below it the cards stand one below the other
constexpr int Spacing = 10;
constexpr int LongestUsualRange = 2;

QString signedText(std::int64_t number)
{
    const QString sign = number < 0 ? QStringLiteral("−") : QStringLiteral("+");
    return sign + countText(std::abs(number));
}

QLabel *noteLabel(QWidget *parent) { return plainLabel(QStringLiteral("small"), parent); }

} // namespace

DashboardPage::DashboardPage(
    const Theme &theme, const ViewClock &clock, const ClientNames &names, const Activity &activity, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_activity(&activity)
    , m_rows{ .theme = theme, .onWindow = true }
    , m_range(new QComboBox(this))
    , m_since(new ElidedLabel(QStringLiteral("mutedLine"), this))
    , m_rates(new RateChart(theme, this))
    , m_suspectNote(noteLabel(this))
    , m_suspects(new SuspectList(theme, names, this))
    , m_contentionNote(noteLabel(this))
    , m_table(new DataTable(m_rows, clock, this))
    , m_holdNote(noteLabel(this))
    , m_holds(new HistogramChart(theme, Tone::Fixed, this))
    , m_waitNote(noteLabel(this))
    , m_waits(new HistogramChart(theme, Tone::Waiting, this))
    , m_tileGrid(new QGridLayout)
    , m_cardGrid(new QGridLayout)
    , m_cards{}
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
{
    setProperty("role", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    m_stack->addWidget(buildBody());
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(m_stack, 1);
    setFocusPolicy(Qt::StrongFocus);
    connect(&clock, &ViewClock::tick, this, [this] {
        if (isVisible() && m_nextRefresh.hasExpired())
            refresh();
    });
    connect(m_range, &QComboBox::activated, this, [this] {
        m_rangeChosen = true;
        refresh();
    });
    connect(m_empty, &EmptyState::primaryChosen, this, &Page::connectRequested);
    connect(m_suspects, &SuspectList::lockChosen, this, &Page::lockChosen);
    connect(m_suspects, &SuspectList::lockOpened, this, &Page::lockOpened);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        if (!m_applying && !rows.isEmpty())
            Q_EMIT lockChosen(m_contention.lockAt(rows.front().row()));
    });
    connect(m_table, &QAbstractItemView::activated, this,
        [this](const QModelIndex &index) { Q_EMIT lockOpened(m_contention.lockAt(index.row())); });
    showEmptiness();
}

QWidget *DashboardPage::buildHead()
{
    auto *head = new QWidget(this);
    head->setProperty("role", QStringLiteral("bar"));
    head->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(14, 4, 14, 5);
    layout->setSpacing(12);
    QLabel *title = plainLabel(QStringLiteral("product"), head);
    title->setText(tr("Dashboard"));
    m_range->setAccessibleName(tr("Range"));
    m_range->addItems({ tr("last minute"), tr("last 5 min"), tr("last 15 min"), tr("last hour") });
    layout->addWidget(title);
    layout->addWidget(m_range);
    layout->addWidget(m_since, 1);
    return head;
}

DashboardPage::Range DashboardPage::range() const
{
    using namespace std::chrono_literals;
    static constexpr std::array<Range, 4> Ranges{ { { 60s, 1s }, { 300s, 2s }, { 900s, 5s }, { 3'600s, 20s } } };
    return Ranges[static_cast<std::size_t>(m_range->currentIndex())];
}

DashboardPage::Tile DashboardPage::buildTile(const QString &title, Tone tone)
{
    Tile tile;
    tile.card = new QWidget(this);
    tile.card->setProperty("role", QStringLiteral("card"));
    tile.card->setAttribute(Qt::WA_StyledBackground);
    tile.figure = plainLabel(QStringLiteral("figure"), tile.card);
    tile.figure->setAccessibleName(title);
    tile.note = new ElidedLabel(QStringLiteral("statusLine"), tile.card);
    tile.curve = new Sparkline(m_theme, tone, tile.card);
    QLabel *name = plainLabel(QStringLiteral("section"), tile.card);
    name->setText(title);
    auto *layout = new QVBoxLayout(tile.card);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(2);
    layout->addWidget(name);
    layout->addWidget(tile.figure);
    layout->addWidget(tile.note);
    layout->addWidget(tile.curve);
    return tile;
}

QWidget *DashboardPage::buildCard(const QString &title, QLabel *note, QWidget *content)
{
    auto *card = new QWidget(this);
    card->setProperty("role", QStringLiteral("card"));
    card->setAttribute(Qt::WA_StyledBackground);
    QLabel *name = plainLabel(QStringLiteral("section"), card);
    name->setText(title);
    auto *head = new QHBoxLayout;
    head->addWidget(name);
    head->addStretch(1);
    head->addWidget(note);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(content, 1);
    return card;
}

QWidget *DashboardPage::buildBody()
{
    m_tiles = { buildTile(tr("Held now"), Tone::Accent), buildTile(tr("Waiting now"), Tone::Waiting),
        buildTile(tr("Acquires / s"), Tone::Accent), buildTile(tr("Renewals / s"), Tone::Fixed),
        buildTile(tr("Ran out unreleased"), Tone::Warning), buildTile(tr("Suspects"), Tone::Danger) };
    m_table->setModel(&m_contention);
    m_table->setItemDelegateForColumn(ContentionModel::Blocked, new ShareBarDelegate(m_rows, m_table));
    m_table->setColumnWidths({ { 60, 120 }, { 60, 164 }, { 4, 54 }, { 6, 78 }, { 6, 70 }, { 6, 80 }, { 6, 58 } });
    m_table->setAccessibleName(tr("Most contended locks"));
    m_table->setMinimumHeight(150);
    m_holds->setAccessibleName(tr("Hold times"));
    m_waits->setAccessibleName(tr("Waits"));
    auto *legend = noteLabel(this);
    legend->setTextFormat(Qt::RichText); // of ours alone
    legend->setObjectName(QStringLiteral("legend"));
    m_cards = { buildCard(tr("Per second"), legend, m_rates), buildCard(tr("Suspects"), m_suspectNote, m_suspects),
        buildCard(tr("Most contended"), m_contentionNote, m_table), buildCard(tr("Hold times"), m_holdNote, m_holds),
        buildCard(tr("Waits"), m_waitNote, m_waits) };
    const auto showLegend = [this, legend] {
        const auto word = [this](Tone tone, const QString &sign, const QString &text) {
            return QStringLiteral("<span style='color:%1'>%2</span> %3&nbsp;&nbsp; ")
                .arg(m_theme.color(tone).name(), sign, text);
        };
        legend->setText(word(Tone::Accent, QStringLiteral("—"), tr("acquires"))
            + word(Tone::Fixed, QStringLiteral("—"), tr("renewals"))
            + word(Tone::Warning, QStringLiteral("▼"), tr("ran out unreleased"))
            + word(Tone::Muted, QStringLiteral("▨"), tr("not seen")));
    };
    connect(&m_theme, &Theme::changed, legend, showLegend);
    showLegend();

    auto *body = new QWidget(this);
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(Spacing, Spacing, Spacing, Spacing);
    layout->setSpacing(Spacing);
    m_tileGrid->setSpacing(Spacing);
    m_cardGrid->setSpacing(Spacing);
    layout->addLayout(m_tileGrid);
    layout->addLayout(m_cardGrid, 1);
    place();
    auto *scroll = new QScrollArea(this);
    scroll->setProperty("role", QStringLiteral("page"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(body);
    return scroll;
}

void DashboardPage::place()
{
    const int inRow = m_isNarrow ? 3 : TileCount;
    for (int i = 0; i < TileCount; ++i)
        m_tileGrid->addWidget(m_tiles[static_cast<std::size_t>(i)].card, i / inRow, i % inRow);
    for (int column = 0; column < TileCount; ++column)
        m_tileGrid->setColumnStretch(column, column < inRow ? 1 : 0);
    auto &[rates, suspects, contention, holds, waits] = m_cards;
    if (m_isNarrow) {
        m_cardGrid->addWidget(rates, 0, 0, 1, 2);
        m_cardGrid->addWidget(suspects, 1, 0, 1, 2);
        m_cardGrid->addWidget(contention, 2, 0, 1, 2);
        m_cardGrid->addWidget(holds, 3, 0);
        m_cardGrid->addWidget(waits, 3, 1);
    } else {
        m_cardGrid->addWidget(rates, 0, 0);
        m_cardGrid->addWidget(suspects, 0, 1);
        m_cardGrid->addWidget(contention, 1, 0, 2, 1);
        m_cardGrid->addWidget(holds, 1, 1);
        m_cardGrid->addWidget(waits, 2, 1);
    }
    m_cardGrid->setColumnStretch(0, m_isNarrow ? 1 : 69);
    m_cardGrid->setColumnStretch(1, m_isNarrow ? 1 : 31);
    m_cardGrid->setRowStretch(0, 45);
    for (int row = 1; row < 4; ++row)
        m_cardGrid->setRowStretch(row, m_isNarrow || row < 3 ? 28 : 0);
    m_suspects->setMinimumHeight(m_isNarrow ? 150 : 120);
}

void DashboardPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    if (std::exchange(m_isNarrow, width() < NarrowWidth) != m_isNarrow)
        place();
}

void DashboardPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    refresh();
}

void DashboardPage::setActivity(const Activity &activity) { m_activity = &activity; }

void DashboardPage::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    const bool first = !m_snapshot;
    const bool isAnother = m_countedSince != m_activity->since(); // moment of a recording, or another clock
    m_snapshot = snapshot;
    showEmptiness();
    if (m_analysis != snapshot->analysis)
        showLists();
    if (first || isAnother)
        refresh();
}

void DashboardPage::setConnected(bool connected)
{
    m_connected = connected;
    m_snapshot.reset();
    m_chosen.clear();
    if (!m_rangeChosen)
        m_range->setCurrentIndex(0);
    showLists();
    showEmptiness();
}

void DashboardPage::setFilter(const LockFilter &filter, const QString &)
{
    m_filter = filter;
    showLists();
}

void DashboardPage::choose(const LockName &lock)
{
    m_chosen = lock;
    m_suspects->choose(lock);
    const QScopedValueRollback applying(m_applying, true);
    if (const int row = m_contention.rowOf(lock); row >= 0)
        m_table->selectRow(row);
    else
        m_table->clearSelection();
}

void DashboardPage::chooseInTable() { m_table->beginWithCurrentRow(); }

void DashboardPage::showEmptiness()
{
    const bool anything = m_snapshot && m_activity->since();
    const bool focused = hasFocus();
    m_stack->setCurrentIndex(anything ? 0 : 1);
    setFocusProxy(anything ? m_table : nullptr);
    if (focused)
        setFocus();
    if (anything)
        return;
    if (!m_connected)
        m_empty->setContent(EmptyState::notConnected());
    else
        m_empty->setContent(
            { tr("Nothing seen yet"), tr("Figures appear once the server has been looked at."), {}, {}, {} });
}

void DashboardPage::refresh()
{
    constexpr std::chrono::milliseconds Every{ 950 };
    m_nextRefresh.setRemainingTime(Every);
    if (!m_snapshot || !m_activity->since())
        return;
    m_countedSince = m_activity->since();
    if (m_filter.dependsOnTime())
        showLists();
    const WallTime now = m_clock.wallAt(m_clock.now());
    while (!m_rangeChosen && m_range->currentIndex() < LongestUsualRange && now - *m_activity->since() > range().length)
        m_range->setCurrentIndex(m_range->currentIndex() + 1);
    const WallTime from = now - range().length;
    m_since->setText(*m_activity->since() > from
            ? tr("counted since %1, when it was first looked at").arg(clockText(*m_activity->since(), now))
            : QString());
    showTiles(now);
    showCharts(now);
}

/// The mean over the range, and how it was in the range before, where all of that was counted.
QString DashboardPage::comparedText(std::int64_t ActivityCounts::*count, WallTime now) const
{
    const auto length = range().length;
    const auto sum = [&](WallTime to) { return m_activity->sum(to - length, to).*count; };
    const Millis counted = m_activity->seen(now - length, now);
    if (counted < std::chrono::seconds(1))
        return {};
    const double mean = double(sum(now)) * 1'000 / double(counted.count());
    QString text = tr("mean %1").arg(rateText(mean));
    const WallTime before = now - length;
    if (length * 2 > Activity::Kept || *m_activity->since() > before - length
        || !m_activity->unseen(before - length, now).empty())
        return text;
    const auto was = sum(before);
    if (was == 0)
        return text;
    const auto change = qRound64((double(sum(now)) - double(was)) * 100 / double(was));
    return text + QStringLiteral(" · ") + tr("%1 % on the %2 before").arg(signedText(change), durationText(length));
}

void DashboardPage::showTiles(WallTime now)
{
    const auto [length, step] = range();
    const auto steps = m_activity->steps(now, step, static_cast<int>(length / step));
    const bool fresh = isFresh(*m_snapshot);
    const LockCounts &locks = m_activity->locks();
    const auto show = [&](TileName name, const QString &figure, const QString &note, auto valueOf) {
        std::vector<std::optional<double>> values;
        for (const Activity::Step &each : steps)
            values.push_back(valueOf(each));
        Tile &tile = m_tiles[name];
        tile.figure->setText(figure);
        tile.note->setText(note);
        tile.figure->setAccessibleDescription(note.isEmpty() ? figure : figure + QStringLiteral(", ") + note);
        tile.curve->setValues(std::move(values));
    };
    const auto sampled = [](auto value) {
        return [value](const Activity::Step &each) {
            return each.sample ? std::optional<double>(double((*each.sample).*value)) : std::nullopt;
        };
    };
    // A step within which nobody looked has no sample; that nothing happened then would be a claim.
    const auto counted = [&, step = step](auto value) {
        return [value, step](const Activity::Step &each) {
            return each.sample ? std::optional<double>(double(each.counts.*value) / double(step.count()))
                               : std::nullopt;
        };
    };
    const auto first = std::ranges::find_if(steps, [](const Activity::Step &each) { return each.sample.has_value(); });
    const QString change = first == steps.end() || locks.held == first->sample->held
        ? tr("no change")
        : tr("%1 in this range").arg(signedText(locks.held - first->sample->held));
    show(Held, countText(locks.held), change, sampled(&ActivitySample::held));
    const bool waitsKnown = locks.allKnown;
    show(Waiting,
        (waitsKnown                  ? QString()
                : locks.waiting == 0 ? QStringLiteral("?")
                                     : QStringLiteral("≥ "))
            + (waitsKnown || locks.waiting > 0 ? countText(locks.waiting) : QString()),
        locks.busiest.empty() ? QString()
                              : tr("%1 at %2").arg(countText(locks.atBusiest), displayText(locks.busiest, 60)),
        sampled(&ActivitySample::waiting));
    const auto lately = [&](std::int64_t ActivityCounts::*count) {
        constexpr std::chrono::seconds Lately{ 10 };
        const Millis seen = m_activity->seen(now - Lately, now);
        return fresh && seen >= std::chrono::seconds(1)
            ? rateText(double(m_activity->sum(now - Lately, now).*count) * 1'000 / double(seen.count()))
            : QStringLiteral("?");
    };
    show(Acquires, lately(&ActivityCounts::acquires), comparedText(&ActivityCounts::acquires, now),
        counted(&ActivityCounts::acquires));
    show(Renewals, lately(&ActivityCounts::renewals), comparedText(&ActivityCounts::renewals, now),
        counted(&ActivityCounts::renewals));
    const ActivityCounts sum = m_activity->sum(now - length, now);
    const auto &expiry = m_activity->lastExpiry();
    show(Expiries, countText(sum.expiries),
        expiry ? tr("last %1 ago: %2")
                     .arg(durationText(std::max(Millis(0), now - expiry->at)), displayText(expiry->lock, 60))
               : tr("none was seen"),
        counted(&ActivityCounts::expiries));
    const auto &analysis = m_snapshot->analysis;
    const auto suspects = analysis ? static_cast<qint64>(analysis->suspects.size()) + analysis->moreSuspects : 0;
    const auto deadlocks = analysis ? static_cast<int>(analysis->graph->cycles.size()) : 0;
    show(Suspects, analysis ? countText(suspects) : QStringLiteral("?"),
        !analysis           ? tr("not looked for yet")
            : deadlocks > 0 ? tr("%n deadlocks", nullptr, deadlocks)
                            : tr("no deadlock"),
        [](const Activity::Step &each) {
            return each.sample && each.sample->suspects ? std::optional<double>(double(*each.sample->suspects))
                                                        : std::nullopt;
        });
    setStyleProperty(*m_tiles[Waiting].figure, "tone", locks.waiting > 0 ? QStringLiteral("waiting") : QString());
    setStyleProperty(*m_tiles[Expiries].figure, "tone", sum.expiries > 0 ? QStringLiteral("warning") : QString());
    setStyleProperty(
        *m_tiles[Suspects].figure, "tone", suspects + deadlocks > 0 ? QStringLiteral("danger") : QString());
}

void DashboardPage::showCharts(WallTime now)
{
    const auto [length, step] = range();
    const int count = static_cast<int>(length / step);
    auto steps = m_activity->steps(now, step, count);
    const WallTime to(now.time_since_epoch() / step * step);
    const WallTime from = to - length;
    m_rates->setData({ from, step, std::move(steps), m_activity->unseen(from, to) });
    m_holds->setHistogram(m_activity->holds(from, to));
    m_waits->setHistogram(m_activity->waits(from, to));
    const std::int64_t holds = m_holds->histogram().total();
    const std::int64_t waits = m_waits->histogram().total();
    m_holdNote->setText(tr("%1 whole holds, log scale", nullptr, pluralOf(holds)).arg(countText(holds)));
    m_waitNote->setText(tr("%1 whole waits in fair queues", nullptr, pluralOf(waits)).arg(countText(waits)));
}

void DashboardPage::showLists()
{
    m_analysis = m_snapshot ? m_snapshot->analysis : nullptr;
    const MonoTime now = m_clock.now();
    const auto isWanted = [&](const LockName &name) {
        if (m_filter.isEmpty())
            return true;
        if (!m_snapshot)
            return false;
        if (const auto lock = m_snapshot->locks.find(name))
            return m_filter.matches(*lock, now);
        LockState gone; // it is free
        gone.name = name;
        return m_filter.matches(gone, now);
    };
    m_suspects->setAnalysis(m_analysis.get(), isWanted);
    {
        const QScopedValueRollback applying(m_applying, true);
        m_contention.setStatistics(m_analysis ? m_analysis->statistics.get() : nullptr, isWanted);
    }
    choose(m_chosen);
    const QString filtered = m_filter.isEmpty() ? QString() : tr(" · filtered");
    const auto suspects = m_analysis
        ? static_cast<qint64>(m_analysis->suspects.size() + m_analysis->graph->cycles.size()) + m_analysis->moreSuspects
        : 0;
    const auto shown = static_cast<qint64>(m_suspects->count());
    QString note = tr("none");
    if (shown > 0 && m_filter.isEmpty() && shown < suspects)
        note = tr("the gravest %1 of %2").arg(countText(shown), countText(suspects));
    else if (shown > 0)
        note = tr("the gravest first");
    m_suspectNote->setText(note + filtered);
    // Those who stood there at the first look began before, nobody knows when.
    const bool isAnyQueued
        = m_snapshot && std::ranges::any_of(m_snapshot->locks, [](const auto &lock) { return !lock->waiters.empty(); });
    m_contentionNote->setText((m_contention.rowCount() > 0 ? tr("by the time that others were seen to wait")
                                      : isAnyQueued        ? tr("no wait for a holder was seen from its beginning yet")
                                                           : tr("nobody was seen to wait in a fair queue"))
        + filtered);
}

} // namespace lockui
