// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lock_registry.h"

#include "lockcore/monitor/evidence.h"
#include "lockcore/monitor/lock_comparison.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <iterator>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr Millis LookAgainAfter{ 20 }; // a message on the other connection is not later than that
constexpr Millis JustAfter{ 1 };
constexpr Millis ShortestWait{ 2 };
constexpr std::chrono::seconds RememberFreeFor{ 60 };
constexpr std::chrono::minutes RememberStrangerFor{ 10 };
// What all histories together may hold; with few locks each may be long.
constexpr std::size_t AllCorners = 400'000;
constexpr std::size_t FewestCorners = 4;
constexpr std::size_t MostCorners = 120;

constexpr Millis LongLease{ 10'000 };
constexpr Millis LongStep{ 500 };
constexpr Millis ShortStep{ 100 };
constexpr Millis SameMoment{ 10 };
constexpr std::size_t MostSearched = 200'000; // records a second
constexpr std::size_t MostClients = 50'000;

constexpr Millis PermitsPause{ 100 }; // between two looks at permits that run out one by one

bool isShown(const LockState &state)
{
    if (isCounter(state.kind))
        return hasKeys(state) || state.subscribers.value_or(0) > 0;
    return !state.holders.empty() || !state.waiters.empty() || hasUnreadQueue(state)
        || state.subscribers.value_or(0) > 0;
}

/// Where its waiters listen there is something to count. Who waits for the others stays unknown, or their queue tells.
bool isCountedAtChannels(const LockState &state)
{
    return isShown(state) && tellsOfReleases(state.kind) && (state.kind != Kind::Fair || !state.waiters.empty());
}

/// What was heard before a time in which nothing could be heard explains nothing after it.
void forgetHeard(LockAside &aside)
{
    aside.trace = {};
    aside.passing.clear();
    aside.unexplained.reset();
}

/// An unlock writes the lock and its latch in one step, and both are told together. A client that does not know whether
/// it has got a lock gives it back unasked, which leaves a latch even where there was nothing to give back.
void forgetLatchesAlone(UnlockTrace &trace, MonoTime lockAnnouncedAt)
{
    trace.forgetLatchesBefore(lockAnnouncedAt - NeverSoLate);
}

/// When the next permit runs out: nobody announces it.
std::optional<MonoTime> nextPermitEnds(const PermitsReading &permits, Now now)
{
    for (const auto &lease : permits.leases) {
        if (lease.deadline && *lease.deadline >= now.wall)
            return now.mono + std::max<Millis>(*lease.deadline - now.wall + JustAfter, PermitsPause);
    }
    return std::nullopt;
}

/// A sample of who is subscribed; silent once is not yet silence, since it enters the queue just before it subscribes.
void compareWaiters(std::vector<Waiter> &waiters, QueueSample &last, const LockRegistry::Count &count)
{
    for (const auto &[owner, subscribed] : count.waiters) {
        const auto isOwner = [&owner = owner](const auto &other) { return other.owner == owner; };
        const auto waiter = std::ranges::find_if(waiters, isOwner);
        if (waiter == waiters.end())
            continue;
        const auto known = std::ranges::find_if(last.silent, isOwner);
        const bool wasSilent = known != last.silent.end();
        if (subscribed == false && !wasSilent) {
            last.silent.push_back({ owner, listens(*waiter) ? last.askedAt : std::nullopt });
        } else {
            waiter->subscribed = subscribed;
            waiter->listenedLast = subscribed == false ? known->listenedLast : std::nullopt;
        }
        if (subscribed != false && wasSilent)
            last.silent.erase(known);
    }
    std::erase_if(last.silent, [&](const auto &silent) { return !hasOwner(waiters, silent.owner); });
    if (!count.waiters.empty())
        last.askedAt = count.askedAt;
}

} // namespace

const LockState *LockRegistry::find(const LockName &name) const
{
    const auto record = m_records.find(name);
    return record == m_records.end() ? nullptr : record->second.state.get();
}

std::vector<LockName> LockRegistry::names() const
{
    std::vector<LockName> names;
    names.reserve(size());
    for (const auto &[name, entry] : m_records)
        names.push_back(name);
    std::ranges::sort(names);
    return names;
}

