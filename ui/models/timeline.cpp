// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

using End = TimelineSpan::End;

constexpr std::size_t GapsKept = 1'024;
constexpr std::size_t MostClients = 10'000; // beyond that their numbers repeat
constexpr std::uint64_t OwnBit = std::uint64_t{ 1 } << 63U; // no server: what our own clients tell
constexpr std::size_t FewOwners = 50'000; // are not looked through
constexpr std::size_t PartForgotten = 16; // of what the store keeps, at once
constexpr Millis SameMoment{ 1'000 }; // told twice: by a snapshot, and by the event that belongs to it

WallTime wallOf(const Snapshot &snapshot, MonoTime at)
{
    return snapshot.takenAt.wall + std::chrono::duration_cast<Millis>(at - snapshot.takenAt.mono);
}

End endOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Expired:
        return End::Expired;
    case EventKind::ForceReleased:
        return End::ForceReleased;
    case EventKind::Deleted:
        return End::Deleted;
    default:
        return End::Released;
    }
}

template <typename List>
auto ofOwner(List &list, std::uint32_t owner)
{
    return std::ranges::find(list, owner, &std::ranges::range_value_t<List>::owner);
}

/// The lowest that is free from then on; absent: there are too many.
std::optional<std::uint32_t> freeRow(std::vector<TimelineRow> &rows, WallTime from)
{
    const auto isFree = [from](const TimelineRow &row) { return row.spans.empty() || row.spans.back().to <= from; };
    const auto found = std::ranges::find_if(rows, isFree);
    if (found != rows.end())
        return static_cast<std::uint32_t>(found - rows.begin());
    if (rows.size() >= Timeline::MostRows)
        return std::nullopt;
    rows.emplace_back();
    return static_cast<std::uint32_t>(rows.size() - 1);
}

TimelineSpan &openSpan(std::vector<TimelineRow> &rows, const TimelineLane::Under &under)
{
    return rows[under.row].spans.back();
}

void close(std::vector<TimelineRow> &rows, const TimelineLane::Under &under, WallTime at, End end, bool inferred)
{
    TimelineSpan &span = openSpan(rows, under);
    span.to = std::max(span.from, at);
    span.end = end;
    span.endInferred = inferred;
    auto &depths = rows[under.row].depths;
    if (!depths.empty() && depths.back().to == TimelineSpan::Open)
        depths.back().to = std::max(depths.back().from, span.to);
}

template <typename Spans>
void forget(Spans &spans, WallTime moment)
{
    const auto first = firstEndingAfter(spans, moment);
    spans.erase(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(first));
}

bool forget(std::vector<TimelineRow> &rows, WallTime moment)
{
    bool isEmpty = true;
    for (TimelineRow &row : rows) {
        forget(row.spans, moment);
        forget(row.depths, moment);
        isEmpty = isEmpty && row.spans.empty();
    }
    while (!rows.empty() && rows.back().spans.empty())
        rows.pop_back();
    return isEmpty;
}

} // namespace

WallTime TimeScale::timeAt(double pixel) const
{
    return WallTime(Millis(static_cast<Millis::rep>(std::floor(from + pixel * perPixel))));
}

void Timeline::clear()
{
    auto clients = std::move(m_clients); // keep their colours
    const auto lanes = m_lanesRevision;
    const auto owners = m_ownersRevision;
    *this = {};
    m_clients = std::move(clients);
    m_lanesRevision = lanes + 1;
    m_ownersRevision = owners + 1;
}

std::optional<Timeline::LaneId> Timeline::laneOf(const LockName &lock) const
{
    const auto known = m_laneIds.find(lock);
    return known == m_laneIds.end() ? std::nullopt : std::optional(known->second);
}

