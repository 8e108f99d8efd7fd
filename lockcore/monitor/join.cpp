// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/join.h"

#include "lockcore/monitor/join_copies.h"
#include "lockcore/monitor/join_status.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockcore {

namespace {

using Lock = std::shared_ptr<const LockState>;

Lock findIn(const std::vector<Lock> &locks, const LockName &name)
{
    const auto place = std::lower_bound(
        locks.begin(), locks.end(), name, [](const Lock &lock, const LockName &wanted) { return lock->name < wanted; });
    return place != locks.end() && (*place)->name == name ? *place : nullptr;
}

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
        noteChanges(node, node.snapshot->locks);
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

std::shared_ptr<const LockState> Join::find(const LockName &name) const { return findIn(m_locks, name); }

/// What the node shows now beside what it showed at the last join; both by name.
void Join::noteChanges(Node &node, const Locks &now)
{
    const bool live = isSeenNow(node.snapshot->status);
    if (std::exchange(node.wasLive, live) != live && m_sharing == Sharing::Copies) {
        noteAll(node.joined); // each counts otherwise
        noteAll(m_locks);
    }
    auto old = node.joined.begin();
    auto next = now.begin();
    while (old != node.joined.end() || next != now.end()) {
        if (old != node.joined.end() && next != now.end() && *old == *next) {
            ++old;
            ++next;
            continue;
        }
        const int order = old == node.joined.end() ? 1 : next == now.end() ? -1 : (*old)->name.compare((*next)->name);
        m_changes.try_emplace(order <= 0 ? (*old)->name : (*next)->name);
        old += order <= 0 ? 1 : 0;
        next += order >= 0 ? 1 : 0;
    }
    node.joined = now;
}

void Join::noteAll(const Locks &locks)
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
        const Lock lock = findIn(node.joined, name);
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
        copies.push_back({ findIn(node.joined, name), node.wasLive });
        anywhere = anywhere || copies.back().lock;
    }
    return anywhere ? joinCopies(copies, findIn(m_locks, name)) : nullptr;
}

void Join::mergeChanges()
{
    if (m_changes.empty())
        return;
    for (auto &[name, lock] : m_changes)
        lock = joinedNow(name);
    Locks merged;
    merged.reserve(m_locks.size() + m_changes.size());
    auto rest = m_locks.begin();
    for (auto &[name, lock] : m_changes) {
        const auto place = std::lower_bound(
            rest, m_locks.end(), name, [](const Lock &other, const LockName &wanted) { return other->name < wanted; });
        const bool replaces = place != m_locks.end() && (*place)->name == name;
        std::move(rest, place, std::back_inserter(merged));
        rest = replaces ? std::next(place) : place;
        if (lock)
            merged.push_back(std::move(lock));
    }
    std::move(rest, m_locks.end(), std::back_inserter(merged));
    m_changes.clear();
    m_locks = std::move(merged);
}

void Join::joinChannels(Snapshot &snapshot)
{
    std::vector<std::shared_ptr<const std::vector<ChannelState>>> lists;
    for (const auto &[name, node] : m_nodes) {
        if (node.snapshot->channels)
            lists.push_back(node.snapshot->channels);
    }
    if (lists != m_channelLists) {
        std::vector<ChannelState> all;
        for (const auto &list : lists)
            all.insert(all.end(), list->begin(), list->end());
        m_channels = std::make_shared<const std::vector<ChannelState>>(std::move(all));
        m_channelLists = std::move(lists);
    }
    snapshot.channels = m_channels;
}

} // namespace lockcore
