// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline.h"

#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

using End = TimelineSpan::End;

constexpr std::size_t MostClients = 10'000; // beyond that a colour may be in use though others are free

/// Up to when a look at all keys tells that something was there still which this event tells of. What a look did not
/// find is read after it: an end that is concluded right behind it is what it has found.
WallTime wasThereBefore(const Event &event)
{
    const bool goesOn = event.kind == EventKind::Renewed || event.kind == EventKind::Reentered
        || event.kind == EventKind::PartlyReleased;
    return event.certainty == Certainty::Inferred && !goesOn ? event.at - SameMoment : event.at;
}

/// Where a recording goes on after a pause, it tells first of all that is there.
void endUntold(TimelineLane::Under &under, WallTime at)
{
    const auto isUntold = [&](const TimelineLane::Unseen &part) {
        return part.again == TimelineSpan::Open && !part.endIsTold && part.until < at && (part.node & under.nodes) != 0;
    };
    for (auto part = std::ranges::find_if(under.unseen, isUntold); part != under.unseen.end();
         part = std::ranges::find_if(under.unseen, isUntold))
        endThere(under, part->node & under.nodes, part->until, {});
}

} // namespace

void Timeline::clear()
{
    auto clients = std::move(m_clients); // keep their colours
    const auto lanes = m_lanesRevision;
    const auto owners = m_ownersRevision;
    const auto nextColor = m_nextColor;
    *this = {};
    m_clients = std::move(clients);
    m_nextColor = nextColor;
    m_lanesRevision = lanes + 1;
    m_ownersRevision = owners + 1;
}

void Timeline::restart(WallTime knownFrom, WallTime countedFrom)
{
    clear();
    m_knownFrom = knownFrom;
    if (countedFrom > knownFrom)
        m_countedFrom = countedFrom;
}

std::optional<Timeline::LaneId> Timeline::laneOf(const LockName &lock) const
{
    const auto known = m_laneIds.find(lock);
    return known == m_laneIds.end() ? std::nullopt : std::optional(known->second);
}

TimelineLane &Timeline::laneFor(const LockName &lock, WallTime at)
{
    if (const auto known = m_laneIds.find(lock); known != m_laneIds.end())
        return m_lanes[known->second];
    if (m_laneIds.size() >= MostLanes)
        dropLanes(at);
    LaneId id = static_cast<LaneId>(m_lanes.size());
    if (m_freeLanes.empty()) {
        m_lanes.emplace_back();
    } else {
        id = m_freeLanes.back();
        m_freeLanes.pop_back();
    }
    m_lanes[id].isUsed = true;
    m_lanes[id].lock = lock;
    if (m_droppedAt) {
        m_lanes[id].keptFrom = at;
        m_lanes[id].isDropped = true;
        if (m_unadopted.size() < MostLanes)
            m_unadopted.push_back(lock);
    }
    if (const auto waits = m_uncounted.extract(lock)) {
        WallTime from = std::max(waits.mapped().at, m_lanes[id].keptFrom);
        for (const TimelineGap &gap : m_gaps) // which server it is on is not known yet
            from = std::max(from, gap.to);
        m_lanes[id].counted.push_back({ .from = from, .count = waits.mapped().count });
        m_lanes[id].toldCount = waits.mapped().count;
        m_lanes[id].toldAt = from;
    }
    m_laneIds.emplace(lock, id);
    ++m_lanesRevision;
    return m_lanes[id];
}

std::uint32_t Timeline::ownerNumber(const OwnerId &owner, const TimelineLane &lane)
{
    const auto [known, isNew] = m_ownerIds.try_emplace(owner, static_cast<std::uint32_t>(m_owners.size()));
    if (!isNew)
        return known->second;
    auto client = m_clients.find(owner.client);
    if (client == m_clients.end() && m_clients.size() < MostClients) {
        client = m_clients.emplace(owner.client, freeColor(lane)).first;
        m_nextColor = (client->second + 1) % ClientColors;
    }
    const auto color = client == m_clients.end()
        ? static_cast<std::uint32_t>(std::hash<std::string>()(owner.client) % ClientColors)
        : client->second;
    m_owners.push_back({ owner, color });
    return known->second;
}

