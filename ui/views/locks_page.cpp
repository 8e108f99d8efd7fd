// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/locks_page.h"

#include "ui/models/row_diff.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/suspect_text.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/choice_menu.h"
#include "ui/views/detail_taking.h"
#include "ui/views/lock_taking.h"
#include "ui/views/locks_bar.h"
#include "ui/views/row_glow.h"
#include "ui/views/steady_splitter.h"

#include <QElapsedTimer>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using Column = LockTableModel::Column;

namespace {

constexpr int MostSorting = 60; // times as long as it took nothing is sorted again: one frame in a hundred may be late

/// As long after its last move a pointer that rests on the rows may be about to click.
constexpr std::chrono::seconds AimsFor{ 30 };

/// Who waits is counted a moment after the sweep, if it may be.
bool isAllKnown(const Snapshot &snapshot, MonoTime now)
{
    constexpr std::chrono::seconds CountedWithin{ 10 };
    const auto &sweep = snapshot.status.lastSweep;
    return snapshot.status.phase != SourcePhase::Sweeping
        && (!sweep || now - sweep->finishedAt > CountedWithin
            || std::all_of(snapshot.locks.begin(), snapshot.locks.end(),
                [](const auto &lock) { return waitingCount(*lock).has_value(); }));
}

/// A replica counts those who listen there, and not those at its master.
std::set<std::string> replicasWatched(const Snapshot &snapshot)
{
    std::set<std::string> replicas;
    for (const NodeStatus &node : snapshot.nodes)
        if (node.role == NodeRole::Replica)
            replicas.insert(node.node);
    return replicas;
}

} // namespace

LocksPage::LocksPage(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_locks(clock)
    , m_proxy(m_locks)
    , m_rows{ theme }
    , m_events(events)
    , m_stack(new QStackedWidget(this))
    , m_bar(new LocksBar(this))
    , m_table(new LockTable(m_rows, clock, m_locks, m_proxy, this))
    , m_choices(new ChoiceMenu(*m_table, m_locks))
    , m_glow(new RowGlow(*m_table, clock))
    , m_taking(new LockTaking(*m_table, m_locks, m_proxy, clock, originSource(), this))
    , m_empty(new EmptyState(this))
    , m_detail(new DetailPanel(theme, clock, events, this))
    , m_splitter(new SteadySplitter(*m_stack, *m_detail, SteadySplitter::Steady::WhilePointed, this))
{
    buildTable();
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    m_stack->setMinimumHeight(120);
    m_splitter->setStretchFactor(0, 47);
    m_splitter->setStretchFactor(1, 53);
    m_splitter->setSizes({ 396, 434 });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_bar->addAtEnd(m_taking);
    layout->addWidget(m_bar);
    layout->addWidget(m_splitter, 1);

    m_detail->taking().setOrigin(originSource());
    connect(&clock, &ViewClock::tick, this, &LocksPage::refresh);
    connect(m_empty, &EmptyState::primaryChosen, this, &Page::clearFilterRequested);
    connect(m_empty, &EmptyState::wayOutChosen, this, &Page::wayOutChosen);
    connect(m_detail, &DetailPanel::forceReleaseRequested, this, &LocksPage::forceReleaseRequested);
    connect(m_detail, &DetailPanel::renewRequested, this, &LocksPage::renewRequested);
    connect(m_detail, &DetailPanel::dropRequested, this, &LocksPage::dropRequested);
    connect(m_detail, &DetailPanel::returnRequested, this, &LocksPage::returnRequested);
    connect(m_detail, &DetailPanel::clientNamingRequested, this, &LocksPage::clientNamingRequested);
    connect(m_detail, &DetailPanel::clientRequested, m_choices, &ChoiceMenu::clientRequested);
    connect(m_detail, &DetailPanel::clientSearchRequested, this, &LocksPage::clientSearchRequested);
    updateEmptyState();
}

void LocksPage::buildTable()
{
    m_rows.glow = m_glow;
    m_table->setItemDelegateForColumn(Column::Name, new SuspectDelegate(m_rows, m_table));
    m_table->setItemDelegateForColumn(Column::Ttl, new TtlBarDelegate(m_rows, m_table));
    m_table->setItemDelegateForColumn(Column::LeaseColumn, new StateBadgeDelegate(m_rows, m_table));
    m_table->setColumnWidths(
        { { 50, 146 }, { 30, 104 }, { 30, 124 }, { 20, 104 }, { 2, 86 }, { 5, 78 }, { 10, 98 }, { 45, 130 } });
    m_table->setTickingColumns({ Column::Ttl, Column::HeldFor, Column::LastChangeColumn });
    m_table->makeSortable();
    m_table->sortByColumn(Column::Waiting, Qt::DescendingOrder);
    m_table->setAccessibleName(tr("Locks"));
    connect(m_table, &LockTable::chosen, this, &LocksPage::showSelected);
    connect(m_table, &QAbstractItemView::clicked, this, &LocksPage::tellChosen);
    connect(m_table, &LockTable::wasReset, this, &LocksPage::restoreSelection);
    connect(m_bar, &LocksBar::groupingChosen, this, &LocksPage::group);
    connect(m_bar, &LocksBar::foldAllChosen, &m_table->groups(), &LockGroupModel::foldAll);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &LocksPage::offerActions);
    m_table->viewport()->installEventFilter(this);
    offerSorting();
}

