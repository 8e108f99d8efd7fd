// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_request.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace faults {

using lockcore::Millis;
using lockcore::client::LockTarget;

enum class Setup {
    Single,
    Pair, // a master and its replica, which takes over under the same address
    Cluster, // three masters
};

enum class FaultKind {
    // on the way
    Stall, // what is under way stands still, on the connections that there are
    StallAll, // on new ones too
    StallAnswers, // the server's words only
    Delay,
    Late, // what clients have sent arrives late, even if they have given the connection up
    Cut,
    CutInCommand,
    CutInReply,
    Refuse, // new connections
    // the server
    Stop, // SIGSTOP
    Pause, // CLIENT PAUSE
    ScriptFlush,
    NoLatches, // an ACL without SET: releases are refused, and nothing else
    NoScripts, // an ACL without EVAL and EVALSHA
    NoSubscriptions,
    KillClients, // CLIENT KILL TYPE normal
    KillSubscribers,
    OutOfMemory,
    NoReplicas, // it refuses to write
    Busy, // a script that takes long
    Restart, // all data are gone
    Failover,
    MoveSlot,
    Unroutable, // a node gives an address that cannot be reached
    // a client
    Kill, // SIGKILL
    StopClient, // SIGSTOP
    Close,
    Destroy, // like a process that died
};

const char *toString(FaultKind kind);

struct Fault {
    Millis at{ 0 };
    FaultKind kind = FaultKind::Cut;
    int target = 0; // a server or a client, modulo how many there are
    Millis lasts{ 0 };
};

struct PlannedClient {
    bool isProcess = false;
    bool isMortal = false; // may be ended by a fault, and takes no long leases
    int users = 2;
    int secondsAhead = 0; // of its wall clock
};

/// All that a seed decides. What the clients' users do follows from it too, but when exactly is up to the machine.
struct Plan {
    std::uint64_t seed = 0;
    Setup setup = Setup::Single;
    /// Read/write ones without a mode; faster ones with all their values.
    std::vector<LockTarget> locks;
    std::vector<PlannedClient> clients;
    std::vector<Fault> faults;
    Millis faultTime{ 2'000 };
    Millis watchdog{ 900 };
    Millis fairWait{ 1'500 };
    bool losesData = false;
};

using Random = std::mt19937_64;

/// From `low` to `high`, both included.
inline int between(Random &random, int low, int high) { return low + int(random() % std::uint64_t(high - low + 1)); }
inline bool chance(Random &random, int percent) { return between(random, 1, 100) <= percent; }

/// `only`: of all faults, for whoever looks for one thing; empty: all kinds.
Plan makePlan(std::uint64_t seed, const std::string &only = {});
std::string describe(const Plan &plan);

/// So short that a schedule takes seconds.
lockcore::client::LockClientOptions clientOptions(const Plan &plan);

constexpr Millis LongLease{ 60'000 };

} // namespace faults
