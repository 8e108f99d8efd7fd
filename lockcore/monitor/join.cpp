// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/join.h"

#include "lockcore/monitor/quorum_holds.h"
#include "lockcore/protocol/acl_line.h"
#include "lockcore/protocol/cluster_slots.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace lockcore::monitor {

namespace {

using Nodes = std::vector<NodeStatus>;

bool all(const Nodes &nodes, SourcePhase phase)
{
    return std::all_of(nodes.begin(), nodes.end(), [phase](const auto &node) { return node.status.phase == phase; });
}

bool any(const Nodes &nodes, SourcePhase phase)
{
    return std::any_of(nodes.begin(), nodes.end(), [phase](const auto &node) { return node.status.phase == phase; });
}

/// Failed and Connecting say that nothing was ever seen: of all nodes, or not at all.
SourcePhase worstPhase(const Nodes &nodes)
{
    if (nodes.empty() || all(nodes, SourcePhase::Connecting))
        return SourcePhase::Connecting;
    if (all(nodes, SourcePhase::Failed))
        return SourcePhase::Failed;
    if (any(nodes, SourcePhase::Stale) || any(nodes, SourcePhase::Failed))
        return SourcePhase::Stale;
    return all(nodes, SourcePhase::Live) ? SourcePhase::Live : SourcePhase::Sweeping;
}

template <typename Value>
void takeEarlier(std::optional<Value> &into, const std::optional<Value> &value)
{
    if (value && (!into || *value < *into))
        into = value;
}

void addRates(Rates &sum, const Rates &rates)
{
    sum.acquires += rates.acquires;
    sum.renewals += rates.renewals;
    sum.releases += rates.releases;
    sum.expiries += rates.expiries;
    sum.mayHaveMoreExpiries = sum.mayHaveMoreExpiries || rates.mayHaveMoreExpiries;
    sum.areUnknown = sum.areUnknown || rates.areUnknown;
}

void addVersion(std::string &versions, const std::string &version)
{
    if (version.empty() || (", " + versions + ", ").find(", " + version + ", ") != std::string::npos)
        return;
    versions += versions.empty() ? version : ", " + version;
}

/// Complete when every server that can be seen was looked through.
std::optional<SweepInfo> joinSweeps(const Nodes &nodes)
{
    std::optional<SweepInfo> joined;
    for (const NodeStatus &node : nodes) {
        const auto &sweep = node.status.lastSweep;
        if (!sweep && isSeenNow(node.status))
            return std::nullopt;
        if (!sweep)
            continue;
        if (!joined) {
            joined = sweep;
            continue;
        }
        joined->keysSeen += sweep->keysSeen;
        joined->duration = std::max(joined->duration, sweep->duration);
        joined->finishedAt = std::min(joined->finishedAt, sweep->finishedAt);
        joined->byScript = joined->byScript && sweep->byScript;
    }
    return joined;
}

/// What several servers refuse is said once, with their names.
std::vector<MissingRight> joinRights(const Nodes &nodes)
{
    std::vector<MissingRight> joined; // in the order in which they are told
    std::vector<std::vector<std::string>> where;
    for (const NodeStatus &node : nodes) {
        for (const MissingRight &missing : node.status.missingRights) {
            const auto known = std::ranges::find(joined, missing);
            const auto place = static_cast<std::size_t>(known - joined.begin());
            if (known == joined.end()) {
                joined.push_back(missing);
                where.emplace_back();
            }
            where[place].push_back(node.node);
        }
    }
    for (std::size_t i = 0; i < joined.size(); ++i) {
        if (where[i].size() != nodes.size())
            joined[i].nodes = std::move(where[i]);
    }
    return joined;
}

/// The one that is worst off speaks for all of them.
void takeFeed(SourceStatus &joined, const Nodes &nodes)
{
    const NodeStatus *worst = nullptr;
    for (const NodeStatus &node : nodes) {
        const auto rank = [](const SourceStatus &status) {
            return std::tuple(
                status.feed, status.feedLimited, status.lastSweep ? status.lastSweep->duration : Millis{});
        };
        if (node.status.feed != Feed::None && (!worst || rank(worst->status) < rank(node.status)))
            worst = &node;
    }
    if (!worst)
        return;
    joined.feed = worst->status.feed;
    joined.feedLimited
        = std::any_of(nodes.begin(), nodes.end(), [](const NodeStatus &node) { return node.status.feedLimited; });
    const bool alike = std::all_of(nodes.begin(), nodes.end(),
        [&](const NodeStatus &node) { return node.status.feedReason == worst->status.feedReason; });
    joined.feedReason = worst->status.feedReason;
    if (!alike)
        joined.feedReason.node = worst->node;
}

bool keeps(const std::vector<SlotSpan> &slots, int slot)
{
    return std::any_of(
        slots.begin(), slots.end(), [slot](const SlotSpan &span) { return span.first <= slot && slot <= span.last; });
}

} // namespace

