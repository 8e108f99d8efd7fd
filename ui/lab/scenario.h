// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario: a short story that several clients tell about locks, and what is expected of each of its steps.
#pragma once

#include "lockcore/base/enum_table.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/events.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockui::lab {

/// On which servers a scenario is played: private ones, started for it and gone after it.
enum class Setting {
    One, // one server
    Replicated, // a master with a replica, and a Sentinel that lets the replica take over
    Independent, // several servers that know nothing of each other: the members of a RedLock
    Cluster, // three masters of a Redis Cluster
};

inline constexpr lockcore::TextRow<Setting> Settings[]{
    { Setting::One, "one" },
    { Setting::Replicated, "replicated" },
    { Setting::Independent, "independent" },
    { Setting::Cluster, "cluster" },
};
static_assert(lockcore::hasRowForEach(Settings));

/// What a scenario is about, as it stands in a list of many.
enum class Group { Basics, Leases, Waiting, Kinds, Faults };

inline constexpr lockcore::TextRow<Group> Groups[]{
    { Group::Basics, "basics" },
    { Group::Leases, "leases" },
    { Group::Waiting, "waiting" },
    { Group::Kinds, "kinds" },
    { Group::Faults, "faults" },
};
static_assert(lockcore::hasRowForEach(Groups));

/// What a step does.
enum class Act {
    // by a client
    Lock, // again by its holder: re-entry; of a semaphore: one permit
    Unlock,
    Renew, // sets the time to live by hand
    SetPermits, // of a semaphore
    SetCount, // of a latch
    CountDown,
    Await, // a latch
    // with a client's process
    Crash, // kill -9
    Pause, // SIGSTOP: it stands still, and so does its watchdog
    Resume,
    Start, // anew, with another id, after a crash
    // with the network of a client
    Cut, // nothing gets through any more, and nobody is told
    Mend,
    // by an administrator
    ForceRelease,
    // with a server
    KillServer, // kill -9
    StartServer, // again, empty
    PauseServer,
    ResumeServer,
    MoveSlot, // of a cluster: with the lock in it to that server
    CutReplication, // the replica stands still and hears nothing of its master any more, until it is resumed
    // nothing: only looks
    Check,
};

/// Who or what acts.
enum class Actor { Client, Administrator, Server, Nobody };

struct ActRow {
    Act value;
    const char *name; // in scenario files
    Actor actor;
    bool needsLock;
};

inline constexpr ActRow Acts[]{
    { Act::Lock, "lock", Actor::Client, true },
    { Act::Unlock, "unlock", Actor::Client, true },
    { Act::Renew, "renew", Actor::Client, true },
    { Act::SetPermits, "setPermits", Actor::Client, true },
    { Act::SetCount, "setCount", Actor::Client, true },
    { Act::CountDown, "countDown", Actor::Client, true },
    { Act::Await, "await", Actor::Client, true },
    { Act::Crash, "crash", Actor::Client, false },
    { Act::Pause, "pause", Actor::Client, false },
    { Act::Resume, "resume", Actor::Client, false },
    { Act::Start, "start", Actor::Client, false },
    { Act::Cut, "cutNetwork", Actor::Client, false },
    { Act::Mend, "mendNetwork", Actor::Client, false },
    { Act::ForceRelease, "forceRelease", Actor::Administrator, true },
    { Act::KillServer, "killServer", Actor::Server, false },
    { Act::StartServer, "startServer", Actor::Server, false },
    { Act::PauseServer, "pauseServer", Actor::Server, false },
    { Act::ResumeServer, "resumeServer", Actor::Server, false },
    { Act::MoveSlot, "moveSlot", Actor::Server, true },
    { Act::CutReplication, "cutReplication", Actor::Server, false },
    { Act::Check, "check", Actor::Nobody, false },
};
static_assert(lockcore::hasRowForEach(Acts));
constexpr const char *nameOf(Act act) { return lockcore::rowOf(Acts, act).name; }

/// How what a client was told to do ends.
enum class Outcome {
    Acquired,
    NotAcquired, // the time to wait was over
    Released,
    StillHeld, // released once, and held by re-entry
    Done,
    No, // it was so already: the permits or the count are set, the permit is not held any more
    Failed, // with an error
    Crashed, // its process died before it answered
};

inline constexpr lockcore::TextRow<Outcome> Outcomes[]{
    { Outcome::Acquired, "acquired" },
    { Outcome::NotAcquired, "notAcquired" },
    { Outcome::Released, "released" },
    { Outcome::StillHeld, "stillHeld" },
    { Outcome::Done, "done" },
    { Outcome::No, "no" },
    { Outcome::Failed, "error" },
    { Outcome::Crashed, "crashed" },
};
static_assert(lockcore::hasRowForEach(Outcomes));
constexpr const char *nameOf(Outcome outcome) { return lockcore::rowOf(Outcomes, outcome).text; }

/// From and to, both included. Never an exact time: machines are shared.
struct Window {
    lockcore::Millis least{ 0 };
    lockcore::Millis most = lockcore::Millis::max();

    bool has(lockcore::Millis time) const { return least <= time && time <= most; }
    bool operator==(const Window &) const = default;
};

