// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/feed_reason.h"
#include "lockcore/monitor/right.h"
#include "lockcore/monitor/sorted_list.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

/// Inferred from renewals: Redis does not store it.
enum class Lease : std::uint8_t { Unknown, Watchdog, Fixed };

/// A moment known exactly, or only as "at the latest then".
struct Since {
    MonoTime at;
    bool exact = false; // false: it was so already when first seen, or seen again after a gap

    bool operator==(const Since &) const = default;
};

struct LockState;

/// Who holds a lock, or one of its read holds or values together.
struct Holder {
    OwnerId owner;
    std::int64_t count = 1;
    std::optional<MonoTime> expiresAt; // absent: never
    Since since;
    std::optional<synchronizers::HoldMode> mode;
    bool fromPort = false;
    bool expired = false; // it ran out, but still stands in the hash: a reader, or a holder of a faster multi-lock
    Lease lease = Lease::Unknown; // its own, while several hold the lock

    bool operator==(const Holder &) const = default;
};

/// Who stands in the queue of a fair lock.
struct Waiter {
    OwnerId owner;
    std::optional<WallTime> deadline; // on our clock: when the server's will have reached it
    Since since;
    std::optional<bool> subscribed; // to its own channel; absent: not asked yet
    std::optional<Millis> score{}; // the deadline as it stands in Redis, whatever time it is where
    std::optional<MonoTime> listenedLast{}; // of a ghost: when it was seen to listen last; absent: never

    bool operator==(const Waiter &) const = default;
};

/// Its client is there: it is subscribed.
inline bool listens(const Waiter &waiter) { return waiter.subscribed == true; }

/// It stands in the queue, and nobody listens to be told that it is its turn.
inline bool isGhost(const Waiter &waiter) { return waiter.subscribed == false; }

/// A corner of the TTL saw-tooth: a renewal or another jump. Between two corners the TTL falls by one second a second,
/// except after a corner where nothing could be seen any more: until the next one nothing is known.
struct TtlCorner {
    static constexpr Millis NotSeen{ -1 };

    MonoTime at;
    Millis before; // time to live just before the jump; zero: there was none, or it was not seen
    Millis after; // time to live just after it; zero: gone; NotSeen: the connection was lost
    bool renewal = false; // by its holder; false: by another hold, a re-entry, or a person

    bool operator==(const TtlCorner &) const = default;
};

/// The newest event of a lock.
struct LastChange {
    MonoTime at;
    EventKind kind = EventKind::Appeared;
    Certainty certainty = Certainty::Seen;

    bool operator==(const LastChange &) const = default;
};

/// On how many of a set of independent servers a lock is held by the same holder: a RedLock needs more than half.
struct Quorum {
    int held = 0;
    int unknown = 0; // not to be seen at the moment, or not looked through yet and it was not found there
    int servers = 0;

    int needed() const { return servers / 2 + 1; }
    bool operator==(const Quorum &) const = default;
};

/// All that is known of one lock. Immutable once published; unchanged locks keep their pointer from snapshot to
/// snapshot.
struct LockState {
    LockName name;
    synchronizers::Kind kind = synchronizers::Kind::Reentrant;
    std::optional<synchronizers::HoldMode> mode;
    Lease lease = Lease::Unknown;
    bool hasMainKey = false; // the key that is named as the lock exists
    std::int16_t slot = 0;
    std::string node; // `host:port` or the socket's path; independent servers: empty, see `members`
    std::vector<Holder> holders; // empty: free, shown while somebody waits
    std::optional<MonoTime> expiresAt; // of the main key; absent: never, or free
    std::optional<Millis> leaseSeen; // the longest time to live of this hold so far: what a full bar means
    std::int64_t renewals = 0; // seen during this hold
    std::vector<Waiter> waiters; // fair queue, head first
    /// Client instances on the common unlock channel; absent: not known, or shared with another lock. Of a fair lock
    /// who listens and stands in no queue that was found.
    std::optional<std::int64_t> subscribers;
    std::int64_t takenSinceCount = 0; // how often it was got since these were counted: by one of them, perhaps
    std::optional<std::int64_t> token; // fenced locks: the last one given
    std::optional<synchronizers::PermitsReading> permits; // semaphores
    std::optional<std::int64_t> count; // latches
    std::vector<synchronizers::Kind> otherKinds; // what else it may be: the keys do not tell
    std::vector<std::string> otherKeys; // beside the main key; see keysOf()
    std::optional<Quorum> quorum; // independent servers only
    std::vector<std::shared_ptr<const LockState>> members; // the same lock as each independent server has it
    WallTime readAt; // when Redis was first seen to have it as it is here
    MonoTime readAtMono;
    bool becameSoThen = false; // it was watched when it came to that, and ever since; false: it may have been so before
    LastChange lastChange;
    std::vector<TtlCorner> ttlHistory; // empty: no more than the beginning of the hold is known; see ttlHistoryOf()

