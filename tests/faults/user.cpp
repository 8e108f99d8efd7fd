// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/user.h"

#include "lockcore/client/client_parts.h"
#include "lockcore/transport/clock.h"

#include <algorithm>

namespace faults {

using lockcore::ErrorCode;
using lockcore::client::ReleaseOutcome;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::LockVariant;
using lockcore::transport::monoNow;

namespace {

constexpr int MostRepeats = 40; // of a release that has to be done
constexpr int MostHolds = 3;
constexpr int LooksForAnEntry = 3;
constexpr Millis LookAgain{ 100 };

std::vector<std::string> cells(const LockTarget &target)
{
    if (target.kind != Kind::FasterMulti)
        return { target.name };
    std::vector<std::string> cells;
    for (const std::string &value : target.values)
        cells.push_back(target.name + '/' + value);
    return cells;
}

bool isShared(const LockTarget &target) { return target.mode == HoldMode::Read; }

bool isDefinite(const lockcore::Error &error) { return error.code == ErrorCode::NotHeld; }

/// What is given back of the one may be the other.
bool overlaps(const LockTarget &a, const LockTarget &b)
{
    const auto isOfB = [&](const std::string &value) { return std::ranges::find(b.values, value) != b.values.end(); };
    return a == b || (a.name == b.name && std::ranges::any_of(a.values, isOfB));
}

} // namespace

User::User(const Plan &plan, bool isMortal, lockcore::client::LockClient &client, std::string thread,
    std::uint64_t seed, std::function<void(const std::string &)> tellLedger)
    : m_plan(plan)
    , m_isMortal(isMortal)
    , m_client(client)
    , m_thread(std::move(thread))
    , m_owner(client.id() + ':' + m_thread)
    , m_say(std::move(tellLedger))
    , m_random(seed)
{
    m_timer.setSingleShot(true);
    m_cancel.setSingleShot(true);
    m_lookAgain.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &User::step);
    connect(&m_cancel, &QTimer::timeout, this, [this] {
        say("note cancels");
        m_client.cancel(m_acquire);
    });
    connect(&m_lookAgain, &QTimer::timeout, this, &User::tellBeliefs);
}

void User::say(const std::string &text) { m_say(std::to_string(micros(monoNow())) + ' ' + m_owner + ' ' + text); }

void User::sayState(const char *phase)
{
    std::map<std::string, std::int64_t> counts;
    for (const Hold &hold : m_holds) {
        const bool writes = hold.target.mode == HoldMode::Write;
        counts[writes ? m_owner + ":write" : m_owner]
            += std::int64_t(std::max<std::size_t>(1, hold.target.values.size()));
    }
    std::string text = std::string("is ") + phase + ' ' + m_lock + ' ';
    for (const LockTarget &target : m_uncertain)
        text += target.name + ',';
    for (const std::string &name : m_doubtful)
        text += name + ',';
    if (m_uncertain.empty() && m_doubtful.empty())
        text += '-';
    for (const auto &[field, count] : counts)
        text += ' ' + field + ' ' + std::to_string(count);
    say(text);
}

void User::goOnIn(int shortestMs, int longestMs) { m_timer.start(Millis(between(m_random, shortestMs, longestMs))); }

void User::freeze()
{
    m_mode = Mode::Frozen;
    m_timer.stop();
    m_cancel.stop();
}

void User::finish()
{
    m_mode = Mode::Finishing;
    if (!m_asks)
        step();
}

void User::step()
{
    if (m_asks || (m_mode == Mode::Frozen))
        return;
    if (m_mode == Mode::Finishing)
        return m_holds.empty() ? sayState("idle") : releaseOne();
    if (m_holds.empty())
        begin();
    else if (m_holds.size() < MostHolds && reenters())
        acquire(
            part(m_holds.front().target), lease(m_holds.front().target.kind), Millis(between(m_random, 0, 1) * 300));
    else
        releaseOne();
}

bool User::reenters()
{
    const LockTarget &held = m_holds.front().target;
    return held.variant != LockVariant::NonReentrant && chance(m_random, 25);
}

