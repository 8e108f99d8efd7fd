// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lanes.h"

#include "lockcore/base/error.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/lab/lane_builder.h"

#include <algorithm>
#include <tuple>
#include <utility>

/// What the steps of a play say.
namespace lockui::lab {

using lockcore::LockName;
using lockcore::MonoTime;
using lockcore::monitor::Event;

namespace {

std::optional<LaneMark::What> markOfEnd(SpanEnd end)
{
    switch (end) {
    case SpanEnd::Expired:
        return LaneMark::What::LeaseRanOut;
    case SpanEnd::ForceReleased:
        return LaneMark::What::ForceReleased;
    case SpanEnd::Deleted:
        return LaneMark::What::Deleted;
    default:
        return {};
    }
}

SpanEnd endOfWait(std::optional<Outcome> outcome)
{
    switch (outcome.value_or(Outcome::Failed)) {
    case Outcome::Acquired:
        return SpanEnd::Acquired;
    case Outcome::NotAcquired:
        return SpanEnd::NotAcquired;
    case Outcome::Crashed:
        return SpanEnd::Crashed;
    default:
        return SpanEnd::Failed; // also one that nobody answered in the time that a step has
    }
}

bool wasNotHeld(const StepProgress &progress)
{
    const QString name = QString::fromLatin1(nameOf(lockcore::ErrorCode::NotHeld));
    return progress.outcome == Outcome::Failed && progress.said.startsWith(name + u',');
}

/// By somebody else, and its client was not asked.
bool isTakenAway(SpanEnd end)
{
    return end == SpanEnd::Expired || end == SpanEnd::ForceReleased || end == SpanEnd::Deleted;
}

} // namespace

LaneBuilder::LaneBuilder(const PlayRecord &record, MonoTime now)
    : m_record(record)
    , m_now(now)
    , m_told(record.scenario.clients.size())
    , m_lives(record.scenario.clients.size())
    , m_isDead(record.scenario.clients.size())
    , m_lifeOfStep(record.scenario.steps.size())
{
    for (const ScenarioClient &client : record.scenario.clients)
        m_lanes.clients.push_back({ .client = client.name, .rows = {}, .marks = {}, .states = {} });
    m_lanes.from = record.start ? record.start->mono : now;
    m_lanes.to = std::max(now, m_lanes.from);
}

Lanes LaneBuilder::build()
{
    for (const Moment &moment : moments()) {
        if (moment.stage == Stage::Began)
            began(moment.index);
        else if (moment.stage == Stage::Ended)
            ended(moment.index);
        else
            told(m_record.events[moment.index]);
    }
    const auto stretch = [this](auto &spans, const auto &goesOn) {
        for (auto &span : spans) {
            if (goesOn(span))
                span.to = m_lanes.to;
        }
    };
    const auto hasNoEnd = [](const auto &span) { return span.end == SpanEnd::None; };
    const auto stateGoesOn = [](const auto &state) { return state.goesOn; };
    for (ClientLane &lane : m_lanes.clients) {
        for (LaneRow &row : lane.rows) {
            stretch(row.holds, hasNoEnd);
            stretch(row.waits, hasNoEnd);
            stretch(row.ghosts, hasNoEnd);
        }
        stretch(lane.states, stateGoesOn);
    }
    stretch(m_lanes.serverStates, stateGoesOn);
    return std::move(m_lanes);
}

std::vector<LaneBuilder::Moment> LaneBuilder::moments() const
{
    std::vector<Moment> moments;
    if (!m_record.start)
        return moments;
    for (std::size_t i = 0; i < m_record.progress.size(); ++i) {
        if (isKnown(progressOf(i).beganAt))
            moments.push_back({ *progressOf(i).beganAt, Stage::Began, i });
        if (isKnown(progressOf(i).endedAt))
            moments.push_back({ endOf(i), Stage::Ended, i });
    }
    for (std::size_t i = 0; i < m_record.events.size(); ++i) {
        if (const MonoTime at = momentOf(m_record, m_record.events[i]); at <= m_now)
            moments.push_back({ at, Stage::Told, i });
    }
    std::ranges::stable_sort(moments, {}, [](const Moment &moment) { return std::tuple(moment.at, moment.stage); });
    return moments;
}

std::size_t LaneBuilder::laneOf(const std::string &client) const
{
    const auto found = std::ranges::find(m_lanes.clients, client, &ClientLane::client);
    return static_cast<std::size_t>(found - m_lanes.clients.begin());
}

/// Absent: nobody of whom the play knows.
std::optional<LaneBuilder::Life> LaneBuilder::lifeOf(const Event &event) const
{
    for (std::size_t lane = 0; event.owner && lane < m_lanes.clients.size(); ++lane) {
        const auto known = m_record.clientIds.find(m_lanes.clients[lane].client);
        if (known == m_record.clientIds.end())
            continue;
        const auto id = std::ranges::find(known->second, event.owner->client);
        if (id != known->second.end())
            return Life{ lane, static_cast<std::size_t>(id - known->second.begin()) };
    }
    return {};
}

void LaneBuilder::began(std::size_t step)
{
    const Step &what = stepAt(step);
    if (lockcore::rowOf(Acts, what.act).actor == Actor::Client)
        m_lifeOfStep[step] = m_lives[laneOf(what.client)];
    if (what.act != Act::Lock && what.act != Act::Await)
        return;
    for (const LockName &lock : locksOf(what))
        makeRow(step, lock);
    for (const RowPlace &place : placesOf(step))
        rowAt(place).waits.push_back({ .from = *progressOf(step).beganAt, .to = m_now, .step = step });
}

void LaneBuilder::ended(std::size_t step)
{
    const ActRow &act = lockcore::rowOf(Acts, stepAt(step).act);
    switch (act.actor) {
    case Actor::Client:
        return act.needsLock ? answered(step) : doneToClient(step);
    case Actor::Administrator:
        return forceReleased(step);
    case Actor::Server:
        return doneToServer(step);
    case Actor::Nobody:
        return;
    }
}

void LaneBuilder::answered(std::size_t step)
{
    const Act act = stepAt(step).act;
    const StepProgress &progress = progressOf(step);
    const bool isOfCount = act == Act::SetPermits || act == Act::SetCount || act == Act::CountDown;
    if (isOfCount && progress.outcome == Outcome::Done)
        return mark(laneOf(stepAt(step).client),
            act == Act::CountDown ? LaneMark::What::CountedDown : LaneMark::What::CountSet, endOf(step), step);
    if (act != Act::Lock && act != Act::Await && progress.outcome == Outcome::Failed)
        mark(laneOf(stepAt(step).client), LaneMark::What::Refused, endOf(step), step);
    if (isOfCount)
        return;
    for (const RowPlace &place : placesOf(step)) {
        LaneRow &row = rowAt(place);
        if (const auto wait = std::ranges::find(row.waits, step, &LaneWait::step); wait != row.waits.end()) {
            wait->to = endOfAsking(step);
            wait->end = endOfWait(progress.outcome);
            if (wait->to == wait->from)
                row.waits.erase(wait);
        }
        LaneHold *hold = openHold(row);
        if (act == Act::Lock && progress.outcome == Outcome::Acquired)
            acquired(step, place);
        else if (act == Act::Unlock && isUnlocked(progress))
            unlocked(step, place);
        else if (act == Act::Renew && progress.outcome == Outcome::Done && hold)
            hold->renewals.push_back({ endOf(step), Known::Measured });
        else if (wasNotHeld(progress) && hold)
            endHold(place, endOf(step), SpanEnd::FoundGone, Known::Inferred, step);
        else if (wasNotHeld(progress) && !row.holds.empty() && isTakenAway(row.holds.back().end))
            row.holds.back().believedUntil = toldOfItsEnd(stepAt(step), row, row.holds.back(), endOf(step));
    }
}

/// One try comes back at once, and the rest is the way to the client's process and back: what the client measured
/// counts. Nothing: it did not wait.
MonoTime LaneBuilder::endOfAsking(std::size_t step) const
{
    const auto &took = progressOf(step).took;
    return stepAt(step).wait == lockcore::Millis(0) && took ? std::min(*progressOf(step).beganAt + *took, endOf(step))
                                                            : endOf(step);
}

/// By its own watchdog, or by the answer to what it asked for then.
MonoTime LaneBuilder::toldOfItsEnd(const Step &step, const LaneRow &row, const LaneHold &hold, MonoTime answered) const
{
    const auto loss = std::ranges::find_if(m_record.losses, [&](const ClientLoss &each) {
        return each.client == step.client && each.lock == row.lock && each.thread == row.thread && each.at >= hold.from;
    });
    return loss == m_record.losses.end() ? answered : std::clamp(loss->at, hold.to, answered);
}

void LaneBuilder::acquired(std::size_t step, const RowPlace &place)
{
    LaneRow &row = rowAt(place);
    const std::int64_t count = isSemaphore(row.kind) ? stepAt(step).count : 1;
    if (LaneHold *hold = openHold(row))
        return hold->depths.push_back({ endOf(step), hold->depths.back().depth + count });
    row.holds.push_back({ .from = endOf(step), .to = m_now, .depths = { { endOf(step), count } }, .step = step });
}

/// Still held can also be a lock that others read.
void LaneBuilder::unlocked(std::size_t step, const RowPlace &place)
{
    LaneRow &row = rowAt(place);
    LaneHold *hold = openHold(row);
    if (!hold)
        return;
    const bool isPermits = isSemaphore(row.kind);
    const bool saysHowOften // of several locks or servers at once nobody says whether they are held by re-entry
        = !isPermits && stepAt(step).locks.empty() && m_record.scenario.setting != Setting::Independent;
    const std::int64_t left = saysHowOften && progressOf(step).outcome == Outcome::Released
        ? 0
        : hold->depths.back().depth - (row.kind == lockcore::synchronizers::Kind::Semaphore ? stepAt(step).count : 1);
    if (left > 0)
        return hold->depths.push_back({ endOf(step), left });
    endHold(place, endOf(step), SpanEnd::Released, Known::Measured, step);
    if (Told &told = m_told[place.lane][place.row]; !std::exchange(told.isEndTold, false))
        told.awaitsEndSince = endOf(step);
}

void LaneBuilder::doneToClient(std::size_t step)
{
    const std::size_t lane = laneOf(stepAt(step).client);
    const MonoTime at = endOf(step);
    const auto begin = [&](LaneState::What what) {
        m_lanes.clients[lane].states.push_back({ .what = what, .from = at, .to = m_now });
    };
    const auto end = [&](LaneState::What what) {
        for (LaneState &state : m_lanes.clients[lane].states) {
            if (state.goesOn && state.what == what) {
                state.to = at;
                state.goesOn = false;
            }
        }
    };
    switch (stepAt(step).act) {
    case Act::Crash:
        end(LaneState::What::Paused);
        begin(LaneState::What::Dead);
        mark(lane, LaneMark::What::Killed, at, step);
        return kill(lane, at);
    case Act::Start:
        m_isDead[lane] = false;
        ++m_lives[lane];
        end(LaneState::What::Dead);
        return mark(lane, LaneMark::What::Started, at, step);
    case Act::Pause:
        begin(LaneState::What::Paused);
        return mark(lane, LaneMark::What::Paused, at, step);
    case Act::Resume:
        end(LaneState::What::Paused);
        return mark(lane, LaneMark::What::Resumed, at, step);
    case Act::Cut:
        begin(LaneState::What::CutOff);
        return mark(lane, LaneMark::What::NetworkCut, at, step);
    default:
        end(LaneState::What::CutOff);
        return mark(lane, LaneMark::What::NetworkMended, at, step);
    }
}

/// What it held and where it queued it is named for until Redis forgets it. Of permits Redis does not know whose they
/// are.
void LaneBuilder::kill(std::size_t lane, MonoTime at)
{
    m_isDead[lane] = true;
    for (std::size_t i = 0; i < m_lanes.clients[lane].rows.size(); ++i) {
        LaneRow &row = m_lanes.clients[lane].rows[i];
        if (row.life != m_lives[lane])
            continue;
        const bool wasHeld = openHold(row) != nullptr;
        if (wasHeld)
            endHold({ lane, i }, at, SpanEnd::Crashed, Known::Measured);
        const bool isQueued = m_told[lane][i].isQueued;
        if ((wasHeld && !isSemaphore(row.kind)) || isQueued)
            row.ghosts.push_back({ .from = at, .to = m_now, .isWaiter = !wasHeld });
    }
}

/// The script that does it frees the lock of all holders.
void LaneBuilder::forceReleased(std::size_t step)
{
    if (progressOf(step).outcome != Outcome::Released)
        return;
    for (std::size_t lane = 0; lane < m_lanes.clients.size(); ++lane) {
        for (std::size_t i = 0; i < m_lanes.clients[lane].rows.size(); ++i) {
            const LaneRow &row = m_lanes.clients[lane].rows[i];
            if (row.lock == stepAt(step).lock && !isSemaphore(row.kind))
                endHold({ lane, i }, endOf(step), SpanEnd::ForceReleased, Known::Measured, step);
        }
    }
}

void LaneBuilder::doneToServer(std::size_t step)
{
    using What = ServerMark::What;
    std::size_t server = stepAt(step).server;
    const MonoTime at = endOf(step);
    const auto begin = [&](ServerState::What what) {
        m_lanes.serverStates.push_back({ .what = what, .server = server, .from = at, .to = m_now });
    };
    const auto end = [&] {
        for (ServerState &state : m_lanes.serverStates) {
            if (state.goesOn && state.server == server) {
                state.to = at;
                state.goesOn = false;
            }
        }
    };
    What what = What::Started;
    switch (stepAt(step).act) {
    case Act::MoveSlot: // it serves as before
        return;
    case Act::KillServer:
        what = What::Killed;
        end();
        begin(ServerState::What::Down);
        break;
    case Act::PauseServer:
        what = What::Paused;
        begin(ServerState::What::Paused);
        break;
    case Act::CutReplication:
        what = What::ReplicationCut;
        server = 1; // the replica
        begin(ServerState::What::Paused);
        break;
    case Act::ResumeServer:
        what = What::Resumed;
        end();
        break;
    default:
        end();
    }
    m_lanes.servers.push_back({ .what = what, .at = at, .server = server, .node = {}, .step = step });
}

/// Or the time in which Redis names its dead holder.
void LaneBuilder::endHold(const RowPlace &place, MonoTime at, SpanEnd end, Known known, std::optional<std::size_t> step)
{
    LaneRow &row = rowAt(place);
    if (LaneHold *hold = openHold(row)) {
        hold->to = std::max(at, hold->from);
        hold->end = end;
        hold->ended = known;
        hold->endStep = step;
    } else if (LaneGhost *ghost = openGhost(row); ghost && !ghost->isWaiter) {
        ghost->to = std::max(at, ghost->from);
        ghost->end = end;
        ghost->ended = known;
    } else {
        return;
    }
    if (const auto what = markOfEnd(end))
        m_lanes.clients[place.lane].marks.push_back(
            { .what = *what, .at = at, .known = known, .step = step, .lock = row.lock, .thread = row.thread });
}

void LaneBuilder::mark(std::size_t lane, LaneMark::What what, MonoTime at, std::optional<std::size_t> step)
{
    LaneMark mark{ .what = what, .at = at, .step = step, .lock = {}, .thread = {} };
    if (step) {
        const Step &by = stepAt(*step);
        mark.lock = by.locks.empty() ? by.lock : by.locks.front();
        mark.thread = by.thread;
    }
    m_lanes.clients[lane].marks.push_back(std::move(mark));
}

/// For the first step of its thread with that lock.
void LaneBuilder::makeRow(std::size_t step, const LockName &lock)
{
    const Step &what = stepAt(step);
    const std::size_t lane = laneOf(what.client);
    auto &rows = m_lanes.clients[lane].rows;
    const std::size_t life = m_lifeOfStep[step];
    const bool exists = std::ranges::any_of(rows, [&](const LaneRow &row) {
        return row.lock == lock && row.thread == what.thread && row.mode == what.mode && row.life == life;
    });
    if (exists)
        return;
    const auto kind = what.act == Act::Await ? lockcore::synchronizers::Kind::CountDownLatch : what.kind;
    rows.push_back({ .lock = lock,
        .thread = what.thread,
        .mode = what.mode,
        .kind = kind,
        .life = life,
        .holds = {},
        .waits = {},
        .ghosts = {} });
    m_told[lane].emplace_back();
}

/// The rows that show what it does.
std::vector<LaneBuilder::RowPlace> LaneBuilder::placesOf(std::size_t step) const
{
    std::vector<RowPlace> places;
    const std::size_t lane = laneOf(stepAt(step).client);
    const auto &rows = m_lanes.clients[lane].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].life == m_lifeOfStep[step] && isAbout(stepAt(step), rows[i]))
            places.push_back({ lane, i });
    }
    return places;
}

