// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/main_window.h"

#include "lockcore/monitor/server_sight.h"
#include "ui/dialogs/help_window.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/action_requests.h"
#include "ui/views/audit_page.h"
#include "ui/views/banners.h"
#include "ui/views/dashboard_page.h"
#include "ui/views/events_page.h"
#include "ui/views/filter_field.h"
#include "ui/views/graph_page.h"
#include "ui/views/lab_page.h"
#include "ui/views/locks_page.h"
#include "ui/views/pages.h"
#include "ui/views/recordings.h"
#include "ui/views/scrub_bar.h"
#include "ui/views/status_strip.h"
#include "ui/views/timeline_page.h"
#include "ui/views/top_bar.h"

#include <QCloseEvent>
#include <QScreen>
#include <QSettings>
#include <QShortcut>
#include <QToolTip>
#include <QVBoxLayout>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

namespace {

const QString GeometryKey = QStringLiteral("window/geometry");

} // namespace

MainWindow::MainWindow(const Services &services, QWidget *parent)
    : QMainWindow(parent)
    , m_services(services)
    , m_clientNames(services.settings)
    , m_requests(new ActionRequests(services.monitor, m_clientNames, m_clock, this))
    , m_central(new QWidget(this))
    , m_bar(new TopBar(services.theme, services.connections, m_central))
    , m_pages(new Pages(services.theme, m_central))
    , m_locks(new LocksPage(services.theme, m_clock, m_events, &m_pages->place()))
    , m_timeline(new TimelinePage(services.theme, m_clock, m_clientNames, m_events, &m_pages->place()))
    , m_graph(new GraphPage(services.theme, m_clock, m_clientNames, &m_pages->place()))
    , m_dashboard(new DashboardPage(services.theme, m_clock, m_clientNames, m_activity, &m_pages->place()))
    , m_audit(new AuditPage(services.theme, m_clock, &m_pages->place()))
    , m_lab(new LabPage(services.theme, m_clock, services.lab, &m_pages->place()))
    , m_banner(new StaleBanner(services.theme, m_clock, m_pages))
    , m_deadlock(new DeadlockBanner(services.theme, m_clientNames, m_pages))
    , m_scrubBar(new ScrubBar(services.theme, m_central))
    , m_recordings(new Recordings(services.monitor.recorder(), services.monitor.replay(), *m_bar, *m_scrubBar, *this))
    , m_strip(new StatusStrip(services.theme, m_clock, m_central))
{
    updateTitle();
    setMinimumSize(820, 520);
    build();
    connectBar();
    connectPage();
    connectServices();
    takeItsPlace();
    m_pages->restore(services.settings);
    useAuditFile();
    updateActions();
    updateLab();
    m_locks->setFocus();
}

/// Hidden first: its parts hear of that, and still look at the clock.
MainWindow::~MainWindow() { hide(); }

/// As it was left, at first as large as is good; and all of it, with its frame, on the screen that there is now.
void MainWindow::takeItsPlace()
{
    constexpr QSize Frame(16, 48); // it is known only when it is there
    constexpr QSize Good(1440, 900);
    if (!restoreGeometry(m_services.settings.value(GeometryKey).toByteArray()))
        resize(Good);
    const QRect room = screen()->availableGeometry();
    if (room.contains(QRect(pos(), size() + Frame)) || isMaximized() || isFullScreen())
        return;
    resize(size().boundedTo(room.size() - Frame));
    move(room.topLeft());
    setWindowState(Qt::WindowMaximized);
}

void MainWindow::build()
{
    m_pages->add("locks", m_locks);
    m_pages->add("timeline", m_timeline);
    m_pages->add("graph", m_graph);
    m_pages->add("dashboard", m_dashboard);
    m_pages->add("events", new EventsPage(m_services.theme, m_clock, m_clientNames, m_events, &m_pages->place()));
    m_pages->add("audit", m_audit);
    m_pages->add("lab", m_lab);
    // Below the pages: what comes and goes above them would push rows under the pointer away.
    m_pages->addBelow(m_banner);
    m_pages->addBelow(m_deadlock);
    auto *down = new QVBoxLayout(m_central);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addWidget(m_bar);
    down->addWidget(m_pages, 1);
    down->addWidget(m_scrubBar);
    down->addWidget(m_strip);
    setCentralWidget(m_central);
}