namespace {

using UsedColors = std::array<bool, Timeline::ClientColors>;

bool areAll(const UsedColors &used) { return std::ranges::find(used, false) == used.end(); }

std::uint32_t firstFree(const UsedColors &used, std::uint32_t color)
{
    for (std::size_t i = 0; i < used.size() && used[color]; ++i)
        color = (color + 1) % Timeline::ClientColors;
    return color;
}

} // namespace

/// The next that nobody has who holds or waits now, nor had it last there; where all are in use, one of another lane.
/// Cost: looks at every lane, where few clients have all of them.
std::uint32_t Timeline::freeColor(const TimelineLane &there) const
{
    UsedColors near{};
    for (const TimelineRow &row : there.holds)
        if (!row.spans.empty())
            near[m_owners[row.spans.back().owner].color] = true;
    for (const Under &each : there.waiting)
        near[m_owners[each.owner].color] = true;
    UsedColors used = near;
    for (auto lane = m_lanes.begin(); lane != m_lanes.end() && !areAll(used); ++lane)
        for (const auto *list : { &lane->holding, &lane->waiting })
            for (const Under &each : *list)
                used[m_owners[each.owner].color] = true;
    return firstFree(areAll(used) ? near : used, m_nextColor);
}

void Timeline::lookAtServers(const Snapshot &snapshot)
{
    if (!snapshot.locks.empty())
        m_locksMove = !(*snapshot.locks.begin())->quorum;
    std::vector<std::string> servers;
    for (const NodeStatus &node : snapshot.nodes)
        if (node.role != NodeRole::Replica)
            servers.push_back(node.node);
    m_someMoved = m_someMoved || servers != m_servers;
    m_servers = std::move(servers);
    if (!m_locksMove || !std::exchange(m_someMoved, false))
        return;
    for (TimelineLane &lane : m_lanes) {
        if (lane.nodes.empty() || std::ranges::find(m_servers, lane.nodes.back()) != m_servers.end())
            continue;
        const auto lock = snapshot.locks.find(lane.lock);
        if (lock && lock->node != lane.nodes.back())
            moveTo(lane, lock->node);
        else
            m_someMoved = m_someMoved || lock;
    }
}

/// Where a replica has taken its master's place, the time until it is seen is told as unseen of the new server: what
/// was held on the old one was not seen then.
void Timeline::moveTo(TimelineLane &lane, const std::string &node)
{
    const auto known = std::ranges::find(lane.nodes, node);
    if (known == lane.nodes.end()) {
        lane.nodes.push_back(node);
    } else if (std::next(known) != lane.nodes.end()) {
        std::rotate(known, std::next(known), lane.nodes.end());
    } else {
        return; // it is there
    }
    for (const TimelineGap &gap : m_gaps)
        if (lane.nodes.size() > 1 && gap.node == node && gap.to >= lane.lastChange)
            lose(lane, gap, 1);
}

std::uint64_t Timeline::nodeBit(TimelineLane &lane, const std::string &node)
{
    if (m_locksMove) {
        moveTo(lane, node); // with all that is held and waited for
        return 1;
    }
    if (node.empty() && !m_servers.empty()) { // several have it: older recordings do not say which
        std::uint64_t all = 0;
        for (const std::string &server : m_servers)
            all |= nodeBit(lane, server);
        return all;
    }
    const auto known = std::ranges::find(lane.nodes, node);
    const auto place = static_cast<std::size_t>(known - lane.nodes.begin());
    if (known == lane.nodes.end())
        lane.nodes.push_back(node);
    return bitOfPlace(place);
}

void Timeline::tellState(const LockState &lock)
{
    const auto id = laneOf(lock.name);
    if (!id)
        return;
    TimelineLane &lane = m_lanes[*id];
    lane.kind = lock.kind;
    lane.isSurelySemaphore = lock.kind == synchronizers::Kind::Semaphore && lock.otherKinds.empty();
    if (lock.permits && lock.permits->leased) {
        const std::int64_t free = freePermits(*lock.permits);
        lane.permits = { lock.readAt, free, free + *lock.permits->leased };
        tellPermits(lane);
    }
    for (const Waiter &waiter : lock.waiters)
        if (const auto owner = m_ownerIds.find(waiter.owner); owner != m_ownerIds.end())
            if (const auto wait = ofOwner(lane.waiting, owner->second); wait != lane.waiting.end())
                openSpan(lane.waits, *wait).isGhost = isGhost(waiter);
}

