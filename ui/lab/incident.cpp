// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/incident.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/lab/incident_teller.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"

#include <algorithm>
#include <utility>

/// From what was seen to what is told.
namespace lockui::lab {

using lockcore::LockName;
using lockcore::Millis;
using lockcore::OwnerId;
using lockcore::WallTime;
using lockcore::monitor::Certainty;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::monitor::hasOwner;
using lockcore::monitor::Snapshot;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;

namespace {

constexpr std::size_t MostIncidentClients = 50; // as a scenario can have
constexpr std::size_t MostIncidentSteps = 500;
constexpr std::size_t MostIncidentEvents = 200'000; // that are looked through in a moment
constexpr Millis ShortFairWait{ 2'000 }; // where somebody waits for a place in a queue to run out
constexpr Millis ExpiryWithin{ 20'000 };

bool isToldAgain(Kind kind) { return !isCounter(kind) && kind != Kind::FasterMulti && kind != Kind::Token; }

} // namespace

IncidentTeller::IncidentTeller(const Incident &incident, const IncidentChoice &choice)
    : m_incident(incident)
    , m_choice(choice)
    , m_lives(incident.events.size() > MostIncidentEvents
              ? IncidentLives()
              : livesIn(incident, [this](const Event &event) { return isChosen(event); }))
{
}

tl::expected<Scenario, QString> IncidentTeller::tell()
{
    if (m_incident.events.size() > MostIncidentEvents || m_lives.takings > MostIncidentSteps)
        return tl::unexpected(
            IncidentText::tr("it would be more than %1 steps, which no scenario has: choose a shorter "
                             "time, or some of the locks")
                .arg(MostIncidentSteps));
    tellBefore();
    tellEarlierHolds();
    tellFates(IncidentLives::BeforeAll);
    for (std::size_t i = 0; i < m_incident.events.size() && m_incident.events[i].at <= m_incident.to; ++i) {
        tellEvent(i);
        tellFates(i);
    }
    if (m_scenario.steps.empty())
        return tl::unexpected(IncidentText::tr(
            "nothing is in it, of these locks and in this time, that clients of a scenario could do again"));
    tellEnd();
    if (m_names.size() > MostIncidentClients || m_scenario.steps.size() > MostIncidentSteps)
        return tl::unexpected(
            IncidentText::tr("it would be %1 clients with %2 steps, and a scenario has up to %3 and %4: choose a "
                             "shorter time, or some of the locks")
                .arg(countText(static_cast<qint64>(m_names.size())),
                    countText(static_cast<qint64>(m_scenario.steps.size())), QString::number(MostIncidentClients),
                    QString::number(MostIncidentSteps)));
    describe();
    return std::move(m_scenario);
}

bool IncidentTeller::isChosen(const Event &event) const
{
    return m_choice.locks.empty() || std::ranges::find(m_choice.locks, event.lock) != m_choice.locks.end();
}

Kind IncidentTeller::kindOf(const LockName &lock) const
{
    const auto known = m_lives.kinds.find(lock);
    return known == m_lives.kinds.end() ? Kind::Reentrant : known->second;
}

std::shared_ptr<const Snapshot> IncidentTeller::snapshotAt(WallTime at) const
{
    return m_incident.snapshotAt ? m_incident.snapshotAt(at) : nullptr;
}

/// An event does not tell which half of a read/write lock it is about, and is shown a little later than it is told.
std::optional<HoldMode> IncidentTeller::modeOfTaken(const Event &event) const
{
    const auto held = m_held.find(event.lock);
    for (const Millis later : { Millis{ 0 }, Millis{ 60 }, Millis{ 250 } }) {
        const auto snapshot = snapshotAt(event.at + later);
        const auto lock = snapshot ? snapshot->locks.find(event.lock) : nullptr;
        if (!lock)
            continue;
        for (const auto &holder : lock->holders) {
            const bool isNew = held == m_held.end() || std::ranges::none_of(held->second, [&](const Held &each) {
                return each.owner == holder.owner && each.mode == holder.mode;
            });
            if (holder.owner == *event.owner && holder.mode && isNew)
                return holder.mode;
        }
    }
    return {};
}

/// Takes the hold that an event is about out of those that are held; absent: it is none of them.
std::optional<IncidentTeller::Held> IncidentTeller::takeHold(const Event &event)
{
    auto &holds = m_held[event.lock];
    const auto isItsOwn = [&](const Held &each) { return each.owner == *event.owner; };
    auto hold = std::ranges::find_if(holds, isItsOwn);
    if (hold == holds.end())
        return {};
    if (std::ranges::count_if(holds, isItsOwn) > 1) { // it reads and writes: the half that is gone from then on
        constexpr Millis Shown{ 60 }; // by then
        const auto snapshot = snapshotAt(event.at + Shown);
        const auto lock = snapshot ? snapshot->locks.find(event.lock) : nullptr;
        const auto gone = std::ranges::find_if(holds, [&](const Held &each) {
            return isItsOwn(each) && (!lock || std::ranges::none_of(lock->holders, [&](const auto &holder) {
                return holder.owner == each.owner && holder.mode == each.mode;
            }));
        });
        hold = gone == holds.end() ? hold : gone;
    }
    Held taken = *hold;
    holds.erase(hold);
    return taken;
}

/// Who held and waited when the stretch began.
void IncidentTeller::tellBefore()
{
    if (!m_incident.before)
        return;
    for (const auto &lock : m_incident.before->locks) {
        if (!m_choice.locks.empty() && std::ranges::find(m_choice.locks, lock->name) == m_choice.locks.end())
            continue;
        Kind &kind = m_lives.kinds.emplace(lock->name, lock->kind).first->second;
        kind = kind == Kind::Reentrant ? lock->kind : kind;
        if (!isToldAgain(kind)) {
            m_leftOut.emplace(lock->name, kind);
            continue;
        }
        for (const auto &holder : lock->holders) {
            if (holder.expired)
                continue;
            Taking taking{
                .mode = holder.mode, .lease = {}, .notes = { IncidentText::tr("not seen: since when it holds it") }
            };
            noteEndless(lock->name, holder.owner, holder.mode, m_incident.from, taking.notes);
            taking.lease = leaseOfBefore(*lock, holder.owner, taking.notes);
            for (std::int64_t i = 0; i < holder.count; ++i)
                take(lock->name, holder.owner, m_incident.from, taking);
        }
        for (const auto &waiter : lock->waiters)
            wait(lock->name, waiter.owner, m_incident.from, { IncidentText::tr("not seen: since when it waits") });
    }
}

/// Who ends or goes on with a hold of which nothing was told had it before.
void IncidentTeller::tellEarlierHolds()
{
    std::set<std::pair<LockName, OwnerId>> known;
    for (const auto &[lock, holds] : m_held) {
        for (const Held &hold : holds)
            known.emplace(lock, hold.owner);
    }
    for (const Event &event : m_incident.events) {
        if (event.at > m_incident.to)
            break;
        const bool isOfHold = event.kind == EventKind::Reentered || event.kind == EventKind::Renewed
            || event.kind == EventKind::PartlyReleased || event.kind == EventKind::Released
            || event.kind == EventKind::Expired || event.kind == EventKind::ForceReleased
            || event.kind == EventKind::Deleted || event.kind == EventKind::Acquired
            || event.kind == EventKind::Appeared;
        if (!isOfHold || !event.owner || !isChosen(event) || !isToldAgain(kindOf(event.lock)))
            continue;
        if (!known.emplace(event.lock, *event.owner).second || event.kind == EventKind::Acquired
            || event.kind == EventKind::Appeared)
            continue;
        const std::int64_t count = event.count.value_or(1);
        const std::int64_t depth = event.kind == EventKind::Reentered ? std::max<std::int64_t>(count - 1, 1)
            : event.kind == EventKind::PartlyReleased                 ? count + 1
                                                                      : std::max<std::int64_t>(count, 1);
        Taking taking{ .mode = {}, .lease = {}, .notes = { IncidentText::tr("not seen: since when it holds it") } };
        if (kindOf(event.lock) == Kind::ReadWrite && !(taking.mode = modeOfTaken(event))) {
            known.erase({ event.lock, *event.owner });
            continue;
        }
        for (std::int64_t i = 0; i < depth; ++i)
            take(event.lock, *event.owner, m_incident.from, taking);
    }
}

void IncidentTeller::tellEvent(std::size_t index)
{
    const Event &event = m_incident.events[index];
    if (event.kind == EventKind::Gap || isOfServer(event.kind))
        return tellUnseen(event);
    if (!isChosen(event))
        return;
    if (!isToldAgain(kindOf(event.lock))) {
        m_leftOut.emplace(event.lock, kindOf(event.lock));
        return;
    }
    if (!event.owner)
        return;
    switch (event.kind) {
    case EventKind::Appeared:
    case EventKind::Acquired:
        return tellTaken(index);
    case EventKind::Reentered:
        return tellReentered(event);
    case EventKind::PartlyReleased:
    case EventKind::Released:
        return tellReleased(index);
    case EventKind::Expired:
        return tellExpired(index);
    case EventKind::ForceReleased:
        return tellForced(event, {});
    case EventKind::Deleted:
        return tellForced(event, { IncidentText::tr("not seen: who deleted it; here it is force-released") });
    case EventKind::FoundQueued:
        return tellFoundQueued(event);
    case EventKind::Queued:
        return tellQueued(event);
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        return tellLeftQueue(index);
    default:
        return;
    }
}

void IncidentTeller::tellTaken(std::size_t index)
{
    const Event &event = m_incident.events[index];
    Taking taking{ .mode = {}, .lease = {}, .notes = {} };
    tellPassedAhead(index);
    auto &queue = m_queued[event.lock];
    const auto waiter = std::ranges::find(queue, *event.owner, &Queued::owner);
    if (waiter != queue.end()) {
        if (leavesOutSecond(event.lock, *event.owner, {}, event.at)) {
            giveUp(*waiter, IncidentText::tr("it had it beside another one, which is left out; here it gives up"));
            queue.erase(waiter);
            return;
        }
        serve(event.lock, *waiter, event.at);
        QStringList notes;
        m_scenario.steps[waiter->step].lease = leaseOfHold(index, notes);
        for (const QString &note : notes)
            addNote(waiter->step, note);
        queue.erase(waiter);
        m_held[event.lock].push_back({ *event.owner, {}, 1 });
        return;
    }
    if (kindOf(event.lock) == Kind::ReadWrite && !(taking.mode = modeOfTaken(event))) {
        m_unseen << IncidentText::tr("whether %1 read or wrote at %2: it is left out")
                        .arg(displayText(event.lock), dayAndTime(event.at));
        return;
    }
    const auto &holds = m_held[event.lock];
    const auto own = std::ranges::find_if(
        holds, [&](const Held &each) { return each.owner == *event.owner && each.mode == taking.mode; });
    if (own != holds.end() && event.kind == EventKind::Appeared)
        return; // it is the same still
    if (own != holds.end()) {
        auto &all = m_held[event.lock];
        const auto place = all.begin() + (own - holds.begin());
        const Held former = std::move(*place);
        all.erase(place);
        for (std::int64_t i = former.depth; i > 0; --i)
            unlock(event.lock, former, event.at, i > 1 ? Outcome::StillHeld : Outcome::Released,
                { IncidentText::tr("not seen: how it gave it back") });
    }
    if (event.kind == EventKind::Appeared)
        taking.notes << IncidentText::tr("not seen: since when it holds it");
    else if (event.certainty == Certainty::Inferred)
        taking.notes << IncidentText::tr("inferred, not seen as such");
    if (!event.ttl)
        noteEndless(event.lock, *event.owner, taking.mode, event.at, taking.notes);
    taking.lease = leaseOfHold(index, taking.notes);
    for (std::int64_t i = 0; i < std::max<std::int64_t>(event.count.value_or(1), 1); ++i)
        take(event.lock, *event.owner, event.at, taking);
}

void IncidentTeller::tellReentered(const Event &event)
{
    auto &holds = m_held[event.lock];
    const auto hold = std::ranges::find(holds, *event.owner, &Held::owner);
    if (hold == holds.end())
        return;
    const Taking taking{ .mode = hold->mode,
        .lease = {},
        .notes = event.certainty == Certainty::Inferred ? QStringList{ IncidentText::tr("inferred, not seen as such") }
                                                        : QStringList() };
    for (std::int64_t more = std::max<std::int64_t>(event.count.value_or(hold->depth + 1) - hold->depth, 1); more > 0;
         --more)
        take(event.lock, *event.owner, event.at, taking);
}

void IncidentTeller::tellReleased(std::size_t index)
{
    const Event &event = m_incident.events[index];
    if (waitsElsewhere(index))
        return tellForced(event,
            { IncidentText::tr("not seen: who freed it; its holder waited in another queue, and could not have "
                               "unlocked it; here it is force-released") });
    auto hold = takeHold(event);
    if (!hold)
        return;
    const std::int64_t left = event.kind == EventKind::Released ? 0 : event.count.value_or(hold->depth - 1);
    QStringList notes;
    if (event.certainty == Certainty::Inferred)
        notes << IncidentText::tr("inferred, not seen as such: somebody else may have freed it");
    if (hold->depth - left > 1)
        notes << IncidentText::tr("not seen one by one");
    for (; hold->depth > std::max<std::int64_t>(left, 0); --hold->depth)
        unlock(event.lock, *hold, event.at, hold->depth > 1 ? Outcome::StillHeld : Outcome::Released, notes);
    if (hold->depth > 0)
        m_held[event.lock].push_back(*hold);
}

/// The thread of a release that was only inferred stands in a queue, before it and after it: it was not its work.
bool IncidentTeller::waitsElsewhere(std::size_t index) const
{
    const Event &event = m_incident.events[index];
    if (event.kind != EventKind::Released || event.certainty != Certainty::Inferred)
        return false;
    return std::ranges::any_of(m_queued, [&](const auto &each) {
        return each.first != event.lock && std::ranges::any_of(each.second, [&](const Queued &waiter) {
            return waiter.owner == *event.owner && !nextInSameLook(each.first, waiter.owner, index);
        });
    });
}

void IncidentTeller::tellExpired(std::size_t index)
{
    const Event &event = m_incident.events[index];
    if (!takeHold(event))
        return;
    const auto fate = m_lives.fates.find(index);
    QStringList notes;
    if (event.certainty == Certainty::Inferred)
        notes << IncidentText::tr("inferred, not seen as such");
    if (fate != m_lives.fates.end() && fate->second != Fate::RanOut)
        m_awaitsEnds = true;
    Step &step = add(Act::Check, event.at, notes);
    step.expects.events.push_back({ EventKind::Expired, event.lock, reference(*event.owner), {} });
    step.expects.within = ExpiryWithin;
}

/// All that happens to a lock in the same moment is one release.
void IncidentTeller::tellForced(const Event &event, QStringList notes)
{
    auto hold = takeHold(event);
    if (!hold)
        return;
    if (event.certainty == Certainty::Inferred)
        notes << IncidentText::tr("inferred, not seen as such");
    std::erase_if(m_held[event.lock], [&](const Held &other) {
        return std::ranges::any_of(m_incident.events, [&](const Event &each) {
            return each.at == event.at && each.kind == event.kind && each.lock == event.lock
                && each.owner == other.owner;
        });
    });
    if (!m_held[event.lock].empty()) { // who else reads keeps it, and all would be freed
        notes << IncidentText::tr("it was freed by somebody else; here it gives it back itself");
        for (; hold->depth > 0 && !isGone(hold->owner); --hold->depth)
            unlock(event.lock, *hold, event.at, hold->depth > 1 ? Outcome::StillHeld : Outcome::Released, notes);
        return;
    }
    Step &step = add(Act::ForceRelease, event.at, notes);
    step.lock = event.lock;
    step.kind = kindOf(event.lock);
    step.expects.outcome = Outcome::Released;
    step.expects.events.push_back({ EventKind::ForceReleased, event.lock, reference(*event.owner), {} });
}

void IncidentTeller::tellQueued(const Event &event)
{
    const auto &queue = m_queued[event.lock];
    if (!hasOwner(queue, *event.owner))
        wait(event.lock, *event.owner, event.at, {});
}

/// Who waits for a free lock waits behind somebody who is not there: a client that is told to wait would get it at
/// once.
void IncidentTeller::tellFoundQueued(const Event &event)
{
    const auto &queue = m_queued[event.lock];
    if (hasOwner(queue, *event.owner))
        return;
    if (m_held[event.lock].empty())
        m_unseen << IncidentText::tr("for whose turn %1 waited in the queue of %2, which was free: it is left out")
                        .arg(displayText(event.owner->client + ':' + event.owner->thread), displayText(event.lock));
    else
        wait(event.lock, *event.owner, event.at, { IncidentText::tr("not seen: since when it waits") });
}

void IncidentTeller::tellLeftQueue(std::size_t index)
{
    const Event &event = m_incident.events[index];
    auto &queue = m_queued[event.lock];
    const auto found = std::ranges::find(queue, *event.owner, &Queued::owner);
    if (found == queue.end())
        return;
    const Queued waiter = *found;
    const bool wasFirst = found == queue.begin();
    queue.erase(found);
    const auto fate = m_lives.fates.find(index);
    if (fate != m_lives.fates.end() && fate->second == Fate::Died) {
        m_scenario.fairWait = ShortFairWait;
        m_awaitsEnds = true;
        return;
    }
    if (event.kind == EventKind::Dequeued && wasFirst && m_held[event.lock].empty())
        return passThrough(event.lock, waiter, event.at);
    giveUp(waiter, event.certainty == Certainty::Inferred ? IncidentText::tr("inferred: that it gave up") : QString());
}

/// Who stood ahead of the one that has it next, and is found to have left when that is seen: a fair lock is handed to
/// the first in its queue.
void IncidentTeller::tellPassedAhead(std::size_t index)
{
    const Event &event = m_incident.events[index];
    auto &queue = m_queued[event.lock];
    while (!queue.empty() && queue.front().owner != *event.owner
        && nextInSameLook(event.lock, queue.front().owner, index) == EventKind::Dequeued) {
        const Queued waiter = queue.front();
        queue.erase(queue.begin());
        passThrough(event.lock, waiter, event.at);
    }
}

/// What was found of an owner together with an event, and is told behind it; absent: nothing.
std::optional<EventKind> IncidentTeller::nextInSameLook(
    const LockName &lock, const OwnerId &owner, std::size_t after) const
{
    constexpr Millis SameLook{ 250 }; // the events of which differ by as much as they were heard earlier
    const WallTime until = std::min(m_incident.events[after].at + SameLook, m_incident.to);
    for (std::size_t i = after + 1; i < m_incident.events.size() && m_incident.events[i].at <= until; ++i) {
        const Event &event = m_incident.events[i];
        if (event.lock == lock && event.owner == owner)
            return event.kind;
    }
    return {};
}

/// It comes to its turn in the queue.
void IncidentTeller::serve(const LockName &lock, const Queued &waiter, WallTime at)
{
    m_scenario.steps[waiter.step].expects.outcome = Outcome::Acquired;
    makeRoom(lock, waiter.owner, {}, at);
    m_after.push_back(m_scenario.steps[waiter.step].id);
    m_served[lock].push_back(m_scenario.steps[waiter.step].id);
}

/// It left the queue when it could have had the lock: between two looks it may have had it, and given it back.
void IncidentTeller::passThrough(const LockName &lock, const Queued &waiter, WallTime at)
{
    serve(lock, waiter, at);
    unlock(lock, { waiter.owner, {}, 1 }, at, Outcome::Released,
        { IncidentText::tr("not seen: whether it gave up, or had the lock for a moment; here it has it") });
}

/// Nothing of it is told again.
void IncidentTeller::tellUnseen(const Event &event)
{
    const QString when = dayAndTime(event.at);
    if (event.kind == EventKind::Gap) {
        const QString node = event.node.empty() ? QString() : QStringLiteral(", ") + displayText(event.node);
        const QString text
            = IncidentText::tr("%1 until %2%3").arg(exactDurationText(event.ttl.value_or(Millis{ 0 })), when, node);
        m_unseen << text;
        m_notesForNext << IncidentText::tr("not seen: %1").arg(text);
    } else if (event.kind != EventKind::SlowCommand) {
        m_unseen << IncidentText::tr("how it would have gone without this, which is not told again: %1 at %2")
                        .arg(eventText(event.kind), when);
    }
}

/// What happens to clients after their last sign of life.
void IncidentTeller::tellFates(std::size_t index)
{
    const WallTime at = index == IncidentLives::BeforeAll ? m_incident.from : m_incident.events[index].at;
    if (const auto stops = m_lives.stops.find(index); stops != m_lives.stops.end()) {
        for (const std::string &id : stops->second) {
            if (!m_names.contains(id) || isGone({ id, {} }))
                continue;
            addFor(Act::Pause, { id, {} }, at,
                { IncidentText::tr("not seen: why it did not renew any more; here it stands still") });
            m_still.insert(id);
        }
    }
    const auto deaths = m_lives.deaths.find(index);
    if (deaths == m_lives.deaths.end())
        return;
    for (const std::string &id : deaths->second) {
        if (!m_names.contains(id) || m_dead.contains(id))
            continue;
        addFor(
            Act::Crash, { id, {} }, at, { IncidentText::tr("not seen: when it died; this was its last sign of life") });
        m_dead.insert(id);
        for (auto &[lock, queue] : m_queued) {
            for (const Queued &waiter : queue) {
                if (waiter.owner.client != id)
                    continue;
                m_scenario.steps[waiter.step].expects.outcome = Outcome::Crashed;
                m_scenario.steps[waiter.step].wait.reset(); // its place lasts as long as fairWait says
            }
        }
    }
}

/// Who holds what at the end, and in which order waiters came to their turns.
void IncidentTeller::tellEnd()
{
    for (auto &[lock, queue] : m_queued) {
        for (const Queued &waiter : std::exchange(queue, {})) {
            if (!m_dead.contains(waiter.owner.client))
                giveUp(waiter, IncidentText::tr("at the end of what is told it still waits"));
        }
    }
    Expectation expects;
    for (const auto &[lock, holds] : m_held) {
        SeenExpectation seen;
        seen.lock = lock;
        if (holds.empty())
            seen.held = false;
        else
            seen.holders.emplace();
        for (const Held &hold : holds)
            seen.holders->push_back(reference(hold.owner));
        if (std::ranges::none_of(holds, [&](const Held &hold) { return isGone(hold.owner); }))
            expects.seen.push_back(std::move(seen));
    }
    QStringList notes{ IncidentText::tr("who holds what at the end") };
    if (std::ranges::any_of(m_held, [](const auto &each) { return !each.second.empty(); }))
        notes << IncidentText::tr("not seen: how the holds end that are left");
    if (!expects.seen.empty() || !m_after.empty())
        add(Act::Check, m_at.value_or(m_incident.to), notes).expects = std::move(expects);
    for (const auto &[lock, order] : m_served) {
        if (order.size() < 2)
            continue;
        Step &step = add(Act::Check, *m_at, { IncidentText::tr("the order in which waiters came to their turns") });
        step.expects.order = order;
    }
}

tl::expected<Scenario, QString> scenarioOf(const Incident &incident, const IncidentChoice &choice)
{
    return IncidentTeller(incident, choice).tell();
}

} // namespace lockui::lab