void LockRegistry::enter(
    const LockName &name, const LockReading *reading, Look look, MonoTime now, std::vector<Event> &events)
{
    const auto [record, isNew] = reading ? m_records.try_emplace(name) : std::pair(m_records.find(name), false);
    if (record == m_records.end())
        return;
    Entry &entry = record->second;
    const bool wasBlind = entry.blind;
    if (isNew)
        entry.changeAside([&](LockAside &aside) { aside.trace = m_early.take(name); });
    look.latchWriters = &m_latchWriters;
    if (entry.blind)
        look.unseenSince = std::max({ m_blindSince, entry.lookedAt, entry.state->readAtMono });
    const bool wasHeard = entry.aside().trace != UnlockTrace{};
    if (wasHeard && tellsOfAStranger(entry, reading, look))
        entry.changeAside([&](LockAside &aside) { aside.strangerUntil = look.at + RememberStrangerFor; });
    if (wasHeard && look.exact && look.announcedAt && !entry.aside().unexplained)
        entry.changeAside([&](LockAside &aside) { forgetLatchesAlone(aside.trace, *look.announcedAt); });
    look.sharesChannel = look.sharesChannel || (wasHeard && hasNamesake(name)) || entry.aside().strangerUntil > look.at;
    look.broughtHere = reading && (isNew || entry.state->holders.empty()) && isBroughtHere(*reading, look);
    look.historyLimit = std::clamp(AllCorners / std::max<std::size_t>(1, size()), FewestCorners, MostCorners);
    auto change = lockcore::monitor::enter(entry, name, reading, look);
    m_blind -= wasBlind && !entry.blind ? 1 : 0;
    entry.lookedAt = look.at;
    for (const auto &event : change.events) {
        if (m_seenClients.size() >= MostClients)
            m_seenClients.clear();
        if (event.owner && !isTokenLock(*event.lockKind))
            m_seenClients.insert(event.owner->client);
    }
    std::move(change.events.begin(), change.events.end(), std::back_inserter(events));
    if (change.changed)
        show(entry.state);
    setDue(*record, dueAfter(entry, reading, change.lookAgain, { now, look.wall }));
}

/// Who acquires a lock gets a whole lease, mostly a round number. What is brought here is in the midst of one, and
/// either there is another lock like it, or nobody has heard of its owner before. Other libraries have any lease,
/// several locks of one token, and a new token each time.
bool LockRegistry::isBroughtHere(const LockReading &reading, const Look &look)
{
    if (!look.exact || !look.announcedAt || reading.holders.size() != 1 || reading.holders[0].count > 1 || !reading.ttl
        || isTokenLock(reading.kind))
        return false;
    const auto left = *reading.ttl;
    const auto step = left < LongLease ? ShortStep : LongStep;
    const auto passed = std::chrono::ceil<Millis>(look.at - *look.announcedAt) + look.uncertainty + SameMoment;
    const bool isWhole = (left + step - Millis{ 1 }) / step * step <= left + passed;
    return !isWhole && (!m_seenClients.contains(reading.holders[0].owner.client) || hasTwin(reading, look));
}

/// What is told of the one is told of the other.
bool LockRegistry::hasNamesake(const LockName &name) const
{
    const auto other = key_layout::namesake(name);
    return other && knows(*other);
}

/// As far as that can be found out in a short time.
bool LockRegistry::hasTwin(const LockReading &reading, const Look &look)
{
    if (look.at - m_searchesSince >= std::chrono::seconds{ 1 }) {
        m_searchesSince = look.at;
        m_searched = 0;
    }
    if (m_searched += m_records.size(); m_searched > MostSearched)
        return false;
    const auto ends = look.at + *reading.ttl;
    return std::ranges::any_of(m_records, [&](const auto &record) {
        const LockState *state = record.second.state.get();
        return state && state->name != reading.name && state->holders.size() == 1 && state->expiresAt
            && state->holders[0].owner == reading.holders[0].owner && *state->expiresAt <= ends + SameMoment
            && *state->expiresAt >= ends - SameMoment;
    });
}

void LockRegistry::setDue(Records::value_type &record, MonoTime at)
{
    record.second.due = at;
    m_deadlines.add(record.first, at);
}

void LockRegistry::lookLater(const LockName &name, MonoTime at)
{
    if (const auto record = m_records.find(name); record != m_records.end())
        setDue(*record, at);
}

