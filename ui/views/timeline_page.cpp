// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline_page.h"

#include "lockcore/monitor/wait_count.h"
#include "ui/charts/timeline_view.h"
#include "ui/models/wait_groups.h"
#include "ui/support/freshness.h"
#include "ui/support/seen_times.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/views/copy_menu.h"
#include "ui/views/empty_state.h"
#include "ui/views/export_button.h"
#include "ui/views/picture_menu.h"
#include "ui/views/scenario_menu.h"
#include "ui/views/unseen_locks.h"

#include <QComboBox>
#include <QDateTime>
#include <QHBoxLayout>
#include <QMenu>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int LegendFrom = 1'120; // wide enough for a whole legend
constexpr int LegendAndLitFrom = 1'360; // also for a button that says whose holds are lit
constexpr std::chrono::seconds ArrangeEvery{ 2 };
const QString OrderKey = QStringLiteral("timeline/order");
const QString ContendedKey = QStringLiteral("timeline/onlyContended");

QToolButton *switchButton(const QString &text, const QString &explanation, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setProperty("role", QStringLiteral("button"));
    button->setText(text);
    button->setToolTip(explanation);
    button->setCheckable(true);
    return button;
}

/// Who waits, and the monitor does not count for how long: no queue tells who that is, or nothing whether they listen.
std::int64_t waitingUncounted(const LockState &lock)
{
    return countedWaits(lock)
        + std::ranges::count_if(lock.waiters, [](const Waiter &each) { return !each.subscribed; });
}

/// A ghost, whose client is gone, listens to nothing; and who has not been asked yet may be one.
bool isWaitedFor(const LockState &lock)
{
    return countedWaits(lock) > 0
        || std::ranges::any_of(lock.waiters, [](const Waiter &waiter) { return listens(waiter); });
}

} // namespace