void MainWindow::connectBar()
{
    connect(m_pages, &Pages::lockOpened, this, &MainWindow::selectLock);
    connect(m_pages, &Pages::wayOutChosen, this, &MainWindow::leadOut);
    connect(m_pages, &Pages::clearFilterRequested, &m_bar->filter(), &QLineEdit::clear);
    connect(m_bar, &TopBar::connectRequested, this, &MainWindow::askForConnection);
    connect(m_banner, &Banner::actionChosen, this, &MainWindow::askForConnection); // for the password
    connect(m_bar, &TopBar::profileChosen, this, &MainWindow::openConnection);
    connect(m_bar, &TopBar::disconnectRequested, this, &MainWindow::closeConnection);
    connect(m_bar, &TopBar::sweepRequested, this, &MainWindow::look);
    connect(m_bar, &TopBar::writableToggleRequested, this, &MainWindow::toggleWritable);
    connect(m_bar, &TopBar::pauseToggled, this, &MainWindow::setPaused);
    connect(m_bar, &TopBar::handRequested, this, &MainWindow::leadByHand);
    connect(m_bar, &TopBar::attentionRequested, this, [this] { showNeedy(1); });
    connect(m_bar, &TopBar::helpRequested, this, [this] { showHelp(m_pages->guideTarget()); });
    // Later than a menu that it was chosen from gives the focus back.
    connect(m_bar, &TopBar::paletteRequested, this, &MainWindow::showPalette, Qt::QueuedConnection);
    connect(m_recordings, &Recordings::fileChosen, this, &MainWindow::openRecording);
    m_bar->filter().keepInSight(m_locks->titles());
    connect(&m_bar->filter(), &FilterField::filterChanged, m_pages, &Pages::setFilter);
    connect(&m_bar->filter(), &QLineEdit::textEdited, this, [this] {
        if (!m_profile && !m_replays)
            m_filteredPlace.clear();
    });
    connect(&m_bar->filter(), &FilterField::tableRequested, m_pages, &Pages::chooseInTable);
    const auto onKey = [this](QKeySequence key, auto action) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, action);
    };
    onKey(Qt::CTRL | Qt::Key_K, [this] { enterFilter(); });
    onKey(Qt::Key_F8, [this] { showNeedy(1); });
    onKey(Qt::SHIFT | Qt::Key_F8, [this] { showNeedy(-1); });
    onKey(Qt::Key_F1, [this] { showHelp(m_pages->guideTarget()); });
    onKey(Qt::CTRL | Qt::Key_Q, [this] { close(); });
}

void MainWindow::enterFilter()
{
    m_bar->filter().setFocus(Qt::ShortcutFocusReason);
    m_bar->filter().selectAll();
}

void MainWindow::connectPage()
{
    connect(
        m_requests, &ActionRequests::done, this, [this](const EventStore::OwnDeed &deed) { m_events.remember(deed); });
    connect(m_requests, &ActionRequests::lockOpened, this, &MainWindow::selectLock);
    connect(m_requests, &ActionRequests::filterWanted, &m_bar->filter(), &QLineEdit::setText);
    m_requests->serve(*m_locks);
    m_requests->serve(*m_graph);
    connect(m_locks, &LocksPage::filterWanted, &m_bar->filter(), &QLineEdit::setText);
    connect(m_lab, &LabPage::watchRequested, this, &MainWindow::watchPlay);
    connect(m_lab, &LabPage::playEnded, this, &MainWindow::leavePlay);
    connect(m_lab, &LabPage::handsChanged, m_timeline, &TimelinePage::setOwnClients);
    connect(m_lab, &LabPage::handsChanged, m_graph, &GraphPage::setOwnClients);
    connect(m_lab, &LabPage::handsChanged, m_locks, &LocksPage::setOwnClients);
    connect(m_lab, &LabPage::handsChanged, this, [this](const std::vector<lab::HandHold> &hands) {
        m_services.monitor.recorder().setKnownWaits(knownWaits(hands), knownHolds(hands));
    });
    connect(m_deadlock, &DeadlockBanner::lockChosen, this, &MainWindow::selectLock);
    m_locks->setClientNames(m_clientNames);
    m_audit->setClientNames(m_clientNames);
    connect(m_locks, &LocksPage::selectionChanged, this,
        [this](const LockTableModel::Lock &lock) { m_pages->choose(lock->name); });
}

