// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/join_copies.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockcore {

namespace {

using Member = std::shared_ptr<const LockState>;

/// One holder as the servers have it that can be seen.
struct Hold {
    Holder first;
    int servers = 0;
    bool endless = false; // somewhere it never expires
    std::vector<MonoTime> expiries;
};

/// Holds by owner and mode; also those of a read/write lock that has both.
std::vector<Hold> holdsOf(const std::vector<Member> &members)
{
    std::map<std::pair<OwnerId, std::optional<HoldMode>>, Hold> holds;
    for (const Member &member : members) {
        for (const Holder &holder : member->holders) {
            Hold &hold = holds[{ holder.owner, holder.mode }];
            Holder &first = hold.first;
            if (hold.servers++ == 0)
                first = holder;
            first.count = std::max(first.count, holder.count);
            if (holder.since.at < first.since.at)
                first.since = holder.since;
            first.expired = first.expired && holder.expired;
            if (holder.expiresAt)
                hold.expiries.push_back(*holder.expiresAt);
            else
                hold.endless = true;
        }
    }
    std::vector<Hold> sorted;
    for (auto &[key, hold] : holds)
        sorted.push_back(std::move(hold));
    std::stable_sort(
        sorted.begin(), sorted.end(), [](const Hold &one, const Hold &other) { return one.servers > other.servers; });
    return sorted;
}

/// Until when it is held on as many servers as it takes; with fewer, until it is held nowhere.
std::optional<MonoTime> heldUntil(Hold hold, int needed)
{
    std::sort(hold.expiries.begin(), hold.expiries.end(), std::greater<>());
    const auto endless = static_cast<std::size_t>(hold.servers) - hold.expiries.size();
    const auto wanted = static_cast<std::size_t>(hold.servers >= needed ? needed : 1);
    if (endless >= wanted)
        return std::nullopt;
    return hold.expiries[wanted - endless - 1];
}

template <typename Optional>
void takeLarger(Optional &into, const Optional &value)
{
    if (value && (!into || *into < *value))
        into = value;
}

void addWaiters(RareList<Waiter> &waiters, const RareList<Waiter> &more)
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
    joined.rare.change([&](RareParts &rare) { takeLarger(rare.token, member.rare->token); });
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
    const auto holds = holdsOf(told);
    quorum.held = seen.empty() || holds.empty() ? 0 : holds.front().servers;
    if (before && before->rare->quorum == quorum && before->rare->members.list() == members)
        return before;

    LockState joined = *told.front();
    for (const Member &member : told)
        addMember(joined, *member);
    joined.node = {};
    joined.holders.clear();
    for (const Hold &hold : holds) {
        joined.holders.push_back(hold.first);
        joined.holders.back().expiresAt = heldUntil(hold, quorum.needed());
    }
    joined.expiresAt = holds.empty() ? std::nullopt : joined.holders.front().expiresAt;
    if (!joined.ttlHistory)
        setTtlHistory(joined, ttlHistoryOf(*told.front()));
    setKeys(joined, keysOf(*told.front()));
    joined.rare.edit().quorum = quorum;
    joined.rare.edit().members = std::move(members);
    return std::make_shared<const LockState>(std::move(joined));
}

} // namespace lockcore
