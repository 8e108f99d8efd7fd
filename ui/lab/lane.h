// SPDX-License-Identifier: GPL-3.0-or-later
// What stands on the lanes of a play, see lanes.h.
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockui::lab {

/// From where it is known, the surest first.
enum class Known : std::uint8_t {
    Measured, // by the play: when a client answered, or when something was done
    Seen, // by the monitor, read from Redis as such
    Inferred, // by the monitor, as the only likely explanation of what it read; or from what a client was told later
};

/// How a hold, a wait or the name of a dead client in Redis ended.
enum class SpanEnd : std::uint8_t {
    None, // it goes on, and is drawn until now
    Released,
    Expired, // its lease ran out
    ForceReleased,
    Deleted, // its key is gone, or the server's data
    FoundGone, // its client was told that it does not hold it: when it ended nobody saw
    Crashed, // its client died
    // of a wait
    Acquired, // the lock, the permit, or the end of the latch
    NotAcquired, // the time to wait was over
    Failed, // with an error
    // of a dead client's place in a queue
    Dequeued,
    TimedOut,
};

/// So often it is held, or so many permits, from then on.
struct LaneDepth {
    lockcore::MonoTime from;
    std::int64_t depth = 1;

    bool operator==(const LaneDepth &) const = default;
};

struct LaneRenewal {
    lockcore::MonoTime at;
    Known known = Known::Seen;

    bool operator==(const LaneRenewal &) const = default;
};

struct LaneHold {
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    SpanEnd end = SpanEnd::None;
    Known begun = Known::Measured;
    Known ended = Known::Measured;
    std::vector<LaneDepth> depths; // by time; the first begins with the hold
    std::vector<LaneRenewal> renewals{}; // by time
    std::optional<std::size_t> step; // that took it; absent: the client never answered that it has it
    std::optional<std::size_t> endStep{}; // that ended it, or after which it was found gone
    std::optional<lockcore::MonoTime> believedUntil{}; // its client was told only then that it is over
};

/// From the order to the answer, so also the moment that a free lock takes.
struct LaneWait {
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    SpanEnd end = SpanEnd::None;
    std::size_t step = 0;
};

/// Redis still names a client that is dead: as a holder, or as one who waits in a queue.
struct LaneGhost {
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    SpanEnd end = SpanEnd::None;
    Known ended = Known::Seen;
    bool isWaiter = false;
};

/// What one thread of a client did with one lock. Of its holds, waits and ghosts none overlaps another, but where a
/// scenario lets the same thread wait for the same lock twice at once.
struct LaneRow {
    lockcore::LockName lock;
    std::string thread;
    std::optional<lockcore::synchronizers::HoldMode> mode; // of a read/write lock
    lockcore::synchronizers::Kind kind = lockcore::synchronizers::Kind::Reentrant;
    std::size_t life = 0; // a client that was started again is another one for Redis, and begins at 1
    std::vector<LaneHold> holds; // by time, as all here
    std::vector<LaneWait> waits;
    std::vector<LaneGhost> ghosts;
};

/// A moment.
struct LaneMark {
    enum class What : std::uint8_t {
        Killed,
        Started, // again, and ready
        Paused,
        Resumed,
        NetworkCut,
        NetworkMended,
        LeaseRanOut, // also of a client that is dead by then
        ForceReleased,
        Deleted, // what it held is gone from Redis, and no client did that
        CountSet, // permits of a semaphore, or a latch's count
        CountedDown,
        Refused, // what it asked for, other than a lock, was answered with an error
    };

    What what = What::Killed;
    lockcore::MonoTime at;
    Known known = Known::Measured;
    std::optional<std::size_t> step; // absent: no step did it
    lockcore::LockName lock; // empty: it concerns the client
    std::string thread;
};

/// A stretch of time in which a client could not do what it wanted.
struct LaneState {
    enum class What : std::uint8_t { Dead, Paused, CutOff };

    What what = What::Dead;
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    bool goesOn = true;
};

struct ClientLane {
    std::string client; // its name in the scenario
    std::vector<LaneRow> rows; // as they were first asked for
    std::vector<LaneMark> marks;
    std::vector<LaneState> states;
};

struct ServerMark {
    enum class What : std::uint8_t {
        Killed,
        Started, // again, empty
        Paused,
        Resumed,
        ReplicationCut, // the replica stands still and hears nothing any more
        MasterChanged,
        Restarted, // as the monitor saw it
        Emptied,
        ClientsPaused,
    };

    What what = What::Killed;
    lockcore::MonoTime at;
    Known known = Known::Measured;
    std::optional<std::size_t> server; // of the scenario; absent: the monitor saw it
    std::string node; // then: which; MasterChanged: the new master
    std::optional<std::size_t> step;
};

struct ServerState {
    enum class What : std::uint8_t { Down, Paused };

    What what = What::Down;
    std::size_t server = 0;
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    bool goesOn = true;
};

/// The monitor could not see what happened on a server.
struct LaneGap {
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    std::string node; // empty: of all
};

struct Lanes {
    lockcore::MonoTime from; // when the first step could begin
    lockcore::MonoTime to; // what goes on is drawn until here
    std::vector<ClientLane> clients; // one a client, as the scenario names them
    std::vector<ServerMark> servers;
    std::vector<ServerState> serverStates;
    std::vector<LaneGap> gaps;
};

} // namespace lockui::lab