void MainWindow::connectServices()
{
    connect(&m_services.monitor, &Monitor::snapshotReady, this, [this] { showSnapshot(m_services.monitor.latest()); });
    connect(&m_services.monitor, &Monitor::eventsReported, this, [this](const EventList &events) {
        const EventList told = m_recordedReleases.told(events);
        m_events.add(*told);
        m_locks->heard(*told);
        m_activity.heard(*told);
    });
    connect(&m_services.monitor.replay(), &Replay::jumped, this,
        [this](WallTime since, WallTime countedSince, EarlierEvents earlier) {
            m_events.clear();
            if (earlier == EarlierEvents::Damaged)
                m_events.lacksDamaged();
            m_recordedReleases.restart();
            m_timeline->restart(since, countedSince);
            m_locks->restart(since);
            m_activity.heardFrom(since);
            m_jumped = true;
        });
    connect(&m_services.monitor.replay(), &Replay::lookedAtAll, this,
        [this](lockcore::WallTime moment, const std::string &node) { m_events.lookedAtAll(moment, node); });
    connect(&m_services.monitor.replay(), &Replay::waitsCounted, this,
        [this](const WaitCountList &counts) { m_events.waits().add(*counts); });
    // The picture of the moment may have come before the word of the jump, and no other follows while it is not played.
    connect(&m_services.monitor.replay(), &Replay::changed, this, [this] {
        if (const auto state = m_services.monitor.replay().state(); state && state->overview) {
            m_locks->setRecordedSince(lockcore::MonoTime(state->overview->first.time_since_epoch()));
            m_pages->setNextEvent(state->hasNextEvent);
        }
        if (m_replays && m_snapshot && std::exchange(m_jumped, false))
            showSnapshot(m_services.monitor.latest());
    });
    connect(&m_releasesFollower, &AuditFollower::reported, this,
        [this](const AuditReport &report) { takeRecords(report.news); });
    connect(m_strip, &StatusStrip::feedChosen, &m_services.monitor, &Monitor::setFeed);
}

bool MainWindow::showPage(const QString &id) { return m_pages->show(id); }

void MainWindow::selectLock(const LockName &name)
{
    showPage(QStringLiteral("locks"));
    if (!m_profile && !m_replays)
        selectOnceConnected(name);
    else if (m_locks->locks().rowOf(name) < 0)
        m_pages->choose(name); // also where it is not to be seen yet: the page says so, and keeps it in mind
    else
        m_locks->select(name);
}

void MainWindow::selectOnceConnected(const LockName &name) { m_toSelect = name; }

/// Only where it was asked for: another server may have a lock of the same name.
void MainWindow::selectWhatWasAskedFor()
{
    if (const auto name = std::exchange(m_toSelect, std::nullopt))
        m_pages->choose(*name);
}

void MainWindow::showSnapshot(const std::shared_ptr<const Snapshot> &snapshot)
{
    if (m_replays != snapshot->status.recordedAt.has_value() || (!m_profile && !m_replays))
        return;
    const bool wasFresh = m_snapshot && isFresh(*m_snapshot);
    const bool isFreshNow = isFresh(*snapshot);
    m_snapshot = snapshot;
    if (wasFresh != isFreshNow)
        updateLab();
    if (m_profile && isFreshNow && !std::exchange(m_isReached, true)) {
        m_bar->setReached(true);
        if (!m_profile->isPassing)
            m_services.connections.remember(*m_profile, true);
    }
    if (!m_replays && isSeenNow(snapshot->status) && !m_events.since())
        m_events.heardFrom(snapshot->takenAt.wall);
    m_events.lookAtServers(*snapshot);
    if (!m_replays) {
        m_events.look(*snapshot);
        m_events.waits().look(*snapshot);
    }
    m_locks->watch(*snapshot);
    m_requests->setNewest(snapshot);
    updateTitle(); // stands on the task bar, too
    if (m_unseen)
        return;
    m_activity.observe(*snapshot);
    m_bar->setPhase(m_replays && isFreshNow ? std::nullopt : std::optional(snapshot->status.phase));
    m_strip->setSnapshot(snapshot);
    m_banner->setSnapshot(*snapshot);
    if (m_pausedAt) {
        updateActions();
        return;
    }
    m_clock.setReference(snapshot->takenAt);
    updateClock();
    m_pages->setSnapshot(snapshot);
    m_requests->setShown(snapshot);
    m_deadlock->setSnapshot(*snapshot);
    updateAttention();
    updateActions();
}