TimelinePage::TimelinePage(
    const Theme &theme, const ViewClock &clock, const ClientNames &names, const EventStore &events, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_names(names)
    , m_events(events)
    , m_range(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_written(new WrittenNote(this))
    , m_lit(new QToolButton(this))
    , m_legend(plainLabel(QStringLiteral("small"), this))
    , m_pictureLegend(plainLabel(QStringLiteral("small"), this))
    , m_sort(new QComboBox(this))
    , m_contended(switchButton(tr("Only contended"), tr("Only locks that somebody waits or has waited for"), this))
    , m_follow(switchButton(tr("Follow"), tr("The newest moment stays in sight (F)"), this))
    , m_export(new ExportButton(QStringLiteral("timeline"), this))
    , m_stack(new QStackedWidget(this))
    , m_view(new TimelineView(theme, clock, names, m_timeline, this))
    , m_empty(new EmptyState(this))
{
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(m_stack, 1);
    setEntry(nullptr);
    connect(m_empty, &EmptyState::primaryChosen, this, [this] {
        if (!m_filter.isEmpty())
            Q_EMIT clearFilterRequested();
        else
            m_contended->setChecked(false);
    });
    connect(m_empty, &EmptyState::wayOutChosen, this, &Page::wayOutChosen);
    connect(m_view, &TimelineView::lockChosen, this, &Page::lockChosen);
    connect(m_view, &TimelineView::lockOpened, this, &Page::lockOpened);
    connect(m_view, &TimelineView::pinToggled, this, &TimelinePage::togglePin);
    connect(m_view, &TimelineView::menuOffered, this, [this](QMenu &menu, const TimelineView::Pointed &pointed) {
        menu.addSeparator();
        if (pointed.lock) {
            CopyTarget target = copyTargetOf({ *pointed.lock }, origin(), m_clock);
            if (pointed.owner)
                target.owners = { *pointed.owner }; // the bar names it, whoever holds it by now
            addCopyEntries(menu, target, origin());
        }
        menu.addSeparator();
        addPictureEntries(
            menu, QStringLiteral("timeline"), [this] { return picture(); }, m_written->teller());
        menu.addSeparator();
        if (pointed.lock)
            addScenarioEntry(menu, tr("Save a scenario of this loc&k…"), m_events,
                [this, lock = *pointed.lock] { return sight({ lock }); });
        if (const auto locks = m_view->locksInSight(); !locks.empty())
            addScenarioEntry(
                menu, tr("Save a scenario of what is &in sight…"), m_events, [this, locks] { return sight(locks); });
    });
    m_export->offerPicture([this] { return picture(); });
    connect(m_export, &ExportButton::written, m_written, &WrittenNote::tell);
    connect(m_view, &TimelineView::litChanged, this, &TimelinePage::showLit);
    connect(m_lit, &QToolButton::clicked, m_view, &TimelineView::endLighting);
    connect(&names, &ClientNames::changed, this, &TimelinePage::showLit);
    connect(m_view, &TimelineView::rangeChanged, this, &TimelinePage::showRange);
    connect(m_view, &TimelineView::followingChanged, m_follow, &QToolButton::setChecked);
    connect(m_follow, &QToolButton::clicked, m_view, &TimelineView::setFollowing);
    connect(m_contended, &QToolButton::toggled, this, &TimelinePage::arrange);
    connect(m_sort, &QComboBox::activated, this, &TimelinePage::arrange);
    connect(&theme, &Theme::changed, this, &TimelinePage::showLegend);
    connect(&clock, &ViewClock::tick, this, [this] {
        if (isVisible() && m_snapshot)
            advance();
    });
    m_follow->setChecked(m_view->isFollowing());
    showLegend();
    showRange();
    showEmptiness();
}

QWidget *TimelinePage::buildHead()
{
    auto *head = new QWidget(this);
    makeBar(*head);
    auto *layout = new QHBoxLayout(head);
    layout->setContentsMargins(14, 4, 14, 5);
    layout->setSpacing(10);
    QLabel *title = plainLabel(QStringLiteral("product"), head);
    title->setText(tr("Timeline"));
    m_range->setElideMode(Qt::ElideRight);
    m_sort->setAccessibleName(tr("Order of lanes"));
    m_sort->setToolTip(tr("Order of lanes"));
    m_sort->addItems({ tr("by contention"), tr("by name"), tr("by last change") });
    for (QLabel *legend : { m_legend, m_pictureLegend })
        legend->setTextFormat(Qt::RichText); // of ours alone
    m_pictureLegend->hide();
    m_legend->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // the range has shorter words for less room
    layout->addWidget(title);
    m_lit->setProperty("role", QStringLiteral("button"));
    m_lit->setToolTip(tr("The holds of this one are lit, and the others are faint. A click ends that (Esc)"));
    m_lit->hide();
    layout->addWidget(m_range, 1);
    m_written->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // what the range leaves
    m_written->installEventFilter(this);
    layout->addWidget(m_written, 1);
    layout->addWidget(m_lit);
    layout->addWidget(m_legend);
    layout->addStretch(0);
    layout->addWidget(m_sort);
    layout->addWidget(m_contended);
    layout->addWidget(m_follow);
    layout->addWidget(m_export);
    return head;
}

Picture TimelinePage::picture() const
{
    m_pictureLegend->adjustSize();
    return { m_theme, tr("Timeline, %1").arg(m_range->text()), subtitleOf(origin(), m_clock),
        { m_pictureLegend, m_view->viewport() }, m_theme.colors().surface };
}

ScenarioSight TimelinePage::sight(std::vector<LockName> locks) const
{
    return { m_view->range().from, m_view->range().to, std::move(locks), origin().title };
}

std::vector<TimelinePage::LegendWord> TimelinePage::legendWords()
{
    return { { Tone::Waiting, QStringLiteral("▬"), tr("waiting") },
        { Tone::Warning, QStringLiteral("▼"), tr("ran out unreleased") },
        { Tone::Danger, QStringLiteral("◆"), tr("ended by others") },
        { Tone::Muted, QStringLiteral("▨"), tr("not seen") } };
}

/// As many words as there is room for; all of them are in the tool tip, and in pictures.
void TimelinePage::showLegend()
{
    m_legend->ensurePolished();
    const auto widthOf = [this](const LegendWord &word) {
        return m_legend->fontMetrics().horizontalAdvance(word.sign + u' ' + word.text + QStringLiteral("    "));
    };
    const auto words = legendWords();
    int room = width() - (m_view->litOwner() ? LegendAndLitFrom : LegendFrom);
    for (const LegendWord &word : words)
        room += widthOf(word);
    QString all;
    QString shown;
    QStringList tip;
    for (const LegendWord &word : words) {
        all += QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3&nbsp;&nbsp; ")
                   .arg(m_theme.color(word.tone).name(), word.sign, word.text);
        room -= widthOf(word);
        if (room >= 0)
            shown = all;
        tip << word.sign + u' ' + word.text;
    }
    m_pictureLegend->setText(all);
    m_legend->setText(shown);
    m_legend->setToolTip(plainToolTip(tip.join(u'\n')));
    m_legend->setVisible(m_written->isHidden() && !shown.isEmpty());
}

void TimelinePage::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    m_timeline.lookAtServers(*snapshot);
    // Also while a moment is held: up to that moment there may be more than was last seen here.
    m_timeline.catchUp(m_events);
    m_timeline.observe(*snapshot);
    rememberLocks();
    m_view->setSnapshot(snapshot);
    arrangeWhenDue();
    showEmptiness();
    if (m_range->text().isEmpty())
        showRange();
}

void TimelinePage::rememberLocks()
{
    const auto before = m_waitedFor.size();
    forEachDifference(m_lookedAt, m_snapshot->locks, [&](const auto &gone, const auto &lock) {
        if (!lock) {
            m_waiting.erase(gone->name);
            return;
        }
        m_timeline.tellState(*lock);
        if (isWaitedFor(*lock))
            m_waitedFor.insert(lock->name);
        if (const auto waiting = waitingUncounted(*lock); waiting > 0)
            m_waiting.insert_or_assign(lock->name, waiting);
        else
            m_waiting.erase(lock->name);
    });
    m_lookedAt = m_snapshot->locks;
    const auto statistics = m_snapshot->analysis ? m_snapshot->analysis->statistics : nullptr;
    if (statistics && statistics != m_counted) {
        static const StatisticsList None;
        forEachDifference(m_counted ? *m_counted : None, *statistics, [this](const auto &, const auto &now) {
            if (now && now->blocked > Millis(0))
                m_waitedFor.insert(now->lock);
        });
        m_counted = statistics;
    }
    if (m_contended->isChecked() && m_waitedFor.size() != before)
        m_arranged.reset(); // a lane comes
    if (m_waitedFor.size() > 2 * Timeline::MostLanes)
        std::erase_if(m_waitedFor, [this](const LockName &name) { return !m_timeline.laneOf(name); });
}

void TimelinePage::advance()
{
    const bool isBehind = m_timeline.isBehind(m_events);
    m_timeline.catchUp(m_events);
    // While servers are watched, a gap may be told after the snapshot that shows what goes on. In a recording the
    // snapshot comes last: until then the newest one still shows the moment before a jump.
    if (isBehind && m_snapshot && !m_snapshot->status.recordedAt)
        m_timeline.observe(*m_snapshot);
    arrangeWhenDue();
    if (isBehind)
        m_view->refresh();
}

void TimelinePage::setConnected(bool connected)
{
    m_connected = connected;
    m_pinned.clear();
    m_snapshot.reset();
    m_view->choose(std::nullopt);
    m_timeline.clear();
    beginAnew();
    showEmptiness();
    showRange();
}

void TimelinePage::restart(WallTime knownFrom, WallTime countedFrom)
{
    m_timeline.restart(knownFrom, countedFrom);
    beginAnew();
}

void TimelinePage::beginAnew()
{
    m_waitedFor.clear();
    m_waiting.clear();
    m_lookedAt = {};
    m_counted.reset();
    if (m_snapshot)
        m_timeline.lookAtServers(*m_snapshot);
    m_view->restart();
    arrange();
}

void TimelinePage::setOwnClients(const std::vector<lab::HandHold> &clients)
{
    if (m_snapshot && m_snapshot->status.recordedAt)
        return; // they are of now
    m_timeline.setOwnClients(clients, m_clock.wallAt(m_clock.realNow()));
}

void TimelinePage::setFilter(const LockFilter &filter, const QString &)
{
    m_filter = filter;
    arrange();
    showEmptiness();
}

void TimelinePage::choose(const LockName &lock) { m_view->choose(lock); }

void TimelinePage::chooseInTable() { m_view->setFocus(Qt::TabFocusReason); }

void TimelinePage::save(QSettings &settings) const
{
    settings.setValue(OrderKey, m_sort->currentIndex());
    settings.setValue(ContendedKey, m_contended->isChecked());
}

void TimelinePage::restore(const QSettings &settings)
{
    const int order = settings.value(OrderKey).toInt();
    m_sort->setCurrentIndex(order > ByContention && order <= ByLastChange ? order : ByContention);
    m_contended->setChecked(settings.value(ContendedKey).toBool());
    arrange();
}

void TimelinePage::togglePin(const LockName &lock)
{
    if (const auto found = std::ranges::find(m_pinned, lock); found != m_pinned.end())
        m_pinned.erase(found);
    else
        m_pinned.push_back(lock);
    arrange();
}

/// Lanes that come or go are arranged at once; a new order only now and then, and none while a person aims at a lane.
void TimelinePage::arrangeWhenDue()
{
    const bool isOther = m_arranged != m_timeline.lanesRevision();
    if (m_view->isAimedAt()) {
        m_standsStill = true;
        if (isOther)
            arrangeStanding();
    } else if (std::exchange(m_standsStill, false) || isOther || m_nextArrangement.hasExpired()) {
        arrange();
    }
}

/// Of a lock that is gone no more is known than its name and what it was.
bool TimelinePage::isWanted(const TimelineLane &lane, const SeenTimes &seen) const
{
    if (!m_contended->isChecked() && m_filter.isEmpty())
        return true;
    const bool isPinned = std::ranges::find(m_pinned, lane.lock) != m_pinned.end();
    const bool wasWaitedFor = !lane.counted.empty() || m_waitedFor.contains(lane.lock) || m_waiting.contains(lane.lock);
    if (m_contended->isChecked() && !isPinned && !wasWaitedFor)
        return false;
    if (m_filter.isEmpty())
        return true;
    if (const auto lock = m_snapshot ? m_snapshot->locks.find(lane.lock) : nullptr)
        return matches(m_filter, seen, *lock, m_clock.now());
    LockState gone;
    gone.name = lane.lock;
    gone.kind = lane.kind.value_or(gone.kind);
    return m_filter.matches(gone, m_clock.now());
}

std::vector<Timeline::LaneId> TimelinePage::sorted(std::vector<Timeline::LaneId> lanes) const
{
    struct Key {
        std::ptrdiff_t pin;
        std::int64_t first; // the lane with the smaller one stands above
        std::int64_t second;
        const LockName *name;
        Timeline::LaneId id;
    };
    std::vector<Key> keys;
    keys.reserve(lanes.size());
    for (const auto id : lanes) {
        const TimelineLane &lane = m_timeline.lane(id);
        Key key{ std::ranges::find(m_pinned, lane.lock) - m_pinned.begin(), 0, 0, &lane.lock, id };
        if (m_sort->currentIndex() == ByLastChange) {
            key.first = -lane.lastChange.time_since_epoch().count();
        } else if (m_sort->currentIndex() == ByContention) {
            const auto waiting = m_waiting.find(lane.lock);
            key.first = -blockedBy(lane.lock, m_snapshot.get()).count();
            key.second = waiting == m_waiting.end() ? 0 : -waiting->second;
        }
        keys.push_back(key);
    }
    std::ranges::sort(keys, [](const Key &a, const Key &b) {
        return std::tie(a.pin, a.first, a.second, *a.name) < std::tie(b.pin, b.first, b.second, *b.name);
    });
    std::ranges::transform(keys, lanes.begin(), &Key::id);
    return lanes;
}

std::vector<Timeline::LaneId> TimelinePage::wantedLanes() const
{
    const SeenTimes seen = m_snapshot ? SeenTimes(*m_snapshot) : SeenTimes();
    std::vector<Timeline::LaneId> lanes;
    for (Timeline::LaneId id = 0; id < m_timeline.laneCount(); ++id)
        if (const TimelineLane &lane = m_timeline.lane(id); lane.isUsed && isWanted(lane, seen))
            lanes.push_back(id);
    return lanes;
}

void TimelinePage::arrange()
{
    std::vector<Timeline::LaneId> lanes = sorted(wantedLanes());
    const std::size_t wanted = lanes.size();
    showLanes(std::move(lanes), wanted);
}

/// What comes stands below; what is wanted no longer stays, and the place of what is dropped stays empty.
void TimelinePage::arrangeStanding()
{
    constexpr auto None = std::numeric_limits<Timeline::LaneId>::max();
    std::vector<Timeline::LaneId> lanes;
    for (const LockName &lock : m_order)
        lanes.push_back(m_timeline.laneOf(lock).value_or(None));
    std::vector<Timeline::LaneId> wanted = wantedLanes();
    const std::size_t count = wanted.size();
    const std::unordered_set<Timeline::LaneId> standing(lanes.begin(), lanes.end());
    std::erase_if(wanted, [&](Timeline::LaneId id) { return standing.contains(id); });
    std::ranges::copy(sorted(std::move(wanted)), std::back_inserter(lanes));
    showLanes(std::move(lanes), count);
}

void TimelinePage::showLanes(std::vector<Timeline::LaneId> lanes, std::size_t wanted)
{
    m_nextArrangement.setRemainingTime(ArrangeEvery);
    m_arranged = m_timeline.lanesRevision();
    m_order.resize(lanes.size());
    for (std::size_t row = 0; row < lanes.size(); ++row)
        if (lanes[row] < m_timeline.laneCount()) // else its name stays, for when it comes again
            m_order[row] = m_timeline.lane(lanes[row]).lock;
    m_view->setLanes(std::move(lanes), { m_pinned.begin(), m_pinned.end() });
    const std::size_t all = m_timeline.usedLaneCount();
    QString note;
    QString explanation;
    if (wanted < all)
        note = tr("%1 of %2 locks").arg(countText(static_cast<qint64>(wanted)), countText(static_cast<qint64>(all)));
    if (!m_filter.isEmpty())
        explanation = tr("Locks that are gone are matched by their name and kind alone.");
    if (m_timeline.hasDroppedLanes()) {
        note += (note.isEmpty() ? QString() : QStringLiteral(" · ")) + tr("not all locks");
        explanation += (explanation.isEmpty() ? QString() : QStringLiteral("\n"))
            + tr("There are too many: those are kept that changed last.");
    }
    m_view->setNote(note, explanation);
    showEmptiness();
}

void TimelinePage::showRange()
{
    if (!m_snapshot || !m_timeline.knownFrom()) { // there is nothing of which that would be a part
        m_range->setShorterTexts({});
        return m_range->setText({});
    }
    const auto [from, to] = m_view->range();
    const auto text = [length = to - from](WallTime at) {
        return QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count())
            .toString(length < std::chrono::seconds(10) ? QStringLiteral("HH:mm:ss.zzz")
                    : length < std::chrono::hours(24)   ? QStringLiteral("HH:mm:ss")
                                                        : QStringLiteral("yyyy-MM-dd HH:mm"));
    };
    const QString howLong = exactDurationText(to - from);
    const QString range = tr("%1 – %2, %3").arg(text(from), text(to), howLong);
    QString said = range;
    const WallTime now = m_clock.wallAt(m_clock.now());
    if (const auto counted = m_timeline.countedFrom(); counted && from < *counted)
        said += QStringLiteral(" · ") + tr("how many waited: known from %1 on").arg(clockText(*counted, now));
    if (m_events.hasDropped() && m_timeline.knownFrom())
        said
            += QStringLiteral(" · ") + tr("nothing older than %1 is kept").arg(clockText(*m_timeline.knownFrom(), now));
    m_range->setShorterTexts({ range, tr("from %1, %2", "a moment, and how long").arg(text(from), howLong) });
    m_range->setText(said);
}