/// Some half or some values of a lock, where it has such.
LockTarget User::part(LockTarget lock)
{
    const bool mayWrite = m_holds.empty() || count({ lock.name, lock.kind, HoldMode::Write }) > 0;
    if (lock.kind == Kind::ReadWrite)
        lock.mode = mayWrite && chance(m_random, 50) ? HoldMode::Write : HoldMode::Read;
    if (lock.kind == Kind::FasterMulti) {
        const std::vector<std::string> all = { "a", "b", "c" };
        lock.values.clear();
        for (const std::string &value : all) {
            if (chance(m_random, 50))
                lock.values.push_back(value);
        }
        if (lock.values.empty())
            lock.values.push_back(all[std::size_t(between(m_random, 0, 2))]);
    }
    return lock;
}

/// One who dies in a fair queue blocks it for as long as the lock may have been held when it came, and a while. And who
/// waits for readers is not told when the last one that has a long lease leaves: it sleeps as long as it was told.
std::optional<Millis> User::lease(Kind kind)
{
    if (m_sessionLease)
        return *m_sessionLease;
    const bool mayBlock = kind == Kind::Fair && std::ranges::any_of(m_plan.clients, &PlannedClient::isMortal);
    const bool mayBeLong = !m_isMortal && kind != Kind::ReadWrite && !mayBlock;
    const int chosen = between(m_random, 1, 100);
    if (chosen <= 60)
        return std::nullopt;
    if (chosen <= 85 || !mayBeLong)
        return Millis(between(m_random, 400, 900));
    return LongLease;
}

void User::begin()
{
    const LockTarget &lock = m_plan.locks[std::size_t(between(m_random, 0, int(m_plan.locks.size()) - 1))];
    m_lock = lock.name;
    m_hasLongLease = false;
    m_sessionLease.reset();
    const std::optional<Millis> first = lease(lock.kind);
    if (chance(m_random, 85))
        m_sessionLease = first;
    std::optional<Millis> wait;
    if (const int kind = between(m_random, 1, 100); kind <= 30)
        wait = Millis(0);
    else if (kind <= 75)
        wait = Millis(between(m_random, 20, 900));
    acquire(part(lock), first, wait);
    if (!wait && chance(m_random, 40))
        m_cancel.start(Millis(between(m_random, 0, 600)));
}

void User::acquire(LockTarget target, std::optional<Millis> lease, std::optional<Millis> wait)
{
    m_asks = true;
    sayState("acquiring");
    say("note asks for " + cells(target).front() + (isShared(target) ? " to read" : "") + " lease "
        + (lease ? std::to_string(lease->count()) : "watchdog") + " wait "
        + (wait ? std::to_string(wait->count()) : "without limit"));
    const lockcore::client::AcquireRequest request{ std::move(target), m_thread, lease, wait };
    m_acquire = m_client.acquire(
        request, [this, request, asked = monoNow()](const auto &outcome) { acquired(request, asked, outcome); });
}

