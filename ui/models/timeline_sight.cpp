// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline.h"

#include "ui/support/freshness.h"

#include <algorithm>
#include <iterator>
#include <utility>

/// What the timeline knows from snapshots, and what it cannot know: who goes on holding after a time out of sight.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

using End = TimelineSpan::End;

/// What each server has of it: of independent servers several, else the one where it is.
std::vector<const LockState *> partsOf(const LockState &lock)
{
    std::vector<const LockState *> parts;
    for (const auto &member : lock.members)
        parts.push_back(member.get());
    if (parts.empty())
        parts.push_back(&lock);
    return parts;
}

bool hasPart(const LockState *lock, const auto &isMeant)
{
    return lock != nullptr
        && std::ranges::any_of(partsOf(*lock), [&](const LockState *part) { return isMeant(*part); });
}

bool isAt(const LockState &lock, const OwnerId &owner, bool isWait)
{
    return isWait ? hasOwner(lock.waiters, owner) : hasOwner(lock.holders, owner);
}

void takeEarlier(std::optional<WallTime> &into, const std::optional<WallTime> &moment)
{
    if (moment && (!into || *moment < *into))
        into = moment;
}

/// What a latch is still to be counted down; absent: it is none.
std::optional<std::int64_t> latchCount(const LockState &lock)
{
    return lock.kind == synchronizers::Kind::CountDownLatch ? std::optional(lock.count.value_or(TimelineStep::Gone))
                                                            : std::nullopt;
}

/// The first hold that was told of after that moment: then the lock was read.
std::optional<WallTime> toldAfter(const TimelineLane &lane, WallTime moment)
{
    std::optional<WallTime> first;
    for (const TimelineRow &row : lane.holds) {
        const auto span = std::ranges::lower_bound(row.spans, moment, {}, &TimelineSpan::from);
        if (span != row.spans.end())
            first = std::min(first.value_or(span->from), span->from);
    }
    return first;
}

bool hasUnseenParts(const TimelineLane &lane)
{
    const auto isPartly = [](const auto &under) { return !under.unseen.empty(); };
    return std::ranges::any_of(lane.holding, isPartly) || std::ranges::any_of(lane.waiting, isPartly);
}

} // namespace

bool Timeline::concerns(const TimelineGap &gap, const TimelineLane &lane) const
{
    return gap.node.empty() || lane.nodes.empty() || std::ranges::find(lane.nodes, gap.node) != lane.nodes.end();
}

bool Timeline::isWhole(const TimelineGap &gap, const TimelineLane &lane) const
{
    return concerns(gap, lane) && (gap.node.empty() || lane.nodes.size() <= 1 || isPlaceOf(lane, gap.node));
}

bool Timeline::isPlaceOf(const TimelineLane &lane, const std::string &node) const
{
    return m_locksMove && !lane.nodes.empty() && lane.nodes.back() == node;
}

/// A lock that moves may have been there once.
bool Timeline::losesOf(const TimelineGap &gap, const TimelineLane &lane) const
{
    return m_locksMove ? isWhole(gap, lane) : concerns(gap, lane);
}

std::optional<WallTime> Timeline::unseenSince(const TimelineLane &lane) const
{
    std::optional<WallTime> since;
    std::size_t lost = 0;
    for (const TimelineGap &gap : m_unseen) {
        if (isPlaceOf(lane, gap.node))
            return gap.from;
        if (!concerns(gap, lane))
            continue;
        lost += gap.node.empty() ? std::max<std::size_t>(1, lane.nodes.size()) : 1;
        since = std::max(since.value_or(gap.from), gap.from); // until then one of them was seen
    }
    // Of servers that are not among those of now, nothing is seen with them.
    return lost >= std::max<std::size_t>(1, lane.nodes.size()) ? since : m_allUnseenSince;
}

std::vector<TimelineGap> Timeline::unseenParts(const TimelineLane &lane) const
{
    std::vector<TimelineGap> parts;
    std::ranges::copy_if(
        m_unseen, std::back_inserter(parts), [&](const TimelineGap &gap) { return losesOf(gap, lane); });
    return parts;
}