/// Several where a thread reads and writes: an event does not tell which of both it is about.
std::vector<LaneBuilder::RowPlace> LaneBuilder::placesOf(const Event &event, const Life &life) const
{
    std::vector<RowPlace> places;
    const auto &rows = m_lanes.clients[life.lane].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].lock == event.lock && rows[i].thread == event.owner->thread && rows[i].life == life.number)
            places.push_back({ life.lane, i });
    }
    return places;
}

Lanes lanesOf(const PlayRecord &record, MonoTime now) { return LaneBuilder(record, now).build(); }

HoldTerm termOf(const PlayRecord &record, const LaneRow &row, const LaneHold &hold)
{
    if (isSemaphore(row.kind))
        return HoldTerm::Permits;
    const bool isFixed = hold.step && record.scenario.steps[*hold.step].lease
        && std::ranges::none_of(hold.renewals, [](const LaneRenewal &each) { return each.known != Known::Measured; });
    return isFixed ? HoldTerm::Lease : HoldTerm::Watchdog;
}

MarkWeight weightOf(LaneMark::What what)
{
    switch (what) {
    case LaneMark::What::Killed:
    case LaneMark::What::LeaseRanOut:
    case LaneMark::What::ForceReleased:
    case LaneMark::What::Deleted:
        return MarkWeight::Bad;
    case LaneMark::What::Paused:
    case LaneMark::What::NetworkCut:
    case LaneMark::What::Refused:
        return MarkWeight::Doubtful;
    case LaneMark::What::Started:
    case LaneMark::What::Resumed:
    case LaneMark::What::NetworkMended:
        return MarkWeight::Good;
    case LaneMark::What::CountSet:
    case LaneMark::What::CountedDown:
        break;
    }
    return MarkWeight::Plain;
}

MarkWeight weightOf(ServerMark::What what)
{
    switch (what) {
    case ServerMark::What::Killed:
    case ServerMark::What::Restarted:
    case ServerMark::What::Emptied:
        return MarkWeight::Bad;
    case ServerMark::What::Started:
    case ServerMark::What::Resumed:
        return MarkWeight::Good;
    case ServerMark::What::Paused:
    case ServerMark::What::ReplicationCut:
    case ServerMark::What::MasterChanged:
    case ServerMark::What::ClientsPaused:
        break;
    }
    return MarkWeight::Doubtful;
}

MonoTime lastMoment(const PlayRecord &record)
{
    MonoTime last = record.start ? record.start->mono : MonoTime();
    if (record.end)
        last = std::max(last, record.end->mono);
    for (const StepProgress &progress : record.progress)
        last = std::max({ last, progress.beganAt.value_or(last), progress.endedAt.value_or(last) });
    for (const Event &event : record.events) {
        if (record.start)
            last = std::max(last, momentOf(record, event));
    }
    return last;
}

MonoTime momentOf(const PlayRecord &record, const Event &event)
{
    return record.start->mono + (event.at - record.start->wall);
}

} // namespace lockui::lab