    bool operator==(const LockState &) const = default;
};

inline const LockName &lockNameOf(const LockState &lock) { return lock.name; }

/// Of its independent servers not all are seen: who holds it or waits for it there is not known.
inline bool isSeenInPart(const LockState &lock) { return lock.quorum && lock.quorum->unknown > 0; }

/// Among holders, or among waiters; of a state or of a reading.
template <typename List>
bool hasOwner(const List &list, const OwnerId &owner)
{
    return std::ranges::any_of(list, [&](const auto &each) { return each.owner == owner; });
}

using LockList = SortedList<LockState>;

enum class SourcePhase {
    Connecting, // nothing to show yet
    Sweeping, // the first look over all keys
    Live,
    Stale, // the connection is lost: what is shown was true at `staleSince`
    Failed, // cannot connect, and nothing was ever seen
};

/// One look over all keys.
struct SweepInfo {
    std::int64_t keysSeen = 0;
    Millis duration{ 0 };
    MonoTime finishedAt;
    bool byScript = false; // false: in pipelined commands, where scripts are refused

    bool operator==(const SweepInfo &) const = default;
};

/// Per second, over the last ten seconds or so.
struct Rates {
    double acquires = 0;
    double renewals = 0;
    double releases = 0;
    double expiries = 0; // seen
    bool mayHaveMoreExpiries = false; // others were inferred
    bool areUnknown = false; // counted for less than a second so far

    bool operator==(const Rates &) const = default;
};

/// Whether the server's slow log can be read, so that slow commands are told of.
enum class SlowLogAccess : std::uint8_t {
    Unknown, // not asked yet, or recorded before it was asked for
    Read,
    Refused, // the user may not
    Missing, // the server has none
};

/// How one server is seen, or all servers of a deployment together.
struct SourceStatus {
    SourcePhase phase = SourcePhase::Connecting;
    std::optional<Error> error; // why it is stale or failed
    std::optional<MonoTime> staleSince;
    std::optional<MonoTime> retryAt; // the next attempt to connect
    std::string server; // and database: `127.0.0.1:6379/3`
    std::string serverVersion; // `7.0.15`
    Feed feed = Feed::None;
    FeedReason feedReason;
    bool feedLimited = false; // since other keys are written too often; recordings have the reason instead
    std::optional<SweepInfo> lastSweep; // complete sweeps only
    double sweepProgress = 0; // 0…1 during the first sweep
    std::vector<MissingRight> missingRights;
    std::string aclLine; // `ACL SETUSER …`: permits all that is missing of this server; empty: nothing is
    Rates rates;
    std::optional<Millis> clockAhead; // the server's, of ours; several servers: the one that differs most
    std::optional<WallTime> recordedAt; // a moment of a recording: nothing of it is of now
    bool channelsShared = false; // with other databases that may have keys: see mayWaitElsewhere()
    SlowLogAccess slowLog = SlowLogAccess::Unknown; // several servers: the worst

    bool operator==(const SourceStatus &) const = default;
};

enum class NodeRole { Unknown, Master, Replica };