bool mayKeep(const NodeStatus &node, const LockName &name)
{
    return node.slots.empty() || keeps(node.slots, protocol::keySlot(name));
}

std::optional<MonoTime> joinStaleSince(const std::vector<NodeStatus> &nodes)
{
    std::optional<MonoTime> first, last;
    for (const NodeStatus &node : nodes) {
        takeEarlier(first, node.status.staleSince);
        last = std::max(last, node.status.staleSince);
    }
    const bool isAll = std::ranges::all_of(
        nodes, [](const NodeStatus &node) { return node.status.staleSince.has_value() || !isWatched(node); });
    return isAll ? last : first;
}

SourceStatus joinStatus(const std::string &deployment, const std::vector<NodeStatus> &nodes)
{
    SourceStatus joined;
    joined.server = deployment;
    joined.phase = worstPhase(nodes);
    for (const NodeStatus &node : nodes) {
        const SourceStatus &status = node.status;
        // That the cluster is down is why others are lost, too.
        if (!joined.error || (status.error && status.error->code == ErrorCode::ClusterBusy))
            joined.error = status.error;
        protocol::addAclRules(joined.aclLine, status.aclLine);
        joined.channelsShared = joined.channelsShared || status.channelsShared;
        joined.slowLog = std::max(joined.slowLog, status.slowLog);
        takeEarlier(joined.retryAt, status.retryAt);
        addVersion(joined.serverVersion, status.serverVersion);
        addRates(joined.rates, status.rates);
        if (!joined.clockAhead
            || (status.clockAhead && std::chrono::abs(*status.clockAhead) > std::chrono::abs(*joined.clockAhead)))
            joined.clockAhead = status.clockAhead;
        joined.sweepProgress += status.sweepProgress / static_cast<double>(nodes.size());
    }
    joined.staleSince = joinStaleSince(nodes);
    joined.lastSweep = joinSweeps(nodes);
    joined.missingRights = joinRights(nodes);
    takeFeed(joined, nodes);
    return joined;
}

namespace {

std::shared_ptr<const Snapshot> nothingOf(const std::string &node)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->status.server = node;
    snapshot->nodes.resize(1);
    snapshot->nodes.front().node = node;
    snapshot->nodes.front().status = snapshot->status;
    return snapshot;
}

/// Whoever looks at the first ones only, looks at some of each server.
std::vector<ChannelState> inTurns(const std::vector<std::shared_ptr<const std::vector<ChannelState>>> &lists)
{
    std::vector<ChannelState> all;
    std::size_t longest = 0;
    for (const auto &list : lists)
        longest = std::max(longest, list->size());
    for (std::size_t i = 0; i < longest; ++i) {
        for (const auto &list : lists) {
            if (i < list->size())
                all.push_back((*list)[i]);
        }
    }
    return all;
}

/// What one of a set of independent servers has of a lock.
struct Copy {
    std::shared_ptr<const LockState> lock; // null: nothing, as far as is known
    bool isKnown = false; // false: it may be otherwise now
};

Copy copyOn(Sight sight, std::shared_ptr<const LockState> lock)
{
    const bool isShown = lock != nullptr;
    return { std::move(lock), isKnown(sight, isShown) };
}

using Member = std::shared_ptr<const LockState>;

/// One owner as the servers have it that can be seen.
Holder joinParts(const QuorumHold &hold)
{
    Holder joined = hold.parts.front().holder;
    for (const auto &part : hold.parts) {
        joined.count = std::max(joined.count, part.holder.count);
        if (part.holder.since.at < joined.since.at)
            joined.since = part.holder.since;
    }
    joined.expired = std::ranges::all_of(hold.parts, [](const QuorumHold::Part &part) { return part.holder.expired; });
    return joined;
}

/// Until when it is held on as many servers as it takes; with fewer, until it is held nowhere.
std::optional<MonoTime> heldUntil(const QuorumHold &hold, int needed)
{
    std::vector<MonoTime> expiries;
    for (const auto &part : hold.parts) {
        if (part.holder.expiresAt)
            expiries.push_back(*part.holder.expiresAt);
    }
    std::sort(expiries.begin(), expiries.end(), std::greater<>());
    const auto endless = hold.parts.size() - expiries.size();
    const auto wanted = static_cast<std::size_t>(std::ssize(hold.parts) >= needed ? needed : 1);
    if (endless >= wanted)
        return std::nullopt;
    return expiries[wanted - endless - 1];
}