/// Its bars may be out of sight: without a word the others would be faint for no reason.
void TimelinePage::showLit()
{
    const auto owner = m_view->litOwner();
    m_lit->setVisible(owner.has_value());
    showLegend();
    m_lit->setText(owner ? plainMenuText(tr("Lit: %1", "the holds of a client").arg(namedOwner(*owner, &m_names)))
                + QStringLiteral("  ✕")
                         : QString());
    m_lit->setAccessibleName(owner ? tr("End the lighting of %1").arg(namedOwner(*owner, &m_names)) : QString());
}

/// For as long as the note of a file is there it has the place of the legend.
bool TimelinePage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        showLegend();
    return Page::eventFilter(watched, event);
}

void TimelinePage::showEmptiness()
{
    const bool isKnown = m_snapshot && m_timeline.knownFrom();
    const bool isAnything = isKnown && !m_view->lanes().empty();
    m_stack->setCurrentIndex(isAnything ? 0 : 1);
    m_export->setEnabled(isAnything);
    setEntry(isAnything ? m_view : nullptr);
    if (isAnything)
        return;
    if (!m_connected)
        m_empty->setContent(EmptyState::notConnected());
    else if (!isKnown)
        m_empty->setContent(unseenContent(m_snapshot.get(), origin())
                                .value_or(EmptyState::Content{ tr("Nothing seen yet"),
                                    tr("Holds and waits appear once the server has been looked at."), {}, {}, {} }));
    else if (m_contended->isChecked() && m_filter.isEmpty())
        m_empty->setContent({ tr("Nobody was seen to wait"),
            tr("No lock was seen that somebody waited for. Only the waiters of fair locks can be seen one by one; "
               "ghosts, whose clients seem to be gone, wait for nothing."),
            {}, tr("Show all locks"), {} });
    else if (!m_filter.isEmpty())
        m_empty->setContent(EmptyState::nothingMatches(
            tr("Locks that are gone are matched by their name and kind alone."), EmptyState::clearFilter()));
    else
        m_empty->setContent(unseenContent(m_snapshot.get(), origin())
                                .value_or(EmptyState::Content{ tr("No lock was seen yet"),
                                    !origin().isRecording ? tr("A lane appears with the first lock that is held.")
                                        : origin().hasNextEvent
                                        ? tr("None until this moment of the recording. Alt+→ leads to the next event.")
                                        : tr("None until this moment of the recording, and no event follows in it."),
                                    {}, {}, {} }));
}

void TimelinePage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    showLegend();
}

} // namespace lockui
