// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

/// Waits of which no queue tells: how many there are, and those of our own clients, live and in recordings.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

using End = TimelineSpan::End;

bool isCountOpen(const TimelineLane &lane)
{
    return !lane.counted.empty() && lane.counted.back().to == TimelineSpan::Open;
}

} // namespace

void Timeline::countWaits(const WaitCount &waits)
{
    if (waits.owner)
        return waits.count > 0 ? beginOwnWait(waits) : endOwnWait(waits);
    const auto id = laneOf(waits.lock);
    if (!id) {
        m_uncounted.insert_or_assign(waits.lock, waits);
        if (waits.count == 0)
            m_uncounted.erase(waits.lock);
        return;
    }
    TimelineLane &lane = m_lanes[*id];
    lane.toldCount = waits.count;
    lane.toldAt = waits.at;
    if (const auto until = std::exchange(lane.countLostUntil, std::nullopt)) {
        // Had it been another one by a look at all keys, that would have been told, if not at once.
        const auto look = firstLook(lane.nodes, *until);
        if (look && *look < waits.at - SameMoment)
            lane.counted.push_back({ .from = *look, .count = lane.counted.back().count });
    }
    showCount(lane, othersTold(lane), waits.at);
}

/// At the channel our own clients are counted as well, of whom it is known apart that they wait: each client once,
/// however many of its threads do.
std::int64_t Timeline::othersTold(const TimelineLane &lane) const
{
    std::set<std::string_view> ours;
    for (const Under &wait : lane.waiting)
        if ((wait.nodes & OwnBit) != 0)
            ours.insert(m_owners[wait.owner].id.client);
    return std::max(lane.toldCount - std::ssize(ours), std::int64_t{ 0 });
}

void Timeline::showCount(TimelineLane &lane, std::int64_t count, WallTime at)
{
    auto &counted = lane.counted;
    const bool isOpen = isCountOpen(lane);
    if (count == (isOpen ? counted.back().count : 0))
        return;
    if (isOpen)
        counted.back().to = std::max(at, counted.back().from);
    if (count == 0)
        return;
    if (counted.empty())
        ++m_lanesRevision;
    if (!counted.empty() && counted.back().to == at && counted.back().count == count)
        counted.back().to = TimelineSpan::Open;
    else
        counted.push_back({ .from = at, .count = count });
}

/// It was told late who of our own was in the last count.
void Timeline::recount(TimelineLane &lane)
{
    if (isCountOpen(lane) && lane.counted.back().from >= lane.toldAt)
        lane.counted.pop_back();
    showCount(lane, othersTold(lane), lane.toldAt);
}

namespace {

/// The first hold of that client that began then or later; null: none did.
const TimelineSpan *holdSince(const TimelineLane &lane, std::uint32_t owner, WallTime since)
{
    const TimelineSpan *first = nullptr;
    for (const TimelineRow &row : lane.holds) {
        const auto isIts = [&](const TimelineSpan &span) { return span.owner == owner; };
        const auto from = std::ranges::lower_bound(row.spans, since, {}, &TimelineSpan::from);
        const auto hold = std::find_if(from, row.spans.end(), isIts);
        if (hold != row.spans.end() && (first == nullptr || hold->from < first->from))
            first = &*hold;
    }
    return first;
}

TimelineSpan *lastWaitOf(TimelineLane &lane, std::uint32_t owner)
{
    TimelineSpan *last = nullptr;
    for (TimelineRow &row : lane.waits) {
        const auto isIts = [&](const TimelineSpan &span) { return span.owner == owner; };
        const auto wait = std::find_if(row.spans.rbegin(), row.spans.rend(), isIts);
        if (wait != row.spans.rend() && (last == nullptr || wait->from > last->from))
            last = &*wait;
    }
    return last;
}

} // namespace

void Timeline::beginOwnWait(const WaitCount &wait)
{
    TimelineLane &lane = laneFor(wait.lock, wait.at);
    lane.lastChange = std::max(lane.lastChange, wait.at);
    const std::uint32_t owner = ownerNumber(*wait.owner, lane);
    const WallTime since = wait.since.value_or(wait.at);
    if (const TimelineSpan *last = lastWaitOf(lane, owner); last && last->to > since && last->end != End::NotSeen) {
        if (const auto known = ofOwner(lane.waiting, owner); known != lane.waiting.end())
            known->nodes |= OwnBit;
        return;
    }
    const WallTime told = std::max(m_knownFrom.value_or(WallTime::min()), m_countedFrom.value_or(WallTime::min()));
    TimelineSpan span{ .from = std::max({ wait.at, told, lane.keptFrom }), .owner = owner, .isOwn = true };
    for (const TimelineGap &gap : m_gaps)
        if (gap.to > span.from && isWhole(gap, lane))
            span.from = gap.to;
    span.beginSeen = span.from == since && since > told;
    if (span.from > since)
        lane.sinces.push_back({ owner, true, span.from, { since, true } });
    beginWait(lane, span, OwnBit);
    if (lane.toldAt > span.from)
        recount(lane);
    if (holdSince(lane, owner, span.from) != nullptr) // it is told late
        endOwnWait({ .lock = wait.lock, .count = 0, .at = span.from, .owner = wait.owner, .got = true });
}

