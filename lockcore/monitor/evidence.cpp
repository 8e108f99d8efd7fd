// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/evidence.h"

#include <algorithm>
#include <limits>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

/// How much of it is at hand: of what was heard after the question all but what is needed next, and at least as much as
/// is surely owed.
std::size_t usable(
    const std::vector<MonoTime> &heard, MonoTime askedAt, bool isNextKnown, std::size_t needed, std::size_t owed)
{
    const auto before = static_cast<std::size_t>(std::ranges::upper_bound(heard, askedAt) - heard.begin());
    const auto later = isNextKnown ? heard.size() - before : 0;
    return before + std::max(std::min(later, owed), later - std::min(later, needed));
}

/// How many holds are left of these.
std::int64_t leftOf(const HolderReading &hold, const LockReading *reading)
{
    if (!reading)
        return 0;
    const auto found = std::ranges::find_if(reading->holders,
        [&hold](const HolderReading &other) { return other.owner == hold.owner && other.mode == hold.mode; });
    return found == reading->holders.end() ? 0 : found->count;
}

} // namespace

bool isSameHold(const Holder &holder, const HolderReading &reading)
{
    return holder.owner == reading.owner && holder.mode == reading.mode;
}

std::optional<ServerMoment> deadlineIn(const LockReading *reading, const Look &look)
{
    constexpr Millis LongestSpan{ std::numeric_limits<decltype(LockRecord::deadlineSpan)::rep>::max() };
    if (!reading || !reading->ttl || !look.serverTime || look.serverTime->span > LongestSpan)
        return std::nullopt;
    return ServerMoment{ look.serverTime->from + *reading->ttl, look.serverTime->span };
}

std::optional<ServerMoment> deadlineIn(const LockRecord &record)
{
    return record.deadline == WallTime{} ? std::nullopt
                                         : std::optional(ServerMoment{ record.deadline, record.deadlineSpan });
}

bool isOther(const ServerMoment &oneDeadline, const ServerMoment &another)
{
    constexpr Millis Rounding{ 1 };
    return oneDeadline.from > another.from + another.span + Rounding
        || another.from > oneDeadline.from + oneDeadline.span + Rounding;
}

bool tellsOfAStranger(const LockRecord &record, const LockReading *reading, const Look &look)
{
    const auto known = deadlineIn(record);
    const auto deadline = deadlineIn(reading, look);
    if (!record.state || record.blind || !known || !deadline || isOther(*known, *deadline))
        return false;
    const auto &before = record.state->holders;
    const auto &after = reading->holders;
    // A read hold that is taken and given back beside another one changes nothing in the end.
    const bool stoodStill = record.state->kind != Kind::FasterMulti && before.size() == 1 && after.size() == 1
        && isSameHold(before[0], after[0]) && before[0].count == after[0].count && !after[0].mode;
    const auto &latches = record.aside().trace.latches;
    return stoodStill && std::ranges::any_of(latches, [&](MonoTime heardAt) {
        return heardAt <= look.askedAt && heardAt >= record.state->readAtMono + NeverSoLate;
    });
}

bool outlivedFlush(const LockRecord &record, const LockReading &reading, const Look &look)
{
    constexpr Millis LongBefore = 2 * NeverSoLate; // of what was written anew the deadline would differ for certain
    const auto &flushedAt = record.aside().trace.flushedAt;
    if (!flushedAt || *flushedAt > look.askedAt || !record.state || record.blind
        || record.state->readAtMono + LongBefore > *flushedAt)
        return false; // mostly, and without a look at deadlines
    const auto known = deadlineIn(record);
    const auto deadline = deadlineIn(&reading, look);
    return known && deadline && !isOther(*known, *deadline);
}

NeededNext neededNext(const LockState *before, const Unexplained &left, const LockReading *reading, const Look &look)
{
    NeededNext needed;
    if (!left.reading || !before)
        return needed;
    const auto &holds = left.reading->holders;
    const auto isLatchWriter
        = [&look](const OwnerId &owner) { return look.latchWriters && look.latchWriters->isOne(owner.client); };
    bool othersEnded = false;
    for (const Holder &holder : before->holders) {
        if (std::ranges::any_of(holds, [&](const HolderReading &hold) { return isSameHold(holder, hold); }))
            continue;
        othersEnded = true;
        needed.latchesBefore += isLatchWriter(holder.owner) ? 1 : 0;
    }
    const auto deadline = deadlineIn(&*left.reading, left.look);
    const auto next = deadlineIn(reading, look);
    const bool isAnew = deadline && next && isOther(*deadline, *next);
    for (const HolderReading &hold : holds) {
        const auto remains = leftOf(hold, isAnew ? nullptr : reading);
        // Who does not leave latches for certain would take those of the others.
        if (!othersEnded || isLatchWriter(hold.owner))
            needed.latches += static_cast<std::size_t>(std::max<std::int64_t>(0, hold.count - remains));
        const bool isLonger
            = std::ranges::any_of(before->holders, [&](const Holder &holder) { return isSameHold(holder, hold); });
        if (isLonger && remains == 0)
            needed.messages = 1;
    }
    return needed;
}

Evidence::Evidence(const UnlockTrace &trace, MonoTime askedAt, const std::optional<NeededNext> &next)
    : m_messages(usable(trace.messages, askedAt, next.has_value(), next ? next->messages : 0, 0))
    , m_latches(
          usable(trace.latches, askedAt, next.has_value(), next ? next->latches : 0, next ? next->latchesBefore : 0))
    , m_isOpen(!next && (m_messages < trace.messages.size() || m_latches < trace.latches.size()))
{
    if (m_latches > 0)
        m_releasedAt = trace.latches.front();
    else if (m_messages > 0)
        m_releasedAt = trace.messages.front();
}

} // namespace lockcore::monitor