TimelineSpan Timeline::wholeOf(const TimelineLane &lane, const TimelineSpan &span, bool isWait)
{
    TimelineSpan whole = span;
    const auto isIts = [&](const TimelineSince &each) {
        return each.owner == span.owner && each.isWait == isWait && each.from == span.from;
    };
    const auto known = std::ranges::find_if(lane.sinces, isIts);
    if (known == lane.sinces.end() || known->since.at >= span.from)
        return whole;
    whole.from = known->since.at;
    whole.beginSeen = known->since.exact;
    return whole;
}

std::vector<TimelineGap> Timeline::unsureTimes(const TimelineLane &lane) const
{
    auto times = lane.unsure;
    for (const auto *list : { &lane.lostHolds, &lane.lostWaits })
        for (const Lost &lost : *list)
            if (lost.seenOver > lost.until)
                times.push_back({ lost.until, lost.seenOver, {} });
    return times;
}

void Timeline::observe(const Snapshot &snapshot)
{
    const bool isReplay = snapshot.status.recordedAt.has_value();
    if (!isReplay && snapshot.status.phase != SourcePhase::Live && snapshot.status.phase != SourcePhase::Sweeping
        && !m_knownFrom)
        return;
    if (!m_knownFrom)
        m_knownFrom = snapshot.takenAt.wall;
    m_sharesChannels = m_sharesChannels || monitor::sharesChannels(snapshot);
    const auto unseenBefore = std::exchange(m_unseen, {});
    m_allUnseenSince = isStale(snapshot) && snapshot.status.staleSince
        ? std::optional(wallOf(snapshot, *snapshot.status.staleSince))
        : std::nullopt;
    for (const NodeStatus &node : snapshot.nodes)
        if (node.status.staleSince)
            m_unseen.push_back({ wallOf(snapshot, *node.status.staleSince), TimelineSpan::Open, node.node });
    if (m_unseen.empty() && snapshot.status.staleSince)
        m_unseen.push_back({ wallOf(snapshot, *snapshot.status.staleSince), TimelineSpan::Open, {} });
    m_resumes = m_resumes || m_unseen != unseenBefore;
    // Until all keys have been looked at once, what is found is told as an event.
    if (!m_adopted && (isReplay || snapshot.status.lastSweep)) {
        for (const auto &lock : snapshot.locks)
            adopt(snapshot, *lock);
        m_adopted = true;
    }
    adoptLate(snapshot);
    if (m_resumes)
        resume(snapshot);
}

/// Who else is at a lock whose lane was dropped, and that an event has brought back.
void Timeline::adoptLate(const Snapshot &snapshot)
{
    std::erase_if(m_unadopted, [&](const LockName &name) {
        const auto id = laneOf(name);
        if (id && m_lanes[*id].lastChange > snapshot.takenAt.wall)
            return false; // an older picture
        if (const auto lock = id ? snapshot.locks.find(name) : nullptr)
            adopt(snapshot, *lock);
        return true;
    });
}

/// The end of the last time after that moment in which its servers were not seen; absent: they were.
std::optional<WallTime> Timeline::goneUntil(const TimelineLane &lane, WallTime since) const
{
    std::optional<WallTime> until;
    for (const TimelineGap &gap : m_gaps)
        if (gap.to > std::max(since, until.value_or(since)) && concerns(gap, lane))
            until = gap.to;
    return until;
}

/// What it is known of that began before that time out of sight, up to it.
std::optional<TimelineSpan> Timeline::untilLost(
    const TimelineLane &lane, const TimelineSpan &span, WallTime began) const
{
    for (const TimelineGap &gap : m_gaps) {
        if (gap.to <= began || !concerns(gap, lane))
            continue;
        TimelineSpan before = span;
        before.from = std::max({ began, *m_knownFrom, lane.keptFrom });
        before.to = gap.from;
        before.end = End::NotSeen;
        return before.from < before.to ? std::optional(before) : std::nullopt;
    }
    return std::nullopt;
}

