// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/notification_throttle.h"

#include "lockcore/base/backoff.h"

#include <algorithm>
#include <utility>

namespace lockcore::monitor {

namespace {

constexpr Millis CountingPeriod{ 1'000 };
constexpr int PeriodsToBelieveIt = 2;
constexpr int PlainlyTooMany = 3; // times as many in a period
constexpr std::size_t MostSeen = 20'000;
constexpr Millis TrialTime{ 3'000 };
constexpr Backoff BetweenTrials{ Millis{ 30'000 }, Millis{ 600'000 } };
constexpr Millis LearnEvery{ 10'000 };

} // namespace

NotificationThrottle::NotificationThrottle(int mostPerSecond)
    : m_most(mostPerSecond)
{
}

void NotificationThrottle::start(bool mayLimit)
{
    m_mayLimit = mayLimit;
    m_state = State::Calm;
    m_scope = {};
    m_settling = false;
    m_failedTrials = 0;
    clearPeriod();
}

void NotificationThrottle::feedChanged(const FeedScope &scope, bool mayLimit)
{
    if (mayLimit && m_settling && scope == m_scope) {
        m_settling = false;
        clearPeriod();
    } else {
        start(mayLimit);
    }
}

void NotificationThrottle::announced(const std::string &key, MonoTime now)
{
    if (!m_mayLimit || m_settling)
        return;
    m_periodStart = m_periodStart.value_or(now);
    const auto seen = m_seen.find(key);
    if (seen == m_seen.end() && m_seen.size() >= MostSeen) {
        ++m_beyond;
        return;
    }
    ++(seen == m_seen.end() ? m_seen[key] : seen->second);
    ++m_nonLockKeys;
    ++m_sampled;
}

void NotificationThrottle::isLock(const LockName &name)
{
    if (const auto seen = m_seen.find(name); seen != m_seen.end()) {
        m_nonLockKeys -= seen->second;
        m_seen.erase(seen);
    }
}

void NotificationThrottle::found(const LockName &name)
{
    isLock(name);
    if (m_state == State::Limited && !tellsOf(m_scope, name))
        m_learnAgain = true;
}

std::int64_t NotificationThrottle::nonLockKeys() const
{
    return m_nonLockKeys + (m_sampled == 0 ? 0 : std::int64_t{ m_beyond } * m_nonLockKeys / m_sampled);
}

void NotificationThrottle::clearPeriod()
{
    m_periodStart.reset();
    m_seen.clear();
    m_nonLockKeys = m_sampled = m_beyond = 0;
    m_floodedPeriods = 0;
}

bool NotificationThrottle::isPeriodOver(MonoTime now) const
{
    return m_periodStart && now - *m_periodStart >= CountingPeriod;
}

void NotificationThrottle::endPeriod(MonoTime now)
{
    const auto length = std::chrono::ceil<Millis>(now - m_periodStart.value_or(now)).count();
    if (length == 0)
        return;
    m_rate = static_cast<int>(nonLockKeys() * 1'000 / length);
    m_sample.clear();
    for (const auto &[key, times] : m_seen)
        m_sample.push_back(key);
    const int flooded = m_rate > m_most ? m_floodedPeriods + 1 : 0;
    clearPeriod();
    m_floodedPeriods = flooded;
}

std::optional<FeedScope> NotificationThrottle::decide(MonoTime now, const Locks &locks, bool mayBeSudden)
{
    if (!m_mayLimit || m_settling)
        return std::nullopt;
    const bool isSudden = mayBeSudden && nonLockKeys() > std::int64_t{ PlainlyTooMany } * m_most;
    if (isSudden || isPeriodOver(now))
        endPeriod(now);
    if (isSudden && m_floodedPeriods > 0)
        m_floodedPeriods = PeriodsToBelieveIt;
    switch (m_state) {
    case State::Calm:
        return m_floodedPeriods >= PeriodsToBelieveIt ? std::optional(limit(now, locks)) : std::nullopt;
    case State::Limited:
        return decideWhereLimited(now, locks);
    case State::Trial:
        return decideInTrial(now, locks);
    }
    return std::nullopt;
}

std::optional<FeedScope> NotificationThrottle::decideWhereLimited(MonoTime now, const Locks &locks)
{
    if (m_floodedPeriods >= PeriodsToBelieveIt)
        return limit(now, locks);
    if (m_trialAt <= now) {
        m_trialAt = now + TrialTime;
        return decided(State::Trial, { FeedScope::Extent::Everything, {}, true, m_scope.nonLockKeys });
    }
    if (!m_learnAgain || m_learnAt > now || m_scope.extent != FeedScope::Extent::Prefixes)
        return std::nullopt;
    m_learnAgain = false;
    m_learnAt = now + LearnEvery;
    auto scope = m_scope;
    scope.prefixes = learnPrefixes(locks(), m_flooders, m_tolerated);
    if (scope.prefixes.empty())
        scope.extent = FeedScope::Extent::Nothing;
    if (scope == m_scope)
        return std::nullopt;
    return decided(State::Limited, std::move(scope));
}

std::optional<FeedScope> NotificationThrottle::decideInTrial(MonoTime now, const Locks &locks)
{
    if (m_floodedPeriods > 0 || nonLockKeys() > m_most) {
        ++m_failedTrials;
        endPeriod(now); // what was told so far
        return limit(now, locks);
    }
    if (m_trialAt > now)
        return std::nullopt;
    m_failedTrials = 0;
    return decided(State::Calm, {});
}

/// Of the non-lock keys in the sample that begin like this.
std::int64_t NotificationThrottle::rateWith(const Prefixes &prefixes) const
{
    if (m_sample.empty())
        return 0;
    const auto left = std::count_if(
        m_sample.begin(), m_sample.end(), [&prefixes](const auto &key) { return covers(prefixes, key); });
    return std::int64_t{ m_rate } * left / std::ssize(m_sample);
}

/// The beginnings must keep out what makes the flood. Where they can, they let in some that look like locks.
FeedScope NotificationThrottle::limit(MonoTime now, const Locks &locks)
{
    m_flooders = m_sample;
    const auto known = locks();
    const auto aFew
        = m_sample.size() * static_cast<std::size_t>(m_most) / (4 * static_cast<std::size_t>(std::max(1, m_rate)));
    FeedScope scope{ FeedScope::Extent::Prefixes, {}, false, m_rate };
    for (const std::size_t tolerated : { aFew, std::size_t{ 0 } }) {
        m_tolerated = tolerated;
        scope.prefixes = learnPrefixes(known, m_sample, tolerated);
        if (!scope.prefixes.empty() && rateWith(scope.prefixes) <= m_most / 2)
            break;
        scope.prefixes.clear();
    }
    if (scope.prefixes.empty())
        scope.extent = FeedScope::Extent::Nothing;
    m_trialAt = now + BetweenTrials.pause(m_failedTrials);
    m_learnAt = now + LearnEvery;
    return decided(State::Limited, std::move(scope));
}

FeedScope NotificationThrottle::decided(State state, FeedScope scope)
{
    m_state = state;
    m_scope = std::move(scope);
    m_settling = true;
    return m_scope;
}

std::optional<MonoTime> NotificationThrottle::next() const
{
    if (!m_mayLimit || m_settling)
        return std::nullopt;
    std::optional<MonoTime> next;
    const auto consider = [&next](MonoTime at) { next = next ? std::min(*next, at) : at; };
    if (m_periodStart)
        consider(*m_periodStart + CountingPeriod);
    if (m_state != State::Calm)
        consider(m_trialAt);
    if (m_state == State::Limited && m_learnAgain && m_scope.extent == FeedScope::Extent::Prefixes)
        consider(m_learnAt);
    return next;
}

} // namespace lockcore::monitor
