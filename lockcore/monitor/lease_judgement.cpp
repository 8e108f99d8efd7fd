// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lease_judgement.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

/// Zero: there is no such hold, or no end of it is known.
Millis timeLeft(const Holder *holder, MonoTime at)
{
    return holder && holder->expiresAt ? leftAt(*holder->expiresAt, at) : Millis{ 0 };
}

/// The same hold as it was before; null: there was none.
const Holder *heldBefore(const LockState *before, const Holder &holder)
{
    if (!before)
        return nullptr;
    const auto found = std::find_if(before->holders.begin(), before->holders.end(),
        [&](const Holder &other) { return other.owner == holder.owner && other.mode == holder.mode; });
    return found == before->holders.end() ? nullptr : &*found;
}

/// Where they differ, or are not known of all, that of the lock is not known.
Lease leaseOfAll(const ReaderLeases &readers, const std::vector<Holder> &holders)
{
    std::optional<Lease> lease;
    for (const Holder &holder : holders) {
        if (holder.expired)
            continue;
        const auto *judgement = readers.of(holder.owner);
        if (!judgement || (lease && *lease != judgement->lease.lease()))
            return Lease::Unknown;
        lease = judgement->lease.lease();
    }
    return lease.value_or(Lease::Unknown);
}

/// The lock ends with the longest of them.
void judgeReaders(LockRecord &record, LockState &next, const HoldChanges &changes, MonoTime at)
{
    const LockState *before = record.state.get();
    auto readers = record.aside().readers;
    if (readers.isEmpty() && before && before->holders.size() == 1)
        readers.began(before->holders[0].owner, { record.lease, before->leaseSeen.value_or(Millis{}) });
    const Holder *longest = nullptr;
    for (std::size_t i = 0; i < next.holders.size(); ++i) {
        const Holder &holder = next.holders[i];
        if (!holder.expiresAt || holder.expired)
            continue;
        auto course = changes.courses[i];
        course.restarted = course.restarted || (course.renewed && record.blind);
        readers.looked(holder.owner, course, at, timeLeft(heldBefore(before, holder), at), timeLeft(&holder, at));
        if (!longest || *holder.expiresAt > *longest->expiresAt)
            longest = &holder;
    }
    readers.keepOnly(next.holders);
    const auto *judgement = longest ? readers.of(longest->owner) : nullptr;
    record.lease = judgement ? judgement->lease : LeaseInference{};
    next.leaseSeen = judgement ? std::optional(judgement->leaseSeen) : std::nullopt;
    next.renewals = changes.newHold ? 0 : next.renewals + (changes.renewed ? 1 : 0);
    next.lease = leaseOfAll(readers, next.holders);
    for (Holder &holder : next.holders)
        if (const auto *own = readers.of(holder.owner))
            holder.lease = own->lease.lease();
    record.changeAside([&](LockAside &aside) { aside.readers = std::move(readers); });
}

/// One of several is left: what is known of its own lease goes on.
void takeOverFromReaders(LockRecord &record, LockState &next)
{
    const auto *left = next.holders.empty() ? nullptr : record.aside().readers.of(next.holders[0].owner);
    record.lease = left ? left->lease : LeaseInference{};
    next.leaseSeen = left ? std::optional(left->leaseSeen) : std::nullopt;
    record.changeAside([](LockAside &aside) { aside.readers.clear(); });
}

void judgeOneLease(LockRecord &record, LockState &next, const HoldChanges &changes, MonoTime at)
{
    const auto left = ttlAt(next, at);
    if (next.holders.empty() || !left) {
        record.lease = {};
        next.leaseSeen.reset();
        next.renewals = 0;
        return;
    }
    if (changes.newHold || changes.leaseSet || !next.leaseSeen) {
        // Who sets another time than its watchdog does leaves open when that comes next.
        const bool isOther
            = next.leaseSeen && std::abs((*left - *next.leaseSeen).count()) > next.leaseSeen->count() / 10;
        if (changes.newHold || isOther)
            record.lease = {};
        else
            record.lease.restarted();
        if (changes.newHold)
            next.renewals = 0;
        next.leaseSeen = left;
        return;
    }
    const bool isAnother = std::ranges::any_of(
        changes.courses, [](const HoldCourse &course) { return course.renewed && course.restarted; });
    const bool isShorter = changes.renewed && *left < *next.leaseSeen * 9 / 10; // than the time that another one set
    next.leaseSeen = isAnother || isShorter ? *left : std::max(*next.leaseSeen, *left);
    if (changes.renewed) {
        ++next.renewals;
        // The gap to a renewal that was not seen says nothing.
        if (record.blind || isAnother)
            record.lease.restarted();
        else
            record.lease.renewed(
                at, record.state ? ttlAt(*record.state, at).value_or(Millis{}) : Millis{}, *left, *next.leaseSeen);
    }
    record.lease.looked(*left, *next.leaseSeen);
}

} // namespace

void judgeLease(LockRecord &record, LockState &next, const HoldChanges &changes, MonoTime at)
{
    const bool haveTheirOwn = next.mode == HoldMode::Read || next.kind == Kind::FasterMulti;
    if (haveTheirOwn && next.holders.size() > 1)
        return judgeReaders(record, next, changes, at);
    if (!record.aside().readers.isEmpty())
        takeOverFromReaders(record, next);
    judgeOneLease(record, next, changes, at);
    next.lease = record.lease.lease();
}

namespace {

/// Where it was seen last before a gap: what it did in the gap is not drawn.
TtlCorner lostAfter(const TtlCorner &last, std::optional<MonoTime> end, const Look &look)
{
    const MonoTime lost = std::clamp(look.unseenSince, last.at, std::max(last.at, look.at));
    return { lost, end ? leftAt(*end, lost) : Millis{ 0 }, TtlCorner::NotSeen, false };
}

TtlCorner cornerAt(const Look &look, std::optional<MonoTime> endBefore, const LockState &next, bool wasRenewed)
{
    const Millis after = ttlAt(next, look.at).value_or(Millis{ 0 });
    const auto left = endBefore ? leftAt(*endBefore, look.at) : Millis{ 0 };
    const bool ranOut = endBefore && left == Millis{ 0 } && !next.expiresAt;
    return { ranOut ? *endBefore : look.at, left, after, wasRenewed };
}

} // namespace

void drawCorner(const LockRecord &record, LockState &next, const Look &look, bool wasRenewed)
{
    const LockState *known = record.state.get();
    const std::optional<MonoTime> before = known ? known->expiresAt : std::nullopt;
    if (before == next.expiresAt && !next.ttlHistory.empty())
        return;
    auto corners = known ? ttlHistoryOf(*known) : std::vector<TtlCorner>();
    if (before != next.expiresAt) {
        if (record.blind && !corners.empty())
            corners.push_back(lostAfter(corners.back(), before, look));
        // After a gap it is not known when it came to that.
        corners.push_back(record.blind
                ? TtlCorner{ look.at, Millis{ 0 }, ttlAt(next, look.at).value_or(Millis{ 0 }), false }
                : cornerAt(look, before, next, wasRenewed));
        if (corners.size() > look.historyLimit)
            corners.erase(corners.begin(), corners.end() - static_cast<std::ptrdiff_t>(look.historyLimit));
    }
    // The beginning of the hold is all that most have, and it follows from the rest.
    next.ttlHistory.clear();
    if (ttlHistoryOf(next) != corners)
        next.ttlHistory = std::vector(corners.begin(), corners.end()); // no more than it takes
}

} // namespace lockcore::monitor