/// A click hits the row that a person aimed at: under a moving pointer no row moves.
bool LocksPage::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::Wheel:
    case QEvent::MouseButtonPress:
        m_staysInView = false;
        holdRows(true);
        break;
    case QEvent::Leave:
    case QEvent::Hide:
        holdRows(false);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void LocksPage::holdRows(bool hold)
{
    const bool worthIt = !m_followsTop && m_snapshot && m_snapshot->status.phase != SourcePhase::Sweeping;
    if (hold && worthIt)
        m_holdUntil.setRemainingTime(AimsFor);
    if (m_rowsHeld == (hold && worthIt))
        return;
    m_rowsHeld = hold && worthIt;
    {
        const QScopedValueRollback applying(m_applying, true);
        m_locks.keepGone(m_rowsHeld);
        m_proxy.holdOrder(m_rowsHeld);
        m_table->groups().hold(m_rowsHeld);
    }
    restoreSelection();
}

void LocksPage::group(Grouping grouping)
{
    const QScopedValueRollback applying(m_applying, true);
    m_table->setGrouping(grouping);
    m_bar->setGrouping(grouping);
    if (const QModelIndex place = m_table->chosenPlace(m_selected); place.isValid())
        m_table->scrollTo(place);
    updateEmptyState();
}

/// For the lock in the detail: a right click has chosen it, and the menu key means the chosen one.
void LocksPage::offerActions(const QPoint &place)
{
    const QModelIndex current = m_table->currentIndex(); // one of several, of which the selection is the same still
    const LockTableModel::Lock pointed = m_table->lockAt(current);
    if (pointed && m_table->selectionModel()->isRowSelected(current.row()) && pointed->name != m_selected)
        showSelected();
    const LockTableModel::Lock lock = m_detail->lock();
    const auto addCopies = [this, place](QMenu &menu) { m_taking->addEntries(menu, place); };
    if (m_choices->offer(place, addCopies) || !lock || !m_proxy.indexOf(lock->name).isValid())
        return;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const auto add = [&](const QString &text, bool enabled, auto action) {
        QAction *entry = menu->addAction(text);
        entry->setEnabled(enabled);
        connect(entry, &QAction::triggered, this, action);
    };
    const bool one = lock->holders.size() == 1;
    const OwnerId owner = one ? lock->holders.front().owner : OwnerId();
    const QString whyNot = m_detail->whyNotNow();
    const auto addAct = [&](const QString &text, auto action) {
        add(text, !isFree(*lock) && whyNot.isEmpty(), action);
        menu->actions().constLast()->setToolTip(plainToolTip(whyNot));
    };
    const auto addWay = [&](const QString &text, std::string_view page, bool enabled) {
        const QString id = QString::fromLatin1(page);
        add(text, enabled, [this, id] { Q_EMIT pageRequested(id); });
        QAction *way = menu->actions().constLast();
        way->setShortcut(QKeySequence(Qt::CTRL | std::ranges::find(PageNames, page, &PageName::id)->key));
        way->setShortcutContext(Qt::WidgetShortcut); // of the pages: here it is only shown
    };
    m_taking->addEntries(*menu, place);
    menu->addSeparator();
    addWay(tr("Show on the &timeline"), "timeline", true);
    addWay(tr("Show in the &wait graph"), "graph", waitingCount(*lock).value_or(0) > 0);
    menu->addSeparator();
    if (one)
        m_choices->addClient(*menu, owner.client);
    add(tr("Onl&y what this client holds"), one,
        [this, owner] { Q_EMIT filterWanted(QStringLiteral("holder:") + displayText(owner.client)); });
    add(tr("Na&me this client…"), one, [this, owner] { Q_EMIT clientNamingRequested(owner); });
    add(tr("Who &is that?…"), one, [this, owner] { Q_EMIT clientSearchRequested(owner); });
    menu->addSeparator();
    addAct(tr("R&enew…"), [this, lock] { Q_EMIT renewRequested(lock); });
    addAct(tr("&Force release…"), [this, lock] { Q_EMIT forceReleaseRequested(lock); });
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

void LocksPage::offerSorting()
{
    for (int column = 0; column < Column::ColumnCount; ++column) {
        const QKeySequence key(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + column));
        connect(
            new QShortcut(key, this), &QShortcut::activated, this, [this, column] { m_table->toggleOrder(column); });
    }
}