void Timeline::add(const Event &event)
{
    if (!m_knownFrom)
        m_knownFrom = event.kind == EventKind::Gap ? event.at - event.ttl.value_or(Millis(0)) : event.at;
    if (event.kind == EventKind::Gap)
        return addGap(event);
    if (isOfServer(event.kind))
        return; // it has no lane
    TimelineLane &lane = laneFor(event.lock, event.at);
    if (m_droppedAt && event.kind == EventKind::Acquired && lane.lastChange == WallTime())
        lane.keptFrom = *m_droppedAt; // since then it was free: its release would have been told
    lane.kind = event.lockKind ? event.lockKind : lane.kind;
    const std::uint64_t node = nodeBit(lane, event.node);
    if (event.kind == EventKind::Appeared || event.kind == EventKind::FoundQueued)
        hideBeforeFound(lane, event);
    lane.lastChange = std::max(lane.lastChange, event.at);
    if (!event.owner)
        return tellOfAll(lane, event);
    const std::uint32_t owner = ownerNumber(*event.owner, lane);
    const bool isInferred = event.certainty == Certainty::Inferred;
    goOnFromLook(lane, owner, wasThereBefore(event), node);
    for (auto *list : { &lane.holding, &lane.waiting })
        if (const auto open = ofOwner(*list, owner); open != list->end())
            endUntold(*open, event.at);
    if (event.since)
        lane.sinces.push_back({ owner, event.kind == EventKind::FoundQueued, event.at, *event.since });
    TimelineSpan span{ .from = event.at, .owner = owner };
    switch (event.kind) {
    case EventKind::Acquired:
        span.beginSeen = true;
        span.beginInferred = isInferred;
        endWait(lane, owner, event.at, End::Acquired, event.certainty);
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
    case EventKind::FoundQueued:
        beginWait(lane, span, node);
        break;
    case EventKind::Queued:
        span.beginSeen = true;
        span.beginInferred = isInferred;
        beginWait(lane, span, node);
        break;
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        if (!isOnOthers(lane, event, owner, node, true))
            endWait(lane, owner, event.at, endOf(event.kind), event.certainty, wasGhost(event));
        break;
    case EventKind::PermitsChanged:
    case EventKind::CountChanged:
    case EventKind::Gap:
    case EventKind::MasterChanged:
    case EventKind::ServerRestarted:
    case EventKind::SlowCommand:
    case EventKind::ClientsPaused:
    case EventKind::DatabaseEmptied:
    case EventKind::DatabasesSwapped:
        break;
    }
}

/// What nobody holds as a whole. A counter that runs out was nobody's to give back.
void Timeline::tellOfAll(TimelineLane &lane, const Event &event)
{
    const bool isOver = event.kind == EventKind::Expired || event.kind == EventKind::Deleted
        || event.kind == EventKind::ForceReleased;
    const bool isCounter = lane.kind && synchronizers::isCounter(*lane.kind);
    if (isOver && !(isCounter && event.kind == EventKind::Expired))
        addMark(lane, markOf(event, 0));
    if (!isOver && !event.count)
        return;
    countOnFromLook(lane, wasThereBefore(event));
    addStep(lane, event.at, isOver ? TimelineStep::Gone : *event.count);
}

/// Whoever goes on after a time out of sight does so in the same row.
std::optional<std::uint32_t> Timeline::freeRow(std::vector<TimelineRow> &rows, WallTime from, std::uint32_t owner)
{
    const auto isFree = [from](const TimelineRow &row) { return row.spans.empty() || row.spans.back().to <= from; };
    const auto isItsOwn = [&](const TimelineRow &row) {
        return !row.spans.empty() && row.spans.back().owner == owner && row.spans.back().end == End::NotSeen
            && isFree(row);
    };
    auto found = std::ranges::find_if(rows, isItsOwn);
    if (found == rows.end())
        found = std::ranges::find_if(rows, isFree);
    if (found != rows.end())
        return static_cast<std::uint32_t>(found - rows.begin());
    if (rows.size() >= MostTimelineRows)
        return std::nullopt;
    rows.emplace_back();
    return static_cast<std::uint32_t>(rows.size() - 1);
}

