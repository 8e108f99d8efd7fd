// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/lock_record.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace lockcore::monitor {

/// When to look at which lock again without being told: an expiry may not be announced for minutes. The records keep
/// their deadlines; in order are only those that are near, since most are put off long before. How far that is depends
/// on the others: to look at all records costs more than all else while nothing happens.
class Deadlines {
public:
    void add(const LockName &name, MonoTime at)
    {
        if (at < m_horizon)
            m_near.emplace(at, name);
    }
    /// To be done with all records before `takeDue`.
    bool mustLookAhead(MonoTime now) const { return m_horizon <= now + Ahead || m_near.size() > m_mostNear; }
    template <typename Records>
    void lookAhead(const Records &records, MonoTime now)
    {
        constexpr std::size_t Few = 10'000;
        m_near = {};
        m_horizon = now + Farthest;
        for (const auto &[name, record] : records) {
            if (record.due < now + 2 * Ahead)
                m_near.emplace(record.due, name);
            else
                m_horizon = std::min(m_horizon, record.due);
        }
        m_mostNear = 2 * m_near.size() + Few;
    }
    /// Also such as have been put off since, and the same one twice.
    template <typename Visit>
    void takeDue(MonoTime now, Visit visit)
    {
        while (!m_near.empty() && m_near.top().first <= now) {
            const Due due = m_near.top();
            m_near.pop();
            visit(due.second, due.first);
        }
    }
    MonoTime next() const
    {
        return m_near.empty() ? m_horizon - Ahead : std::min(m_near.top().first, m_horizon - Ahead);
    }

private:
    using Due = std::pair<MonoTime, LockName>;
    static constexpr std::chrono::seconds Ahead{ 4 };
    static constexpr std::chrono::hours Farthest{ 1 };

    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_near;
    MonoTime m_horizon; // what is due before it is among these
    std::size_t m_mostNear = 0; // beyond, too many of these were put off
};

/// Every lock known, also those that went a moment ago, and what is shown of them.
class LockRegistry {
public:
    bool knows(const LockName &name) const { return m_records.contains(name); }
    const LockState *find(const LockName &name) const; // null: not known
    std::size_t size() const { return m_records.size(); }
    std::vector<LockName> names() const; // in order

    /// Enters what a look said (null: no such lock there) and adds what happened to `events`.
    void enter(const LockName &name, const synchronizers::LockReading *reading, Look look, MonoTime now,
        std::vector<Event> &events);

    void heard(const LockName &name, Heard what, MonoTime now);
    /// By us, which is heard of right afterwards; none: all.
    void forcedOnly(const LockName &name, const std::vector<OwnerId> &owners);
    /// A key that a reader writes and deletes with its hold has changed.
    void heardOfReader(const LockName &name, const OwnerId &reader, MonoTime now);
    /// A message on the channel that all who wait for it share.
    void heardOnItsChannel(const LockName &name);
    void everythingChanged(MonoTime now);
    /// Of locks that were read together, before they are entered: where one outlived a flush, none fell to it.
    void forgetFlushOfAnother(const std::vector<synchronizers::LockReading> &readings, const Look &look);
    /// Another server had it until now: enters what that knew, unless it is known here, to be confirmed by a look.
    void adopt(const std::shared_ptr<const LockState> &state);
    /// It is no longer this server's: forgets it without a word of what became of it.
    void abandonUnless(const std::function<bool(const LockName &)> &isOurs);
    void abandon(const LockName &name);
    void lookLater(const LockName &name, MonoTime at);

    /// Nothing could be seen for a while; in that time the server may have been restarted.
    void wentBlind(bool restarted, MonoTime since); // `since`: what was read later is seen until then
    void wentBlind(const LockName &name);
    std::size_t blindLeft() const { return m_blind; } // not looked at since
    bool isAnyBlind(const std::function<bool(const LockName &)> &ofThese) const;

    struct Count {
        std::optional<std::int64_t> subscribers; // absent: not asked for
        bool subscribersUnknown = false; // asked for, but not to be had
        std::vector<std::pair<OwnerId, std::optional<bool>>> waiters; // absent: not to be had
        MonoTime askedAt{}; // about the waiters
    };
    void counted(const LockName &name, const Count &count);

    void forgetCounts(); // when subscribers are no longer counted
    /// The locks whose channels are to be asked about: somebody waits for them, or it is not known that nobody does.
    /// All of them are shown.
    const std::set<LockName> &toCount() const { return m_toCount; }
    void listenersListed(const LockName &name); // a list of channels tells of somebody who listens for it

    std::vector<LockName> takeDue(MonoTime now);
    std::optional<MonoTime> nextDue() const;
    std::optional<MonoTime> lookedAt(const LockName &name) const; // absent: not known, or not by a look
    /// Names that were not looked at since, in order.
    std::vector<LockName> notReadSince(MonoTime since) const;

    bool changed() const { return m_changed; } // since the last call of takeShown()
    const LockList &takeShown();
    const LockList &shown();

private:
    static constexpr MonoTime Never = MonoTime::max();
    struct Entry : LockRecord {
        MonoTime lookedAt = MonoTime::min();
        MonoTime due = Never;
    };
    /// In no order, as a sweep comes by them: to find one in a large tree misses the caches at each step.
    using Records = std::unordered_map<LockName, Entry>;

    bool isBroughtHere(const synchronizers::LockReading &reading, const Look &look);
    bool hasNamesake(const LockName &name) const;
    bool hasTwin(const synchronizers::LockReading &reading, const Look &look);
    void show(const std::shared_ptr<const LockState> &state);
    void leaveOutWhereNobodyWaits(const Entry &entry);
    Records::iterator abandon(Records::iterator record);
    void setDue(Records::value_type &record, MonoTime at);
    MonoTime dueAfter(Entry &entry, const synchronizers::LockReading *reading, bool lookAgain, Now now);

    Records m_records;
    LatchWriters m_latchWriters;
    EarlyTraces m_early;
    std::unordered_set<std::string> m_seenClients;
    MonoTime m_searchesSince; // for twins
    std::size_t m_searched = 0; // records, since then
    Deadlines m_deadlines;
    std::size_t m_blind = 0;
    MonoTime m_blindSince; // all of them
    LockList m_shown;
    LockList::Changes m_changes; // not in m_shown yet
    std::set<LockName> m_toCount;
    bool m_changed = false;
};

} // namespace lockcore::monitor