TimelineLane &Timeline::laneFor(const LockName &lock)
{
    if (const auto known = m_laneIds.find(lock); known != m_laneIds.end())
        return m_lanes[known->second];
    if (m_laneIds.size() >= MostLanes)
        dropLanes();
    LaneId id = static_cast<LaneId>(m_lanes.size());
    if (m_freeLanes.empty()) {
        m_lanes.emplace_back();
    } else {
        id = m_freeLanes.back();
        m_freeLanes.pop_back();
    }
    m_lanes[id].lock = lock;
    m_laneIds.emplace(lock, id);
    ++m_lanesRevision;
    return m_lanes[id];
}

std::uint32_t Timeline::ownerNumber(const OwnerId &owner)
{
    const auto [known, isNew] = m_ownerIds.try_emplace(owner, static_cast<std::uint32_t>(m_owners.size()));
    if (!isNew)
        return known->second;
    auto client = m_clients.find(owner.client);
    if (client == m_clients.end() && m_clients.size() < MostClients)
        client = m_clients.emplace(owner.client, static_cast<std::uint32_t>(m_clients.size())).first;
    const auto number = client == m_clients.end()
        ? static_cast<std::uint32_t>(std::hash<std::string>()(owner.client) % MostClients)
        : client->second;
    m_owners.push_back({ owner, number });
    return known->second;
}

std::uint64_t Timeline::nodeBit(TimelineLane &lane, const std::string &node)
{
    constexpr std::ptrdiff_t LastBit = 62;
    const auto known = std::ranges::find(lane.nodes, node);
    const auto place = std::min(known - lane.nodes.begin(), LastBit);
    if (known == lane.nodes.end())
        lane.nodes.push_back(node);
    return std::uint64_t{ 1 } << static_cast<unsigned>(place);
}

void Timeline::add(const Event &event)
{
    if (!m_knownFrom)
        m_knownFrom = event.kind == EventKind::Gap ? event.at - event.ttl.value_or(Millis(0)) : event.at;
    if (event.kind == EventKind::Gap)
        return addGap(event);
    TimelineLane &lane = laneFor(event.lock);
    lane.kind = event.lockKind ? event.lockKind : lane.kind;
    lane.lastChange = std::max(lane.lastChange, event.at);
    const std::uint64_t node = nodeBit(lane, event.node);
    if (!event.owner) {
        const bool isOver = event.kind == EventKind::Expired || event.kind == EventKind::Deleted
            || event.kind == EventKind::ForceReleased;
        if (isOver)
            addMark(lane, event, 0);
        if (isOver || event.count)
            addStep(lane, event.at, isOver ? TimelineStep::NotKnown : *event.count);
        return;
    }
    const std::uint32_t owner = ownerNumber(*event.owner);
    const bool isInferred = event.certainty == Certainty::Inferred;
    TimelineSpan span{ .from = event.at, .owner = owner };
    switch (event.kind) {
    case EventKind::Acquired:
        span.beginSeen = true;
        span.beginInferred = isInferred;
        endWait(lane, owner, event.at, End::Acquired, isInferred);
        beginHold(lane, span, node, event.count.value_or(1));
        break;
    case EventKind::Appeared:
        beginHold(lane, span, node, event.count.value_or(1));
        break;
    case EventKind::Reentered:
    case EventKind::PartlyReleased:
    case EventKind::Renewed:
        goOn(lane, event, owner, node);
        break;
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Deleted:
        endHold(lane, event, owner, node);
        break;
    case EventKind::Queued:
        span.beginSeen = true;
        span.beginInferred = isInferred;
        beginWait(lane, span, node);
        break;
    case EventKind::Dequeued:
        endWait(lane, owner, event.at, End::Left, isInferred);
        break;
    case EventKind::WaiterTimedOut:
        endWait(lane, owner, event.at, End::TimedOut, isInferred);
        break;
    case EventKind::PermitsChanged:
    case EventKind::CountChanged:
    case EventKind::Gap:
        break;
    }
}

