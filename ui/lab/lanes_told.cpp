// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lane_builder.h"
#include "ui/lab/lanes.h"

#include <algorithm>

/// What the monitor of a play has told.
namespace lockui::lab {

using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::monitor::Certainty;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;

namespace {

Known knownBy(const Event &event) { return event.certainty == Certainty::Seen ? Known::Seen : Known::Inferred; }

SpanEnd endOfHold(EventKind kind)
{
    switch (kind) {
    case EventKind::Expired:
        return SpanEnd::Expired;
    case EventKind::ForceReleased:
        return SpanEnd::ForceReleased;
    case EventKind::Deleted:
        return SpanEnd::Deleted;
    default:
        return SpanEnd::Released;
    }
}

std::optional<ServerMark::What> markOfServer(EventKind kind)
{
    switch (kind) {
    case EventKind::MasterChanged:
        return ServerMark::What::MasterChanged;
    case EventKind::ServerRestarted:
        return ServerMark::What::Restarted;
    case EventKind::DatabaseEmptied:
        return ServerMark::What::Emptied;
    case EventKind::ClientsPaused:
        return ServerMark::What::ClientsPaused;
    default:
        return {};
    }
}

} // namespace

void LaneBuilder::told(const Event &event)
{
    const MonoTime at = momentOf(m_record, event);
    if (event.kind == EventKind::Gap)
        return m_lanes.gaps.push_back({ std::max(m_lanes.from, at - event.ttl.value_or(Millis{ 0 })), at, event.node });
    if (isOfServer(event.kind))
        return toldOfServer(event, at);
    const auto life = lifeOf(event);
    if (!life)
        return;
    switch (event.kind) {
    case EventKind::Appeared:
    case EventKind::Acquired:
    case EventKind::Reentered:
    case EventKind::Renewed:
    case EventKind::PartlyReleased:
        return toldHeld(event, *life, at);
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Deleted:
        return toldEnd(event, *life, at);
    case EventKind::FoundQueued:
    case EventKind::Queued:
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        return toldQueue(event, *life, at);
    default:
        return;
    }
}

void LaneBuilder::toldOfServer(const Event &event, MonoTime at)
{
    if (const auto what = markOfServer(event.kind))
        m_lanes.servers.push_back(
            { .what = *what, .at = at, .known = knownBy(event), .server = {}, .node = event.node, .step = {} });
}

void LaneBuilder::toldHeld(const Event &event, const Life &life, MonoTime at)
{
    const auto places = placesOf(event, life);
    for (const RowPlace &place : places) {
        m_told[place.lane][place.row].heldAt = at;
        m_told[place.lane][place.row].isEndTold = false;
    }
    for (const RowPlace &place : places) {
        LaneRow &row = rowAt(place);
        LaneHold *hold = openHold(row);
        if (!hold)
            continue;
        if (event.kind == EventKind::Renewed)
            hold->renewals.push_back({ at, knownBy(event) });
        else if (!hold->step && event.count) // no client has said how often it holds it
            hold->depths.push_back({ at, *event.count });
        return;
    }
    if (m_record.scenario.setting == Setting::Independent)
        return; // on one server nobody holds it yet
    for (const RowPlace &place : places) {
        LaneRow &row = rowAt(place);
        if (event.kind == EventKind::Renewed || openGhost(row) || !mayHaveTakenIt(row, life.lane, at))
            continue;
        if (isDead(life))
            row.ghosts.push_back({ .from = at, .to = m_now });
        else
            row.holds.push_back({ .from = at,
                .to = m_now,
                .begun = knownBy(event),
                .depths = { { at, event.count.value_or(1) } },
                .step = {} });
        return;
    }
}

void LaneBuilder::toldEnd(const Event &event, const Life &life, MonoTime at)
{
    // Of a RedLock the monitor tells what it sees on one server; what others did there says nothing of the whole.
    const bool isPart = m_record.scenario.setting == Setting::Independent;
    if (isPart && event.kind != EventKind::Expired && event.kind != EventKind::ForceReleased)
        return;
    for (const RowPlace &place : placesOf(event, life)) {
        LaneRow &row = rowAt(place);
        Told &known = m_told[place.lane][place.row];
        const bool isNamed = openHold(row) || openGhost(row);
        const bool isOfFormerHold = known.awaitsEndSince && (!known.heldAt || *known.heldAt <= *known.awaitsEndSince);
        if (isOfFormerHold) {
            known.awaitsEndSince.reset();
            return;
        }
        if (!isNamed)
            continue;
        if (clientSaysOtherwise(row, place.lane, at)) {
            known.isEndTold = true;
            continue;
        }
        return endHold(place, at, endOfHold(event.kind), isPart ? Known::Inferred : knownBy(event));
    }
}

void LaneBuilder::toldQueue(const Event &event, const Life &life, MonoTime at)
{
    for (const RowPlace &place : placesOf(event, life)) {
        LaneRow &row = rowAt(place);
        const bool isQueued = event.kind == EventKind::Queued || event.kind == EventKind::FoundQueued;
        m_told[place.lane][place.row].isQueued = isQueued;
        LaneGhost *ghost = openGhost(row);
        if (isQueued) {
            if (!ghost && isDead(life))
                row.ghosts.push_back({ .from = at, .to = m_now, .isWaiter = true });
        } else if (ghost && ghost->isWaiter) {
            ghost->to = at;
            ghost->end = event.kind == EventKind::WaiterTimedOut ? SpanEnd::TimedOut : SpanEnd::Dequeued;
            ghost->ended = knownBy(event);
        }
    }
}

/// Redis has let it unlock later, so that it was held until then.
bool LaneBuilder::clientSaysOtherwise(const LaneRow &row, std::size_t lane, MonoTime at) const
{
    std::optional<std::size_t> next;
    for (std::size_t i = 0; i < m_record.progress.size(); ++i) {
        const Act act = stepAt(i).act;
        const bool isOfHold = act == Act::Unlock || (act == Act::Lock && progressOf(i).outcome == Outcome::Acquired);
        if (isOfHold && isKnown(progressOf(i).endedAt) && endOf(i) >= at && laneOf(stepAt(i).client) == lane
            && m_lifeOfStep[i] == row.life && isAbout(stepAt(i), row) && (!next || endOf(i) < endOf(*next)))
            next = i;
    }
    return next && stepAt(*next).act == Act::Unlock && isUnlocked(progressOf(*next));
}

/// A client that has not answered, or was not told that it has it: what it asked for can have been done all the same.
bool LaneBuilder::mayHaveTakenIt(const LaneRow &row, std::size_t lane, MonoTime at) const
{
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < m_record.progress.size(); ++i) {
        if (stepAt(i).act == Act::Lock && isKnown(progressOf(i).beganAt) && *progressOf(i).beganAt <= at
            && laneOf(stepAt(i).client) == lane && m_lifeOfStep[i] == row.life && isAbout(stepAt(i), row)
            && (!last || *progressOf(i).beganAt > *progressOf(*last).beganAt))
            last = i;
    }
    return last && (!isKnown(progressOf(*last).endedAt) || progressOf(*last).outcome != Outcome::Acquired);
}

} // namespace lockui::lab