/// Whoever holds it stays apart in the list: each owner stands in the hash of its server.
void setHolders(LockState &joined, const std::vector<QuorumHold> &holds, int needed)
{
    joined.holders.clear();
    for (const QuorumHold &hold : holds) {
        if (hold.inferred) {
            for (const auto &part : hold.parts)
                joined.holders.push_back(part.holder);
        } else {
            joined.holders.push_back(joinParts(hold));
            joined.holders.back().expiresAt = heldUntil(hold, needed);
        }
    }
    joined.expiresAt = holds.empty() ? std::nullopt : heldUntil(holds.front(), needed);
}

template <typename Optional>
void takeLarger(Optional &into, const Optional &value)
{
    if (value && (!into || *into < *value))
        into = value;
}

void addWaiters(std::vector<Waiter> &waiters, const std::vector<Waiter> &more)
{
    for (const Waiter &waiter : more) {
        const bool known = std::any_of(
            waiters.begin(), waiters.end(), [&](const Waiter &other) { return other.owner == waiter.owner; });
        if (!known)
            waiters.push_back(waiter);
    }
}

void takeCount(LockState &joined, const LockState &member)
{
    const bool isSame = joined.subscribers == member.subscribers;
    takeLarger(joined.subscribers, member.subscribers);
    if (isSame)
        joined.takenSinceCount = std::min(joined.takenSinceCount, member.takenSinceCount);
    else if (joined.subscribers == member.subscribers)
        joined.takenSinceCount = member.takenSinceCount;
}

void addMember(LockState &joined, const LockState &member)
{
    takeLarger(joined.leaseSeen, member.leaseSeen);
    takeCount(joined, member);
    takeLarger(joined.token, member.token);
    if (joined.lease == Lease::Unknown)
        joined.lease = member.lease;
    joined.renewals = std::max(joined.renewals, member.renewals);
    if (joined.lastChange.at < member.lastChange.at)
        joined.lastChange = member.lastChange;
    if (joined.readAtMono < member.readAtMono) {
        joined.readAt = member.readAt;
        joined.readAtMono = member.readAtMono;
        joined.becameSoThen = member.becameSoThen;
    }
    addWaiters(joined.waiters, member.waiters);
}

/// The lock on all servers together, one element a server and at least one with the lock: `before` where nothing has
/// changed (null: not joined before).
std::shared_ptr<const LockState> joinCopies(
    const std::vector<Copy> &copies, const std::shared_ptr<const LockState> &before)
{
    Quorum quorum;
    quorum.servers = static_cast<int>(copies.size());
    std::vector<Member> members;
    std::vector<Member> seen;
    for (const Copy &copy : copies) {
        quorum.unknown += copy.isKnown ? 0 : 1;
        if (copy.lock)
            members.push_back(copy.lock);
        if (copy.lock && copy.isKnown)
            seen.push_back(copy.lock);
    }
    const std::vector<Member> &told = seen.empty() ? members : seen; // when all are lost, what was seen last
    const auto holds = quorumHolds(told, quorum.servers);
    quorum.held = seen.empty() || holds.empty() ? 0 : static_cast<int>(holds.front().parts.size());

    LockState joined = *told.front();
    for (const Member &member : told)
        addMember(joined, *member);
    joined.node = {};
    setHolders(joined, holds, quorum.needed());
    joined.ttlHistory = ttlHistoryOf(*told.front()); // whose own end it tells of
    joined.quorum = quorum;
    joined.members = std::move(members);
    // Of the same members others may be the ones that can be seen now.
    return before && *before == joined ? before : std::make_shared<const LockState>(std::move(joined));
}

Member memberOn(const LockState &lock, const std::string &node)
{
    const auto found = std::ranges::find(lock.members, node, [](const Member &member) { return member->node; });
    return found == lock.members.end() ? nullptr : *found;
}

} // namespace

void joinAgain(Snapshot &picture)
{
    LockList::Changes changes;
    for (const auto &lock : picture.locks) {
        if (!lock->quorum)
            continue;
        std::vector<Copy> copies;
        for (const NodeStatus &node : picture.nodes)
            if (isWatched(node))
                copies.push_back(copyOn(sightOf(node.status), memberOn(*lock, node.node)));
        if (std::ranges::count(copies, false, &Copy::isKnown) == lock->quorum->unknown)
            continue;
        const auto found = std::ranges::count_if(copies, [](const Copy &copy) { return copy.lock != nullptr; });
        if (found == 0 || found != std::ssize(lock->members))
            continue; // the picture does not list all servers
        changes.emplace(lock->name, joinCopies(copies, lock));
    }
    picture.locks.apply(changes);
}

Join::Join(std::string deployment, Sharing sharing)
    : m_deployment(std::move(deployment))
    , m_sharing(sharing)
{
}