/// What a key is expected to be in Redis, or who listens to a channel. In its name and its values `$A` stands for the
/// id of the client A.
struct KeyExpectation {
    std::string key;
    std::size_t server = 0; // of several
    std::optional<bool> exists;
    std::optional<std::string> value; // of a string
    std::optional<std::map<std::string, std::string>> fields; // of a hash, all of them
    std::optional<std::vector<std::string>> elements; // of a list, in order
    std::optional<Window> ttl;
    std::optional<std::int64_t> subscribers; // then it is a channel, and this many connections listen there

    bool operator==(const KeyExpectation &) const = default;
};

/// What the monitor is expected to show of a lock. `$A:1` is thread 1 of the client A.
struct SeenExpectation {
    lockcore::LockName lock;
    std::optional<bool> held;
    std::optional<std::vector<std::string>> holders; // in any order
    std::optional<std::vector<std::string>> waiters; // as in the queue
    std::optional<std::string> lease; // watchdog, fixed or unknown
    std::optional<std::int64_t> freePermits;
    std::optional<std::int64_t> count; // of a latch
    std::optional<int> quorum; // on so many servers
    std::optional<std::string> suspect; // what is wrong, by its name

    bool operator==(const SeenExpectation &) const = default;
};

/// What the monitor is expected to tell.
struct EventExpectation {
    lockcore::monitor::EventKind event = lockcore::monitor::EventKind::Acquired;
    lockcore::LockName lock;
    std::optional<std::string> owner;
    std::optional<lockcore::monitor::Certainty> certainty;

    bool operator==(const EventExpectation &) const = default;
};

struct Expectation {
    // of what a client did
    std::optional<Outcome> outcome;
    std::optional<std::string> error; // by its name
    std::optional<Window> took; // from the order to the answer, where it was carried out
    std::optional<std::string> tokenAbove; // of a fenced lock: greater than that of this step
    // of the world afterwards, within a time
    std::vector<KeyExpectation> redis;
    std::vector<SeenExpectation> seen;
    std::vector<EventExpectation> events; // since the beginning
    std::vector<std::string> order; // these steps have ended one after the other
    lockcore::Millis within{ 5'000 };
    std::optional<lockcore::Millis> stays; // and from then on so long

    bool operator==(const Expectation &) const = default;
};

struct Step {
    std::string id; // unique; "3" where the file names none
    Act act = Act::Check;
    std::string client; // who does it, or whose process or network it is done to; empty: nobody's
    std::string thread = "1";
    std::size_t server = 0; // of several
    lockcore::LockName lock;
    std::vector<lockcore::LockName> locks; // a multi-lock's members
    lockcore::synchronizers::Kind kind = lockcore::synchronizers::Kind::Reentrant;
    lockcore::synchronizers::LockVariant variant = lockcore::synchronizers::LockVariant::Standard;
    std::optional<lockcore::synchronizers::HoldMode> mode;
    std::optional<lockcore::Millis> lease; // absent: the watchdog's
    std::optional<lockcore::Millis> wait; // absent: without limit; zero: one try
    lockcore::Millis retry{
        0
    }; // so long an error is no end: it is tried again, as a program does whose server fails over
    std::int64_t count = 1; // permits, or the latch's count
    std::vector<std::string> after; // ends that are waited for; the step before has begun in any case
    lockcore::Millis pause{ 0 }; // then
    bool isScalable = false; // the pause: nothing in the story depends on its length
    bool isMeanwhile = false; // the next step does not wait for the end of this one
    std::string note; // what one sees, and why
    Expectation expects;
    std::size_t line = 0; // in the file

    bool operator==(const Step &) const = default;
};

/// What a client is.
enum class ClientProgramKind {
    Lockcore, // this project's own
    Redisson, // the real one, in Java
};

inline constexpr lockcore::TextRow<ClientProgramKind> ClientProgramKinds[]{
    { ClientProgramKind::Lockcore, "lockcore" },
    { ClientProgramKind::Redisson, "redisson" },
};
static_assert(lockcore::hasRowForEach(ClientProgramKinds));

struct ScenarioClient {
    std::string name;
    ClientProgramKind program = ClientProgramKind::Lockcore;
    std::string version = {}; // of Redisson: "3.16.8", or "4" for any that begins with "4."; empty: any
    bool renews = true; // false: a watchdog that never comes
    bool hasProxy = false; // its network can be cut

    bool operator==(const ScenarioClient &) const = default;
};

struct Scenario {
    std::string name; // as on a command line
    std::string title;
    std::optional<Group> group; // absent: of none
    std::vector<std::string> about; // paragraphs
    std::string forYourCode; // what it means for code that uses locks
    Setting setting = Setting::One;
    std::size_t servers = 1;
    lockcore::Millis watchdog{ 30'000 }; // lockWatchdogTimeout of all clients
    lockcore::Millis fairWait{ 300'000 }; // fairLockWaitTimeout
    std::vector<ScenarioClient> clients;
    std::vector<Step> steps;

    bool operator==(const Scenario &) const = default;
};

} // namespace lockui::lab