void MainWindow::updateAttention()
{
    if (m_attention.setAnalysis(m_snapshot ? m_snapshot->analysis : nullptr))
        m_bar->setAttention(m_attention.count(), m_attention.hasMore());
}

void MainWindow::showNeedy(int step)
{
    if (const auto lock = m_attention.next(step, m_pages->chosen()))
        selectLock(*lock);
    else
        QToolTip::showText(m_bar->mapToGlobal(m_bar->rect().center()), plainToolTip(needToAttend().text), m_bar);
}

void MainWindow::setPaused(bool paused)
{
    if (paused == m_pausedAt.has_value())
        return;
    m_pauseShows = m_clock.now();
    m_pausedAt = paused ? std::optional(m_clock.realNow()) : std::nullopt;
    auto shown = paused ? std::make_unique<const Activity>(m_activity) : nullptr;
    m_dashboard->setActivity(shown ? *shown : m_activity);
    m_activityAtPause = std::move(shown);
    m_events.hold(paused);
    m_pages->showFigures(); // also of what was heard since the last picture
    m_strip->setPaused(m_pausedAt);
    m_bar->setPaused(paused);
    m_banner->setPaused(m_pausedAt);
    updateClock();
    updateTitle();
    updateActions();
    if (!paused && m_snapshot)
        showSnapshot(m_snapshot);
}

void MainWindow::updateTitle()
{
    QString title = m_title.isEmpty() ? QString() : m_title + QStringLiteral(" — ");
    if (m_snapshot && isStale(*m_snapshot))
        title.prepend(m_replays ? tr("Nothing seen then · ") : tr("Connection lost · "));
    if (m_profile && m_snapshot && m_snapshot->status.phase == SourcePhase::Failed)
        title.prepend(tr("Cannot connect · "));
    if (m_pausedAt)
        title.prepend(tr("Paused since %1 · ").arg(pauseText(*m_pausedAt, m_clock)));
    setWindowTitle(title + QStringLiteral("Lockscope"));
}

/// Countdowns stand still when what is shown is not of now.
void MainWindow::updateClock()
{
    const bool stale = m_snapshot && isStale(*m_snapshot);
    const bool recorded = m_snapshot && m_snapshot->status.recordedAt;
    m_clock.showRecorded(recorded ? std::optional(m_snapshot->takenAt.mono) : std::nullopt);
    if (m_pausedAt)
        m_clock.freezeAt(m_pauseShows, m_pausedAt);
    else if (stale)
        m_clock.freezeAt(m_snapshot->status.staleSince.value_or(m_snapshot->takenAt.mono));
    else
        m_clock.freezeAt(std::nullopt);
}

void MainWindow::showHelp(const QString &target)
{
    if (!m_help)
        m_help = new HelpWindow(m_services.theme, this);
    m_help->showChapter(target);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

/// What nobody sees is not drawn, nor sorted: the newest is shown when the window is there again. What is recorded is
/// looked at later.
void MainWindow::restWhileUnseen()
{
    const bool unseen = isHidden() || isMinimized();
    if (std::exchange(m_unseen, unseen) == unseen)
        return;
    m_clock.rest(unseen);
    m_services.monitor.setUnattended(unseen && !m_services.monitor.recorder().state());
    if (!unseen && m_snapshot)
        showSnapshot(m_snapshot);
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        restWhileUnseen();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    restWhileUnseen();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    restWhileUnseen();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_endsUnasked && m_lab->hasUnsavedChanges()) {
        event->ignore();
        showPage(QStringLiteral("lab"));
        return m_lab->askBeforeLosing([this] { close(); });
    }
    m_services.settings.setValue(GeometryKey, saveGeometry());
    m_pages->save(m_services.settings);
    QMainWindow::closeEvent(event);
}

} // namespace lockui
