// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/feed_reason.h"
#include "lockcore/monitor/prefix_learner.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockcore::monitor {

/// Measures how often the feed tells of keys that are no locks, and limits it when that is too often: to what the
/// locks' names begin with, or to nothing where that does not help. Now and then it tries everything again.
class NotificationThrottle {
public:
    using Locks = std::function<std::vector<LockName>()>; // all that are known, in order

    explicit NotificationThrottle(int mostPerSecond);

    void start(bool mayLimit); // the feed tells everything
    void feedChanged(const FeedScope &scope, bool mayLimit); // to what was decided last, or otherwise
    void announced(const std::string &key, MonoTime now); // no known lock's
    void isLock(const LockName &name); // after all
    void found(const LockName &name); // a lock, by whatever means: it may begin otherwise

    /// `mayBeSudden`: all locks are known, so that what pours in is none; else it is given some time.
    std::optional<FeedScope> decide(MonoTime now, const Locks &locks, bool mayBeSudden);
    std::optional<MonoTime> next() const;

private:
    enum class State { Calm, Limited, Trial };

    std::optional<FeedScope> decideWhereLimited(MonoTime now, const Locks &locks);
    std::optional<FeedScope> decideInTrial(MonoTime now, const Locks &locks);
    bool isPeriodOver(MonoTime now) const;
    void endPeriod(MonoTime now);
    void clearPeriod();
    std::int64_t nonLockKeys() const;
    FeedScope limit(MonoTime now, const Locks &locks);
    std::int64_t rateWith(const Prefixes &prefixes) const;
    FeedScope decided(State state, FeedScope scope);

    const int m_most;
    bool m_mayLimit = true;
    State m_state = State::Calm;
    FeedScope m_scope;
    bool m_settling = false; // decided, not carried out yet
    std::optional<MonoTime> m_periodStart; // absent: nothing was announced yet
    std::unordered_map<std::string, int> m_seen; // in this period, how often
    int m_nonLockKeys = 0; // announcements of m_seen
    int m_sampled = 0; // m_nonLockKeys, and announcements of what turned out to be locks
    int m_beyond = 0; // announcements that m_seen has no room for
    int m_floodedPeriods = 0; // in a row
    int m_rate = 0; // non-lock keys a second, in the last period
    std::vector<std::string> m_sample; // non-lock keys of the last period
    std::vector<std::string> m_flooders; // non-lock keys for which it was limited
    std::size_t m_tolerated = 0; // of them
    bool m_learnAgain = false;
    MonoTime m_learnAt;
    MonoTime m_trialAt; // the next one, or the end of the one under way
    int m_failedTrials = 0; // since it was calm
};

} // namespace lockcore::monitor
