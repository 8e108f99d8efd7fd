// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/join.h"

#include "lockcore/monitor/join_status.h"
#include "lockcore/monitor/quorum_holds.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockcore {

namespace {

bool keeps(const std::vector<SlotSpan> &slots, int slot)
{
    return std::any_of(
        slots.begin(), slots.end(), [slot](const SlotSpan &span) { return span.first <= slot && slot <= span.last; });
}

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
    bool live = false; // false: not to be seen at the moment
};

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

void addMember(LockState &joined, const LockState &member)
{
    takeLarger(joined.leaseSeen, member.leaseSeen);
    takeLarger(joined.subscribers, member.subscribers);
    takeLarger(joined.token, member.token);
    if (joined.lease == Lease::Unknown)
        joined.lease = member.lease;
    joined.renewals = std::max(joined.renewals, member.renewals);
    if (joined.lastChange.at < member.lastChange.at)
        joined.lastChange = member.lastChange;
    if (joined.readAtMono < member.readAtMono) {
        joined.readAt = member.readAt;
        joined.readAtMono = member.readAtMono;
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
        quorum.unknown += copy.live ? 0 : 1;
        if (copy.lock)
            members.push_back(copy.lock);
        if (copy.lock && copy.live)
            seen.push_back(copy.lock);
    }
    const std::vector<Member> &told = seen.empty() ? members : seen; // when all are lost, what was seen last
    const auto holds = quorumHolds(told, quorum.servers);
    quorum.held = seen.empty() || holds.empty() ? 0 : static_cast<int>(holds.front().parts.size());
    if (before && before->quorum == quorum && before->members == members)
        return before;

    LockState joined = *told.front();
    for (const Member &member : told)
        addMember(joined, *member);
    joined.node = {};
    setHolders(joined, holds, quorum.needed());
    joined.ttlHistory = ttlHistoryOf(*told.front()); // whose own end it tells of
    joined.quorum = quorum;
    joined.members = std::move(members);
    return std::make_shared<const LockState>(std::move(joined));
}

} // namespace

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

void Join::setMissingRights(std::vector<std::string> sentences, std::string aclLine)
{
    m_missingRights = std::move(sentences);
    m_aclLine = std::move(aclLine);
}

void Join::addMissingRights(SourceStatus &status) const
{
    for (const std::string &sentence : m_missingRights) {
        if (std::ranges::find(status.missingRights, sentence) == status.missingRights.end())
            status.missingRights.push_back(sentence);
    }
    addAclRules(status.aclLine, m_aclLine);
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
    const bool live = isSeenNow(node.snapshot->status);
    if (std::exchange(node.wasLive, live) != live && m_sharing == Sharing::Copies) {
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
        copies.push_back({ node.joined.find(name), node.wasLive });
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

} // namespace lockcore
