// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline.h"

#include <algorithm>
#include <iterator>
#include <tuple>

/// How far back the timeline goes: as far as the events that are kept.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::size_t FewOwners = 50'000; // are not looked through
constexpr std::size_t PartForgotten = 16; // of what the store keeps, at once

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

void Timeline::catchUp(const EventStore &store)
{
    if (m_next != 0 && m_next < store.first() && store.hasDropped())
        clear(); // what happened in between is not known any more
    if (m_next < store.first())
        m_next = store.first();
    for (const auto &[node, looks] : store.looks())
        if (auto &known = m_looks[node]; known.empty() || looks.back() != known.back())
            known.assign(looks.begin(), looks.end());
    const bool isNew = isBehind(store);
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
        m_knownFrom = std::max(*store.since(), m_gapsKnownFrom);
    }
    if (!isNew)
        return;
    for (; m_corrections < store.corrected().size(); ++m_corrections) {
        const EventStore::Place place = store.corrected()[m_corrections];
        if (store.has(place) && place < m_next) // else it is told that way below
            correctEnd(store.event(place));
    }
    for (; m_next < store.shownEnd(); ++m_next) {
        if (store.record(m_next).runLength > 1)
            continue; // a renewal that follows another tells nothing new here
        countWaitsUntil(store.waits(), store.record(m_next).at);
        add(store.event(m_next));
    }
    countWaitsUntil(store.waits(), WallTime::max());
    dropOwners();
}

void Timeline::forgetBefore(WallTime moment)
{
    if (!m_knownFrom || *m_knownFrom < moment)
        m_knownFrom = moment;
    forget(m_gaps, moment);
    for (LaneId id = 0; id < m_lanes.size(); ++id) {
        TimelineLane &lane = m_lanes[id];
        if (!lane.isUsed)
            continue;
        const bool isUnheld = forget(lane.holds, moment);
        forget(lane.sharing, moment);
        const bool isIdle = forget(lane.waits, moment) && isUnheld;
        for (auto *list : { &lane.holding, &lane.waiting })
            for (Under &each : *list)
                std::erase_if(each.unseen, [&](const TimelineLane::Unseen &part) { return part.again <= moment; });
        std::erase_if(lane.unsure, [&](const TimelineGap &time) { return time.to <= moment; });
        std::erase_if(lane.counted, [&](const TimelineCount &time) { return time.to <= moment; });
        std::erase_if(lane.marks, [&](const TimelineMark &mark) { return mark.at < moment; });
        const auto later = std::ranges::upper_bound(lane.steps, moment, {}, &TimelineStep::at);
        if (later - lane.steps.begin() > 1)
            lane.steps.erase(lane.steps.begin(), std::prev(later)); // but for the one that holds then
        const bool isGone = isIdle && lane.marks.empty() && lane.counted.empty()
            && (lane.steps.empty() || (lane.steps.size() == 1 && lane.steps.front().value <= TimelineStep::Gone));
        if (isGone) {
            m_laneIds.erase(lane.lock);
            lane = {};
            m_freeLanes.push_back(id);
            ++m_lanesRevision;
        }
    }
}

/// A quarter of them, so that it is rarely done.
void Timeline::dropLanes(WallTime at)
{
    std::vector<LaneId> ids;
    ids.reserve(m_laneIds.size());
    for (const auto &[lock, id] : m_laneIds)
        ids.push_back(id);
    const auto importance = [this](LaneId id) {
        const TimelineLane &lane = m_lanes[id];
        const bool isCounted
            = !lane.counted.empty() && lane.counted.back().to == TimelineSpan::Open && lane.counted.back().count > 0;
        const bool wasCounted = std::ranges::any_of(lane.counted, [](const auto &time) { return time.count > 0; });
        return std::tuple(!lane.waiting.empty() || isCounted, !lane.waits.empty() || wasCounted, !lane.holding.empty(),
            lane.lastChange);
    };
    const auto last = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 4);
    std::ranges::nth_element(ids, last, {}, importance);
    for (auto id = ids.begin(); id != last; ++id) {
        if (const auto &counted = m_lanes[*id].counted; !counted.empty() && counted.back().to == TimelineSpan::Open)
            m_uncounted.insert_or_assign(m_lanes[*id].lock,
                WaitCount{ .lock = m_lanes[*id].lock, .count = counted.back().count, .at = counted.back().from });
        m_laneIds.erase(m_lanes[*id].lock);
        m_lanes[*id] = {};
        m_freeLanes.push_back(*id);
    }
    m_droppedAt = at;
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
        for (TimelineSince &each : lane.sinces)
            keep(each.owner);
    }
    m_owners = std::move(owners);
    m_ownersAfterDrop = m_owners.size();
    ++m_ownersRevision;
}

} // namespace lockui