void Timeline::beginHold(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node, std::int64_t depth)
{
    std::erase_if(lane.lostHolds, [&](const Lost &lost) { return lost.owner == span.owner; });
    if (const auto known = ofOwner(lane.holding, span.owner); known != lane.holding.end()) {
        TimelineSpan &open = openSpan(lane.holds, *known);
        const bool isElsewhere = (known->nodes & node) == 0;
        const bool isToldTwice = known->adopted && span.from <= open.from + SameMoment;
        if (isElsewhere || isToldTwice || !span.beginSeen) {
            known->nodes |= node;
            if (isToldTwice && span.beginSeen) {
                open.beginSeen = true;
                open.beginInferred = span.beginInferred;
            }
            return;
        }
        close(lane.holds, *known, span.from, End::Released, true); // its end was not told
        lane.holding.erase(known);
    }
    const auto row = freeRow(lane.holds, span.from);
    if (!row) {
        lane.incomplete = true;
        return;
    }
    lane.holds[*row].spans.push_back(span);
    lane.holding.push_back({ span.owner, *row, node });
    if (depth > 1)
        setDepth(lane, lane.holding.back(), span.from, depth);
}

void Timeline::setDepth(TimelineLane &lane, const Under &hold, WallTime at, std::int64_t depth)
{
    constexpr std::int64_t Deepest = 1'000'000'000;
    TimelineSpan &span = openSpan(lane.holds, hold);
    auto &depths = lane.holds[hold.row].depths;
    const bool wasDeep = !depths.empty() && depths.back().to == TimelineSpan::Open;
    if (wasDeep && depths.back().depth == depth)
        return;
    at = std::max(at, wasDeep ? depths.back().from : span.from);
    if (wasDeep)
        depths.back().to = at;
    if (depth > 1)
        depths.push_back({ .from = at, .depth = depth });
    span.depth = static_cast<std::int32_t>(std::clamp<std::int64_t>(depth, span.depth, Deepest));
}

/// Also of a hold whose beginning was not heard.
void Timeline::goOn(TimelineLane &lane, const Event &event, std::uint32_t owner, std::uint64_t node)
{
    if (ofOwner(lane.holding, owner) == lane.holding.end()) {
        const TimelineSpan span{ .from = event.at, .owner = owner };
        return beginHold(lane, span, node, event.count.value_or(1));
    }
    Under &hold = *ofOwner(lane.holding, owner);
    hold.nodes |= node;
    if (event.kind != EventKind::Renewed && event.count)
        setDepth(lane, hold, event.at, *event.count);
}

void Timeline::endHold(TimelineLane &lane, const Event &event, std::uint32_t owner, std::uint64_t node)
{
    const bool wasLost = std::erase_if(lane.lostHolds, [&](const Lost &lost) { return lost.owner == owner; }) > 0;
    const auto hold = ofOwner(lane.holding, owner);
    const bool isKnown = hold != lane.holding.end();
    if (isKnown && (hold->nodes & ~node) != 0) { // held on others still
        hold->nodes &= ~node;
        return;
    }
    const bool isInferred = event.certainty == Certainty::Inferred;
    if (isKnown) {
        close(lane.holds, *hold, event.at, endOf(event.kind), isInferred);
        lane.holding.erase(hold);
    } else if (const auto row = wasLost ? std::nullopt : freeRow(lane.holds, event.at)) {
        // Somebody held it up to then: that is all that is known.
        lane.holds[*row].spans.push_back(
            { .from = event.at, .to = event.at, .owner = owner, .end = endOf(event.kind), .endInferred = isInferred });
    }
    if (event.kind != EventKind::Released && !wasLost) // else it is not known when
        addMark(lane, event, owner);
}

void Timeline::beginWait(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node)
{
    std::erase_if(lane.lostWaits, [&](const Lost &lost) { return lost.owner == span.owner; });
    if (const auto known = ofOwner(lane.waiting, span.owner); known != lane.waiting.end()) {
        known->nodes |= node;
        return;
    }
    if (lane.waits.empty())
        ++m_lanesRevision;
    const auto row = freeRow(lane.waits, span.from);
    if (!row) {
        lane.incomplete = true;
        return;
    }
    lane.waits[*row].spans.push_back(span);
    lane.waiting.push_back({ span.owner, *row, node });
}