MonoTime LockRegistry::dueAfter(Entry &entry, const LockReading *reading, bool lookAgain, Now moment)
{
    const auto &state = *entry.state;
    const auto now = moment.mono;
    if (lookAgain)
        return now + LookAgainAfter;
    if (!isShown(state)) {
        entry.changeAside([now](LockAside &aside) { aside.freeSince = aside.freeSince.value_or(now); });
        return *entry.aside().freeSince + RememberFreeFor;
    }
    entry.changeAside([&](LockAside &aside) {
        aside.freeSince.reset();
        if (state.waiters.empty())
            aside.queueSample = {};
    });

    auto due = Never;
    const auto consider = [&due](MonoTime at) { due = std::min(due, at); };
    for (const auto &holder : state.holders) {
        if (holder.expiresAt && !holder.expired)
            consider(*holder.expiresAt + JustAfter);
    }
    if (const auto ends = state.permits ? nextPermitEnds(*state.permits, moment) : std::nullopt)
        consider(*ends);
    if (state.expiresAt) {
        // Redis' clock decides, and it says how long that takes.
        consider(*state.expiresAt <= now && reading ? now + reading->ttl.value_or(Millis{ 0 }) + JustAfter
                                                    : *state.expiresAt + JustAfter);
        if (state.lease == Lease::Unknown && state.renewals == 0 && state.leaseSeen) {
            const auto verdict = LeaseInference::verdictAt(*state.expiresAt, *state.leaseSeen) + JustAfter;
            if (verdict > now)
                consider(verdict);
        }
    }
    return due == Never ? Never : std::max(due, now + ShortestWait);
}

void LockRegistry::heard(const LockName &name, Heard what, MonoTime now)
{
    if (const auto record = m_records.find(name); record != m_records.end())
        record->second.changeAside([&](LockAside &aside) { aside.trace.heard(what, now); });
    else
        m_early.heard(name, what, now);
}

void LockRegistry::forcedOnly(const LockName &name, const std::vector<OwnerId> &owners)
{
    if (const auto record = m_records.find(name); record != m_records.end())
        record->second.changeAside([&](LockAside &aside) { aside.trace.forcedOnly(owners); });
}

void LockRegistry::heardOfReader(const LockName &name, const OwnerId &reader, MonoTime now)
{
    if (const auto record = m_records.find(name); record != m_records.end())
        record->second.changeAside([&](LockAside &aside) { aside.passing.heard(reader, now); });
}

void LockRegistry::heardOnItsChannel(const LockName &name)
{
    if (const auto record = m_records.find(name); record != m_records.end()) {
        record->second.publishes = true;
        record->second.silent = false;
    }
}

void LockRegistry::everythingChanged(MonoTime now)
{
    for (auto &[name, entry] : m_records)
        entry.changeAside([now](LockAside &aside) { aside.trace.heard(Heard::Flushed, now); });
}

void LockRegistry::forgetFlushOfAnother(const std::vector<LockReading> &readings, const Look &look)
{
    const bool isOfAnother = std::ranges::any_of(readings, [&](const LockReading &reading) {
        const auto record = m_records.find(reading.name);
        return record != m_records.end() && outlivedFlush(record->second, reading, look);
    });
    if (!isOfAnother)
        return;
    for (auto &[name, entry] : m_records) {
        entry.changeAside([&](LockAside &aside) {
            if (aside.trace.flushedAt <= look.askedAt)
                aside.trace.flushedAt.reset();
        });
    }
}

void LockRegistry::wentBlind(bool restarted, MonoTime since)
{
    m_blindSince = since;
    for (auto &[name, entry] : m_records) {
        entry.blind = true;
        entry.restarted = entry.restarted || restarted;
        entry.changeAside([](LockAside &aside) { forgetHeard(aside); });
    }
    m_blind = m_records.size();
}

void LockRegistry::adopt(const std::shared_ptr<const LockState> &state)
{
    if (knows(state->name))
        return;
    Entry entry;
    entry.state = state;
    entry.lease = LeaseInference(state->lease);
    entry.blind = true;
    m_records.emplace(state->name, std::move(entry));
    ++m_blind;
    show(state);
}

void LockRegistry::wentBlind(const LockName &name)
{
    auto &entry = m_records.at(name);
    m_blind += entry.blind ? 0 : 1;
    entry.blind = true;
    entry.changeAside([](LockAside &aside) { forgetHeard(aside); });
}

bool LockRegistry::isAnyBlind(const std::function<bool(const LockName &)> &ofThese) const
{
    return std::ranges::any_of(
        m_records, [&](const auto &record) { return record.second.blind && ofThese(record.first); });
}

void LockRegistry::abandonUnless(const std::function<bool(const LockName &)> &isOurs)
{
    for (auto record = m_records.begin(); record != m_records.end();)
        record = isOurs(record->first) ? std::next(record) : abandon(record);
}

void LockRegistry::abandon(const LockName &name)
{
    if (const auto record = m_records.find(name); record != m_records.end())
        abandon(record);
}

LockRegistry::Records::iterator LockRegistry::abandon(Records::iterator record)
{
    m_blind -= record->second.blind ? 1 : 0;
    m_changes[record->first] = nullptr;
    m_changed = true;
    m_toCount.erase(record->first);
    return m_records.erase(record);
}