void LocksPage::watch(const Snapshot &snapshot)
{
    if (m_watchedSince || !snapshot.status.lastSweep || snapshot.status.recordedAt)
        return;
    m_watchedSince = snapshot.takenAt.mono;
    m_detail->setWatchedSince(m_watchedSince);
}

void LocksPage::setOwnClients(const std::vector<lab::HandHold> &clients)
{
    m_knownWaits = knownWaits(clients);
    showKnownWaits();
}

/// Those of now are not of a moment of the past.
void LocksPage::showKnownWaits()
{
    if (m_snapshot && m_snapshot->status.recordedAt)
        m_shownWaits = m_snapshot->knownWaits ? *m_snapshot->knownWaits : std::vector<KnownWait>();
    else if (!m_clock.isFrozen())
        m_shownWaits = m_knownWaits;
    m_detail->setKnownWaits(m_shownWaits);
}

void LocksPage::setRecordedSince(MonoTime first) { m_detail->setRecordedSince(first); }

void LocksPage::setSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    const bool nothingChanged = m_snapshot && isCopy(m_snapshot->locks, snapshot->locks);
    m_snapshot = snapshot;
    const bool wereAllKnown = m_locks.areAllKnown();
    m_locks.setSight(snapshot);
    if (m_locks.areAllKnown() != wereAllKnown)
        m_table->viewport()->update(); // titles of groups say whether there may be more
    watch(*snapshot);
    showKnownWaits();
    if (!nothingChanged) {
        const QScopedValueRollback applying(m_applying, true);
        const int scrolled = m_table->verticalScrollBar()->value();
        m_locks.setLocks(snapshot->locks);
        m_table->verticalScrollBar()->setValue(scrolled);
    }
    const bool stale = isStale(*snapshot);
    if (stale != m_rows.stale) {
        m_rows.stale = stale;
        m_table->viewport()->update();
    }
    m_locks.setLostServers(lostServers(*snapshot));
    m_locks.setReplicas(replicasWatched(*snapshot));
    m_detail->setInCluster(std::any_of(
        snapshot->nodes.begin(), snapshot->nodes.end(), [](const auto &node) { return !node.slots.empty(); }));
    if (m_followsTop && snapshot->status.phase != SourcePhase::Sweeping) {
        const QScopedValueRollback applying(m_applying, true);
        m_proxy.refresh(); // for good: what changed during the sweep may stand out of order
    }
    restoreSelection();
    keepChosenInView();
    // What a person has the pointer on stays; and only by who waits, which is counted after the sweep, the top changes
    // for a reason that is no course of things.
    const bool maySettle = m_proxy.sortColumn() == Column::Waiting && !m_detail->underMouse();
    m_followsTop = m_followsTop && (!m_selected || (maySettle && !isAllKnown(*snapshot, m_clock.now())));
    showServer();
    showAnalysis();
    updateEmptyState();
}