void Timeline::endWait(TimelineLane &lane, std::uint32_t owner, WallTime at, End end, bool inferred)
{
    std::erase_if(lane.lostWaits, [&](const Lost &lost) { return lost.owner == owner; });
    const auto wait = ofOwner(lane.waiting, owner);
    if (wait == lane.waiting.end())
        return;
    close(lane.waits, *wait, at, end, inferred);
    const TimelineSpan &span = openSpan(lane.waits, *wait);
    lane.waited += span.to - span.from;
    lane.waiting.erase(wait);
}

void Timeline::addStep(TimelineLane &lane, WallTime at, std::int64_t value)
{
    if (!lane.steps.empty())
        at = std::max(at, lane.steps.back().at);
    lane.steps.push_back({ at, value });
    lane.most = std::max(lane.most, value);
}

void Timeline::addMark(TimelineLane &lane, const Event &event, std::uint32_t owner)
{
    const TimelineMark mark{ event.at, event.kind, owner, event.certainty == Certainty::Inferred };
    auto place = lane.marks.end();
    while (place != lane.marks.begin() && std::prev(place)->at > mark.at)
        --place;
    lane.marks.insert(place, mark);
    if (event.kind != EventKind::Deleted)
        ++lane.ends;
}

bool Timeline::concerns(const TimelineGap &gap, const TimelineLane &lane) const
{
    return gap.node.empty() || lane.nodes.empty() || std::ranges::find(lane.nodes, gap.node) != lane.nodes.end();
}

bool Timeline::isWhole(const TimelineGap &gap, const TimelineLane &lane) const
{
    return concerns(gap, lane) && (gap.node.empty() || lane.nodes.size() <= 1);
}

std::optional<WallTime> Timeline::unseenSince(const TimelineLane &lane) const
{
    std::optional<WallTime> since;
    std::size_t lost = 0;
    for (const TimelineGap &gap : m_unseen) {
        if (!concerns(gap, lane))
            continue;
        lost += gap.node.empty() ? std::max<std::size_t>(1, lane.nodes.size()) : 1;
        since = std::max(since.value_or(gap.from), gap.from); // until then one of them was seen
    }
    return lost >= std::max<std::size_t>(1, lane.nodes.size()) ? since : std::nullopt;
}

/// What was held when sight was lost is known to have been held until then. That it goes on is still to be seen.
void Timeline::addGap(const Event &event)
{
    const TimelineGap gap{ event.at - event.ttl.value_or(Millis(0)), event.at, event.node };
    m_gaps.push_back(gap);
    if (m_gaps.size() > GapsKept)
        m_gaps.erase(m_gaps.begin(), m_gaps.begin() + GapsKept / 4);
    for (TimelineLane &lane : m_lanes) {
        if (lane.lock.empty() || !concerns(gap, lane))
            continue;
        const std::uint64_t lost = gap.node.empty() ? ~std::uint64_t{ 0 } : nodeBit(lane, gap.node);
        const auto lose = [&](auto &under, auto &rows, auto &goesOn) {
            std::erase_if(under, [&](Under &each) {
                each.nodes &= ~lost;
                if (each.nodes != 0)
                    return false;
                const auto &depths = rows[each.row].depths;
                const bool isDeep = !depths.empty() && depths.back().to == TimelineSpan::Open;
                goesOn.push_back({ each.owner, gap.to, isDeep ? depths.back().depth : 1 });
                close(rows, each, gap.from, End::NotSeen, false);
                return true;
            });
        };
        lose(lane.holding, lane.holds, lane.lostHolds);
        lose(lane.waiting, lane.waits, lane.lostWaits);
        if (!lane.steps.empty() && lane.steps.back().value != TimelineStep::NotKnown && isWhole(gap, lane))
            addStep(lane, gap.from, TimelineStep::NotKnown);
    }
    m_resumes = true;
}

