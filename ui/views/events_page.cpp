// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/events_page.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/views/event_table.h"
#include "ui/views/event_taking.h"
#include "ui/views/events_bar.h"
#include "ui/views/export_button.h"
#include "ui/views/unseen_locks.h"

#include <QDir>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::chrono::seconds RowsRestFor{ 3 };
constexpr std::chrono::milliseconds PaintsFor{ 6 }; // and takes input, before it looks on
constexpr std::chrono::minutes LeastShown{ 1 }; // above the rows

} // namespace

EventsPage::EventsPage(
    const Theme &theme, const ViewClock &clock, const ClientNames &names, const EventStore &store, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_store(store)
    , m_names(names)
    , m_rows{ theme, 28 }
    , m_model(store, clock)
    , m_matcher(store, m_choice)
    , m_density(new EventDensity(theme, m_model.tally(), this))
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyState(this))
    , m_footer(new ElidedLabel(QStringLiteral("statusLine"), this))
{
    auto *foot = new QWidget(this);
    foot->setProperty("role", QStringLiteral("strip"));
    foot->setAttribute(Qt::WA_StyledBackground);
    auto *footLayout = new QHBoxLayout(foot);
    footLayout->setContentsMargins(16, 5, 16, 4);
    footLayout->addWidget(m_footer);
    m_stack->addWidget(buildTable());
    m_stack->addWidget(m_empty);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(m_density);
    layout->addWidget(m_stack, 1);
    layout->addWidget(foot);

    m_model.setClientNames(&names);
    setEntry(m_table);
    m_looksOn.setSingleShot(true);
    connect(&m_looksOn, &QTimer::timeout, this, &EventsPage::lookOn);
    connect(&clock, &ViewClock::tick, this, &EventsPage::tick);
    connect(m_density, &EventDensity::timeChosen, this, &EventsPage::goTo);
    connect(m_empty, &EmptyState::primaryChosen, this, &EventsPage::showAll);
    connect(m_empty, &EmptyState::wayOutChosen, this, &Page::wayOutChosen);
    showFollowing();
    updateEmptyState();
}

QWidget *EventsPage::buildHead()
{
    m_bar = new EventsBar(this);
    connect(m_bar, &EventsBar::kindsChosen, this, [this](const EventChoice::Kinds &kinds) {
        m_choice.kinds = kinds;
        begin();
    });
    m_follow = new QToolButton(m_bar);
    m_follow->setProperty("role", QStringLiteral("button"));
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::clicked, this, &EventsPage::setFollowing);
    m_follow->setText(followText(888));
    m_follow->ensurePolished();
    m_followRoom = m_follow->sizeHint().width();
    m_bar->addAtEnd(m_follow, m_followRoom); // nothing beside it moves or goes with what has come
    m_export = new ExportButton(QStringLiteral("events"), m_bar);
    m_export->offerTable([this](ExportFormat format) { return exportTable(format); });
    connect(m_export, &ExportButton::written, this, [this](const QString &file) {
        m_footer->setText(tr("written to %1").arg(displayText(toBytes(QDir::toNativeSeparators(file)))));
        m_tellsOfFile.setRemainingTime(std::chrono::seconds(6)); // then it says again what is shown
    });
    m_bar->addAtEnd(m_export);
    return m_bar;
}

QWidget *EventsPage::buildTable()
{
    m_table = new EventTable(m_rows, m_clock, m_model, this);
    m_table->setColumnWidths({ { 2, 110 }, { 6, 180 }, { 14, 150 }, { 8, 130 }, { 70, 208 } });
    m_table->setAccessibleName(tr("Events"));
    m_table->viewport()->installEventFilter(this);
    offerCopies(
        *m_table, [this](const std::vector<int> &rows) { return eventTarget(m_model, rows, origin()); },
        originSource());
    connect(m_table, &EventTable::lockOpened, this, &EventsPage::lockOpened);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &EventsPage::chooseRow);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_applying)
            m_goal.reset(); // a person went elsewhere
        if (!m_applying && value > 0)
            setFollowing(false);
        showSight();
    });
    return m_table;
}

