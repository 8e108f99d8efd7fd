// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/one_sweep.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/suspects.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/join.h"
#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/server_sight.h"
#include "lockcore/protocol/acl_line.h"
#include "lockcore/synchronizers/catalog.h"

#include <QStringList>
#include <algorithm>
#include <functional>
#include <utility>

namespace lockctl {

using app::Words;
using lockcore::monitor::isWatched;
using lockcore::monitor::NodeStatus;
using lockcore::monitor::Snapshot;
using lockcore::monitor::SourcePhase;
using lockcore::monitor::SourceStatus;
using lockcore::service::Monitor;

namespace {

using namespace std::chrono_literals;

/// For the number of waiting clients, which is asked for when all locks are known, and may be refused.
constexpr auto Patience = 500ms;
/// For who stands in a queue and does not listen: asked once it may be about to, and the second time comes later.
constexpr auto PatienceWithSilence = 2'500ms;
/// For what else is refused to be found out.
constexpr auto PatienceWithRights = 5'000ms;
/// For a deadlock to prove that it lasts: its queues are not read at the same moment.
constexpr auto PatienceWithDeadlock = 4'000ms;

bool knowsWaiting(const Snapshot &snapshot)
{
    return std::all_of(snapshot.locks.begin(), snapshot.locks.end(),
        [](const auto &lock) { return !tellsOfReleases(lock->kind) || subscribedClients(*lock).has_value(); });
}

/// Who waits in its queue will be known: the monitor asks for that, and may.
bool willBeKnown(const Snapshot &snapshot)
{
    return std::ranges::none_of(snapshot.status.missingRights, [](const auto &missing) {
        return missing.right == lockcore::monitor::Right::CountWaiters;
    }) && std::ranges::any_of(snapshot.locks, [](const auto &lock) {
        const auto &waiters = lock->waiters;
        return !waiters.empty() && waiters.size() <= lockcore::monitor::MostWaitersAsked && !subscribedClients(*lock);
    });
}

/// What is to be said of who does not listen is thought over a moment later than it is seen.
bool hasWeighed(const Snapshot &snapshot)
{
    return likelyMarks(*snapshot.analysis) > 0 || std::ranges::none_of(snapshot.locks, [](const auto &lock) {
        return std::ranges::any_of(lock->waiters, [](const auto &waiter) { return isGhost(waiter); });
    });
}

bool isBroken(const SourceStatus &status)
{
    return status.phase == SourcePhase::Failed || status.phase == SourcePhase::Stale;
}

bool mayNotSweep(const SourceStatus &status) { return status.phase == SourcePhase::Live && !status.lastSweep; }

bool isSettled(const SourceStatus &status) { return isBroken(status) || status.phase == SourcePhase::Live; }

} // namespace

OneSweep::OneSweep(lockcore::service::MonitorOptions options, Until until, QObject *parent)
    : QObject(parent)
    , m_until(until)
    , m_monitor(std::move(options))
{
    m_patience.setSingleShot(true);
    connect(&m_monitor, &Monitor::snapshotReady, this, &OneSweep::look);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_patienceOver = true;
        look();
    });
}

void OneSweep::start(const lockcore::transport::Deployment &deployment) { m_monitor.open(deployment); }

void OneSweep::giveUpAfter(lockcore::Millis limit)
{
    QTimer::singleShot(limit, this, [this, limit] {
        if (m_isSeen || std::exchange(m_over, true))
            return;
        m_patience.stop();
        Q_EMIT failed(app::complaint(
            lockcore::ErrorCode::ReplyTimeout, Words::tr("not all locks were seen in %1").arg(lockui::ttlText(limit))));
    });
}

void OneSweep::look()
{
    const auto snapshot = m_monitor.latest();
    auto nodes = snapshot->nodes;
    std::erase_if(nodes, std::not_fn(lockcore::monitor::isWatched));
    const bool settled
        = std::all_of(nodes.begin(), nodes.end(), [](const auto &node) { return isSettled(node.status); });
    if (m_over || !settled || snapshot->status.phase == SourcePhase::Connecting)
        return;
    if (std::none_of(nodes.begin(), nodes.end(), [](const auto &node) { return isSeen(node.status); })) {
        failWith(*snapshot);
        return;
    }
    m_isSeen = true;
    if (m_until == Until::Seen)
        finish();
    else
        waitForTheRest(*snapshot);
}

void OneSweep::waitForTheRest(const Snapshot &snapshot)
{
    const bool deadlock = snapshot.analysis && snapshot.analysis->pendingDeadlocks > 0;
    const bool isKnown = m_until == Until::Linked || knowsWaiting(snapshot);
    if (m_patienceOver
        || (isKnown && snapshot.analysis && !deadlock && (m_until == Until::Linked || hasWeighed(snapshot))))
        finish();
    else if (deadlock && !std::exchange(m_sawDeadlock, true))
        m_patience.start(PatienceWithDeadlock);
    else if (!isKnown && !m_sawDeadlock && willBeKnown(snapshot) && !std::exchange(m_sawSilence, true))
        m_patience.start(PatienceWithSilence);
    else if (!m_patience.isActive())
        m_patience.start(Patience);
}

