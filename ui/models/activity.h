// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/hold_sight.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/models/duration_histogram.h"
#include "ui/support/freshness.h"

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockui {

/// For how many locks of a snapshot who comes now has to wait, and how many are known to wait.
struct LockCounts {
    std::int64_t held = 0;
    std::int64_t waiting = 0;
    bool allKnown = true; // waiting: false where it may be more
    std::optional<lockcore::LockName> busiest; // of those that are seen, most wait for it; absent: nobody waits
    std::int64_t atChannels = 0; // locks of which those who wait are counted at their channels
    std::int64_t ghosts = 0; // of `waiting`: they stand in a queue, and seem to be gone
    std::int64_t lost = 0; // locks of which nothing is seen now
    std::int64_t heldLost = 0; // of `held`, as it was when it was seen last
    std::int64_t waitingLost = 0;
    std::optional<SeenLast> heldSeen{}; // when these were
    std::optional<SeenLast> waitingSeen{};

    bool operator==(const LockCounts &) const = default;
};

/// Counts the locks of one snapshot after the other. Cost: that of the locks that differ from those before, and of all
/// when another server is lost, or seen again.
class LockCounter {
public:
    const LockCounts &count(const lockcore::monitor::LockList &locks, const Losses &losses = {});

private:
    void add(const lockcore::monitor::LockState &lock, std::int64_t times); // 1, or -1: it is to be left out

    lockcore::monitor::LockList m_counted;
    Losses m_losses;
    std::map<lockcore::MonoTime, std::int64_t> m_heldLost; // so many by when they were seen last
    std::map<lockcore::MonoTime, std::int64_t> m_waitingLost;
    LockCounts m_counts;
    std::int64_t m_unknown = 0; // locks for which more may wait
    std::set<std::pair<std::int64_t, lockcore::LockName>> m_waitedFor; // how many, negative: the busiest is the first
};

/// What happened within a while.
struct ActivityCounts {
    std::int64_t acquires = 0;
    std::int64_t renewals = 0;
    std::int64_t releases = 0;
    std::int64_t expiries = 0; // seen
    std::int64_t forced = 0;
    std::int64_t likelyExpiries = 0; // inferred: these probably ran out, too

    ActivityCounts &operator+=(const ActivityCounts &other);
    bool operator==(const ActivityCounts &) const = default;
};

/// What there was at one moment.
struct ActivitySample {
    std::int64_t held = 0;
    std::int64_t waiting = 0; // at least
    std::optional<std::int64_t> suspects; // absent: not known yet

    bool operator==(const ActivitySample &) const = default;
};

/// A time of which nothing, or not all, was seen.
struct UnseenSpan {
    lockcore::WallTime from;
    lockcore::WallTime to;
    std::string node; // empty: of all servers

    bool operator==(const UnseenSpan &) const = default;
};

/// How long measured holds or waits of one lock took, and since when all of them are known.
struct DurationsOfLock {
    DurationHistogram histogram;
    lockcore::WallTime since;
};

/// What happened second by second in the last two hours, how long holds and queued waits took, and what the servers
/// went through. The same hold on several servers is one hold. Holds are measured of which the beginning was seen, also
/// where their end is concluded, and waits of which both were seen. Cost: bounded, whatever happens; an event costs a
/// hash.
class Activity {
public:
    static constexpr std::chrono::seconds Kept{ 7'300 }; // an hour, the one before it, and a little
    static constexpr std::chrono::seconds Slice{ 10 }; // of durations: they are counted by so long times

    void clear(); // another server, or another moment of a recording: it begins with the next snapshot
    void heardFrom(lockcore::WallTime moment); // of a recording: all events since are told now, once more
    void observe(const lockcore::monitor::Snapshot &snapshot);
    void heard(const std::vector<lockcore::monitor::Event> &events);
    /// The end of a hold that was inferred, as it was told: it was a release by force.
    void wasForced(const lockcore::monitor::Event &end);

    /// Since when it is counted; absent: nothing was seen yet. A wall clock that is set back begins it anew.
    std::optional<lockcore::WallTime> since() const { return m_since; }

    struct Step {
        ActivityCounts counts;
        std::optional<ActivitySample> sample; // the last one; absent: nobody looked
        bool isSeen = false; // some of it at least: that nothing happened in another one would be a claim
    };
    /// So many equal steps of whole seconds; the last is the last whole one before `to`, and they begin at round times.
    std::vector<Step> steps(lockcore::WallTime to, std::chrono::seconds step, int count) const;
    ActivityCounts sum(lockcore::WallTime from, lockcore::WallTime to) const; // whole seconds
    std::vector<UnseenSpan> unseen(lockcore::WallTime from, lockcore::WallTime to) const;
    lockcore::Millis seen(lockcore::WallTime from, lockcore::WallTime to) const; // for how long of it, somewhere
    bool isSeenWhole(lockcore::WallTime from, lockcore::WallTime to) const; // everywhere
    DurationHistogram holds(lockcore::WallTime from, lockcore::WallTime to) const; // that ended in these slices
    DurationHistogram waits(lockcore::WallTime from, lockcore::WallTime to) const;
    DurationsOfLock holdsOf(const lockcore::LockName &lock, lockcore::WallTime from, lockcore::WallTime to) const
    {
        return ofLock(lock, from, to, false);
    }
    DurationsOfLock waitsOf(const lockcore::LockName &lock, lockcore::WallTime from, lockcore::WallTime to) const
    {
        return ofLock(lock, from, to, true);
    }
    /// What servers went through, oldest first; bounded.
    std::vector<lockcore::monitor::Event> serverEvents(lockcore::WallTime from, lockcore::WallTime to) const;

    /// The newest expiry, seen or inferred, of a lock that was not released before; absent: there was none.
    const std::optional<lockcore::monitor::Event> &lastExpiry() const { return m_lastExpiry; }

private:
    using Second = std::int64_t; // since 1970

    struct Slot {
        Second second = -1;
        ActivityCounts counts;
        std::optional<ActivitySample> sample;
    };
    using Servers = std::uint64_t; // one bit each
    struct Open {
        std::optional<lockcore::WallTime> began; // absent: that was not seen
        Servers servers = 0; // that have it still
        lockcore::monitor::HoldSight sight{};
        int times = 1; // a writer may read, too
        bool ended = false; // a wait: on one server; on the others that is still to come
    };
    struct Durations {
        DurationHistogram holds;
        DurationHistogram waits;
    };
    using Opens = std::unordered_map<std::size_t, Open>; // by lock and owner
    struct InferredEnd {
        std::size_t key; // lock and owner
        lockcore::WallTime at;
    };
    struct Ended {
        lockcore::WallTime at;
        lockcore::Millis took;
        std::size_t lock; // its hash
        bool isWait;
    };

    void restart(lockcore::WallTime since);
    Slot &slot(Second second);
    bool isKept(const Slot &slot) const { return slot.second > m_newest - Kept.count(); }
    Servers serverOf(const std::string &node);
    void lookAtServers(const lockcore::monitor::Snapshot &snapshot, bool isSeen);
    void goOnUntil(Second end);
    std::optional<lockcore::WallTime> lostSince() const;
    void compareClocks(const lockcore::Now &now);
    void count(const lockcore::monitor::Event &event);
    void gap(const lockcore::monitor::Event &event);
    bool isOfGap(const lockcore::monitor::Event &event) const;
    void addUnseen(UnseenSpan span);
    bool begin(Opens &opens, std::size_t key, const lockcore::monitor::Event &event);
    void seed(const lockcore::monitor::LockList &locks);
    void found(std::size_t key, const lockcore::monitor::Event &event);
    void goOn(std::size_t key, const lockcore::monitor::Event &event);
    bool isFirstRenewal(std::size_t key, const lockcore::monitor::Event &event);
    bool end(
        Opens &opens, std::size_t key, const lockcore::monitor::Event &event, DurationHistogram Durations::*durations);
    bool endHold(std::size_t key, const lockcore::monitor::Event &event);
    void endWait(std::size_t key, const lockcore::monitor::Event &event);
    void measure(const lockcore::monitor::Event &event, lockcore::Millis took, DurationHistogram Durations::*durations);
    DurationsOfLock ofLock(
        const lockcore::LockName &lock, lockcore::WallTime from, lockcore::WallTime to, bool isWait) const;
    DurationHistogram sum(lockcore::WallTime from, lockcore::WallTime to, DurationHistogram Durations::*of) const;

    LockCounter m_counter;
    Second m_newest = 0; // what is older than is kept of it, does not count
    Second m_sampledAt = -1; // the newest one; seen ever since; -1: not
    bool m_goesOn = false; // some server at least is seen: where nothing is told, nothing has changed
    std::vector<Slot> m_slots; // a ring
    std::map<std::int64_t, Durations> m_slices;
    std::deque<Ended> m_ended; // the newest, of all locks
    std::deque<InferredEnd> m_inferredEnds; // that were counted, the newest
    std::deque<lockcore::monitor::Event> m_serverEvents;
    Opens m_holds;
    Opens m_waits;
    std::map<std::string, Servers> m_servers;
    std::map<std::string, lockcore::WallTime> m_gapEnds; // the last one of each server; of all: empty
    std::size_t m_serverCount = 0;
    bool m_areCopies = false; // of one lock, on independent servers
    bool m_isSeeded = false; // with what these had when it began
    std::optional<lockcore::Now> m_observed; // at last
    std::map<std::string, lockcore::WallTime> m_lost; // servers, since when, while others are seen
    std::set<std::string> m_unreached; // servers of which nothing was ever seen
    std::deque<UnseenSpan> m_unseen;
    std::optional<lockcore::WallTime> m_unseenSince;
    std::optional<lockcore::WallTime> m_since;
    bool m_isSinceTold = false; // what is told of before it is not to be counted
    std::optional<lockcore::monitor::Event> m_lastExpiry;
};

} // namespace lockui