/// Who holds or waits, and no event told of it that is still kept.
void Timeline::adopt(const Snapshot &snapshot, const LockState &lock)
{
    const bool isKnown = m_laneIds.contains(lock.name);
    if (!isKnown && m_laneIds.size() >= MostLanes) {
        m_droppedAt = snapshot.takenAt.wall;
        return;
    }
    TimelineLane &lane = laneFor(lock.name, snapshot.takenAt.wall);
    if (lane.lastChange > snapshot.takenAt.wall)
        return; // what happened since is known already
    tellState(lock);
    const auto isOnSeveral = [&] { return !m_locksMove && lane.nodes.size() > 1; }; // then each is lost on its own
    const auto spanOf = [&](const OwnerId &owner, const Since &since, bool isWait) {
        TimelineSpan span{ .from = snapshot.takenAt.wall, .owner = ownerNumber(owner, lane) };
        const WallTime began = wallOf(snapshot, since.at);
        const WallTime knownFrom = std::max(*m_knownFrom, lane.keptFrom);
        const bool beganInSight = since.exact && began >= knownFrom;
        const auto lostUntil = goneUntil(lane, began);
        if (!lostUntil || isOnSeveral()) {
            span.from = std::min(std::max(began, knownFrom), span.from);
            span.beginSeen = beganInSight;
            return std::pair(span, std::optional<TimelineSpan>());
        }
        const auto isThere = [&](const LockState &part) { return isAt(part, owner, isWait); };
        span.from = std::min(seenAgain(snapshot, lock, *lostUntil, isThere).value_or(span.from), span.from);
        span.from = std::min(toldAfter(lane, *lostUntil).value_or(span.from), span.from);
        const TimelineGap unsure{ *lostUntil, span.from, {} };
        if (std::ranges::find(lane.unsure, unsure) == lane.unsure.end()) // another one's, too
            lane.unsure.push_back(unsure);
        auto before = untilLost(lane, span, began);
        if (before)
            before->beginSeen = beganInSight;
        return std::pair(span, before);
    };
    for (const Holder &holder : lock.holders) {
        const auto nodes = nodesWith(lane, lock, holder.owner, false);
        const std::uint32_t number = ownerNumber(holder.owner, lane);
        const auto isSame = [&](const auto &list) { return ofOwner(list, number) != list.end(); };
        if (holder.expired || isSame(lane.holding) || isSame(lane.lostHolds))
            continue;
        const auto [span, before] = spanOf(holder.owner, holder.since, false);
        if (const auto row = before ? freeRow(lane.holds, before->from, number) : std::nullopt)
            addHold(lane, *row, *before);
        beginHold(lane, span, nodes, holder.count);
        if (const auto hold = ofOwner(lane.holding, span.owner); hold != lane.holding.end())
            hold->adopted = true;
        if (isOnSeveral())
            losePast(lane, number, false);
    }
    for (const Waiter &waiter : lock.waiters) {
        const auto nodes = nodesWith(lane, lock, waiter.owner, true);
        const std::uint32_t number = ownerNumber(waiter.owner, lane);
        const auto isSame = [&](const auto &list) { return ofOwner(list, number) != list.end(); };
        if (isSame(lane.waiting) || isSame(lane.lostWaits))
            continue;
        const auto [span, before] = spanOf(waiter.owner, waiter.since, true);
        if (const auto row = before ? freeRow(lane.waits, before->from, number) : std::nullopt)
            lane.waits[*row].spans.push_back(*before);
        beginWait(lane, span, nodes);
        if (isOnSeveral())
            losePast(lane, number, true);
    }
    if (lane.steps.empty() && lock.permits)
        addStep(lane, snapshot.takenAt.wall, freePermits(*lock.permits));
    else if (lane.steps.empty() && latchCount(lock))
        addStep(lane, snapshot.takenAt.wall, *latchCount(lock));
}

/// The servers where it is, of those that told of the lock.
std::vector<std::string> Timeline::nodesOf(const TimelineLane &lane, std::uint64_t nodes) const
{
    if (m_locksMove)
        return lane.nodes.empty() ? lane.nodes : std::vector(1, lane.nodes.back());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < lane.nodes.size(); ++i)
        if ((nodes & bitOfPlace(i)) != 0)
            names.push_back(lane.nodes[i]);
    return names;
}

std::uint64_t Timeline::nodesWith(TimelineLane &lane, const LockState &lock, const OwnerId &owner, bool isWait)
{
    std::uint64_t nodes = 0;
    for (const LockState *part : partsOf(lock))
        if (isAt(*part, owner, isWait))
            nodes |= nodeBit(lane, part->node);
    return nodes;
}