void LocksPage::showServer()
{
    const LockTableModel::Lock lock = m_detail->lock();
    const bool isLost = lock && m_locks.isLost(*lock);
    m_detail->setStale(m_rows.stale || isLost, isLost ? std::optional(m_locks.seenUntil(*lock)) : std::nullopt);
    m_detail->setLostServers(lock ? lostServersOf(*m_snapshot, *lock) : QStringList());
    m_detail->setAtReplica(lock && m_locks.isAtReplica(*lock));
}

void LocksPage::showAnalysis()
{
    const auto &analysis = m_snapshot->analysis;
    if (analysis == m_analysis)
        return;
    m_analysis = analysis;
    m_detail->setAnalysis(analysis);
    SuspectTitles titles;
    const auto add = [&titles](const LockName &lock, const QString &text) {
        QString &title = titles[lock];
        title += (title.isEmpty() ? QString() : QStringLiteral("\n")) + text;
    };
    if (analysis) {
        for (const WaitCycle &cycle : analysis->graph->cycles)
            for (const WaitEdge &edge : cycle)
                add(edge.lock, tr("Part of a deadlock"));
        for (const Suspect &suspect : analysis->suspects)
            add(suspect.lock, suspectTitle(suspect.kind));
    }
    m_table->groups().setAnalysis(analysis.get());
    m_locks.setSuspects(std::move(titles));
}

void LocksPage::setClientNames(const ClientNames &names)
{
    m_locks.setClientNames(&names);
    m_table->groups().setClientNames(names);
    m_detail->setClientNames(names);
    m_taking->setClientNames(names);
}

void LocksPage::setConnected(bool connected)
{
    m_connected = connected;
    m_snapshot.reset();
    m_watchedSince.reset();
    m_detail->setWatchedSince(std::nullopt);
    m_detail->setCountedSince(std::nullopt);
    m_selected.reset();
    m_awaits = false;
    m_shownWaits.clear();
    m_followsTop = true;
    holdRows(false);
    {
        const QScopedValueRollback applying(m_applying, true);
        m_locks.clear();
    }
    m_analysis.reset();
    m_table->groups().setAnalysis(nullptr);
    m_goneAt.reset();
    m_detail->setAnalysis(nullptr);
    m_detail->setLock(nullptr);
    updateEmptyState();
}

void LocksPage::setFilter(const LockFilter &filter, const QString &text)
{
    m_filterText = text;
    {
        const QScopedValueRollback applying(m_applying, true);
        m_proxy.setFilter(filter);
    }
    restoreSelection();
    updateEmptyState();
}

void LocksPage::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_detail->setActionsAllowed(allowed, whyNot);
    m_choices->setActionsAllowed(allowed, whyNot);
}

QString LocksPage::figure(const Snapshot &snapshot) const
{
    return snapshot.locks.empty() ? QString()
                                  : seenCountText(static_cast<qint64>(snapshot.locks.size()), areAllKnown(snapshot));
}

/// Also where the filter hides it: the detail says so.
void LocksPage::choose(const LockName &lock)
{
    if (lock != m_selected || m_followsTop)
        await(lock);
}

void LocksPage::select(const LockName &name)
{
    if (m_locks.rowOf(name) >= 0 && !m_proxy.indexOf(name).isValid())
        Q_EMIT clearFilterRequested();
    m_table->reveal(name);
    if (const QModelIndex index = m_table->indexOf(name); index.isValid()) {
        m_followsTop = false; // also where it is the one at the top
        m_table->chooseOnly(index);
        m_staysInView = true;
        keepChosenInView();
        tellChosen();
    }
}