void Timeline::catchUp(const EventStore &store)
{
    if (m_next != 0 && m_next < store.first() && store.hasDropped())
        clear(); // what happened in between is not known any more
    if (m_next < store.first())
        m_next = store.first();
    const bool isNew = store.has(m_next);
    if (store.size() > 0 && store.hasDropped()) {
        const WallTime oldest = store.record(store.first()).at;
        if (!m_knownFrom || *m_knownFrom < oldest)
            m_knownFrom = oldest;
        const auto kept = static_cast<EventStore::Place>(store.size());
        if (store.first() >= m_forgotten + kept / PartForgotten) {
            m_forgotten = store.first();
            forgetBefore(oldest);
        }
    } else if (store.since()) {
        m_knownFrom = store.since();
    }
    if (!isNew)
        return;
    for (; m_next < store.end(); ++m_next)
        if (store.record(m_next).runLength <= 1) // a renewal that follows another tells nothing new here
            add(store.event(m_next));
    dropOwners();
}

void Timeline::observe(const Snapshot &snapshot)
{
    const bool isReplay = snapshot.status.recordedAt.has_value();
    if (!isReplay && snapshot.status.phase != SourcePhase::Live && snapshot.status.phase != SourcePhase::Sweeping
        && !m_knownFrom)
        return;
    if (!m_knownFrom)
        m_knownFrom = snapshot.takenAt.wall;
    m_unseen.clear();
    for (const NodeStatus &node : snapshot.nodes)
        if (node.status.staleSince)
            m_unseen.push_back({ wallOf(snapshot, *node.status.staleSince), TimelineSpan::Open, node.node });
    if (m_unseen.empty() && snapshot.status.staleSince)
        m_unseen.push_back({ wallOf(snapshot, *snapshot.status.staleSince), TimelineSpan::Open, {} });
    // Until all keys have been looked at once, what is found is told as an event.
    if (!m_adopted && (isReplay || snapshot.status.lastSweep)) {
        for (const auto &lock : snapshot.locks)
            adopt(snapshot, *lock);
        m_adopted = true;
    }
    if (m_resumes)
        resume(snapshot);
}

/// Who holds or waits, and no event told of it that is still kept.
void Timeline::adopt(const Snapshot &snapshot, const LockState &lock)
{
    const bool isKnown = m_laneIds.contains(lock.name);
    if (!isKnown && m_laneIds.size() >= MostLanes) {
        m_droppedLanes = true;
        return;
    }
    TimelineLane &lane = laneFor(lock.name);
    if (lane.lastChange > snapshot.takenAt.wall)
        return; // what happened since is known already
    lane.kind = lock.kind;
    const auto nodesOf = [&](const OwnerId &owner, auto listed) {
        if (lock.members.empty())
            return nodeBit(lane, lock.node);
        std::uint64_t nodes = 0;
        for (const auto &member : lock.members)
            if (std::ranges::any_of((*member).*listed, [&](const auto &each) { return each.owner == owner; }))
                nodes |= nodeBit(lane, member->node);
        return nodes;
    };
    const auto spanOf = [&](const OwnerId &owner, const Since &since) {
        TimelineSpan span{ .from = snapshot.takenAt.wall, .owner = ownerNumber(owner) };
        const WallTime began = wallOf(snapshot, since.at);
        const bool wasLost = std::ranges::any_of(
            m_gaps, [&](const TimelineGap &gap) { return gap.to > began && concerns(gap, lane); });
        if (!wasLost) {
            span.from = std::min(std::max(began, *m_knownFrom), snapshot.takenAt.wall);
            span.beginSeen = since.exact && began >= *m_knownFrom;
        }
        return span;
    };
    for (const Holder &holder : lock.holders) {
        const auto nodes = nodesOf(holder.owner, &LockState::holders);
        const TimelineSpan span = spanOf(holder.owner, holder.since);
        const auto isSame = [&](const auto &list) { return ofOwner(list, span.owner) != list.end(); };
        if (holder.expired || isSame(lane.holding) || isSame(lane.lostHolds))
            continue;
        beginHold(lane, span, nodes, holder.count);
        if (const auto hold = ofOwner(lane.holding, span.owner); hold != lane.holding.end())
            hold->adopted = true;
    }
    for (const Waiter &waiter : lock.waiters) {
        const TimelineSpan span = spanOf(waiter.owner, waiter.since);
        const auto isSame = [&](const auto &list) { return ofOwner(list, span.owner) != list.end(); };
        if (!isSame(lane.waiting) && !isSame(lane.lostWaits))
            beginWait(lane, span, nodesOf(waiter.owner, &LockState::waiters));
    }
    if (lane.steps.empty() && lock.permits)
        addStep(lane, snapshot.takenAt.wall, freePermits(*lock.permits));
    else if (lane.steps.empty() && lock.count)
        addStep(lane, snapshot.takenAt.wall, *lock.count);
}