/// One server of those that are watched.
struct NodeStatus {
    std::string node; // as in LockState::node
    NodeRole role = NodeRole::Unknown;
    std::vector<SlotSpan> slots; // of a cluster's master
    std::optional<Millis> replicaLag; // a replica: since it last heard of its master
    std::int64_t locks = 0;
    SourceStatus status; // empty: see isWatched()

    bool operator==(const NodeStatus &) const = default;
};

/// A cluster's replica is listed, as its master tells of it, and not watched: how it is nobody sees.
inline bool isWatched(const NodeStatus &node) { return node.role != NodeRole::Replica || !node.status.server.empty(); }

/// A channel of locks that clients are subscribed to.
struct ChannelState {
    std::string channel;
    std::string node;
    std::optional<std::int64_t> subscribers; // client instances; absent: not counted yet
    MonoTime since; // when it was first seen

    bool operator==(const ChannelState &) const = default;
};

/// A wait that Redis does not tell of, of a client of the program that watches: it knows of it itself.
struct KnownWait {
    OwnerId owner;
    LockName lock;
    MonoTime since;

    bool operator==(const KnownWait &) const = default;
};

/// A hold of such a client.
struct KnownHold {
    OwnerId owner;
    LockName lock;

    bool operator==(const KnownHold &) const = default;
};

struct Analysis;

/// Everything shown at one moment.
/// Thread: any; immutable.
struct Snapshot {
    std::uint64_t revision = 0;
    Now takenAt;
    SourceStatus status; // of all nodes together: the worst phase
    std::vector<NodeStatus> nodes;
    LockList locks; // each name once; what two nodes of a cluster have is shown as the slot's owner has it
    std::shared_ptr<const std::vector<ChannelState>> channels; // listed now and then; null: never yet
    std::int64_t moreChannels = 0; // too many to be listed
    std::shared_ptr<const Analysis> analysis; // up to a second older than the rest; null: not yet
    /// In recordings: of the program that made them. Null: it knew of none.
    std::shared_ptr<const std::vector<KnownWait>> knownWaits;
    std::shared_ptr<const std::vector<KnownHold>> knownHolds; // likewise: tells who has got what it waited for
};

/// The node that the lock was read from; null: none, or several.
LOCKCORE_EXPORT const NodeStatus *nodeOf(const Snapshot &snapshot, const LockState &lock);

/// The name of that node, or of the first of several, whose time to live and numbers are shown.
LOCKCORE_EXPORT const std::string &firstNode(const LockState &lock);

/// Since when what is shown of the lock may no longer be true; absent: it is live.
LOCKCORE_EXPORT std::optional<MonoTime> staleSince(const Snapshot &snapshot, const LockState &lock);

/// Until when it was seen: now, unless each server that has it is lost.
LOCKCORE_EXPORT MonoTime seenUntil(const Snapshot &snapshot, const LockState &lock, MonoTime now);
LOCKCORE_EXPORT Now seenUntil(const Snapshot &snapshot, const LockState &lock, const Now &now);

/// How far the server's clock is ahead of the one here, where a person would notice it (a second); else absent.
LOCKCORE_EXPORT std::optional<Millis> clockDifference(const SourceStatus &status);

/// Only so many waiters of a fair lock are read: there may be others behind them.
LOCKCORE_EXPORT bool mayHaveMoreWaiters(const LockState &lock);

/// Those who stand first in the queue of a fair lock, one behind the other, and do not take it when it is free. Whoever
/// tries next drops them while the time-out of the first is over, and stops at one whose time-out is not: nobody else
/// gets the lock before the last of these time-outs, in whatever order they are.
struct IdleRow {
    std::int64_t number = 0; // 0: none
    std::optional<WallTime> until{}; // the last time-out; absent: one of them has none, and is never dropped
    bool mayBeMore = false; // no more of the queue is read

    bool operator==(const IdleRow &) const = default;
};

/// The ghosts at the head. Whoever else is first may take the lock at any moment.
LOCKCORE_EXPORT IdleRow ghostsAtHead(const LockState &lock);

/// Of a free lock that nobody takes: the first, whoever it is, and the ghosts behind it.
LOCKCORE_EXPORT IdleRow idleAtHead(const LockState &lock);