/// Also one that comes late, when others of that time are over.
void Timeline::addHold(TimelineLane &lane, std::uint32_t row, const TimelineSpan &span)
{
    lane.holds[row].spans.push_back(span);
    TimelineSharing sharing{ span.from, std::max(span.to, span.from + Millis(1)), {} };
    sharing.rows.set(row);
    for (std::uint32_t other = 0; other < lane.holds.size(); ++other) {
        const auto &spans = lane.holds[other].spans;
        const auto first = firstEndingAfter(spans, span.from);
        if (other == row || first == spans.size() || spans[first].from >= sharing.to)
            continue;
        sharing.from = std::min(sharing.from, spans[first].from);
        sharing.to = std::max(sharing.to, spans[first].to);
        sharing.rows.set(other);
    }
    if (row == 0 && sharing.rows.count() == 1)
        return;
    const auto place = lane.sharing.begin() + static_cast<std::ptrdiff_t>(firstEndingAfter(lane.sharing, sharing.from));
    auto end = place;
    for (; end != lane.sharing.end() && end->from < sharing.to; ++end) {
        sharing.from = std::min(sharing.from, end->from);
        sharing.to = std::max(sharing.to, end->to);
        sharing.rows |= end->rows;
    }
    lane.sharing.insert(lane.sharing.erase(place, end), sharing);
}

void Timeline::beginHold(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node, std::int64_t depth)
{
    auto lost = findAgain(lane, lane.lostHolds, span.owner, span.from, node);
    if (const auto known = ofOwner(lane.holding, span.owner); known != lane.holding.end()) {
        TimelineSpan &open = openSpan(lane.holds, *known);
        const bool isElsewhere = (seenOn(*known) & node) == 0;
        const bool isToldTwice = known->adopted && span.from <= open.from + SameMoment;
        if (isElsewhere || isToldTwice || !span.beginSeen) {
            if (isToldTwice && span.beginSeen) {
                open.beginSeen = true;
                open.beginInferred = span.beginInferred;
            }
            const WallTime from = open.from;
            seeThere(*known, node, span, from);
            if (!isElsewhere || breakOffOf(lane, span.owner, false))
                return;
            const bool beganAnew = span.beginSeen && openSpan(lane.holds, *known).from != from;
            if (beganAnew)
                setDepth(lane, *known, span.from, depth);
            return;
        }
        close(lane.holds, *known, span.from, End::Released, Certainty::Inferred); // its end was not told
        lane.holding.erase(known);
        endSharing(lane);
    }
    const auto row = freeRow(lane.holds, span.from, span.owner);
    if (!row) {
        lane.incomplete = true;
        return;
    }
    addHold(lane, *row, span);
    lane.holding.push_back(begun(span, *row, node, std::move(lost)));
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
    beginHold(lane, { .from = event.at, .owner = owner }, node, event.count.value_or(1));
    const auto hold = ofOwner(lane.holding, owner);
    if (hold != lane.holding.end() && event.kind != EventKind::Renewed && event.count)
        setDepth(lane, *hold, event.at, *event.count);
}

void Timeline::endHold(TimelineLane &lane, const Event &event, std::uint32_t owner, std::uint64_t node)
{
    if (isOnOthers(lane, event, owner, node, false))
        return;
    const bool wasLost = findAgain(lane, lane.lostHolds, owner, event.at, node).has_value();
    if (const auto hold = ofOwner(lane.holding, owner); hold != lane.holding.end()) {
        close(lane.holds, *hold, event.at, endOf(event.kind), event.certainty);
        lane.holding.erase(hold);
        endSharing(lane);
    } else if (const auto row = wasLost ? std::nullopt : freeRow(lane.holds, event.at, owner)) {
        // Somebody held it up to then: that is all that is known.
        addHold(lane, *row,
            { .from = event.at,
                .to = event.at,
                .owner = owner,
                .end = endOf(event.kind),
                .endCertainty = event.certainty });
    }
    if (event.kind != EventKind::Released && !wasLost) // else it is not known when
        addMark(lane, markOf(event, owner));
}