/// Of those in a queue that one tells.
void Timeline::endOwnWait(const WaitCount &end)
{
    const auto id = laneOf(end.lock);
    const auto owner = m_ownerIds.find(*end.owner);
    if (!id || owner == m_ownerIds.end())
        return;
    TimelineLane &lane = m_lanes[*id];
    const auto wait = ofOwner(lane.waiting, owner->second);
    if (wait == lane.waiting.end())
        return;
    wait->nodes &= ~OwnBit;
    if (wait->nodes != 0)
        return;
    TimelineSpan &span = openSpan(lane.waits, *wait);
    bool isCountedWithout = false;
    if (const TimelineSpan *hold = holdSince(lane, owner->second, span.from)) {
        const bool isSure = end.got == true || (hold->beginSeen && !hold->beginInferred);
        close(lane.waits, *wait, hold->from, End::Acquired, isSure ? Certainty::Seen : Certainty::Inferred);
        isCountedWithout = lane.toldAt >= hold->from;
    } else if (end.got == true) {
        close(lane.waits, *wait, end.at, End::Acquired, Certainty::Seen);
    } else {
        close(lane.waits, *wait, end.at, End::Left, end.got ? Certainty::Seen : Certainty::Inferred);
    }
    auto &spans = lane.waits[wait->row].spans;
    lane.waiting.erase(wait);
    if (isCountedWithout)
        recount(lane);
    if (!spans.back().beginSeen && spans.back().from >= spans.back().to)
        spans.pop_back(); // it was over when sight came back
}

/// Where a wait was over when nothing told of the hold yet for which it was.
void Timeline::correctOwnEnd(TimelineLane &lane, std::uint32_t owner, WallTime acquired, Certainty certainty)
{
    TimelineSpan *wait = lastWaitOf(lane, owner);
    if (wait == nullptr || !wait->isOwn || wait->end == End::NotSeen || acquired < wait->from)
        return;
    const bool isIn = acquired <= wait->to;
    const bool mayBe = wait->end == End::Left && wait->endCertainty == Certainty::Inferred;
    if (!isIn && !(mayBe && acquired <= wait->to + SameMoment))
        return;
    wait->to = std::min(wait->to, acquired);
    wait->end = End::Acquired;
    wait->endCertainty = isIn ? certainty : Certainty::Inferred;
}

void Timeline::countWaitsUntil(const WaitCounts &waits, WallTime end)
{
    if (m_nextWait < waits.first()) {
        m_nextWait = waits.first();
        if (waits.hasDropped())
            beginCountsAnew(waits);
    }
    for (; m_nextWait < waits.shownEnd() && waits.at(m_nextWait).at < end; ++m_nextWait)
        countWaits(waits.at(m_nextWait));
}

/// What was counted in between was never told here, but for what it led to.
void Timeline::beginCountsAnew(const WaitCounts &waits)
{
    for (TimelineLane &lane : m_lanes) {
        lane.counted.clear();
        lane.toldCount = 0;
        lane.countLostUntil.reset();
        std::erase_if(lane.waiting, [&](Under &wait) {
            const bool isOwn = (wait.nodes & OwnBit) != 0;
            wait.nodes &= ~OwnBit;
            if (!isOwn || wait.nodes != 0)
                return false;
            close(lane.waits, wait, lane.lastChange, End::NotSeen, Certainty::Seen); // until then nothing told of it
            return true;
        });
    }
    m_uncounted.clear();
    m_countedFrom = waits.at(waits.first()).at;
    for (const WaitCount &count : waits.before().at(*m_countedFrom))
        countWaits(count);
    for (const OwnClient &client : m_ownWaits) // these go on
        beginOwnWait({ .lock = client.lock, .count = 1, .at = *m_countedFrom, .owner = client.owner });
}

void Timeline::loseCounts(TimelineLane &lane, const TimelineGap &gap)
{
    const bool isLost = isCountOpen(lane) || lane.countLostUntil;
    countWaits({ .lock = lane.lock, .count = 0, .at = gap.from });
    for (auto time = lane.counted.rbegin(); time != lane.counted.rend() && time->to > gap.from; ++time) {
        if (time->from >= gap.to)
            continue;
        time->from = std::min(time->from, gap.from); // it was told before the gap was noticed
        time->to = gap.from;
    }
    lane.countLostUntil = isLost ? std::optional(gap.to) : std::nullopt;
}

/// Of a wait of our own, what was not seen is not drawn, though it is known.
void Timeline::cutOwnWaits(TimelineLane &lane, const TimelineGap &gap)
{
    for (TimelineRow &row : lane.waits) {
        std::vector<TimelineSpan> later; // of which something is left behind the gap
        for (; !row.spans.empty() && row.spans.back().to > gap.from; row.spans.pop_back()) {
            TimelineSpan &span = row.spans.back();
            TimelineSpan rest = span;
            if (span.isOwn && span.from < gap.to) {
                rest.from = gap.to;
                rest.beginSeen = false;
            }
            if (rest.from < rest.to || rest.from == span.from)
                later.push_back(rest);
            if (span.isOwn && span.from < gap.from) {
                span.to = gap.from;
                span.end = End::NotSeen;
                span.endCertainty = Certainty::Seen;
                break;
            }
        }
        row.spans.insert(row.spans.end(), later.rbegin(), later.rend());
    }
}

void Timeline::setOwnClients(const std::vector<OwnClient> &clients, WallTime at)
{
    const auto isIn = [](const std::vector<OwnClient> &list, const OwnClient &client, bool waits) {
        return std::ranges::any_of(list, [&](const OwnClient &each) {
            return each.waits == waits && each.lock == client.lock && each.owner == client.owner;
        });
    };
    for (const OwnClient &before : m_ownWaits) {
        if (isIn(clients, before, true))
            continue;
        endOwnWait(
            { .lock = before.lock, .count = 0, .at = at, .owner = before.owner, .got = isIn(clients, before, false) });
    }
    for (const OwnClient &client : clients) {
        if (client.waits && !isIn(m_ownWaits, client, true))
            beginOwnWait({ .lock = client.lock, .count = 1, .at = at, .owner = client.owner });
    }
    m_ownWaits = clients;
    std::erase_if(m_ownWaits, [](const OwnClient &client) { return !client.waits; });
}

} // namespace lockui
