// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/catalog.h"
#include "ui/lab/incident_teller.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <utility>

/// The steps that are told, and who does them.
namespace lockui::lab {

using lockcore::LockName;
using lockcore::Millis;
using lockcore::OwnerId;
using lockcore::WallTime;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::monitor::Lease;
using lockcore::monitor::LockState;
using lockcore::synchronizers::HoldMode;

namespace {

constexpr Millis ShortWatchdog{ 3'000 }; // where somebody waits for a lease to run out
constexpr Millis UsualWatchdog{ 30'000 }; // Redisson's lockWatchdogTimeout, unless somebody sets it
constexpr Millis PatientWait{ 40'000 };
constexpr Millis Spare{ 300 }; // that a wait that ends in vain lasts beyond what happened meanwhile

/// A, B, … Z, AA, AB, …
std::string clientName(std::size_t number)
{
    std::string name(1, static_cast<char>('A' + number % 26));
    return number < 26 ? name : clientName(number / 26 - 1) + name;
}

/// What is told instead of a lease that cannot be told.
Millis saidLease(Millis lease, Millis told, QStringList &notes)
{
    if (told != lease)
        notes << IncidentText::tr("its lease was %1").arg(exactDurationText(lease));
    return told;
}

} // namespace

Millis wholeLease(Millis ttl)
{
    constexpr Millis Step{ 100 };
    return (ttl + Step - Millis{ 1 }) / Step * Step;
}

Millis leaseThatLasts(Millis lease, Millis held)
{
    constexpr Millis Sure{ 10'000 };
    constexpr Millis Longest{ 3'600'000 }; // that a scenario can say
    return std::min(std::max(lease, held + Sure), Longest);
}

QString dayAndTime(WallTime at) { return clockText(at, WallTime()); }

/// No longer than a pause.
Millis IncidentTeller::leaseThatRunsOut(Millis lease) const
{
    constexpr Millis Shortest{ 1'000 };
    return std::clamp(wholeLease(lease), Shortest, std::max(m_choice.longestPause, Shortest));
}

void IncidentTeller::take(const LockName &lock, const OwnerId &owner, WallTime at, const Taking &taking)
{
    if (leavesOutSecond(lock, owner, taking.mode, at))
        return;
    makeRoom(lock, owner, taking.mode, at);
    Step &step = addOn(Act::Lock, lock, owner, at, taking.notes);
    step.mode = taking.mode;
    step.lease = taking.lease;
    step.wait = PatientWait;
    step.expects.outcome = Outcome::Acquired;
    auto &holds = m_held[lock];
    const auto own = std::ranges::find_if(
        holds, [&](const Held &each) { return each.owner == owner && each.mode == taking.mode; });
    if (own == holds.end())
        holds.push_back({ owner, taking.mode, 1 });
    else
        ++own->depth;
}

/// Of a read lock that others read nobody says whether it was the last hold.
void IncidentTeller::unlock(
    const LockName &lock, const Held &hold, WallTime at, Outcome outcome, const QStringList &notes)
{
    if (m_dead.contains(hold.owner.client))
        return;
    Step &step = addOn(Act::Unlock, lock, hold.owner, at, notes);
    step.mode = hold.mode;
    if (!hold.mode)
        step.expects.outcome = outcome;
}

bool IncidentTeller::conflicts(const Held &hold, const OwnerId &owner, std::optional<HoldMode> mode)
{
    const bool bothRead = mode == HoldMode::Read && hold.mode == HoldMode::Read;
    return hold.owner != owner && !bothRead;
}

/// Who holds it so that this one could not: its end was missed. Of the dead the lease runs out.
void IncidentTeller::makeRoom(const LockName &lock, const OwnerId &owner, std::optional<HoldMode> mode, WallTime at)
{
    const auto isInItsWay = [&](const Held &hold) { return conflicts(hold, owner, mode); };
    auto &holds = m_held[lock];
    for (auto hold = std::ranges::find_if(holds, isInItsWay); hold != holds.end();
         hold = std::ranges::find_if(holds, isInItsWay)) {
        const Held ended = *hold;
        holds.erase(hold);
        for (std::int64_t i = ended.depth; i > 0 && !isGone(ended.owner); --i)
            unlock(lock, ended, at, i > 1 ? Outcome::StillHeld : Outcome::Released,
                { IncidentText::tr("not seen: how this hold ended; somebody else has it next") });
    }
}

/// In a queue; that it stands there is looked at, so that the next one stands behind it.
void IncidentTeller::wait(const LockName &lock, const OwnerId &owner, WallTime at, const QStringList &notes)
{
    Step &step = addOn(Act::Lock, lock, owner, at, notes);
    step.isMeanwhile = true;
    step.wait = PatientWait;
    step.id = step.client + " waits " + step.id;
    m_queued[lock].push_back({ owner, m_scenario.steps.size() - 1, m_told });
    SeenExpectation seen;
    seen.lock = lock;
    seen.waiters.emplace();
    for (const Queued &waiter : m_queued[lock])
        seen.waiters->push_back(reference(waiter.owner));
    add(Act::Check, at, {}).expects.seen.push_back(std::move(seen));
}

void IncidentTeller::giveUp(const Queued &waiter, const QString &note)
{
    Step &step = m_scenario.steps[waiter.step];
    step.wait = m_told - waiter.toldAt + Spare;
    step.expects.outcome = Outcome::NotAcquired;
    m_after.push_back(step.id);
    if (!note.isEmpty())
        addNote(waiter.step, note);
}

void IncidentTeller::addNote(std::size_t step, const QString &note)
{
    std::string &text = m_scenario.steps[step].note;
    text += (text.empty() ? "" : "; ") + note.toStdString();
}

/// No event tells of a lease of its own: it shows by what did not happen.
QString IncidentTeller::whyItsLease(bool ranOut, bool endWasSeen)
{
    if (ranOut)
        return IncidentText::tr("inferred: that it had a lease of its own, for it ran out while its client lived on");
    return endWasSeen
        ? IncidentText::tr("inferred: that it had a lease of its own, for no renewal came")
        : IncidentText::tr("inferred: that it has a lease of its own, for no renewal came; not seen: how it ends. A "
                           "client with a watchdog that had died would look the same");
}

/// Of a time to live that no usual watchdog leaves, and that nobody renewed.
std::optional<Millis> IncidentTeller::longLease(Millis ttl, Millis held, bool isDead, QStringList &notes)
{
    const Millis lease = wholeLease(ttl);
    if (isDead) {
        notes << IncidentText::tr("its lease was %1; here it is a watchdog's whose client died")
                     .arg(exactDurationText(lease));
        return {};
    }
    notes << IncidentText::tr("inferred: that it had a lease of its own, for its time to live was longer than the %1 "
                              "of a usual watchdog, and no renewal was seen")
                 .arg(exactDurationText(UsualWatchdog));
    return saidLease(lease, leaseThatLasts(lease, held), notes);
}

/// Before it ends.
bool IncidentTeller::isRenewed(const LockName &lock, const OwnerId &owner, std::size_t after) const
{
    const auto end = endOfHold(lock, owner, after).value_or(m_incident.events.size());
    for (std::size_t i = after == IncidentLives::BeforeAll ? 0 : after + 1; i < end; ++i) {
        const Event &event = m_incident.events[i];
        if (event.kind == EventKind::Renewed && event.lock == lock && event.owner == owner)
            return true;
    }
    return false;
}

std::optional<Fate> IncidentTeller::fateAt(std::optional<std::size_t> end) const
{
    const auto fate = end ? m_lives.fates.find(*end) : m_lives.fates.end();
    return fate == m_lives.fates.end() ? std::nullopt : std::optional(fate->second);
}

/// Absent: it has none that is known, and a watchdog renews it.
std::optional<Millis> IncidentTeller::leaseOfHold(std::size_t begin, QStringList &notes) const
{
    const Event &event = m_incident.events[begin];
    const auto end = endOfHold(event.lock, *event.owner, begin);
    const auto fate = fateAt(end);
    if (fate == Fate::RanOut && event.ttl) {
        notes << whyItsLease(true, true);
        const Millis lease = wholeLease(*event.ttl);
        return saidLease(lease, leaseThatRunsOut(lease), notes);
    }
    const Millis held = (end ? m_incident.events[*end].at : m_incident.to) - event.at;
    if (event.ttl && *event.ttl > UsualWatchdog && !isRenewed(event.lock, *event.owner, begin))
        return longLease(*event.ttl, held, fate == Fate::Died, notes);
    const auto last = snapshotAt(end ? m_incident.events[*end].at - Millis{ 1 } : m_incident.to);
    const auto lock = last ? last->locks.find(event.lock) : nullptr;
    if (!lock || lock->lease != Lease::Fixed || !lock->leaseSeen || fate == Fate::Died)
        return {};
    notes << whyItsLease(false, end.has_value());
    const Millis lease = wholeLease(*lock->leaseSeen);
    return saidLease(lease, leaseThatLasts(lease, held), notes);
}

/// Of a hold that was there when the stretch began.
std::optional<Millis> IncidentTeller::leaseOfBefore(
    const LockState &lock, const OwnerId &owner, QStringList &notes) const
{
    const auto end = endOfHold(lock.name, owner, IncidentLives::BeforeAll);
    const auto fate = fateAt(end);
    const Millis ttl = lock.leaseSeen.value_or(Millis{ 0 });
    const Millis held = m_incident.to - m_incident.from;
    if (fate == Fate::RanOut) {
        notes << whyItsLease(true, end.has_value());
        return leaseThatRunsOut(ttl);
    }
    if (lock.lease == Lease::Fixed && lock.leaseSeen) {
        notes << whyItsLease(false, end.has_value());
        return leaseThatLasts(wholeLease(ttl), held);
    }
    const bool isLong = ttl > UsualWatchdog && lock.lease == Lease::Unknown && lock.renewals == 0;
    if (isLong && !isRenewed(lock.name, owner, IncidentLives::BeforeAll))
        return longLease(ttl, held, fate == Fate::Died, notes);
    return {};
}

/// Absent: it goes on until the end of the stretch.
std::optional<std::size_t> IncidentTeller::endOfHold(
    const LockName &lock, const OwnerId &owner, std::size_t after) const
{
    for (std::size_t i = after == IncidentLives::BeforeAll ? 0 : after + 1; i < m_incident.events.size(); ++i) {
        const Event &event = m_incident.events[i];
        const bool isEnd = event.kind == EventKind::Released || event.kind == EventKind::Expired
            || event.kind == EventKind::ForceReleased || event.kind == EventKind::Deleted;
        if (isEnd && event.at <= m_incident.to && event.lock == lock && event.owner == owner)
            return i;
    }
    return {};
}

Step &IncidentTeller::add(Act act, WallTime at, QStringList notes)
{
    Step step;
    step.id = std::to_string(m_scenario.steps.size() + 1);
    step.act = act;
    step.after = std::exchange(m_after, {});
    const Millis pause = m_at ? std::max(at - *m_at, Millis{ 0 }) : Millis{ 0 };
    if (pause > m_choice.longestPause) {
        ++m_shortened;
        notes << IncidentText::tr("it was %1 later").arg(exactDurationText(pause));
    }
    step.pause = std::min(pause, m_choice.longestPause);
    m_told += step.pause;
    m_at = std::max(m_at.value_or(at), at);
    notes = std::exchange(m_notesForNext, {}) + notes;
    step.note = notes.join(QStringLiteral("; ")).toStdString();
    m_scenario.steps.push_back(std::move(step));
    return m_scenario.steps.back();
}

/// By a client, which goes on where it stood still.
Step &IncidentTeller::addFor(Act act, const OwnerId &owner, WallTime at, QStringList notes)
{
    if (act != Act::Crash && m_still.erase(owner.client) > 0) {
        Step &resume = add(Act::Resume, at, {});
        resume.client = clientFor(owner.client);
    }
    const bool isFirst = !m_names.contains(owner.client);
    const std::string name = clientFor(owner.client);
    if (isFirst)
        notes.prepend(IncidentText::tr("%1 was %2").arg(QString::fromStdString(name), displayText(owner.client)));
    Step &step = add(act, at, notes);
    step.client = name;
    return step;
}

Step &IncidentTeller::addOn(Act act, const LockName &lock, const OwnerId &owner, WallTime at, QStringList notes)
{
    const std::string thread = threadFor(owner);
    if (thread != owner.thread)
        notes << IncidentText::tr("its thread was %1").arg(displayText(owner.thread));
    Step &step = addFor(act, owner, at, notes);
    step.thread = thread;
    step.lock = lock;
    step.kind = kindOf(lock);
    return step;
}

std::string IncidentTeller::clientFor(const std::string &id)
{
    const auto [known, isNew] = m_names.emplace(id, clientName(m_names.size()));
    if (isNew)
        m_scenario.clients.push_back({ .name = known->second });
    return known->second;
}

/// Threads of a scenario are numbers; ports of Redisson write other things.
std::string IncidentTeller::threadFor(const OwnerId &owner)
{
    constexpr std::size_t MostDigits = 6;
    const auto known = m_threads.find(owner);
    if (known != m_threads.end())
        return known->second;
    const bool isNumber = !owner.thread.empty() && owner.thread.size() <= MostDigits && owner.thread.front() != '0'
        && owner.thread.find_first_not_of("0123456789") == std::string::npos;
    std::string thread = owner.thread;
    for (int next = 1; !isNumber; ++next) {
        thread = std::to_string(next);
        const bool isTaken = std::ranges::any_of(m_threads, [&](const auto &each) {
            return each.first.client == owner.client && each.second == thread;
        }) || std::ranges::any_of(m_incident.events, [&](const Event &event) {
            return event.owner && event.owner->client == owner.client && event.owner->thread == thread;
        });
        if (!isTaken)
            break;
    }
    return m_threads.emplace(owner, thread).first->second;
}

std::string IncidentTeller::reference(const OwnerId &owner)
{
    return '$' + clientFor(owner.client) + ':' + threadFor(owner);
}

void IncidentTeller::describe()
{
    m_scenario.name = "incident";
    m_scenario.title = IncidentText::tr("An incident of %1").arg(dayAndTime(m_incident.from)).toStdString();
    const auto say = [this](const QString &paragraph) { m_scenario.about.push_back(paragraph.toStdString()); };
    say(IncidentText::tr("Made from %1: what was seen from %2 to %3, told again in the same order.")
            .arg(m_choice.source, dayAndTime(m_incident.from), dayAndTime(m_incident.to)));
    if (m_shortened > 0)
        say(IncidentText::tr("Pauses between steps are as they were, but for %n that were longer than %1, and last so "
                             "long here.",
            nullptr, m_shortened)
                .arg(exactDurationText(m_choice.longestPause)));
    if (m_awaitsEnds) {
        m_scenario.watchdog = ShortWatchdog;
        say(IncidentText::tr("Watchdogs have a lease of %1 here, so that it runs out soon.")
                .arg(exactDurationText(ShortWatchdog)));
    }
    if (m_scenario.fairWait != Scenario().fairWait)
        say(IncidentText::tr(
            "A place in a fair queue lasts %1 here, where its client does not say for how long it waits.")
                .arg(exactDurationText(m_scenario.fairWait)));
    for (const QString &text : m_cannotBe + otherNames())
        say(text);
    for (const QString &text : m_unseen)
        say(IncidentText::tr("Not seen: %1").arg(text));
    say(IncidentText::tr(
        "Not seen: who waited for a lock that is not fair, and whether a hold that ended before it was "
        "renewed had a lease of its own. Such waits are not told; such holds have a watchdog here."));
    for (const auto &[lock, kind] : m_leftOut)
        say(isCounter(kind)
                ? IncidentText::tr("Left out: %1 (%2). Redis does not tell whose permits or counts they are.")
                      .arg(displayText(lock), kindText(kind))
                : IncidentText::tr("Left out: %1 (%2). Clients of scenarios do not take such locks.")
                      .arg(displayText(lock), kindText(kind)));
}

} // namespace lockui::lab