void User::acquired(const lockcore::client::AcquireRequest &request, MonoTime asked,
    const lockcore::Result<lockcore::client::AcquireOutcome> &outcome)
{
    m_asks = false;
    m_cancel.stop();
    if (!outcome)
        say("note failed: " + lockcore::toString(outcome.error()));
    else
        say(outcome->acquired ? "note got it" : "note did not get it");
    if (outcome && outcome->acquired) {
        for (const Hold &held : m_holds) {
            if (!overlaps(held.target, request.target) || believes(held.target))
                continue;
            m_uncertain.insert(held.target); // it may have run out before: then to give it back gives back what was
            m_uncertain.insert(request.target); // taken now
        }
        m_holds.push_back({ request.target, request.lease });
        m_hasLongLease = m_hasLongLease || request.lease == LongLease;
        Sure &sure = m_sure[request.target];
        sure.isUnconfirmed = false;
        if (request.lease) {
            // each read hold has a lease of its own
            const bool isFurtherRead = isShared(request.target) && count(request.target) > 1;
            const MonoTime until = asked + *request.lease;
            sure.fixedUntil = isFurtherRead ? std::min(sure.fixedUntil, until) : until;
            sure.fixedBasis = asked;
        }
    }
    tellBeliefs();
    sayState(m_holds.empty() ? "idle" : "holding");
    if (m_holds.empty())
        goOnIn(0, 60);
    else
        chance(m_random, 80) ? goOnIn(0, 120) : goOnIn(300, 1'500);
    if (m_mode == Mode::Frozen)
        m_timer.stop();
    if (m_mode == Mode::Finishing)
        step();
}

void User::releaseOne()
{
    const std::size_t index
        = chance(m_random, 70) ? m_holds.size() - 1 : std::size_t(between(m_random, 0, int(m_holds.size()) - 1));
    const Hold hold = m_holds[index];
    m_holds.erase(m_holds.begin() + std::ptrdiff_t(index));
    for (const Hold &other : m_holds) {
        if (overlaps(other.target, hold.target) && m_uncertain.contains(other.target))
            m_sure[other.target].fixedUntil = monoNow(); // the one it gives back may be all that is there
    }
    if (count(hold.target) == 0) {
        m_looks.erase(hold.target);
    } else if (Sure &sure = m_sure[hold.target]; !m_uncertain.contains(hold.target) && sure.fixedUntil != Forever) {
        sure.fixedUntil = std::min(sure.fixedUntil, monoNow() + std::min(m_plan.watchdog, Millis(400)));
    }
    release(hold, 0);
}

void User::release(const Hold &hold, int repeats)
{
    m_asks = true;
    const auto before = beliefKnown(hold.target);
    tellBeliefs();
    sayState("releasing");
    m_client.release(hold.target, m_thread, [this, hold, repeats, before](const auto &outcome) {
        if (before && !outcome && isDefinite(outcome.error()) && !m_uncertain.contains(hold.target))
            tellGone(hold.target, *before);
        released(hold, repeats, outcome);
    });
}

void User::tellGone(const LockTarget &target, const Told &belief)
{
    if (belief.until <= monoNow() || belief.until == Forever)
        return;
    for (const std::string &cell : cells(target))
        say("gone " + cell + ' ' + std::to_string(micros(belief.basis)) + ' ' + std::to_string(micros(belief.until)));
}

std::optional<User::Told> User::beliefKnown(const LockTarget &target) const
{
    const auto belief = m_beliefs.find(target);
    return belief == m_beliefs.end() ? std::nullopt : std::optional(belief->second);
}

void User::released(const Hold &hold, int repeats, const lockcore::Result<ReleaseOutcome> &outcome)
{
    m_asks = false;
    const bool isWhole = hold.target.kind != Kind::FasterMulti; // others may be part of what is left
    const bool knows = isWhole && !m_uncertain.contains(hold.target);
    if (outcome)
        say(*outcome == ReleaseOutcome::Released ? "note released" : "note released, still held");
    else
        say("note not released: " + lockcore::toString(outcome.error()));
    if (outcome && *outcome == ReleaseOutcome::StillHeld && knows && count(hold.target) == 0)
        say("wrong was told that it still holds what it has released as often as it took it");
    if (outcome && *outcome == ReleaseOutcome::Released) {
        if (const auto belief = beliefKnown(hold.target);
            belief && knows && !m_plan.losesData && count(hold.target) > 0)
            tellGone(hold.target, *belief);
        drop(hold.target);
        m_uncertain.erase(hold.target);
    }
    if (!outcome && isDefinite(outcome.error())) {
        drop(hold.target);
        m_uncertain.erase(hold.target);
    } else if (!outcome) {
        m_uncertain.insert(hold.target);
    }
    tellBeliefs();
    const bool mustBeDone = m_uncertain.contains(hold.target) && m_hasLongLease && count(hold.target) == 0;
    if (mustBeDone && repeats < MostRepeats)
        return releaseAgain(hold, repeats + 1);
    sayState(m_holds.empty() ? "idle" : "holding");
    if (m_mode == Mode::Free && !m_holds.empty() && chance(m_random, 20)) // the outer ones have to last
        goOnIn(300, 1'500);
    else if (m_mode != Mode::Frozen)
        goOnIn(0, 60);
}

void User::releaseAgain(const Hold &hold, int repeats)
{
    m_asks = true;
    QTimer::singleShot(Millis(50), this, [this, hold, repeats] { release(hold, repeats); });
}

bool User::believes(const LockTarget &target) const
{
    return std::ranges::all_of(cells(target), [this](const std::string &cell) {
        const auto told = m_told.find(cell);
        return told != m_told.end() && told->second.until > monoNow();
    });
}

void User::drop(const LockTarget &target)
{
    std::erase_if(m_holds, [&](const Hold &each) { return each.target == target; });
    m_sure.erase(target);
    m_looks.erase(target);
}

void User::lost(const LockTarget &target)
{
    if (const auto belief = beliefKnown(target); belief && count(target) > 0 && !m_uncertain.contains(target))
        tellGone(target, *belief);
    say("note lost " + cells(target).front());
    drop(target);
    tellBeliefs();
    if (!m_asks) {
        sayState(m_holds.empty() ? "idle" : "holding");
        if (m_mode == Mode::Free && !m_timer.isActive())
            goOnIn(0, 60);
    }
}

void User::mayBeLeft(const lockcore::Error &error)
{
    for (const LockTarget &lock : m_plan.locks) {
        if (error.context.find(lock.name) != std::string::npos)
            m_doubtful.insert(lock.name);
    }
    say("note was told: " + lockcore::toString(error));
    if (!m_asks)
        sayState(m_holds.empty() ? "idle" : "holding");
}

void User::unconfirmed(const LockTarget &target)
{
    if (count(target) > 0)
        m_sure[target].isUnconfirmed = true;
    tellBeliefs();
}

void User::renewed(const LockTarget &target)
{
    if (count(target) > 0)
        m_sure[target].isUnconfirmed = false;
    tellBeliefs();
}

std::int64_t User::count(const LockTarget &target) const
{
    return std::ranges::count_if(m_holds, [&](const Hold &each) { return each.target == target; });
}

std::optional<MonoTime> User::sureUntil(const LockTarget &target) const
{
    const auto *entry = m_client.parts().core.holds.find({ target, m_thread });
    return entry ? std::optional(entry->second.sureUntil()) : std::nullopt;
}

/// What its owner may believe of the holds of one target. The word of the client that it is no longer sure may come
/// late, since this process had no time: until when it is sure is asked for. A hold that the client does not know
/// though it has told nothing, not even a little later, is believed in without end.
std::optional<User::Told> User::beliefIn(const LockTarget &target)
{
    const Sure &sure = m_sure[target];
    Told belief{ isShared(target), sure.fixedBasis, sure.fixedUntil };
    const bool isRenewed
        = std::ranges::any_of(m_holds, [&](const Hold &each) { return each.target == target && !each.lease; });
    if (!isRenewed)
        return belief;
    if (sure.isUnconfirmed)
        return std::nullopt;
    const std::optional<MonoTime> until = sureUntil(target);
    if (until) {
        m_looks.erase(target);
        belief.until = std::min(belief.until, *until);
        belief.basis = sure.fixedUntil == Forever ? *until - m_plan.watchdog
                                                  : std::min(sure.fixedBasis, *until - m_plan.watchdog);
        return belief;
    }
    if (m_looks[target]++ < LooksForAnEntry) {
        m_lookAgain.start(LookAgain);
        const auto told = m_told.find(cells(target).front());
        return told == m_told.end() ? std::nullopt : std::optional(told->second);
    }
    belief.basis = monoNow();
    if (const auto told = m_told.find(cells(target).front()); told != m_told.end() && told->second.until == Forever)
        return told->second;
    return belief;
}

void User::tellBeliefs()
{
    std::map<std::string, Told> beliefs;
    m_beliefs.clear();
    std::set<LockTarget> targets;
    for (const Hold &hold : m_holds)
        targets.insert(hold.target);
    std::erase_if(m_sure, [&](const auto &each) { return !targets.contains(each.first); });
    for (const LockTarget &target : targets) {
        const auto belief = beliefIn(target);
        if (!belief || belief->until <= monoNow())
            continue;
        m_beliefs[target] = *belief;
        for (const std::string &cell : cells(target)) {
            const auto [place, isNew] = beliefs.try_emplace(cell, *belief);
            if (!isNew && place->second.shared && !belief->shared)
                place->second = *belief;
            else if (!isNew && place->second.shared == belief->shared && place->second.until < belief->until)
                place->second = *belief;
        }
    }
    for (const auto &[cell, told] : m_told) {
        if (!beliefs.contains(cell))
            say("doubts " + cell);
    }
    for (const auto &[cell, belief] : beliefs) {
        const auto told = m_told.find(cell);
        if (told == m_told.end() || told->second != belief)
            say("believes " + cell + (belief.shared ? " shared " : " alone ") + std::to_string(micros(belief.basis))
                + ' ' + std::to_string(micros(belief.until)));
    }
    m_told = std::move(beliefs);
}

} // namespace faults