bool EventsPage::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress)
        m_aims.setRemainingTime(RowsRestFor);
    else if (event->type() == QEvent::Leave)
        m_aims.setRemainingTime(0);
    return Page::eventFilter(watched, event);
}

void EventsPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    showSight();
}

void EventsPage::showEvent(QShowEvent *event)
{
    Page::showEvent(event);
    if (m_clock.isFrozen() && m_following && m_model.isBehind())
        begin(); // it happened while the page was hidden
    tick();
    refresh();
}

void EventsPage::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    m_snapshot = snapshot;
    if (m_model.rowCount() == 0)
        updateEmptyState();
}

bool EventsPage::isRecorded() const { return m_snapshot && m_snapshot->status.recordedAt; }

void EventsPage::setConnected(bool connected)
{
    m_connected = connected;
    m_snapshot.reset();
    m_chosen.reset();
    m_model.setChosenLock(std::nullopt);
    m_aims.setRemainingTime(0);
    setFollowing(true);
    begin();
}

/// It comes again with each showing of the page.
void EventsPage::setFilter(const LockFilter &filter, const QString &text)
{
    if (text == m_filterText)
        return;
    m_choice.filter = filter;
    m_filterText = text;
    begin();
}

void EventsPage::choose(const LockName &lock)
{
    if (lock == m_chosen)
        return;
    m_chosen = lock;
    m_model.setChosenLock(lock);
    restoreSelection();
}

void EventsPage::begin()
{
    {
        const QScopedValueRollback applying(m_applying, true);
        m_following = true;
        m_goal.reset();
        m_matcher.forget();
        m_missedFrom = m_missedTo = 0;
        m_missed = 0;
        m_model.setChoice(m_choice); // and mostly looks at all at once: figures do not come and go
        m_table->scrollToTop();
    }
    look(QDeadlineTimer(0)); // and goes on, if that was not all
    restoreSelection();
    showFollowing();
    refresh();
}

void EventsPage::chooseInTable() { m_table->beginWithCurrentRow(); }

void EventsPage::tick()
{
    if (!isVisible())
        return;
    const bool goesOn = std::exchange(m_wasFrozen, m_clock.isFrozen()) && !m_wasFrozen;
    if (goesOn && m_following)
        begin();
    const int rows = m_model.rowCount();
    const bool mayMove = rows == 0 || (m_following && m_aims.hasExpired());
    const QDeadlineTimer until = EventModel::soon();
    if (rows > 0 && m_model.hasGone(0))
        begin(); // another moment of a recording
    else if (mayMove && m_model.isBehind())
        advance(until);
    else if (rows > 0 && m_model.hasGone(rows - 1))
        m_model.dropGone();
    if (!m_following)
        m_model.showCorrections();
    const bool wasWhole = m_model.tally().isWhole();
    if (!look(until) || !wasWhole || m_nextRefresh.hasExpired())
        refresh();
}

bool EventsPage::look(const QDeadlineTimer &until)
{
    const int rows = m_model.rowCount();
    bool isAll = false;
    {
        const QScopedValueRollback applying(m_applying, true);
        isAll = m_model.look(until);
    }
    if (rows != m_model.rowCount() && (m_following || rows == 0))
        restoreSelection();
    if (m_goal && !m_model.isFetchingBack())
        arrive();
    if (!isAll)
        m_looksOn.start(PaintsFor);
    return isAll;
}

/// Figures and words follow with the ticks of the clock.
void EventsPage::lookOn()
{
    if (!isVisible())
        return; // goes on when it is
    const bool wasEmpty = m_model.rowCount() == 0;
    if (look(EventModel::soon()))
        refresh();
    else if (wasEmpty && m_model.rowCount() > 0)
        updateEmptyState();
}

void EventsPage::advance(const QDeadlineTimer &until)
{
    {
        const QScopedValueRollback applying(m_applying, true);
        m_model.advance(until);
    }
    restoreSelection();
    updateEmptyState();
    showSight();
    showFooter(); // with the rows that it tells of
}

