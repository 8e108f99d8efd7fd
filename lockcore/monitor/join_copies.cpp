// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/join_copies.h"

#include "lockcore/monitor/quorum_holds.h"

#include <algorithm>
#include <utility>

namespace lockcore {

namespace {

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

} // namespace

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

} // namespace lockcore