/// Also of the row that stood chosen since the start, where nothing changes here: on the other pages it is not chosen
/// yet.
void LocksPage::tellChosen()
{
    m_followsTop = false;
    if (const LockTableModel::Lock lock = m_table->chosenLock(); lock && lock->name == m_selected)
        Q_EMIT selectionChanged(lock);
}

void LocksPage::await(const LockName &name)
{
    m_followsTop = false;
    m_selected = name;
    m_awaits = true;
    m_table->leaveGroup();
    m_detail->setLock(nullptr);
    restoreSelection();
    updateEmptyState();
}

/// Rows may still come above it, and the window may not have its size yet.
void LocksPage::keepChosenInView()
{
    const QModelIndex chosen = m_staysInView ? m_table->chosenPlace(m_selected) : QModelIndex();
    if (chosen.isValid() && !m_table->viewport()->rect().contains(m_table->visualRect(chosen)))
        m_table->scrollTo(chosen, QAbstractItemView::PositionAtCenter);
}

/// The title of a group would be no lock that was found.
void LocksPage::chooseInTable()
{
    m_table->chooseFirstFound();
    m_table->beginWithCurrentRow();
}

/// Only a person changes which lock is looked at: when it vanishes, no neighbour takes its place.
void LocksPage::showSelected()
{
    const bool isByHand = !m_applying && m_table->selectionModel()->hasSelection();
    m_followsTop = m_followsTop && !isByHand;
    const LockTableModel::Lock lock = isByHand ? m_table->chosenLock() : nullptr;
    if (!lock) // a group: the lock that was looked at stays
        return;
    m_selected = lock->name;
    m_awaits = false;
    m_goneAt.reset();
    m_detail->setLocksHeld({});
    restoreSelection();
    showServer();
    showLocksHeld();
    Q_EMIT selectionChanged(m_detail->lock());
}

void LocksPage::restoreSelection()
{
    const QScopedValueRollback applying(m_applying, true);
    if (m_followsTop) {
        const QModelIndex top = m_table->firstLock();
        if (!top.isValid())
            return;
        m_selected = m_table->lockAt(top)->name;
    }
    m_table->highlight(m_selected);
    const int row = m_selected ? m_locks.rowOf(*m_selected) : -1;
    m_detail->setHidden(row >= 0 && !m_proxy.indexOf(*m_selected).isValid());
    showLock(row >= 0 ? m_locks.lockAt(row) : m_detail->lock());
    if (row >= 0 && std::exchange(m_awaits, false)) {
        m_staysInView = true;
        m_nextRefresh.setRemainingTime(
            ViewClock::FiguresEvery); // for a moment at least, also where all is known already
        keepChosenInView();
        Q_EMIT selectionChanged(m_detail->lock());
    }
}

/// In the detail, and how it ended where it is not there any more. By value: the detail may let go of its own.
void LocksPage::showLock(LockTableModel::Lock lock)
{
    if (!lock) {
        if (m_awaits)
            m_detail->sayAwaited(*m_selected, m_events.endOf(*m_selected));
        return;
    }
    if (m_locks.rowOf(lock->name) >= 0 && !m_locks.isGone(lock->name))
        m_goneAt.reset();
    else if (!m_goneAt)
        m_goneAt = m_clock.now();
    const auto &members = lock->members; // of several servers the first tells the time to live
    const LockState &there = members.empty() ? *lock : *members.front();
    const auto recordedAt = m_snapshot ? m_snapshot->status.recordedAt : std::nullopt;
    if (m_goneAt && recordedAt && there.readAt > *recordedAt) {
        m_awaits = true; // what was read later is not so yet at this moment
        m_detail->setLock(nullptr);
        return m_detail->sayAwaited(lock->name, m_events.endOf(lock->name));
    }
    std::optional<LockEnd> end;
    if (m_goneAt)
        end = lockEnd(m_events, there, { *m_goneAt, m_clock.wallAt(*m_goneAt) }, recordedAt.has_value());
    m_detail->setLock(lock, std::move(end));
    m_detail->setBeginnings(m_events.beginningsOf(lock->name));
    m_detail->setGaps(m_events.gapsOf(there.node));
}