/// At which of them that look was.
std::uint64_t Timeline::nodesLookedAt(const TimelineLane &lane, const Lost &lost, WallTime look) const
{
    std::uint64_t nodes = 0;
    for (std::size_t i = 0; i < lane.nodes.size() && !m_locksMove; ++i)
        if ((lost.nodes & bitOfPlace(i)) != 0 && firstLook({ lane.nodes[i] }, lost.until) == look)
            nodes |= bitOfPlace(i);
    return nodes == 0 ? lost.nodes : nodes;
}

/// At all keys of one of these, or of all servers.
std::optional<WallTime> Timeline::firstLook(const std::vector<std::string> &nodes, WallTime moment) const
{
    std::optional<WallTime> first;
    const auto take = [&](const std::string &node) {
        const auto looks = m_looks.find(node);
        if (looks == m_looks.end())
            return;
        const auto look = std::ranges::lower_bound(looks->second, moment);
        if (look != looks->second.end())
            takeEarlier(first, *look);
    };
    take({});
    std::ranges::for_each(nodes, take);
    return first;
}

std::optional<WallTime> Timeline::lastLookBefore(const TimelineLane &lane, WallTime moment) const
{
    std::optional<WallTime> last;
    for (const auto &[node, looks] : m_looks) {
        const auto next = std::ranges::lower_bound(looks, moment);
        if (next != looks.begin() && (node.empty() || std::ranges::find(lane.nodes, node) != lane.nodes.end()))
            last = std::max(last, std::optional(*std::prev(next)));
    }
    return last;
}

/// The first after that moment, as far as the snapshot goes; absent: not yet.
std::optional<WallTime> Timeline::lookAfter(
    const Snapshot &snapshot, const std::vector<std::string> &nodes, WallTime moment) const
{
    auto first = firstLook(nodes, moment);
    if (first && *first > snapshot.takenAt.wall)
        first.reset();
    const auto take = [&](const SourceStatus &status) {
        const auto look
            = status.lastSweep ? std::optional(wallOf(snapshot, status.lastSweep->finishedAt)) : std::nullopt;
        if (look >= moment)
            takeEarlier(first, look);
    };
    take(snapshot.status);
    for (const NodeStatus &node : snapshot.nodes)
        if (std::ranges::find(nodes, node.node) != nodes.end())
            take(node.status);
    return first;
}

/// The first moment after that one at which the lock is known to have been looked at on a server where it is as is
/// meant; absent: it was not yet, or not before that server was lost.
std::optional<WallTime> Timeline::seenAgain(const Snapshot &snapshot, const LockState &lock, WallTime moment,
    const std::function<bool(const LockState &)> &isMeant) const
{
    std::optional<WallTime> first;
    for (const LockState *part : partsOf(lock)) {
        if (isMeant && !isMeant(*part))
            continue;
        auto seen = lookAfter(snapshot, { part->node }, moment);
        if (part->readAt >= moment)
            takeEarlier(seen, part->readAt);
        const auto lost = staleSince(snapshot, *part);
        if (seen && (!lost || *seen < wallOf(snapshot, *lost)))
            takeEarlier(first, seen);
    }
    return first;
}

/// What had ended by a look at all keys would have been told of before that: it was there still.
void Timeline::goOnFromLook(TimelineLane &lane, std::uint32_t owner, WallTime before, std::uint64_t nodes)
{
    const auto lookOf = [&](const std::vector<Lost> &list) -> std::optional<std::pair<WallTime, Lost>> {
        const auto lost = lostOf(list, owner, nodes);
        if (lost == list.end() || !lost->endIsTold)
            return std::nullopt;
        const auto look = firstLook(nodesOf(lane, lost->nodes), lost->until);
        if (!look || *look >= (lost->isPast ? before : std::min(before, lost->seenOver)))
            return std::nullopt;
        return std::pair(*look, *lost);
    };
    const auto nodesOfLook = [&](const auto &found) { return nodesLookedAt(lane, found->second, found->first); };
    for (auto *list : { &lane.holding, &lane.waiting })
        if (const auto open = ofOwner(*list, owner); open != list->end())
            findInLooks(lane, open->unseen, before);
    if (const auto hold = lookOf(lane.lostHolds))
        beginHold(lane, { .from = hold->first, .owner = owner }, nodesOfLook(hold), hold->second.depth);
    if (const auto wait = lookOf(lane.lostWaits))
        beginWait(lane, { .from = wait->first, .owner = owner }, nodesOfLook(wait));
}