void EventsPage::refresh()
{
    m_nextRefresh.setRemainingTime(ViewClock::FiguresEvery);
    showCounts();
    showDensity();
    showSight();
    showFooter();
    showFollowing();
    updateEmptyState();
}

void EventsPage::setFollowing(bool following)
{
    if (following && !m_following)
        begin();
    m_following = following;
    showFollowing();
}

QString EventsPage::followText(qint64 missed)
{
    return missed == 0 ? tr("Follow") : tr("Follow · %1 new").arg(shortCountText(missed));
}

/// With each call it looks at what has come since the last one.
qint64 EventsPage::missed()
{
    if (m_missedFrom != m_model.end()) {
        m_missedFrom = m_missedTo = m_model.end();
        m_missed = 0;
    }
    for (m_missedTo = std::max(m_missedTo, m_store.first()); m_missedTo < m_store.end(); ++m_missedTo)
        m_missed += m_matcher.matches(m_missedTo) ? 1 : 0;
    return std::min(m_missed, static_cast<qint64>(m_store.size())); // what is kept no longer will not be shown
}

void EventsPage::showFollowing()
{
    const qint64 count = m_following ? 0 : missed();
    m_follow->setChecked(m_following);
    m_follow->setText(followText(count));
    m_follow->setMinimumWidth(count > 0 ? m_followRoom : 0); // nor does its own edge with each
    m_follow->setToolTip(m_following ? tr("What happens comes at the top. Looking at older rows stops that.")
                                     : tr("Goes to the newest, and shows what happens from now on"));
}

void EventsPage::goTo(WallTime moment)
{
    setFollowing(false);
    m_goal = moment;
    m_model.fetchBack(moment);
    look(EventModel::soon());
}

void EventsPage::arrive()
{
    const WallTime moment = *std::exchange(m_goal, std::nullopt);
    const QScopedValueRollback applying(m_applying, true);
    const int row = m_model.rowAt(moment);
    const QModelIndex index = m_model.index(row < 0 ? m_model.rowCount() - 1 : row, 0);
    if (!index.isValid())
        return;
    m_table->selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::NoUpdate); // and takes in rows that have come
    m_table->scrollTo(index, QAbstractItemView::PositionAtTop);
    showSight();
}

/// Whoever looks at a row wants it to stay.
void EventsPage::chooseRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (m_applying || rows.isEmpty())
        return;
    m_goal.reset();
    setFollowing(false);
    const std::optional<LockName> lock = m_model.lockAt(rows.front().row());
    if (!lock || lock == m_chosen)
        return;
    m_chosen = lock;
    m_model.setChosenLock(lock);
    Q_EMIT lockChosen(*lock);
}

