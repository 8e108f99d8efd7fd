// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/deployment_session.h"

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

bool isBroken(const SourceStatus &status)
{
    return status.phase == SourcePhase::Stale || status.phase == SourcePhase::Failed;
}

/// The name of the node that keeps each slot; null: nobody does.
std::vector<const std::string *> slotOwnersOf(const std::map<std::string, std::vector<SlotSpan>> &slotsOfNodes)
{
    std::vector<const std::string *> slotOwners(protocol::SlotCount);
    for (const auto &[name, slots] : slotsOfNodes) {
        for (const SlotSpan &span : slots)
            std::fill(slotOwners.begin() + span.first, slotOwners.begin() + span.last + 1, &name);
    }
    return slotOwners;
}

std::map<std::string, std::vector<SlotSpan>> slotsOf(const std::vector<SlotOwner> &nodes)
{
    std::map<std::string, std::vector<SlotSpan>> slots;
    for (const SlotOwner &node : nodes)
        slots[node.endpoint.display()] = node.slots;
    return slots;
}

} // namespace

DeploymentSession::DeploymentSession(Deployment deployment, MonitorOptions options, MonitorSession::Sink sink)
    : m_deployment(std::move(deployment))
    , m_options(std::move(options))
    , m_sink(std::move(sink))
    , m_topology(m_deployment, ConnectionOptions(), ServerTopology::Refresh::Periodic)
    , m_census(m_deployment.topology == Topology::Cluster,
          [this](const std::string &server, const std::string &channel) {
              const auto node = m_sessions.find(server);
              return node != m_sessions.end() && node->second.session->listensTo(channel);
          })
    , m_join(m_deployment.display(), m_deployment.topology == Topology::Nodes ? Sharing::Copies : Sharing::Parts)
{
    if (m_options.onlyLock && m_deployment.topology == Topology::Cluster)
        m_search = std::make_shared<SingleLockSearch>();
    m_publishTimer.setSingleShot(true);
    m_publishTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_publishTimer, &QTimer::timeout, this, [this] { publish(); });
    connect(&m_topology, &ServerTopology::changed, this, [this](const auto &nodes) { found(nodes); });
    connect(&m_topology, &ServerTopology::failed, this, [this](const Error &error) { notFound(error); });
    connect(&m_topology, &ServerTopology::recovered, this, [this] { foundAgain(); });
    connect(&m_rightsProbe, &ConnectionProbe::finished, this, [this](const Result<ConnectionReport> &report) {
        if (report)
            m_join.setMissingRights(report->missing, report->aclLine);
        publishSoon();
    });
}

DeploymentSession::~DeploymentSession() = default;

void DeploymentSession::open()
{
    publishSoon(); // the first snapshot says that we are connecting
    m_topology.open();
}

void DeploymentSession::refresh()
{
    m_topology.lookAgain();
    for (const auto &[name, node] : m_sessions)
        node.session->refresh();
}

void DeploymentSession::publishNow()
{
    for (const auto &[name, node] : m_sessions)
        node.session->publishNow();
    if (m_deployment.topology != Topology::Single)
        publish();
}

void DeploymentSession::setFeed(std::optional<Feed> feed)
{
    m_options.feed = feed;
    for (const auto &[name, node] : m_sessions)
        node.session->setFeed(feed);
}

void DeploymentSession::setUnattended(bool unattended)
{
    m_options.unattended = unattended;
    for (const auto &[name, node] : m_sessions)
        node.session->setUnattended(unattended);
}

void DeploymentSession::changedByUs(const std::string &node, const input::ChangedByUs &change)
{
    if (const auto found = m_sessions.find(node); found != m_sessions.end())
        found->second.session->changedByUs(change);
}

std::shared_ptr<const LockState> DeploymentSession::find(const LockName &name) const
{
    return m_snapshot ? m_snapshot->locks.find(name) : nullptr;
}

std::string DeploymentSession::aclLine() const { return m_snapshot ? m_snapshot->status.aclLine : std::string(); }

void DeploymentSession::found(const std::vector<SlotOwner> &nodes)
{
    auto transfers = transfersTo(nodes);
    const auto slots = slotsOf(nodes);
    reportNewMasters(nodes);
    m_nodes = nodes;
    m_join.setTrouble(std::nullopt);
    m_join.setNodes(slots);
    seekAt(slots);
    std::vector<MonitorSession *> opened;
    for (const SlotOwner &node : nodes) {
        const std::string name = node.endpoint.display();
        if (!m_sessions.contains(name))
            opened.push_back(m_sessions.emplace(name, newNode(node.endpoint)).first->second.session.get());
    }
    // Who gets locks before who gives them: none is missing in between.
    for (auto &[name, transfer] : transfers) {
        MonitorSession &session = *m_sessions.at(name).session;
        session.keepSlots(slots.at(name));
        session.takeOver(std::move(transfer.locks), *transfer.unseenSince, transfer.from);
    }
    for (const auto &[name, spans] : slots)
        m_sessions.at(name).session->keepSlots(spans);
    dropAllBut(slots);
    for (MonitorSession *session : opened)
        session->open();
    publishSoon();
}

