// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lock_book.h"

#include <algorithm>
#include <iterator>

namespace lockcore {

namespace {

constexpr Millis LookAgainAfter{ 20 }; // a message on the other connection is not later than that
constexpr Millis JustAfter{ 1 };
constexpr Millis ShortestWait{ 2 };
constexpr std::chrono::seconds RememberFor{ 60 };
// What all histories together may hold; with few locks each may be long.
constexpr std::size_t AllCorners = 400'000;
constexpr std::size_t FewestCorners = 4;
constexpr std::size_t MostCorners = 120;

constexpr Millis PermitsPause{ 100 }; // between two looks at permits that run out one by one

bool isShown(const LockState &state)
{
    if (isCounter(state.kind))
        return !state.keys.empty() || state.subscribers.value_or(0) > 0;
    return !state.holders.empty() || !state.waiters.empty();
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

} // namespace

const LockState *LockBook::find(const LockName &name) const
{
    const auto record = m_records.find(name);
    return record == m_records.end() ? nullptr : record->second.state.get();
}

void LockBook::forEachName(const std::function<void(const LockName &)> &visit) const
{
    for (const auto &[name, entry] : m_records)
        visit(name);
}

std::vector<LockName> LockBook::namesAfter(const LockName &name, std::size_t most) const
{
    std::vector<LockName> names;
    for (auto next = m_records.upper_bound(name); next != m_records.end() && names.size() < most; ++next)
        names.push_back(next->first);
    return names;
}

std::vector<LockName> LockBook::names() const { return namesAfter({}, m_records.size()); }

void LockBook::enter(
    const LockName &name, const LockReading *reading, Look look, MonoTime now, std::vector<Event> &events)
{
    auto record = m_records.find(name);
    if (record == m_records.end()) {
        if (!reading)
            return;
        record = m_records.try_emplace(name).first;
    }
    auto &entry = record->second;
    const bool wasBlind = entry.blind;
    look.historyLimit = std::clamp(AllCorners / m_records.size(), FewestCorners, MostCorners);
    auto change = lockcore::enter(entry, name, reading, look);
    m_blind -= wasBlind && !entry.blind ? 1 : 0;
    entry.lookedAt = look.at;
    std::move(change.events.begin(), change.events.end(), std::back_inserter(events));
    if (change.changed)
        show(name, entry.state);
    setDeadline(name, entry, reading, change.lookAgain, { now, look.wall });
}

void LockBook::setDeadline(const LockName &name, Entry &entry, const LockReading *reading, bool lookAgain, Now moment)
{
    const auto &state = *entry.state;
    const auto now = moment.mono;
    if (lookAgain)
        return m_deadlines.set(name, now + LookAgainAfter);
    if (!isShown(state)) {
        if (!entry.freeSince)
            entry.freeSince = now;
        return m_deadlines.set(name, *entry.freeSince + RememberFor);
    }
    entry.freeSince.reset();

    std::optional<MonoTime> due;
    const auto consider = [&due](MonoTime at) { due = due ? std::min(*due, at) : at; };
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
    if (due)
        m_deadlines.set(name, std::max(*due, now + ShortestWait));
    else
        m_deadlines.clear(name);
}

void LockBook::heard(const LockName &name, std::optional<MonoTime> UnlockTrace::*what, MonoTime now)
{
    if (const auto record = m_records.find(name); record != m_records.end())
        record->second.trace.*what = now;
}

void LockBook::everythingChanged(MonoTime now)
{
    for (auto &[name, entry] : m_records)
        entry.trace.flushedAt = now;
}

void LockBook::wentBlind(bool restarted)
{
    for (auto &[name, entry] : m_records) {
        entry.blind = true;
        entry.restarted = entry.restarted || restarted;
        entry.trace = {};
    }
    m_blind = m_records.size();
}

void LockBook::adopt(const std::shared_ptr<const LockState> &state)
{
    const auto [record, isNew] = m_records.try_emplace(state->name);
    if (!isNew)
        return;
    record->second.state = state;
    record->second.lease = LeaseInference(state->lease);
    record->second.blind = true;
    ++m_blind;
    show(state->name, state);
}

void LockBook::wentBlind(const LockName &name)
{
    auto &entry = m_records.at(name);
    m_blind += entry.blind ? 0 : 1;
    entry.blind = true;
    entry.trace = {};
}

void LockBook::abandonUnless(const std::function<bool(const LockName &)> &isOurs)
{
    for (const LockName &name : names()) {
        if (!isOurs(name))
            abandon(name);
    }
}

void LockBook::abandon(const LockName &name)
{
    const auto record = m_records.find(name);
    if (record == m_records.end())
        return;
    m_blind -= record->second.blind ? 1 : 0;
    m_deadlines.clear(name);
    m_changes[name] = nullptr;
    m_changed = true;
    m_records.erase(record);
}

void LockBook::counted(
    const LockName &name, std::optional<std::int64_t> subscribers, const std::vector<std::pair<OwnerId, bool>> &waiters)
{
    const auto record = m_records.find(name);
    if (record == m_records.end())
        return;
    auto &entry = record->second;
    LockState next = *entry.state;
    if (subscribers) {
        // A try that fails subscribes for a moment only.
        next.subscribers = std::min(*subscribers, entry.subscriberSample.value_or(*subscribers));
        entry.subscriberSample = subscribers;
    }
    for (const auto &[owner, subscribed] : waiters) {
        const auto waiter = std::find_if(next.waiters.begin(), next.waiters.end(),
            [&owner = owner](const auto &other) { return other.owner == owner; });
        const auto silent = std::find(entry.silentWaiters.begin(), entry.silentWaiters.end(), owner);
        const bool wasSilent = silent != entry.silentWaiters.end();
        if (subscribed && wasSilent)
            entry.silentWaiters.erase(silent);
        if (!subscribed && !wasSilent)
            entry.silentWaiters.push_back(owner);
        // It enters the queue just before it subscribes.
        if (waiter != next.waiters.end() && (subscribed || wasSilent))
            waiter->subscribed = subscribed;
    }
    if (entry.silentWaiters.size() > next.waiters.size())
        std::erase_if(entry.silentWaiters, [&](const auto &owner) {
            return std::none_of(
                next.waiters.begin(), next.waiters.end(), [&](const auto &waiter) { return waiter.owner == owner; });
        });
    if (next == *entry.state)
        return;
    entry.state = std::make_shared<const LockState>(std::move(next));
    show(name, entry.state);
}

void LockBook::forgetCounts()
{
    for (auto &[name, entry] : m_records) {
        entry.subscriberSample.reset();
        entry.silentWaiters.clear();
        if (!entry.state)
            continue;
        LockState next = *entry.state;
        next.subscribers.reset();
        for (Waiter &waiter : next.waiters)
            waiter.subscribed.reset();
        if (next == *entry.state)
            continue;
        entry.state = std::make_shared<const LockState>(std::move(next));
        show(name, entry.state);
    }
}

std::vector<LockName> LockBook::takeDue(MonoTime now)
{
    auto due = m_deadlines.takeDue(now);
    std::erase_if(due, [&](const LockName &name) {
        const auto record = m_records.find(name);
        const bool forget = record == m_records.end()
            || (!record->second.blind && record->second.freeSince && *record->second.freeSince + RememberFor <= now);
        if (forget && record != m_records.end())
            m_records.erase(record);
        return forget;
    });
    return due;
}

std::vector<LockName> LockBook::notReadSince(MonoTime since) const
{
    std::vector<LockName> names;
    for (const auto &[name, entry] : m_records) {
        if (!entry.freeSince && (!entry.lookedAt || *entry.lookedAt < since))
            names.push_back(name);
    }
    return names;
}

void LockBook::show(const LockName &name, std::shared_ptr<const LockState> state)
{
    m_changes[name] = isShown(*state) ? std::move(state) : nullptr;
    m_changed = true;
}

const LockList &LockBook::takeShown()
{
    m_changed = false;
    return shown();
}

const LockList &LockBook::shown()
{
    m_shown.apply(m_changes);
    m_changes.clear();
    return m_shown;
}

} // namespace lockcore
