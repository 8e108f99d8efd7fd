// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/quorum_holds.h"

#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

using Part = QuorumHold::Part;

/// How long Redisson's lock() gives each server of one attempt, until it gives back what it has and begins again.
constexpr Millis AttemptAtAServer{ 1'500 };

/// Clients by whether they are seen on several servers: their id is the same everywhere.
std::set<std::string_view> clientsOfSeveral(const std::vector<std::shared_ptr<const LockState>> &members)
{
    std::map<std::string_view, const LockState *> seen;
    std::set<std::string_view> several;
    for (const auto &member : members) {
        for (const Holder &holder : member->holders) {
            const auto [known, isNew] = seen.try_emplace(holder.owner.client, member.get());
            if (!isNew && known->second != member.get())
                several.insert(known->first);
        }
    }
    return several;
}

bool mayBeOneAttempt(const Since &one, const Since &other, Millis attempt)
{
    const auto &[earlier, later] = one.at < other.at ? std::tie(one, other) : std::tie(other, one);
    return !later.exact || later.at - earlier.at <= attempt;
}

/// The parts that may be of the same attempt as the first of them, the nearest on each server; they are taken out.
QuorumHold takeHold(std::vector<Part> &parts, Millis attempt)
{
    QuorumHold hold;
    hold.parts.push_back(std::move(parts.front()));
    parts.erase(parts.begin());
    for (auto part = parts.begin(); part != parts.end();) {
        const auto fits = [&](const Part &other) {
            return other.member != part->member && mayBeOneAttempt(other.holder.since, part->holder.since, attempt);
        };
        if (!std::ranges::all_of(hold.parts, fits)) {
            ++part;
            continue;
        }
        hold.inferred = true;
        hold.parts.push_back(std::move(*part));
        part = parts.erase(part);
    }
    return hold;
}

} // namespace

std::vector<QuorumHold> quorumHolds(const std::vector<std::shared_ptr<const LockState>> &members, int servers)
{
    std::map<std::pair<OwnerId, std::optional<HoldMode>>, QuorumHold> ofOneOwner;
    for (const auto &member : members) {
        for (const Holder &holder : member->holders)
            ofOneOwner[{ holder.owner, holder.mode }].parts.push_back({ member, holder });
    }
    std::vector<QuorumHold> holds;
    std::map<std::pair<std::string, std::optional<HoldMode>>, std::vector<Part>> ofOneThread;
    const auto everywhereTheSame = clientsOfSeveral(members);
    for (auto &[key, hold] : ofOneOwner) {
        // What another library writes is the same on all servers, or is not of the same attempt. Lockcore's own tokens
        // are owners, and as those of one client for each server.
        const bool isOfOneToken = isTokenLock(hold.parts.front().member->kind) && key.first.thread.empty();
        if (isOfOneToken || everywhereTheSame.contains(key.first.client))
            holds.push_back(std::move(hold));
        else
            ofOneThread[{ key.first.thread, key.second }].push_back(std::move(hold.parts.front()));
    }
    for (auto &[key, parts] : ofOneThread) {
        std::ranges::stable_sort(parts, {}, [](const Part &part) { return part.holder.since.at; });
        while (!parts.empty())
            holds.push_back(takeHold(parts, servers * AttemptAtAServer));
    }
    std::ranges::stable_sort(holds, std::greater<>(), [](const QuorumHold &hold) { return hold.parts.size(); });
    return holds;
}

std::vector<QuorumHold> quorumHolds(const LockState &lock)
{
    if (lock.members.empty())
        return {};
    return quorumHolds({ lock.members.begin(), lock.members.end() }, lock.quorum ? lock.quorum->servers : 0);
}

bool isContended(const std::vector<QuorumHold> &holds)
{
    const auto shares = [](const QuorumHold &hold) {
        const Part &part = hold.parts.front();
        return part.holder.mode == HoldMode::Read || part.member->kind == Kind::FasterMulti;
    };
    return holds.size() > 1 && !std::ranges::all_of(holds, shares);
}

} // namespace lockcore::monitor