/// A server that has come and keeps all that one that has gone kept has taken its place. That slots move from one
/// master to another is no such change.
std::vector<DeploymentSession::NewMaster> DeploymentSession::newMasters(const std::vector<SlotOwner> &nodes) const
{
    if (m_deployment.topology != Topology::Sentinel && m_deployment.topology != Topology::Cluster)
        return {};
    const auto slots = slotsOf(nodes);
    const auto slotsBefore = slotsOf(m_nodes);
    const auto owners = slotOwnersOf(slots);
    const auto keepsAll = [&](const std::string &node, const std::vector<SlotSpan> &spans) {
        return std::ranges::all_of(spans, [&](const SlotSpan &span) {
            const auto *const owner = owners[static_cast<std::size_t>(span.first)];
            return owner && *owner == node;
        });
    };
    std::vector<NewMaster> masters;
    for (const auto &[name, spans] : slots)
        for (const auto &[former, spansBefore] : slotsBefore)
            if (!slotsBefore.contains(name) && !slots.contains(former) && keepsAll(name, spansBefore))
                masters.push_back({ name, former });
    return masters;
}

void DeploymentSession::reportNewMasters(const std::vector<SlotOwner> &nodes) const
{
    std::vector<Event> events;
    for (const NewMaster &master : newMasters(nodes)) {
        Event event;
        event.at = readClocks().wall;
        event.kind = EventKind::MasterChanged;
        event.node = master.name;
        event.formerMaster = master.former;
        events.push_back(std::move(event));
    }
    if (!events.empty())
        m_sink.report(std::make_shared<const std::vector<Event>>(std::move(events)));
}

void DeploymentSession::seekAt(const std::map<std::string, std::vector<SlotSpan>> &slots)
{
    if (!m_search)
        return;
    const auto *slotOwner = slotOwnersOf(slots)[static_cast<std::size_t>(protocol::keySlot(*m_options.onlyLock))];
    m_search->setSlotOwner(slotOwner ? *slotOwner : std::string());
}

void DeploymentSession::dropAllBut(const std::map<std::string, std::vector<SlotSpan>> &nodes)
{
    for (auto entry = m_sessions.begin(); entry != m_sessions.end();) {
        if (nodes.contains(entry->first)) {
            ++entry;
            continue;
        }
        MonitorSession *const ended = entry->second.session.release();
        ended->setParent(this);
        m_census.forget(entry->first);
        ended->deleteLater(); // it may be one of its answers that brought us here
        entry = m_sessions.erase(entry);
    }
}

/// What changes its slot owner, by the new one.
std::map<std::string, DeploymentSession::Transfer> DeploymentSession::transfersTo(
    const std::vector<SlotOwner> &nodes) const
{
    std::map<std::string, Transfer> transfers;
    if (m_deployment.topology == Topology::Single || m_deployment.topology == Topology::Nodes || nodes.empty())
        return transfers;
    const auto slots = slotsOf(nodes);
    const auto slotOwners = slotOwnersOf(slots);
    const auto slotsBefore = slotsOf(m_nodes);
    const auto ownersBefore = slotOwnersOf(slotsBefore);
    const auto isOnlyMovingTo = [&](const std::string &node, const LockState &lock) {
        const auto *before
            = m_deployment.topology == Topology::Cluster ? ownersBefore[static_cast<std::size_t>(lock.slot)] : nullptr;
        return before && *before != node;
    };
    for (const auto &[name, node] : m_sessions) {
        if (!node.snapshot)
            continue;
        const auto unseenSince = node.snapshot->status.staleSince.value_or(monoNow());
        for (const auto &lock : node.snapshot->locks) {
            const std::string *slotOwner = m_deployment.topology == Topology::Cluster
                ? slotOwners[static_cast<std::size_t>(lock->slot)]
                : &slots.begin()->first;
            if (!slotOwner || *slotOwner == name || isOnlyMovingTo(name, *lock))
                continue;
            Transfer &transfer = transfers[*slotOwner];
            transfer.locks.push_back(lock);
            transfer.add(name, unseenSince);
        }
    }
    // Without a lock, too: some may have been held meanwhile.
    for (const auto &[name, former] : newMasters(nodes)) {
        const auto session = m_sessions.find(former);
        if (session == m_sessions.end() || !session->second.snapshot)
            continue;
        if (const auto since = session->second.snapshot->status.staleSince)
            transfers[name].add(former, *since);
    }
    return transfers;
}