/// It became known later how that hold ended. Of a hold that goes on elsewhere nothing was drawn.
void Timeline::correctEnd(const Event &event)
{
    const auto lane = m_laneIds.find(event.lock);
    const auto owner = event.owner ? m_ownerIds.find(*event.owner) : m_ownerIds.end();
    if (lane == m_laneIds.end() || owner == m_ownerIds.end())
        return;
    TimelineLane &it = m_lanes[lane->second];
    for (TimelineRow &row : it.holds)
        for (auto span = row.spans.rbegin(); span != row.spans.rend() && span->to >= event.at; ++span) {
            const bool isIts = span->owner == owner->second && span->to == event.at && span->end != End::NotSeen;
            if (!isIts)
                continue;
            span->end = endOf(event.kind);
            span->endCertainty = event.certainty;
            it.ends -= std::erase_if(it.marks, [&](const TimelineMark &mark) {
                return mark.owner == owner->second && mark.at == event.at && mark.kind != EventKind::Deleted;
            });
            std::erase_if(
                it.marks, [&](const TimelineMark &mark) { return mark.owner == owner->second && mark.at == event.at; });
            return addMark(it, markOf(event, owner->second));
        }
}

void Timeline::beginWait(TimelineLane &lane, const TimelineSpan &span, std::uint64_t node)
{
    auto lost = findAgain(lane, lane.lostWaits, span.owner, span.from, node);
    if (const auto known = ofOwner(lane.waiting, span.owner); known != lane.waiting.end()) {
        const bool isElsewhere = (seenOn(*known) & node) == 0;
        seeThere(*known, node, span, openSpan(lane.waits, *known).from);
        if (isElsewhere)
            breakOffOf(lane, span.owner, true);
        return;
    }
    if (lane.waits.empty())
        ++m_lanesRevision;
    const auto row = freeRow(lane.waits, span.from, span.owner);
    if (!row) {
        lane.incomplete = true;
        return;
    }
    lane.waits[*row].spans.push_back(span);
    lane.waiting.push_back(begun(span, *row, node, std::move(lost)));
}

/// Whether it was a ghost the end tells for all of it: one that gets the lock, or lines up again, was none.
void Timeline::endWait(TimelineLane &lane, std::uint32_t owner, WallTime at, End end, Certainty certainty, bool isGhost)
{
    const bool wasLost = findAgain(lane, lane.lostWaits, owner, at).has_value();
    const auto wait = ofOwner(lane.waiting, owner);
    if (wait == lane.waiting.end()) {
        if (end == End::Acquired)
            correctOwnEnd(lane, owner, at, certainty);
        else if (!wasLost)
            addFoundWait(lane, owner, at, end, certainty, isGhost);
        return;
    }
    if (wait->nodes == OwnBit && at < openSpan(lane.waits, *wait).from)
        return; // of the wait before, which ended when that was told here
    openSpan(lane.waits, *wait).isGhost = isGhost;
    close(lane.waits, *wait, at, end, certainty);
    lane.waiting.erase(wait);
}

/// It stood in the queue when that was first looked at, or looked at again: no event told of it.
void Timeline::addFoundWait(
    TimelineLane &lane, std::uint32_t owner, WallTime at, End end, Certainty certainty, bool isGhost)
{
    WallTime from = at;
    for (const TimelineRow &row : lane.holds)
        from = row.spans.empty() ? from : std::min(from, std::max(row.spans.front().from, *m_knownFrom));
    if (const auto lostUntil = goneUntil(lane, *m_knownFrom)) {
        from = at;
        lane.unsure.push_back({ *lostUntil, at, {} });
    }
    if (lane.waits.empty())
        ++m_lanesRevision;
    if (const auto row = freeRow(lane.waits, from, owner))
        lane.waits[*row].spans.push_back(
            { .from = from, .to = at, .owner = owner, .end = end, .isGhost = isGhost, .endCertainty = certainty });
}

void Timeline::addStep(TimelineLane &lane, WallTime at, std::int64_t value)
{
    if (!lane.steps.empty())
        at = std::max(at, lane.steps.back().at);
    lane.steps.push_back({ at, value });
    lane.most = std::max(lane.most, value);
    tellPermits(lane);
}

void Timeline::addMark(TimelineLane &lane, const TimelineMark &mark)
{
    auto place = lane.marks.end();
    while (place != lane.marks.begin() && std::prev(place)->at > mark.at)
        --place;
    lane.marks.insert(place, mark);
    if (mark.kind != EventKind::Deleted)
        ++lane.ends;
}

} // namespace lockui