void LockRegistry::counted(const LockName &name, const Count &count)
{
    const auto record = m_records.find(name);
    if (record == m_records.end())
        return;
    Entry &entry = record->second;
    const bool asBefore = count.subscribers && count.waiters.empty() && !count.subscribersUnknown
        && entry.state->subscribers == count.subscribers && !entry.aside().subscriberSample
        && entry.state->takenSinceCount == 0;
    if (asBefore && *count.subscribers == 0) // as for nearly all
        return leaveOutWhereNobodyWaits(entry);
    LockState next = *entry.state;
    entry.publishes = entry.publishes || count.subscribers.value_or(0) > 0; // who waits for a spin lock does not listen
    entry.changeAside([&](LockAside &aside) {
        if (count.subscribersUnknown) {
            next.subscribers.reset();
            next.takenSinceCount = 0;
            aside.subscriberSample.reset();
        } else if (const auto &subscribers = count.subscribers) {
            next.takenSinceCount = 0;
            // A try that fails subscribes for a moment only.
            const auto shown = next.subscribers.value_or(*subscribers);
            next.subscribers = std::min(*subscribers, aside.subscriberSample.value_or(shown));
            aside.subscriberSample = next.subscribers == *subscribers ? std::nullopt : subscribers;
        }
        compareWaiters(next.waiters, aside.queueSample, count);
    });
    if (next != *entry.state) {
        entry.state = std::make_shared<const LockState>(std::move(next));
        show(entry.state);
    }
    leaveOutWhereNobodyWaits(entry);
}

/// Twice in a row; the queue of a fair lock tells by itself.
void LockRegistry::leaveOutWhereNobodyWaits(const Entry &entry)
{
    if (entry.state->kind != Kind::Fair && entry.state->subscribers == 0 && !entry.aside().subscriberSample)
        m_toCount.erase(entry.state->name);
}

void LockRegistry::forgetCounts()
{
    for (auto &[name, entry] : m_records) {
        entry.changeAside([](LockAside &aside) {
            aside.subscriberSample.reset();
            aside.queueSample = {};
        });
        LockState next = *entry.state;
        next.subscribers.reset();
        next.takenSinceCount = 0;
        for (Waiter &waiter : next.waiters) {
            waiter.subscribed.reset();
            waiter.listenedLast.reset();
        }
        if (next == *entry.state)
            continue;
        entry.state = std::make_shared<const LockState>(std::move(next));
        show(entry.state);
    }
}

std::vector<LockName> LockRegistry::takeDue(MonoTime now)
{
    if (m_deadlines.mustLookAhead(now))
        m_deadlines.lookAhead(m_records, now);
    std::vector<LockName> due;
    m_deadlines.takeDue(now, [&](const LockName &name, MonoTime at) {
        const auto record = m_records.find(name);
        if (record == m_records.end() || record->second.due != at)
            return;
        Entry &entry = record->second;
        entry.due = Never;
        const auto freeSince = entry.aside().freeSince;
        if (!entry.blind && freeSince && *freeSince + RememberFreeFor <= now && !isShown(*entry.state))
            m_records.erase(record); // it is neither shown nor to be counted
        else
            due.push_back(name);
    });
    return due;
}

std::optional<MonoTime> LockRegistry::nextDue() const
{
    return m_records.empty() ? std::nullopt : std::optional(m_deadlines.next());
}

std::optional<MonoTime> LockRegistry::lookedAt(const LockName &name) const
{
    const auto record = m_records.find(name);
    const bool isLookedAt = record != m_records.end() && record->second.lookedAt > MonoTime::min();
    return isLookedAt ? std::optional(record->second.lookedAt) : std::nullopt;
}

std::vector<LockName> LockRegistry::notReadSince(MonoTime since) const
{
    std::vector<LockName> names;
    for (const auto &[name, entry] : m_records) {
        if (!entry.aside().freeSince && entry.lookedAt < since)
            names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
}

void LockRegistry::show(const std::shared_ptr<const LockState> &state)
{
    m_changes[state->name] = isShown(*state) ? state : nullptr;
    m_changed = true;
    if (!isCountedAtChannels(*state))
        m_toCount.erase(state->name);
    else if (state->kind == Kind::Fair || state->subscribers != 0)
        m_toCount.insert(state->name);
}

void LockRegistry::listenersListed(const LockName &name)
{
    if (const LockState *state = find(name); state != nullptr && isCountedAtChannels(*state))
        m_toCount.insert(name);
}

const LockList &LockRegistry::takeShown()
{
    m_changed = false;
    return shown();
}

const LockList &LockRegistry::shown()
{
    m_shown.apply(m_changes);
    m_changes.clear();
    return m_shown;
}

} // namespace lockcore::monitor
