// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard_page.h"

#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/charts/rate_chart.h"
#include "ui/charts/server_strip.h"
#include "ui/models/attention.h"
#include "ui/models/wait_groups.h"
#include "ui/support/freshness.h"
#include "ui/support/seen_times.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/copy_menu.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/export_button.h"
#include "ui/views/picture_menu.h"
#include "ui/views/suspect_list.h"
#include "ui/views/unseen_locks.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSettings>
#include <QStackedWidget>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int NarrowWidth = 1'000; // below it the cards stand one below the other
constexpr int Spacing = 10;
constexpr int LongestUsualRange = 2;
constexpr std::size_t MostServerTexts = 6;

const QString CompareKey = QStringLiteral("dashboard/compare");

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
    , m_compare(new QCheckBox(this))
    , m_since(new ElidedLabel(QStringLiteral("mutedLine"), this))
    , m_tiles(new DashboardTiles(theme, this))
    , m_rates(new RateChart(theme, this))
    , m_servers(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_suspectNote(noteLabel(this))
    , m_suspects(new SuspectList(theme, names, this))
    , m_suspectBox(new FilteredBox(m_suspects, this))
    , m_contentionNote(noteLabel(this))
    , m_table(new DataTable(m_rows, clock, this))
    , m_contentionBox(new FilteredBox(m_table, this))
    , m_holds(new HistogramCard(tr("Hold times"), theme, Tone::Fixed, holdSource(), this))
    , m_waits(new HistogramCard(tr("Waits"), theme, Tone::Waiting, waitSource(), this))
    , m_cardGrid(new QGridLayout)
    , m_cards{}
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_written(new WrittenNote(this))
    , m_export(new ExportButton(QStringLiteral("dashboard"), this))
    , m_body(new QWidget(this))
{
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
        else if (isVisible() && m_tilesOutdated)
            showTiles();
    });
    connect(m_range, &QComboBox::activated, this, [this] {
        m_rangeChosen = true;
        refresh();
    });
    connect(m_compare, &QCheckBox::toggled, this, &DashboardPage::refresh);
    for (HistogramCard *card : { m_holds, m_waits })
        connect(card, &HistogramCard::ofChosenLockWanted, this, &DashboardPage::setOfChosenLock);
    connect(&m_rates->strip(), &ServerStrip::chosenChanged, this, &DashboardPage::showServers);
    connect(m_empty, &EmptyState::wayOutChosen, this, &Page::wayOutChosen);
    for (const FilteredBox *box : { m_suspectBox, m_contentionBox })
        connect(box, &FilteredBox::clearFilterRequested, this, &Page::clearFilterRequested);
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

/// The strip tells of the focus that it loses as it goes, when there is no page any more.
DashboardPage::~DashboardPage() { m_rates->strip().disconnect(this); }

QWidget *DashboardPage::buildHead()
{
    auto *head = new QWidget(this);
    makeBar(*head);
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(14, 4, 14, 5);
    layout->setSpacing(12);
    QLabel *title = plainLabel(QStringLiteral("product"), head);
    title->setText(tr("Dashboard"));
    m_range->setAccessibleName(tr("Range"));
    m_range->addItems({ tr("last minute"), tr("last 5 min"), tr("last 15 min"), tr("last hour") });
    layout->addWidget(title);
    connect(m_range, &QComboBox::currentIndexChanged, this, &DashboardPage::nameComparison);
    nameComparison();
    m_compare->setChecked(true);
    layout->addWidget(m_range);
    layout->addWidget(m_compare);
    layout->addWidget(m_since, 1);
    layout->addWidget(m_written, 1);
    layout->addWidget(m_export);
    connect(m_export, &ExportButton::written, m_written, &WrittenNote::tell);
    m_export->offerPicture([this] { return picture(tr("Dashboard, %1").arg(m_range->currentText()), *m_body); });
    return head;
}