/// What was lost there before and is lost again was seen in between, if all keys were looked at then.
void Timeline::goOnUntil(TimelineLane &lane, WallTime before, std::uint64_t nodes)
{
    std::vector<std::uint32_t> owners;
    for (const auto *list : { &lane.lostHolds, &lane.lostWaits })
        for (const Lost &lost : *list)
            if ((lost.nodes & nodes) != 0)
                owners.push_back(lost.owner);
    for (const std::uint32_t owner : owners)
        goOnFromLook(lane, owner, before, nodes);
}

/// Of a counter, too, a change would have been told of before that.
void Timeline::countOnFromLook(TimelineLane &lane, WallTime before)
{
    if (lane.steps.size() < 2 || lane.steps.back().value != TimelineStep::NotKnown)
        return;
    WallTime until = lane.steps.back().at;
    bool isTold = true; // not where a recording paused
    for (const TimelineGap &gap : m_gaps) {
        if (gap.to <= until || gap.to > before || !concerns(gap, lane))
            continue;
        until = gap.to;
        isTold = isTold && !gap.node.empty();
    }
    const auto look = firstLook(lane.nodes, until);
    if (isTold && look && *look < before)
        addStep(lane, *look, std::prev(lane.steps.end(), 2)->value);
}

/// It was there already when it was looked at: since when nothing tells. Where all keys had been looked at before, it
/// was not among them.
void Timeline::hideBeforeFound(TimelineLane &lane, const Event &event)
{
    const bool isNew = lane.lastChange == WallTime();
    const auto look = lastLookBefore(lane, event.at);
    if (isNew && !look) {
        lane.keptFrom = std::max(lane.keptFrom, event.at);
        return;
    }
    const bool isKnown = !lane.holding.empty() || !lane.lostHolds.empty() || !lane.waiting.empty();
    if (isKnown || !look)
        return;
    WallTime from = std::max(*look, lane.lastChange);
    if (const auto lostUntil = goneUntil(lane, from); lostUntil && *lostUntil <= event.at)
        from = *lostUntil;
    if (from < event.at)
        lane.unsure.push_back({ from, event.at, {} });
}

/// It is not there any more, if its server was looked at since.
void Timeline::seeOver(const TimelineLane &lane, Lost &lost, const Snapshot &snapshot)
{
    if (const auto look = lookAfter(snapshot, nodesOf(lane, lost.nodes), lost.until))
        lost.seenOver = std::min(lost.seenOver, *look);
    else
        m_resumes = true;
}

/// Each goes on from the first moment at which that was seen again.
void Timeline::resume(const Snapshot &snapshot)
{
    m_resumes = false;
    for (TimelineLane &lane : m_lanes) {
        const bool isCounter = !lane.steps.empty() && lane.steps.back().value == TimelineStep::NotKnown;
        const bool isPartlyUnseen = hasUnseenParts(lane);
        if (lane.lostHolds.empty() && lane.lostWaits.empty() && !isCounter && !lane.countLostUntil && !isPartlyUnseen)
            continue;
        const auto lock = snapshot.locks.find(lane.lock);
        if (lane.lastChange <= snapshot.takenAt.wall)
            resumeParts(lane, snapshot, lock.get());
        else
            m_resumes = m_resumes || isPartlyUnseen;
        if (!lock) { // an event tells of its end
            for (auto *list : { &lane.lostHolds, &lane.lostWaits })
                for (Lost &lost : *list)
                    seeOver(lane, lost, snapshot);
            continue;
        }
        if (lane.lastChange > snapshot.takenAt.wall) {
            m_resumes = true;
            continue;
        }
        if (lock->members.empty())
            nodeBit(lane, lock->node); // it may have moved
        resumeLost(lane, snapshot, *lock, false);
        resumeLost(lane, snapshot, *lock, true);
        if (const auto until = lane.countLostUntil) {
            if (const auto at = seenAgain(snapshot, *lock, *until))
                countWaits({ .lock = lane.lock, .count = countedWaits(*lock), .at = *at });
            else
                m_resumes = true;
        }
        if (isCounter) {
            const WallTime lostAt = lane.steps.back().at;
            const auto at = seenAgain(snapshot, *lock, goneUntil(lane, lostAt).value_or(lostAt));
            const auto value = lock->permits ? std::optional(freePermits(*lock->permits)) : latchCount(*lock);
            if (at && value)
                addStep(lane, *at, *value);
            else
                m_resumes = m_resumes || !at;
        }
    }
}