void Join::setNodes(const std::map<std::string, std::vector<SlotSpan>> &slotsOfNodes)
{
    std::erase_if(m_nodes, [&](auto &entry) {
        if (slotsOfNodes.contains(entry.first))
            return false;
        noteAll(entry.second.joined);
        return true;
    });
    for (const auto &[name, slots] : slotsOfNodes) {
        Node &node = m_nodes[name];
        if (!node.snapshot)
            node.snapshot = nothingOf(name);
        if (std::exchange(node.slots, slots) != slots)
            noteAll(node.joined);
    }
    if (m_sharing == Sharing::Copies)
        noteAll(m_locks); // of how many
}

void Join::put(const std::string &node, std::shared_ptr<const Snapshot> snapshot)
{
    if (const auto place = m_nodes.find(node); place != m_nodes.end())
        place->second.snapshot = std::move(snapshot);
}

void Join::setTrouble(std::optional<Error> error, std::optional<MonoTime> retryAt)
{
    m_trouble = std::move(error);
    m_retryAt = retryAt;
}

void Join::setMissingRights(std::vector<MissingRight> missing, std::string aclLine)
{
    m_missingRights = std::move(missing);
    m_aclLine = std::move(aclLine);
}

void Join::addMissingRights(SourceStatus &status) const
{
    for (const MissingRight &missing : m_missingRights) {
        if (std::ranges::find(status.missingRights, missing) == status.missingRights.end())
            status.missingRights.push_back(missing);
    }
    protocol::addAclRules(status.aclLine, m_aclLine);
}

std::shared_ptr<Snapshot> Join::join(Now now)
{
    auto snapshot = std::make_shared<Snapshot>();
    std::vector<NodeStatus> replicas; // listed, not watched
    for (auto &[name, node] : m_nodes) {
        noteChanges(node);
        const auto &nodes = node.snapshot->nodes;
        snapshot->nodes.emplace_back(nodes.front()).slots = node.slots;
        replicas.insert(replicas.end(), nodes.begin() + 1, nodes.end());
    }
    mergeChanges();
    snapshot->revision = ++m_revision;
    snapshot->takenAt = now;
    snapshot->status = joinStatus(m_deployment, snapshot->nodes);
    if (m_trouble && m_nodes.empty()) {
        snapshot->status.phase = SourcePhase::Failed;
        snapshot->status.error = m_trouble;
        snapshot->status.retryAt = m_retryAt;
    }
    addMissingRights(snapshot->status);
    std::move(replicas.begin(), replicas.end(), std::back_inserter(snapshot->nodes));
    snapshot->locks = m_locks;
    joinChannels(*snapshot);
    return snapshot;
}

/// What the node shows now beside what it showed at the last join.
void Join::noteChanges(Node &node)
{
    const Sight sight = sightOf(node.snapshot->status);
    if (std::exchange(node.sight, sight) != sight && m_sharing == Sharing::Copies) {
        noteAll(node.joined); // each counts otherwise
        noteAll(m_locks);
    }
    forEachDifference(node.joined, node.snapshot->locks,
        [this](const Lock &before, const Lock &now) { m_changes.try_emplace(before ? before->name : now->name); });
    node.joined = node.snapshot->locks;
}

void Join::noteAll(const LockList &locks)
{
    for (const Lock &lock : locks)
        m_changes.try_emplace(lock->name);
}

Join::Lock Join::joinedNow(const LockName &name) const
{
    return m_sharing == Sharing::Parts ? joinedPart(name) : joinedCopies(name);
}

/// A lock that two nodes have is on its way from one to the other: who keeps its slot knows it best.
Join::Lock Join::joinedPart(const LockName &name) const
{
    Lock found;
    for (const auto &[address, node] : m_nodes) {
        const Lock lock = node.joined.find(name);
        if (lock && (!found || keeps(node.slots, lock->slot)))
            found = lock;
    }
    return found;
}

Join::Lock Join::joinedCopies(const LockName &name) const
{
    std::vector<Copy> copies;
    bool anywhere = false;
    for (const auto &[address, node] : m_nodes) {
        copies.push_back(copyOn(node.sight, node.joined.find(name)));
        anywhere = anywhere || copies.back().lock;
    }
    return anywhere ? joinCopies(copies, m_locks.find(name)) : nullptr;
}

void Join::mergeChanges()
{
    for (auto &[name, lock] : m_changes)
        lock = joinedNow(name);
    m_locks.apply(m_changes);
    m_changes.clear();
}

void Join::joinChannels(Snapshot &snapshot)
{
    std::vector<std::shared_ptr<const std::vector<ChannelState>>> lists;
    for (const auto &[name, node] : m_nodes) {
        if (node.snapshot->channels)
            lists.push_back(node.snapshot->channels);
        snapshot.moreChannels += node.snapshot->moreChannels;
    }
    if (lists != m_channelLists) {
        m_channels = std::make_shared<const std::vector<ChannelState>>(inTurns(lists));
        m_channelLists = std::move(lists);
    }
    snapshot.channels = m_channels;
}

} // namespace lockcore::monitor