void OneSweep::failWith(const Snapshot &snapshot)
{
    const SourceStatus &status = snapshot.status;
    if (StatusNote::isOpen(status) && !m_patienceOver) {
        if (!m_patience.isActive())
            m_patience.start(PatienceWithRights);
        return;
    }
    m_over = true;
    m_patience.stop();
    if (m_says)
        tellWithAclLine(status);
    for (const NodeStatus &node : snapshot.nodes) { // what is told of all together is the reason of one
        if (m_says && snapshot.nodes.size() > 1 && node.status.error && node.status.error != status.error)
            app::complain("lockctl", *node.status.error);
    }
    Q_EMIT failed(whyNotSeen(status));
}

void OneSweep::nothingFollows() { tellWithAclLine(m_monitor.latest()->status); }

void OneSweep::tellWithAclLine(SourceStatus status)
{
    if (!status.aclLine.empty() && !m_followedBy.empty())
        lockcore::protocol::addAclRules(status.aclLine, m_followedBy);
    m_note.tell(status);
}

void OneSweep::finish()
{
    m_over = true;
    m_patience.stop();
    const auto snapshot = m_monitor.latest();
    if (m_says)
        tellWhatIsMissing(*snapshot);
    Q_EMIT done(snapshot);
}

void OneSweep::tellWhatIsMissing(const Snapshot &snapshot)
{
    auto status = snapshot.status;
    if (!m_followedBy.empty())
        status.aclLine.clear();
    m_note.tell(status);
    if (m_until == Until::Told && snapshot.analysis)
        StatusNote::tellPending(likelyMarks(*snapshot.analysis));
    for (const NodeStatus &node : unseenNodes(snapshot))
        app::complain("lockctl", app::withMore(whyNotSeen(node.status), Words::tr("; its locks are not known")));
}

bool isSeen(const SourceStatus &status) { return sightOf(status) == lockcore::monitor::Sight::Whole; }

lockcore::Error whyNotSeen(const SourceStatus &status)
{
    if (mayNotSweep(status))
        return app::complaint(lockcore::ErrorCode::PermissionDenied, Words::tr("the keys may not be scanned"),
            Words::tr("looking for locks of %1").arg(QString::fromStdString(status.server)).toStdString());
    return status.error.value_or(app::complaint(lockcore::ErrorCode::ConnectionClosed,
        Words::tr("the connection was lost"), Words::tr("reading the locks").toStdString()));
}

std::vector<NodeStatus> unseenNodes(const Snapshot &snapshot)
{
    std::vector<NodeStatus> unseen = snapshot.nodes;
    std::erase_if(unseen, [](const NodeStatus &node) { return !isWatched(node) || isSeen(node.status); });
    return unseen;
}

const lockcore::monitor::LockState *findLock(const Snapshot &snapshot, const lockcore::LockName &name)
{
    return snapshot.locks.find(name).get();
}

namespace {

/// Those that may have it: of a cluster the one that keeps its slot, of independent servers each.
std::vector<NodeStatus> unseenNodesOf(const Snapshot &snapshot, const lockcore::LockName &name)
{
    std::vector<NodeStatus> unseen = unseenNodes(snapshot);
    std::erase_if(unseen, [&name](const NodeStatus &node) { return !lockcore::monitor::mayKeep(node, name); });
    return unseen;
}

QString namesTogether(const std::vector<NodeStatus> &nodes)
{
    QStringList names;
    for (const NodeStatus &node : nodes)
        names << app::shown(node.node);
    return names.join(QStringLiteral(", "));
}

} // namespace

lockcore::Error whyNotFound(const Snapshot &snapshot, const lockcore::LockName &name, std::string context)
{
    const auto &error = snapshot.status.error;
    if (error
        && (error->code == lockcore::ErrorCode::ClusterBusy || error->code == lockcore::ErrorCode::PermissionDenied))
        return *error; // it may be there all the same
    const auto unseen = unseenNodesOf(snapshot, name);
    if (!unseen.empty())
        return app::complaint(whyNotSeen(unseen.front().status).code,
            Words::tr("no lock of this name was found on the servers that were seen; not seen: %1")
                .arg(namesTogether(unseen)),
            std::move(context));
    return app::complaint(lockcore::ErrorCode::NotHeld,
        Words::tr("there is no lock of this name on %1").arg(QString::fromStdString(snapshot.status.server)),
        std::move(context));
}

} // namespace lockctl