/// The keys that belong to it and exist, the main key first.
LOCKCORE_EXPORT std::vector<std::string> keysOf(const LockState &lock);
/// The other name under which its fair queue lies, as with a NameMapper of Redisson before 3.52; absent: its own.
LOCKCORE_EXPORT std::optional<LockName> queueElsewhere(const LockState &lock);

LOCKCORE_EXPORT bool hasKeys(const LockState &lock);

/// The corners of its time to live that were seen, oldest first and bounded; the beginning of the hold is one, too.
LOCKCORE_EXPORT std::vector<TtlCorner> ttlHistoryOf(const LockState &lock);

/// What a semaphore has to give: also the permits that ran out and wait to be taken back.
LOCKCORE_EXPORT std::int64_t freePermits(const synchronizers::PermitsReading &permits);

/// Permits that are taken, or ran out and were not reclaimed, beyond those in `leases`; absent: Redis does not hold it.
LOCKCORE_EXPORT std::optional<std::int64_t> morePermits(const synchronizers::PermitsReading &permits);

/// Whether an acquire would have to wait now: a semaphore or a latch has no holder as a whole. A faster multi-lock ends
/// for each holder by itself; a reader who ran out is counted for as long as the hash lives.
LOCKCORE_EXPORT bool isHeld(const LockState &lock);

/// Whether it is unknown if an acquire would have to wait: nothing tells of the permits of a semaphore that has no key.
/// It was deleted, was never set up, or lies in another database.
LOCKCORE_EXPORT bool isStateUnknown(const LockState &lock);

/// Time left now; absent: it never expires or is free. Never negative.
LOCKCORE_EXPORT std::optional<Millis> ttlAt(const LockState &lock, MonoTime now);

/// A watchdog that should have renewed by now: the time to live fell clearly below two thirds of a full lease.
LOCKCORE_EXPORT bool renewalLate(const LockState &lock, MonoTime now);

/// Another program has written into it, or it is another program's altogether: nothing in Redis tells which. A search
/// for locks leaves it out, unless it was a lock when it was first seen.
LOCKCORE_EXPORT bool mayBeNoLock(const LockState &lock);

/// Its fair queue is there, and tells nothing: an element is no waiter, or longer than one can be. Nothing is known of
/// who waits.
LOCKCORE_EXPORT bool hasUnreadQueue(const LockState &lock);

/// Of those in its queue; they are counted as waiting with the others, for they stand in it.
LOCKCORE_EXPORT std::int64_t ghostCount(const LockState &lock);

/// Client instances that listen for its release. Whoever has got it since they were counted may have been one of them.
LOCKCORE_EXPORT std::int64_t listeningAtLeast(const LockState &lock);

/// Waiting as far as Redis tells: the fair queue's length, or where it was not found those who listen; else the
/// subscribed client instances. Absent: not known, also where none is known of and some may wait all the same. All that
/// shows, adds up or orders by who waits goes by it.
LOCKCORE_EXPORT std::optional<std::int64_t> waitingCount(const LockState &lock);

/// More may wait than are counted: of client instances each may have several threads, of a queue only so many are read,
/// and of independent servers not all may be seen.
LOCKCORE_EXPORT bool mayMoreWait(const LockState &lock);

/// Client instances subscribed to be woken: of a fair queue those of its waiters; absent: not known.
LOCKCORE_EXPORT std::optional<std::int64_t> subscribedClients(const LockState &lock);

/// Whether its waiters are known by the subscribers of its channel, and there are some.
LOCKCORE_EXPORT bool isCountedAtChannel(const LockState &lock);
/// Some of the channels may be those of locks in other databases, too.
LOCKCORE_EXPORT bool sharesChannels(const Snapshot &snapshot);

/// Channels know no database: those who were counted at the channel of this lock may wait for one of the same name in
/// another database. False where all are sure to be its own, or nobody was counted there.
LOCKCORE_EXPORT bool mayWaitElsewhere(const Snapshot &snapshot, const LockState &lock);

} // namespace lockcore::monitor