/// Each goes on from the first moment at which that was seen again.
void Timeline::resume(const Snapshot &snapshot)
{
    const auto &sweep = snapshot.status.lastSweep;
    const auto lookedAt = sweep ? std::optional(wallOf(snapshot, sweep->finishedAt)) : std::nullopt;
    m_resumes = false;
    for (TimelineLane &lane : m_lanes) {
        const bool isCounter = !lane.steps.empty() && lane.steps.back().value == TimelineStep::NotKnown;
        if (lane.lostHolds.empty() && lane.lostWaits.empty() && !isCounter)
            continue;
        const auto lock = snapshot.locks.find(lane.lock);
        if (!lock)
            continue; // an event tells of its end
        if (staleSince(snapshot, *lock) || lane.lastChange > snapshot.takenAt.wall) {
            m_resumes = true;
            continue;
        }
        const auto seenAfter = [&](WallTime moment) -> std::optional<WallTime> {
            if (lock->readAt >= moment)
                return lock->readAt;
            return lookedAt && *lookedAt >= moment ? std::optional(snapshot.takenAt.wall) : std::nullopt;
        };
        const auto goOnWith = [&](auto &lost, const auto &listed, auto begin) {
            std::vector<std::pair<TimelineSpan, std::int64_t>> seen;
            for (const Lost &each : lost) {
                const auto isIt = [&](const auto &entry) { return entry.owner == m_owners[each.owner].id; };
                const auto at = seenAfter(each.until);
                if (!at)
                    m_resumes = true;
                else if (std::ranges::any_of(listed, isIt))
                    seen.emplace_back(TimelineSpan{ .from = *at, .owner = each.owner }, each.depth);
            }
            for (const auto &[span, depth] : seen) // takes it from the list
                begin(span, depth);
        };
        const std::uint64_t node = lock->members.empty() ? nodeBit(lane, lock->node) : 0;
        goOnWith(lane.lostHolds, lock->holders,
            [&](const TimelineSpan &span, std::int64_t depth) { beginHold(lane, span, node, depth); });
        goOnWith(lane.lostWaits, lock->waiters,
            [&](const TimelineSpan &span, std::int64_t) { beginWait(lane, span, node); });
        if (isCounter) {
            const auto at = seenAfter(lane.steps.back().at);
            const auto value = lock->permits ? std::optional(freePermits(*lock->permits)) : lock->count;
            if (at && value)
                addStep(lane, *at, *value);
            else
                m_resumes = m_resumes || !at;
        }
    }
}

void Timeline::setOwnClients(const std::vector<OwnClient> &clients, WallTime at)
{
    if (!m_knownFrom)
        return;
    const auto isIn = [](const std::vector<OwnClient> &list, const OwnClient &client, bool waits) {
        return std::ranges::any_of(list, [&](const OwnClient &each) {
            return each.waits == waits && each.lock == client.lock && each.owner == client.owner;
        });
    };
    for (const OwnClient &before : m_ownWaits) {
        if (isIn(clients, before, true))
            continue;
        const auto id = laneOf(before.lock);
        const auto owner = m_ownerIds.find(before.owner);
        if (id && owner != m_ownerIds.end())
            endWait(m_lanes[*id], owner->second, at, isIn(clients, before, false) ? End::Acquired : End::Left, false);
    }
    for (const OwnClient &client : clients) {
        if (!client.waits || isIn(m_ownWaits, client, true))
            continue;
        TimelineLane &lane = laneFor(client.lock);
        lane.lastChange = std::max(lane.lastChange, at);
        beginWait(lane, { .from = at, .owner = ownerNumber(client.owner), .beginSeen = true }, OwnBit);
    }
    m_ownWaits = clients;
    std::erase_if(m_ownWaits, [](const OwnClient &client) { return !client.waits; });
}