/// The lock is chosen, not the row: a row that another one now stands for leaves its place to that.
void EventsPage::restoreSelection()
{
    const QScopedValueRollback applying(m_applying, true);
    QItemSelectionModel &selection = *m_table->selectionModel();
    const QModelIndexList rows = selection.selectedRows();
    const std::optional<LockName> selected = rows.isEmpty() ? std::nullopt : m_model.lockAt(rows.front().row());
    const int row = m_chosen ? m_model.newestRowOf(*m_chosen) : -1;
    m_table->setAutoScroll(false);
    if (selected != m_chosen || rows.isEmpty()) {
        selection.clearSelection();
        if (row >= 0)
            selection.setCurrentIndex(
                m_model.index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
    m_table->ensureCurrentRow();
    m_table->setAutoScroll(true);
}

/// Of all that the filter lets through, once that is known.
void EventsPage::showCounts()
{
    const EventTally &tally = m_model.tally();
    const bool isFiltered = !m_choice.filter.isEmpty();
    if (isFiltered && !tally.isWhole())
        return m_bar->setCounts(std::nullopt);
    EventsBar::Counts counts{};
    for (std::size_t number = 0; number < counts.size(); ++number) {
        const auto kind = static_cast<EventKind>(number);
        counts[number] = isFiltered ? tally.countOf(kind) : m_store.shownCountOf(kind);
    }
    m_bar->setCounts(counts);
}

void EventsPage::showDensity()
{
    const WallTime now = m_clock.wallAt(m_clock.reached());
    if (!m_connected || (m_store.shownSize() == 0 && !m_store.since())) {
        m_density->show({ now - LeastShown, now }, {});
        return;
    }
    WallTime oldest = m_store.hasDropped() ? WallTime::max() : m_store.since().value_or(WallTime::max());
    if (m_store.shownSize() > 0)
        oldest = std::min(oldest, m_store.record(m_store.first()).at);
    const WallTime from = std::min(oldest, now - LeastShown);
    std::vector<EventDensity::Span> unseen;
    if (from < oldest)
        unseen.push_back({ from, oldest });
    for (const EventStore::Place place : m_store.gaps()) {
        const EventStore::Record &gap = m_store.record(place);
        if (gap.hasTtl && gap.at <= now)
            unseen.push_back({ gap.at - Millis(gap.ttl), gap.at });
    }
    if (const auto since = unseenSince(); since && *since < now)
        unseen.push_back({ *since, now });
    m_density->show({ from, now }, std::move(unseen), countedFrom());
}

/// Not all is seen now: its event tells of that time when it is over.
std::optional<WallTime> EventsPage::unseenSince() const
{
    if (!m_snapshot)
        return std::nullopt;
    std::optional<MonoTime> since = m_snapshot->status.staleSince;
    for (const NodeStatus &node : m_snapshot->nodes)
        if (const auto lost = node.status.staleSince)
            since = std::min(since.value_or(*lost), *lost);
    return since ? std::optional(wallOf(*m_snapshot, *since)) : std::nullopt;
}

WallTime EventsPage::countedFrom() const
{
    const EventTally &tally = m_model.tally();
    const bool isCounting = !tally.isWhole() && m_store.has(tally.begin());
    return isCounting ? m_store.record(tally.begin()).at : WallTime::min();
}

void EventsPage::showSight()
{
    const int first = m_table->rowAt(0);
    if (first < 0 || m_stack->currentWidget() != m_table) {
        m_density->setSight(std::nullopt);
        return;
    }
    const int last = m_table->rowAt(m_table->viewport()->height() - 1);
    m_density->setSight(
        EventDensity::Span{ m_model.timeAt(last < 0 ? m_model.rowCount() - 1 : last), m_model.timeAt(first) });
}

QString EventsPage::amountText() const
{
    const auto all = static_cast<qint64>(m_store.shownSize());
    if (m_choice.isEverything())
        return tr("%1 events", nullptr, pluralOf(all)).arg(countText(all));
    const QString chosen = countText(static_cast<qint64>(m_model.tally().chosen()));
    return tr("%1 of %2 events", nullptr, pluralOf(all))
        .arg(m_model.tally().isWhole() ? chosen : QStringLiteral("≥ ") + chosen, countText(all));
}

QString EventsPage::reachText() const
{
    const WallTime now = m_clock.wallAt(m_clock.now());
    QString events = amountText();
    const QString oldest = m_store.shownSize() > 0 ? clockText(m_store.record(m_store.first()).at, now) : QString();
    if (m_store.hasDropped())
        return tr("%1 back to %2; what was heard before is not kept").arg(events, oldest);
    if (m_store.shownSize() > 0 && m_store.hasDamaged())
        return tr("%1 of the recording, back to %2; older ones cannot be read").arg(events, oldest);
    if (isRecorded())
        return m_store.shownSize() > 0 ? tr("%1 of the recording, back to %2").arg(events, oldest) : events;
    if (m_store.since())
        return tr("%1 since %2, when this window began to listen").arg(events, clockText(*m_store.since(), now));
    return events;
}

/// Also of what there are no rows for yet.
ExportTable EventsPage::exportTable(ExportFormat format) const
{
    ExportTable table = eventsExport(m_store, m_choice, m_model.end(), m_names, format);
    table.about = factsOf(origin(), m_clock);
    for (ExportTable::Fact &fact : choiceFacts(m_store, m_choice))
        table.about.push_back(std::move(fact));
    return table;
}

void EventsPage::showFooter()
{
    if (!m_tellsOfFile.hasExpired())
        return;
    if (!m_connected) {
        m_footer->setText({});
        return;
    }
    QStringList parts{ reachText() };
    if (const WallTime counted = countedFrom(); counted != WallTime::min())
        parts << tr("looking for older ones, at %1 by now").arg(clockText(counted, m_clock.wallAt(m_clock.now())));
    if (m_clock.isFrozen())
        parts << tr("stands still");
    if (!m_choice.filter.stateWords().empty()) {
        QStringList words;
        for (const std::string &word : m_choice.filter.stateWords())
            words << displayText(word, 40);
        parts << tr("“%1” hides none: an event does not tell how its lock is now").arg(words.join(QLatin1Char(' ')));
    }
    m_footer->setText(parts.join(QStringLiteral(" · ")));
}

QString EventsPage::figure(const Snapshot &) const
{
    constexpr qint64 Whole = 10'000;
    const auto size = static_cast<qint64>(m_store.shownSize());
    if (size == 0)
        return {};
    return size < Whole ? countText(size) : tr("%1k").arg(countText(size / 1'000));
}

EventsPage::Empty EventsPage::emptiness() const
{
    if (!m_connected)
        return Empty::NotConnected;
    if (m_model.rowCount() > 0 || !m_model.tally().isWhole())
        return Empty::No;
    return m_store.shownSize() == 0 || m_choice.isEverything() ? Empty::NothingYet : Empty::NoMatch;
}

void EventsPage::updateEmptyState()
{
    const Empty reason = emptiness();
    m_export->setEnabled(reason == Empty::No);
    const bool wasEmpty = m_stack->currentWidget() == m_empty;
    m_stack->setCurrentWidget(reason == Empty::No ? static_cast<QWidget *>(m_table) : m_empty);
    if (wasEmpty && reason == Empty::No && m_density->hasFocus())
        m_table->setFocus(); // it went where there was something to go to
    if (reason != Empty::No)
        m_empty->setContent(contentFor(reason));
}

EmptyState::Content EventsPage::contentFor(Empty reason) const
{
    switch (reason) {
    case Empty::No:
        return {};
    case Empty::NotConnected:
        return EmptyState::notConnected();
    case Empty::NothingYet:
        if (m_store.hasDamaged())
            return { tr("What happened cannot be read"),
                tr("Events were recorded up to this moment, but the recording is damaged there. Alt+→ leads to the "
                   "next one."),
                {}, {}, {} };
        return unseenContent(m_snapshot.get(), origin())
            .value_or(EmptyState::Content{ tr("Nothing happened yet"),
                m_store.since() ? tr("No lock was taken, renewed or given back since %1.")
                                      .arg(clockText(*m_store.since(), m_clock.wallAt(m_clock.now())))
                    : isRecorded() ? tr("No event was recorded up to this moment.")
                                   : tr("Nothing was heard from the server yet."),
                {}, {}, {} });
    case Empty::NoMatch: {
        const QString all = countText(static_cast<qint64>(m_store.shownSize()));
        return EmptyState::nothingMatches(m_choice.filter.isEmpty()
                ? tr("None of the %1 events is of the kinds that are chosen above.").arg(all)
                : m_choice.kinds.none() ? tr("None of the %1 events matches “%2”.").arg(all, m_filterText)
                                        : tr("None of the %1 events matches “%2” and is of the kinds that are chosen "
                                             "above.")
                                              .arg(all, m_filterText),
            tr("Show all events"), !m_choice.filter.isEmpty());
    }
    }
    return {};
}

void EventsPage::showAll()
{
    m_bar->chooseAll();
    if (!m_choice.filter.isEmpty())
        Q_EMIT clearFilterRequested();
}

} // namespace lockui
