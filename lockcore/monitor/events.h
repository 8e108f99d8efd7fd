// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

enum class EventKind : std::uint8_t {
    Appeared, // found held, since when nobody can say
    Acquired,
    Reentered, // by its holder, who holds it once more
    Renewed, // its lease was set anew
    PartlyReleased, // by its holder, who still holds it
    Released,
    Expired, // its lease ran out before it was released
    ForceReleased, // freed by somebody else
    Deleted, // its key is gone, and no client of Redisson did that
    FoundQueued, // found in the queue of a fair lock, since when nobody can say
    Queued, // somebody waits for a fair lock
    Dequeued, // somebody waits for it no more
    WaiterTimedOut, // its time in the queue was over, and another waiter has removed it
    PermitsChanged, // of a semaphore
    CountChanged, // of a latch
    Gap, // nothing could be seen for a time
    MasterChanged, // another server is the master now, which keeps these locks from then on
    ServerRestarted, // it is another process than before
    SlowCommand, // of whomever, as the server's slow log has it
    ClientsPaused, // CLIENT PAUSE, or the server by itself
    DatabaseEmptied, // FLUSHALL or FLUSHDB, of whatever database
    DatabasesSwapped, // SWAPDB, of whatever databases: all keys of one may lie in another at once
};

/// What a server went through, and no lock alone.
constexpr bool isOfServer(EventKind kind)
{
    return kind == EventKind::MasterChanged || kind == EventKind::ServerRestarted || kind == EventKind::SlowCommand
        || kind == EventKind::ClientsPaused || kind == EventKind::DatabaseEmptied
        || kind == EventKind::DatabasesSwapped;
}

/// Whoever held it does so no more.
constexpr bool endsHold(EventKind kind)
{
    return kind == EventKind::Released || kind == EventKind::Expired || kind == EventKind::ForceReleased
        || kind == EventKind::Deleted;
}

/// Whoever stood in the queue does so no more; who acquires the lock has left it as well, and nothing else tells that.
constexpr bool leftQueue(EventKind kind) { return kind == EventKind::Dequeued || kind == EventKind::WaiterTimedOut; }

/// Seen: read from Redis as such. Inferred: the only likely explanation of what was read. Recorded: inferred from what
/// was read, and who did it has recorded what it was; the monitor, which reads no records, never tells that.
enum class Certainty : std::uint8_t { Seen, Inferred, Recorded };

/// Since when something was so that was found already.
struct KnownSince {
    WallTime at;
    bool exact = false; // false: at the latest then

    bool operator==(const KnownSince &) const = default;
};

/// Something that happened to a lock or to a server, or a time during which nothing could be seen.
struct Event {
    WallTime at;
    EventKind kind = EventKind::Appeared;
    LockName lock; // empty: a gap concerns everything, and so does what a server went through
    std::optional<synchronizers::Kind> lockKind;
    std::optional<OwnerId> owner;
    std::optional<std::int64_t>
        count; // how often the owner holds it then; of a semaphore its free permits, of a latch its count; of who left
               // a queue 0, if nobody listened on its channel: see wasGhost();
               // ClientsPaused: how often; SlowCommand without a command: of how many others nothing more is known
    /// Gap: how long nothing could be seen. SlowCommand: how long it took. ServerRestarted: how long it was up when it
    /// was seen again. ClientsPaused: how long they still were to be, absent where the server does not tell.
    /// PermitsChanged: what is left of the lease of a permit that was set anew.
    std::optional<Millis> ttl;
    std::string node; // where it happened; Gap: of which node, empty for all; MasterChanged: the new master
    Certainty certainty = Certainty::Seen;
    std::string command{}; // SlowCommand: its name, `CONFIG SET`, and nothing that may be a secret
    std::string key{}; // SlowCommand: on which it worked; of KEYS the pattern
    std::string formerMaster{}; // MasterChanged: its node; Gap: who kept at its beginning what `node` keeps since then
    /// Appeared and FoundQueued at the beginning of a recording: what its monitor knew by then.
    std::optional<KnownSince> since{};
    bool byLockscope = false; // SlowCommand whose name is known: a program of ours sent it; else that is not known

    bool operator==(const Event &) const = default;
};

/// Who left the queue stood there, and its client was gone: it did not wait.
constexpr bool wasGhost(EventKind kind, std::optional<std::int64_t> count) { return leftQueue(kind) && count == 0; }

inline bool wasGhost(const Event &event) { return wasGhost(event.kind, event.count); }

/// A wait that ends with it may have been seen whole: a ghost did not wait, and of an end that is concluded it is not
/// known that it was one.
inline bool endsSeenWait(const Event &event) { return event.certainty == Certainty::Seen && !wasGhost(event); }

using EventList = std::shared_ptr<const std::vector<Event>>;

} // namespace lockcore::monitor