void Timeline::forgetBefore(WallTime moment)
{
    if (!m_knownFrom || *m_knownFrom < moment)
        m_knownFrom = moment;
    forget(m_gaps, moment);
    for (LaneId id = 0; id < m_lanes.size(); ++id) {
        TimelineLane &lane = m_lanes[id];
        if (lane.lock.empty())
            continue;
        const bool isUnheld = forget(lane.holds, moment);
        const bool isIdle = forget(lane.waits, moment) && isUnheld;
        std::erase_if(lane.marks, [&](const TimelineMark &mark) { return mark.at < moment; });
        const auto later = std::ranges::upper_bound(lane.steps, moment, {}, &TimelineStep::at);
        if (later - lane.steps.begin() > 1)
            lane.steps.erase(lane.steps.begin(), std::prev(later)); // but for the one that holds then
        const bool isGone = isIdle && lane.marks.empty()
            && (lane.steps.empty() || (lane.steps.size() == 1 && lane.steps.front().value == TimelineStep::NotKnown));
        if (isGone) {
            m_laneIds.erase(lane.lock);
            lane = {};
            m_freeLanes.push_back(id);
            ++m_lanesRevision;
        }
    }
}

/// A quarter of them, so that it is rarely done.
void Timeline::dropLanes()
{
    std::vector<LaneId> ids;
    ids.reserve(m_laneIds.size());
    for (const auto &[lock, id] : m_laneIds)
        ids.push_back(id);
    const auto importance = [this](LaneId id) {
        const TimelineLane &lane = m_lanes[id];
        return std::tuple(!lane.waiting.empty(), !lane.waits.empty(), lane.lastChange);
    };
    const auto last = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 4);
    std::ranges::nth_element(ids, last, {}, importance);
    for (auto id = ids.begin(); id != last; ++id) {
        m_laneIds.erase(m_lanes[*id].lock);
        m_lanes[*id] = {};
        m_freeLanes.push_back(*id);
    }
    m_droppedLanes = true;
    ++m_lanesRevision;
}

/// Those of whom nothing is kept.
void Timeline::dropOwners()
{
    if (m_owners.size() < FewOwners || m_owners.size() < m_ownersAfterDrop * 2)
        return;
    std::vector<std::uint32_t> newIds(m_owners.size());
    std::vector<Owner> owners(1);
    m_ownerIds.clear();
    const auto keep = [&](std::uint32_t &id) {
        if (id != 0 && newIds[id] == 0) {
            newIds[id] = static_cast<std::uint32_t>(owners.size());
            owners.push_back(m_owners[id]);
            m_ownerIds.emplace(m_owners[id].id, newIds[id]);
        }
        id = newIds[id];
    };
    for (TimelineLane &lane : m_lanes) {
        for (auto *rows : { &lane.holds, &lane.waits })
            for (TimelineRow &row : *rows)
                for (TimelineSpan &span : row.spans)
                    keep(span.owner);
        for (TimelineMark &mark : lane.marks)
            keep(mark.owner);
        for (auto *list : { &lane.holding, &lane.waiting })
            for (Under &each : *list)
                keep(each.owner);
        for (auto *list : { &lane.lostHolds, &lane.lostWaits })
            for (Lost &each : *list)
                keep(each.owner);
    }
    m_owners = std::move(owners);
    m_ownersAfterDrop = m_owners.size();
    ++m_ownersRevision;
}

} // namespace lockui