DashboardRange DashboardPage::range() const
{
    using namespace std::chrono_literals;
    static constexpr std::array<DashboardRange, 4> Ranges{ { { 60s, 1s }, { 300s, 2s }, { 900s, 5s },
        { 3'600s, 20s } } };
    return Ranges[static_cast<std::size_t>(m_range->currentIndex())];
}

/// The range before begins then; absent: it is not compared.
std::optional<WallTime> DashboardPage::comparesWith(WallTime now) const
{
    const auto length = range().length;
    const WallTime to = range().end(now) - length;
    const bool isSeen = m_activity->isSeenWhole(to - length, to);
    return m_compare->isChecked() && isSeen ? std::optional(to - length) : std::nullopt;
}

HistogramCard::Source DashboardPage::holdSource() const
{
    return { [this](WallTime from, WallTime to) { return m_activity->holds(from, to); },
        [this](const LockName &lock, WallTime from, WallTime to) { return m_activity->holdsOf(lock, from, to); },
        [](std::int64_t count) { return tr("%1 holds measured", nullptr, pluralOf(count)).arg(countText(count)); },
        [this](const LockName &name) {
            const auto lock = m_snapshot ? m_snapshot->locks.find(name) : nullptr;
            if (!lock || !synchronizers::isCounter(lock->kind))
                return QString();
            return synchronizers::isSemaphore(lock->kind) ? tr("Nobody holds a semaphore as a whole.")
                                                          : tr("Nobody holds a latch.");
        } };
}

HistogramCard::Source DashboardPage::waitSource() const
{
    return { [this](WallTime from, WallTime to) { return m_activity->waits(from, to); },
        [this](const LockName &lock, WallTime from, WallTime to) { return m_activity->waitsOf(lock, from, to); },
        [](std::int64_t count) {
            return tr("%1 whole waits in fair queues", nullptr, pluralOf(count)).arg(countText(count));
        },
        [this](const LockName &name) {
            const auto lock = m_snapshot ? m_snapshot->locks.find(name) : nullptr;
            return lock && lock->kind != synchronizers::Kind::Fair ? tr("Only fair locks tell who waits.") : QString();
        } };
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
    offerPicture(
        *card, QStringLiteral("dashboard"), [this, title, card] { return picture(title, *card); }, m_written->teller());
    return card;
}

QWidget *DashboardPage::buildRates()
{
    auto *legend = noteLabel(this);
    legend->setTextFormat(Qt::RichText); // of ours alone
    legend->setObjectName(QStringLiteral("legend"));
    const auto showLegend = [this, legend] {
        const auto word = [this](Tone tone, const QString &sign, const QString &text) {
            return QStringLiteral("<span style='color:%1'>%2</span> %3&nbsp;&nbsp; ")
                .arg(m_theme.color(tone).name(), sign, text);
        };
        legend->setText(word(Tone::Accent, QStringLiteral("—"), tr("acquires"))
            + word(Tone::Fixed, QStringLiteral("—"), tr("renewals"))
            + word(Tone::Warning, QStringLiteral("▼"), tr("ran out unreleased"))
            + word(Tone::Danger, QStringLiteral("◆"), tr("server"))
            + word(Tone::Warning, QStringLiteral("▮"), tr("slow or paused"))
            + word(Tone::Muted, QStringLiteral("▨"), tr("not seen")));
    };
    connect(&m_theme, &Theme::changed, legend, showLegend);
    showLegend();
    auto *content = new QWidget(this);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_rates, 1);
    layout->addWidget(m_servers);
    return buildCard(tr("Per second"), legend, content);
}

QWidget *DashboardPage::buildBody()
{
    m_table->setModel(&m_contention);
    m_table->setItemDelegateForColumn(ContentionModel::Blocked, new ShareBarDelegate(m_rows, m_table));
    m_table->setColumnWidths({ { 60, 120 }, { 60, 150 }, { 4, 54 }, { 6, 78 }, { 6, 74 }, { 6, 80 }, { 6, 74 } });
    m_table->setAccessibleName(tr("Most contended locks"));
    m_table->setMinimumHeight(150);
    offerCopies(
        *m_table,
        [this](const std::vector<int> &rows) {
            std::vector<LockName> names;
            for (const int row : rows)
                names.push_back(m_contention.lockAt(row));
            return copyTargetOf(names, origin(), m_clock);
        },
        originSource());
    m_cards = { buildRates(), buildCard(tr("Suspects"), m_suspectNote, m_suspectBox),
        buildCard(tr("Most contended"), m_contentionNote, m_contentionBox), m_holds, m_waits };

    const auto offer = [this](HistogramCard &card, const QString &title) {
        offerPicture(
            card, QStringLiteral("dashboard"), [this, title, &card] { return picture(title, card); },
            m_written->teller());
    };
    offer(*m_holds, tr("Hold times"));
    offer(*m_waits, tr("Waits"));

    auto *layout = new QVBoxLayout(m_body);
    layout->setContentsMargins(Spacing, Spacing, Spacing, Spacing);
    layout->setSpacing(Spacing);
    m_cardGrid->setSpacing(Spacing);
    layout->addWidget(m_tiles);
    layout->addLayout(m_cardGrid, 1);
    place();
    auto *scroll = new QScrollArea(this);
    scroll->setProperty("role", QStringLiteral("page"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_body);
    return scroll;
}

Picture DashboardPage::picture(const QString &title, const QWidget &part) const
{
    return { m_theme, title, subtitleOf(origin(), m_clock), { &part }, m_theme.colors().window };
}

void DashboardPage::place()
{
    constexpr int InRow = 6;
    m_tiles->setInRow(m_isNarrow ? InRow / 2 : InRow);
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
    if (const bool wasNarrow = std::exchange(m_isNarrow, width() < NarrowWidth); wasNarrow != m_isNarrow)
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
    m_tilesOutdated = true;
    showEmptiness();
    if (m_analysis != snapshot->analysis || m_wasFresh != isFresh(*snapshot) || m_lostServers != lostServers(*snapshot)
        || snapshot->status.recordedAt)
        showLists();
    if (first || isAnother)
        refresh();
}

void DashboardPage::setConnected(bool connected)
{
    m_connected = connected;
    m_snapshot.reset();
    m_chosen.reset();
    m_countedSince.reset();
    m_since->setText({});
    if (!m_rangeChosen)
        m_range->setCurrentIndex(0);
    showLists();
    showEmptiness();
}

void DashboardPage::setFilter(const LockFilter &filter, const QString &)
{
    m_filter = filter;
    if (m_activity->since())
        showHead(m_clock.wallAt(m_clock.now()));
    showLists();
}

void DashboardPage::choose(const LockName &lock)
{
    const bool isAnother = m_chosen != lock; // it may be that very one
    m_chosen = lock;
    showChosen();
    if (isAnother && m_snapshot && m_activity->since())
        showCharts(m_clock.wallAt(m_clock.now()));
}

void DashboardPage::showChosen()
{
    m_holds->setChosenLock(m_chosen);
    m_waits->setChosenLock(m_chosen);
    m_suspects->choose(m_chosen);
    const QScopedValueRollback applying(m_applying, true);
    if (const int row = m_chosen ? m_contention.rowOf(*m_chosen) : -1; row >= 0)
        m_table->selectRow(row);
    else
        m_table->clearSelection();
}

void DashboardPage::setOfChosenLock(bool isWanted)
{
    m_holds->setOfChosenLock(isWanted);
    m_waits->setOfChosenLock(isWanted);
    refresh();
}

void DashboardPage::save(QSettings &settings) const { settings.setValue(CompareKey, m_compare->isChecked()); }

void DashboardPage::restore(const QSettings &settings)
{
    m_compare->setChecked(settings.value(CompareKey, true).toBool());
}

void DashboardPage::chooseInTable() { m_table->beginWithCurrentRow(); }

void DashboardPage::showEmptiness()
{
    const bool anything = m_snapshot && m_activity->since();
    m_stack->setCurrentIndex(anything ? 0 : 1);
    m_export->setEnabled(anything);
    setEntry(anything ? m_table : nullptr);
    if (anything)
        return;
    if (!m_connected)
        m_empty->setContent(EmptyState::notConnected());
    else
        m_empty->setContent(unseenContent(m_snapshot.get(), origin())
                                .value_or(EmptyState::Content{ tr("Nothing seen yet"),
                                    tr("Figures appear once the server has been looked at."), {}, {}, {} }));
}

void DashboardPage::refresh()
{
    m_nextRefresh.setRemainingTime(ViewClock::FiguresEvery);
    if (!m_snapshot || !m_activity->since())
        return;
    m_countedSince = m_activity->since();
    if (m_filter.dependsOnTime())
        showLists();
    const WallTime now = m_clock.wallAt(m_clock.now());
    while (!m_rangeChosen && m_range->currentIndex() < LongestUsualRange && now - *m_activity->since() > range().length)
        m_range->setCurrentIndex(m_range->currentIndex() + 1);
    showHead(now);
    showTiles();
    showCharts(now);
}

/// With the next tick: each draws a curve, too, and nobody sees that it is an eighth of a second behind the table.
void DashboardPage::showTiles()
{
    m_tilesOutdated = false;
    if (!m_snapshot || !m_activity->since())
        return;
    const WallTime now = m_clock.wallAt(m_clock.now());
    m_tiles->show(*m_activity, *m_snapshot, range(), now, comparesWith(now));
}

void DashboardPage::nameComparison()
{
    const std::array texts{ tr("compare with the minute before"), tr("compare with the 5 min before"),
        tr("compare with the 15 min before"), tr("compare with the hour before") };
    m_compare->setText(texts[static_cast<std::size_t>(m_range->currentIndex())]);
}

/// Why there is nothing to compare with is said: that nothing changed would be a claim.
void DashboardPage::showHead(WallTime now)
{
    QStringList notes;
    QStringList shorter;
    const QString since = clockText(*m_activity->since(), now);
    if (!m_filter.isEmpty()) {
        notes << tr("figures, rates and times are of all locks");
        shorter << tr("figures are of all locks");
    }
    if (*m_activity->since() > now - range().length) {
        notes << (m_snapshot && m_snapshot->status.recordedAt ? tr("counted since %1 of the recording")
                                                              : tr("counted since %1, the first look"))
                     .arg(since);
        shorter << tr("since %1").arg(since.left(since.lastIndexOf(QLatin1Char('.'))));
    }
    if (m_compare->isChecked() && !comparesWith(now)) {
        const WallTime to = range().end(now) - range().length;
        const bool isInPart = m_activity->seen(to - range().length, to) > Millis(0);
        notes << (isInPart ? tr("the time before was watched only in part") : tr("the time before was not watched"));
        shorter << (isInPart ? tr("before that seen in part") : tr("before that not seen"));
    }
    const QString between = QStringLiteral(" · ");
    m_since->setShorterTexts({ shorter.join(between) });
    m_since->setText(notes.join(between));
}

void DashboardPage::showCharts(WallTime now)
{
    const DashboardRange range = this->range();
    const WallTime to = range.end(now);
    const WallTime from = to - range.length;
    const auto before = comparesWith(now);
    std::vector<Activity::Step> stepsBefore;
    if (before)
        stepsBefore = m_activity->steps(from, range.step, range.steps());
    m_rates->setData({ from, range.step, m_activity->steps(now, range.step, range.steps()),
        m_activity->unseen(from, to), std::move(stepsBefore) });
    m_rates->strip().setEvents(m_activity->serverEvents(from, to));
    showServers();
    m_holds->show({ from, to + Activity::Slice, before, now });
    m_waits->show({ from, to + Activity::Slice, before, now });
}

/// The chosen mark in full, else the last ones in a few words; and what cannot be seen of the servers.
void DashboardPage::showServers()
{
    const ServerStrip &strip = m_rates->strip();
    const std::vector<Event> &events = strip.events();
    QStringList texts;
    if (const auto one = strip.chosen())
        texts << ServerStrip::timeText(*one) + QLatin1Char(' ') + eventText(*one) << eventMeaning(*one);
    else
        for (auto event = events.rbegin(); event != events.rend() && std::size_t(texts.size()) < MostServerTexts;
             ++event)
            texts << ServerStrip::timeText(*event) + QLatin1Char(' ') + ServerStrip::shortText(*event);
    if (texts.isEmpty())
        texts << tr("nothing seen in this range");
    const SlowLogAccess slowLog = m_snapshot ? m_snapshot->status.slowLog : SlowLogAccess::Unknown;
    if (slowLog == SlowLogAccess::Refused)
        texts.prepend(tr("may not read SLOWLOG: slow commands are not seen"));
    else if (slowLog == SlowLogAccess::Missing)
        texts.prepend(tr("has no SLOWLOG: slow commands are not seen"));
    m_servers->setExplanation(slowLog == SlowLogAccess::Refused
            ? tr("The user needs the right +slowlog|get to see slow commands.")
            : QString());
    m_servers->setText(tr("server: %1").arg(texts.join(QStringLiteral(" · "))));
}

/// What its detail says at the same moment.
Millis DashboardPage::waitedBy(const LockStatistics &numbers, MonoTime now) const
{
    const auto lock = m_snapshot ? m_snapshot->locks.find(numbers.lock) : nullptr;
    return waitedInAll(numbers, m_analysis->at, lock.get(), lock ? seenUntil(*m_snapshot, *lock, now) : now);
}

/// When the deadlock was seen last; empty: it is seen.
QString DashboardPage::asItWas(const WaitCycle &cycle) const
{
    const auto since = lostSince(*m_snapshot, cycle);
    return since ? tr("as it was at %1").arg(clockText(m_clock.wallAt(*since), m_clock.wallAt(m_clock.now())))
                 : QString();
}

void DashboardPage::showLists()
{
    m_analysis = m_snapshot ? m_snapshot->analysis : nullptr;
    m_wasFresh = m_snapshot && isFresh(*m_snapshot);
    m_lostServers = m_snapshot ? lostServers(*m_snapshot) : std::set<std::string>();
    const MonoTime now = m_clock.now();
    const SeenTimes seen = m_snapshot ? SeenTimes(*m_snapshot) : SeenTimes();
    const auto isWanted = [&](const LockName &name) {
        if (m_filter.isEmpty())
            return true;
        if (!m_snapshot)
            return false;
        if (const auto lock = m_snapshot->locks.find(name))
            return matches(m_filter, seen, *lock, now);
        LockState gone; // it is free
        gone.name = name;
        return m_filter.matches(gone, now);
    };
    m_suspects->setAnalysis(m_analysis.get(), isWanted, [this](const WaitCycle &cycle) { return asItWas(cycle); });
    {
        const QScopedValueRollback applying(m_applying, true);
        m_contention.setStatistics(
            m_analysis ? m_analysis->statistics.get() : nullptr, isWanted,
            [&](const LockStatistics &numbers) { return waitedBy(numbers, now); },
            [this](const LockName &name) {
                const auto lock = m_snapshot->locks.find(name);
                return lock && lostSince(*m_snapshot, *lock);
            });
    }
    showChosen();
    const QString filtered = m_filter.isEmpty() ? QString() : tr(" · filtered");
    const auto suspects = m_analysis ? foundCount(*m_analysis) : 0;
    const auto shown = static_cast<qint64>(m_suspects->count());
    QString note = m_snapshot && !isFresh(*m_snapshot)                      ? tr("not known: nothing is seen now")
        : m_snapshot && !m_analysis                                         ? tr("not looked for yet")
        : m_snapshot && lockcore::service::mayHideLocks(m_snapshot->status) ? tr("not all locks are seen")
        : m_snapshot && !isAllSeen(*m_snapshot)                             ? tr("not all servers are seen")
                                                                            : tr("none");
    if (shown > 0 && m_filter.isEmpty() && shown < suspects)
        note = tr("the gravest %1 of %2").arg(countText(shown), countText(suspects));
    else if (shown > 0)
        note = tr("the gravest first");
    const auto unlisted = m_analysis ? m_analysis->moreSuspects : 0;
    if (!m_filter.isEmpty() && unlisted > 0)
        note = tr("among those that are listed; %1 more are not").arg(countText(unlisted));
    m_suspectNote->setText(note + filtered);
    m_suspectBox->setNothingMatches(!m_filter.isEmpty() && shown == 0 && suspects > 0);
    m_contentionNote->setText(contentionNote() + filtered);
    m_contentionBox->setNothingMatches(!m_filter.isEmpty() && m_contention.rowCount() == 0 && isAnyContended());
}

bool DashboardPage::isAnyContended() const
{
    const auto isCounted = [](const auto &numbers) { return numbers->blocked > Millis(0); };
    return m_analysis && std::ranges::any_of(*m_analysis->statistics, isCounted);
}

/// Who was not seen to listen may be a ghost, and counts for nothing; but that nobody listens is another thing than
/// that it is not known yet, or that the filter leaves out who does.
QString DashboardPage::contentionNote() const
{
    if (m_contention.rowCount() > 0)
        return tr("by the time that others were seen to wait");
    if (isAnyContended())
        return tr("none that matches");
    bool isAnyQueued = false;
    bool mayAnyListen = false;
    if (m_snapshot)
        for (const auto &lock : m_snapshot->locks)
            for (const Waiter &waiter : lock->waiters) {
                if (listens(waiter) && waitsFor(*lock, waiter.owner))
                    return tr("not counted yet");
                isAnyQueued = true;
                mayAnyListen = mayAnyListen || !waiter.subscribed;
            }
    return mayAnyListen ? tr("not known yet: who stands in a queue may listen for its turn")
        : isAnyQueued   ? tr("nobody in a queue was seen to listen for its turn")
                        : tr("nobody was seen to wait in a fair queue");
}

} // namespace lockui
