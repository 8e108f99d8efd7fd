// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/events.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// Inferred from renewals: Redis does not store it.
enum class Lease { Unknown, Watchdog, Fixed };

/// A moment known exactly, or only as "at the latest then".
struct Since {
    MonoTime at;
    bool exact = false; // false: it was so already when first seen

    bool operator==(const Since &) const = default;
};

struct Holder {
    OwnerId owner;
    std::int64_t count = 1;
    std::optional<HoldMode> mode;
    std::optional<MonoTime> expiresAt; // absent: never
    Since since;
    bool fromPort = false;
    bool expired = false; // a reader all of whose timeouts have run out, still counted by the hash

    bool operator==(const Holder &) const = default;
};

struct Waiter {
    OwnerId owner;
    std::optional<WallTime> deadline; // by the waiters' clocks
    Since since;
    std::optional<bool> subscribed; // to its own channel; absent: not asked yet

    bool operator==(const Waiter &) const = default;
};

/// A corner of the TTL saw-tooth: a renewal or another jump. Between two corners the TTL falls by one second a second.
struct TtlCorner {
    MonoTime at;
    Millis before; // time to live just before the jump; zero: there was none
    Millis after; // time to live just after it; zero: gone
    bool renewal = false; // by who held it already; false: another hold, re-entry, or a hand

    bool operator==(const TtlCorner &) const = default;
};

struct LastChange {
    EventKind kind = EventKind::Appeared;
    MonoTime at;
    Certainty certainty = Certainty::Seen;

    bool operator==(const LastChange &) const = default;
};

/// All that is known of one lock. Immutable once published; unchanged locks keep their pointer from snapshot to
/// snapshot.
struct LockState {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::optional<HoldMode> mode;
    std::vector<Holder> holders; // empty: free, shown while somebody waits
    std::optional<MonoTime> expiresAt; // of the main key; absent: never, or free
    std::optional<Millis> leaseSeen; // the longest time to live of this hold so far: what a full bar means
    Lease lease = Lease::Unknown;
    std::int64_t renewals = 0; // seen during this hold
    std::vector<Waiter> waiters; // fair queue, head first
    std::optional<std::int64_t>
        subscribers; // client instances on the common unlock channel; absent: not known, or fair
    std::optional<std::int64_t> token;
    std::vector<std::string> keys;
    std::string node; // `host:port` or the socket's path
    int slot = 0;
    WallTime readAt;
    MonoTime readAtMono;
    LastChange lastChange;
    std::shared_ptr<const std::vector<TtlCorner>> ttlHistory; // oldest first, bounded; never null

    bool operator==(const LockState &) const = default;
};

/// How changes reach us, best first.
enum class Feed { None, ClientTracking, KeyspaceNotifications, Rereading };

enum class SourcePhase {
    Connecting, // nothing to show yet
    Sweeping, // the first look over all keys
    Live,
    Stale, // the connection is lost: what is shown was true at `staleSince`
    Failed, // cannot connect, and nothing was ever seen
};

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
    double expiries = 0;

    bool operator==(const Rates &) const = default;
};

struct SourceStatus {
    SourcePhase phase = SourcePhase::Connecting;
    std::optional<Error> error; // why it is stale or failed
    std::optional<MonoTime> staleSince;
    std::optional<MonoTime> retryAt; // the next attempt to connect
    std::string server; // `127.0.0.1:6379`
    std::string serverVersion; // `7.0.15`
    Feed feed = Feed::None;
    std::optional<SweepInfo> lastSweep; // complete sweeps only
    double sweepProgress = 0; // 0…1 during the first sweep
    std::vector<std::string>
        missingRights; // one sentence each: what is refused, what it costs, the ACL rule that helps
    Rates rates;

    bool operator==(const SourceStatus &) const = default;
};

/// Everything shown at one moment.
/// Thread: any; immutable.
struct Snapshot {
    std::uint64_t revision = 0;
    Now takenAt;
    SourceStatus status;
    std::vector<std::shared_ptr<const LockState>> locks; // by name
};

/// Time left now; absent: it never expires or is free. Never negative.
LOCKCORE_EXPORT std::optional<Millis> ttlAt(const LockState &lock, MonoTime now);

/// A watchdog that should have renewed by now: the time to live fell clearly below two thirds of a full lease.
LOCKCORE_EXPORT bool renewalLate(const LockState &lock, MonoTime now);

/// Waiting as far as Redis tells: the fair queue's length, else the subscribed client instances; absent: not known.
LOCKCORE_EXPORT std::optional<std::int64_t> waitingCount(const LockState &lock);

/// Client instances subscribed to be woken: of a fair queue those of its waiters; absent: not known.
LOCKCORE_EXPORT std::optional<std::int64_t> subscribedClients(const LockState &lock);

} // namespace lockcore