void LocksPage::restart(WallTime countedSince)
{
    m_detail->setCountedSince(countedSince);
    m_glow->restart();
    m_goneAt.reset(); // if it was gone at another moment
}

void LocksPage::heard(const std::vector<Event> &events)
{
    // What a sweep finds may have happened at any time before it.
    if (m_snapshot && m_snapshot->status.phase == SourcePhase::Live)
        m_glow->heard(events);
    if (std::ranges::any_of(
            events, [this](const Event &event) { return event.lock == m_selected || event.kind == EventKind::Gap; }))
        showLock(m_detail->lock());
}

void LocksPage::corrected() { showLock(m_detail->lock()); }

/// With each tick, and so not at all while nobody sees it; where there are very many, with few ticks.
void LocksPage::sortAgain()
{
    if (!m_sortAgain.hasExpired())
        return;
    const QScopedValueRollback applying(m_applying, true);
    QElapsedTimer took;
    took.start();
    if (m_nextRefresh.hasExpired())
        m_proxy.refresh();
    else
        m_proxy.sortChanged();
    m_sortAgain.setRemainingTime(MostSorting * took.elapsed());
}

void LocksPage::refresh()
{
    if (!isVisible())
        return;
    sortAgain();
    if (!m_nextRefresh.hasExpired())
        return;
    m_nextRefresh.setRemainingTime(ViewClock::FiguresEvery);
    if (m_rowsHeld && m_holdUntil.hasExpired())
        holdRows(false);
    keepChosenInView();
    m_staysInView = m_staysInView && !(m_snapshot && isAllKnown(*m_snapshot, m_clock.now()));
    updateEmptyState();
    showLocksHeld();
}

void LocksPage::showLocksHeld()
{
    const LockTableModel::Lock lock = m_detail->lock();
    if (!lock || lock->waiters.empty())
        return;
    LocksHeld held;
    for (const Waiter &waiter : lock->waiters)
        held[waiter.owner];
    for (const LockTableModel::Lock &other : m_snapshot->locks)
        for (const Holder &holder : other->holders)
            if (const auto waiter = held.find(holder.owner); waiter != held.end() && other->name != lock->name)
                waiter->second.push_back(other->name);
    std::erase_if(held, [](const auto &entry) { return entry.second.empty(); });
    m_detail->setLocksHeld(std::move(held));
}

void LocksPage::save(QSettings &settings) const
{
    settings.setValue(QStringLiteral("locks/splitter"), m_splitter->saveState());
    settings.setValue(QStringLiteral("locks/columnShares"), m_table->columnShares());
    settings.setValue(QStringLiteral("locks/sortColumn"), m_proxy.sortColumn());
    settings.setValue(QStringLiteral("locks/sortOrder"), int(m_proxy.sortOrder()));
    settings.setValue(QStringLiteral("locks/grouping"), nameOf(m_bar->grouping()));
}

void LocksPage::restore(const QSettings &settings)
{
    m_splitter->restoreState(settings.value(QStringLiteral("locks/splitter")).toByteArray());
    m_table->setColumnShares(settings.value(QStringLiteral("locks/columnShares")).toList());
    const int column = settings.value(QStringLiteral("locks/sortColumn"), m_proxy.sortColumn()).toInt();
    if (column >= 0 && column < Column::ColumnCount)
        m_table->sortByColumn(column,
            settings.value(QStringLiteral("locks/sortOrder"), int(m_proxy.sortOrder())).toInt() == Qt::DescendingOrder
                ? Qt::DescendingOrder
                : Qt::AscendingOrder);
    group(groupingNamed(settings.value(QStringLiteral("locks/grouping")).toString()));
}

} // namespace lockui