void DeploymentSession::Transfer::add(const std::string &node, MonoTime nodeUnseenSince)
{
    if (unseenSince && *unseenSince <= nodeUnseenSince)
        return;
    unseenSince = nodeUnseenSince;
    from = node;
}

DeploymentSession::Node DeploymentSession::newNode(const Endpoint &endpoint)
{
    const std::string name = endpoint.display();
    MonitorSession::Sink sink;
    sink.publish = [this, name](std::shared_ptr<const Snapshot> snapshot) { published(name, std::move(snapshot)); };
    sink.report = m_sink.report;
    sink.claim = [this, name](const LockName &lock) { return claimed(lock, name); };
    sink.sought = m_search;
    m_census.setServer(endpoint, std::nullopt);
    sink.replicas = [this, endpoint](std::optional<std::vector<Endpoint>> replicas) {
        m_census.setServer(endpoint, std::move(replicas));
    };
    sink.countElsewhere = [this, name](SubscriberCensus::Answer answer) { m_census.count(name, std::move(answer)); };
    sink.moved = [this] { m_topology.lookSoon(); };
    return { endpoint, std::make_unique<MonitorSession>(endpoint, m_options, std::move(sink)), nullptr };
}

/// The others hear of it when the claiming node has shown the lock: it is missing nowhere.
std::shared_ptr<const LockState> DeploymentSession::claimed(const LockName &name, const std::string &by)
{
    std::shared_ptr<const LockState> known;
    for (const auto &[node, other] : m_sessions) {
        const auto lock = node != by && other.snapshot ? other.snapshot->locks.find(name) : nullptr;
        if (!lock)
            continue;
        known = lock;
        QTimer::singleShot(0, other.session.get(), [session = other.session.get(), name] { session->isClaimed(name); });
    }
    if (known)
        m_topology.lookSoon();
    return known;
}

void DeploymentSession::published(const std::string &node, std::shared_ptr<const Snapshot> snapshot)
{
    const auto found = m_sessions.find(node);
    if (found == m_sessions.end())
        return;
    found->second.snapshot = snapshot;
    if (m_deployment.topology == Topology::Single) {
        m_snapshot = std::move(snapshot);
        return m_sink.publish(m_snapshot);
    }
    const bool demoted
        = m_deployment.topology == Topology::Sentinel && snapshot->nodes.front().role == NodeRole::Replica;
    const auto &error = snapshot->status.error;
    const bool refused = error && error->code == ErrorCode::PermissionDenied; // elsewhere it is no better
    if ((isBroken(snapshot->status) && !refused) || demoted)
        m_topology.lookSoon();
    m_join.put(node, std::move(snapshot));
    publishSoon();
}

void DeploymentSession::notFound(const Error &error)
{
    const auto pause = m_topology.retryIn();
    m_join.setTrouble(error, pause ? std::optional(monoNow() + *pause) : std::nullopt);
    if (error.code == ErrorCode::PermissionDenied && !std::exchange(m_rightsProbed, true))
        refused();
    publishSoon();
}

/// Says all that is missing, not only what was asked for first.
void DeploymentSession::refused()
{
    if (m_deployment.topology == Topology::Cluster)
        return m_rightsProbe.start(m_deployment);
    MissingRights rights(m_deployment.sentinelUser);
    rights.add(Right::SentinelMaster);
    m_join.setMissingRights(rights.missing(), rights.aclLine());
}

void DeploymentSession::foundAgain()
{
    m_rightsProbe.cancel();
    m_rightsProbed = false;
    m_join.setTrouble(std::nullopt);
    m_join.setMissingRights({}, {});
    publishSoon();
}

void DeploymentSession::publishSoon()
{
    if (m_deployment.topology == Topology::Single || m_publishTimer.isActive())
        return; // one server speaks for itself
    const qint64 every = 1'000 / std::clamp(m_options.snapshotsPerSecond, 1, 1'000);
    const qint64 elapsed = m_sincePublished.isValid() ? m_sincePublished.elapsed() : every;
    m_publishTimer.start(static_cast<int>(std::max<qint64>(0, every - elapsed)));
}

void DeploymentSession::publish()
{
    m_publishTimer.stop();
    m_sincePublished.start();
    const auto snapshot = m_join.join(readClocks());
    if (m_search && m_search->isOutOfSight() && !snapshot->status.error)
        snapshot->status.error = errorOf(
            ErrorCode::ClusterBusy, { Phrase::SlotIsMoving }, { Phrase::LookingFor, { *m_options.onlyLock } });
    m_snapshot = snapshot;
    m_sink.publish(m_snapshot);
}

} // namespace lockcore::service