/// On which of its servers it is seen again, and on which it is not any more; and where one is lost still, that it was
/// not seen on any for a while.
void Timeline::resumeParts(TimelineLane &lane, const Snapshot &snapshot, const LockState *lock)
{
    const auto look = [&](Under &each, bool isWait) {
        std::vector<std::pair<std::uint64_t, WallTime>> over;
        for (Unseen &part : each.unseen) {
            const bool isBack = part.again == TimelineSpan::Open && part.until != TimelineSpan::Open;
            if (!isBack || (each.nodes & part.node) == 0)
                continue;
            const auto names = nodesOf(lane, part.node);
            const auto isIts
                = [&](const LockState &state) { return std::ranges::find(names, state.node) != names.end(); };
            const auto isThere
                = [&](const LockState &state) { return isIts(state) && isAt(state, m_owners[each.owner].id, isWait); };
            const auto seen = [&](const auto &isMeant) {
                return lock != nullptr ? seenAgain(snapshot, *lock, part.until, isMeant) : std::nullopt;
            };
            auto away = lookAfter(snapshot, names, part.until);
            takeEarlier(away, seen(isIts));
            if (const auto at = seen(isThere))
                part.again = *at;
            else if (away && !hasPart(lock, isThere)) // else it is to be read again
                over.emplace_back(each.nodes & part.node, *away);
            else
                m_resumes = true;
        }
        for (const auto &[node, at] : over) // no event tells of that
            endThere(each, node, at, {});
        return breakOff(lane, each, isWait);
    };
    std::erase_if(lane.holding, [&](Under &each) { return look(each, false); });
    endSharing(lane);
    std::erase_if(lane.waiting, [&](Under &each) { return look(each, true); });
}

void Timeline::resumeLost(TimelineLane &lane, const Snapshot &snapshot, const LockState &lock, bool isWait)
{
    std::vector<std::pair<WallTime, Lost>> seen;
    for (Lost &each : isWait ? lane.lostWaits : lane.lostHolds) {
        const OwnerId &owner = m_owners[each.owner].id;
        const auto nodes = nodesOf(lane, each.nodes);
        const auto isThere = [&](const LockState &part) { return isAt(part, owner, isWait); };
        const auto wasThere = [&](const LockState &part) { return std::ranges::find(nodes, part.node) != nodes.end(); };
        if (const auto at = seenAgain(snapshot, lock, each.until, isThere))
            seen.emplace_back(*at, each);
        else if (isAt(lock, owner, isWait))
            m_resumes = true;
        else if (const auto over = seenAgain(snapshot, lock, each.until, wasThere))
            each.seenOver = std::min(each.seenOver, *over);
        else
            seeOver(lane, each, snapshot);
    }
    for (const auto &[at, lost] : seen) { // takes it from the list
        const TimelineSpan span{ .from = at, .owner = lost.owner };
        const OwnerId &owner = m_owners[lost.owner].id;
        std::uint64_t nodes = 0;
        for (const LockState *part : partsOf(lock)) {
            const auto isIt = [&](const LockState &each) { return &each == part; };
            if (isAt(*part, owner, isWait) && seenAgain(snapshot, lock, lost.until, isIt))
                nodes |= nodeBit(lane, part->node);
        }
        if (isWait)
            beginWait(lane, span, nodes);
        else
            beginHold(lane, span, nodes, lost.depth);
    }
    if (!seen.empty())
        resumeParts(lane, snapshot, &lock); // it may not be on all of them again
}

} // namespace lockui
