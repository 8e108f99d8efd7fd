// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/command.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::synchronizers {

/// A script with what it is to be sent with.
struct ScriptCall {
    const protocol::Script *script = nullptr;
    std::vector<std::string> keys;
    std::vector<std::string> arguments;
};

/// How often a client holds a lock as far as it knows, where the server counts that.
struct HoldsKnown {
    HoldsKnown(std::int64_t known = 0)
        : ofOwner(known)
    {
    }

    std::int64_t ofOwner; // faster multi-locks: the most of any value
    std::vector<std::int64_t> ofValues; // faster multi-locks: of each one; empty: all alike
};

/// One try to get a hold.
struct TryCall {
    LockName name;
    OwnerId owner;
    Millis lease{ 0 };
    Millis wait{ 0 }; // fair locks: by how much each waiter moves the deadlines of those behind
    bool linesUp = false; // fair locks: stands in the queue when refused
    std::optional<HoldsKnown> holdsKnown = {}; // one more than these is this try's, which was made before and its
                                               // answer lost: not counted twice then; absent: one more in any case
    std::vector<std::string> values = {}; // faster multi-locks
    std::string publish = "PUBLISH"; // or SPUBLISH
};

/// One hold to be given back. The same request id again is the same unlock, whatever became of the first answer.
struct UnlockCall {
    LockName name;
    OwnerId owner;
    Millis lease{ 0 }; // set anew when holds remain
    std::string requestId; // 32 lower-case hex digits
    Millis latchTtl{ 0 };
    std::vector<std::string> values = {};
    std::string publish = "PUBLISH";
    std::optional<HoldsKnown> keep = {}; // gives back only what is held beyond these
};

/// A lease to be set. The same request id again is the same request, whatever became of the first answer.
struct SetLeaseCall {
    LockName name;
    OwnerId owner;
    Millis lease{ 0 };
    std::string requestId; // 32 lower-case hex digits
    std::optional<Millis> latchTtl = {}; // a repetition's: a copy of the first request may still come for so long
    std::vector<std::string> values = {};
};

struct HoldName {
    LockName name;
    OwnerId owner;
    std::vector<std::string> values = {};
};

/// How one kind of lock is acted on: its scripts with their keys and arguments.
/// All answer alike: see lock_replies.h.
struct LockBehaviour {
    ScriptCall (*acquire)(const TryCall &call);
    std::string (*channel)(
        std::string_view name, const OwnerId &waiter); // where its release is told; null: nowhere, waiters ask again
    ScriptCall (*giveUp)(const TryCall &call); // null: a waiter leaves nothing behind
    ScriptCall (*unlock)(const UnlockCall &call);
    ScriptCall (*renew)(
        std::span<const HoldName> holds, Millis lease); // many locks at once, never shortens a read hold
    ScriptCall (*setLease)(const SetLeaseCall &call);
};

inline std::string milliseconds(Millis time) { return std::to_string(time.count()); }
inline std::string epochMilliseconds(WallTime time) { return std::to_string(time.time_since_epoch().count()); }
inline std::string holdsArgument(const TryCall &call)
{
    return call.holdsKnown ? std::to_string(call.holdsKnown->ofOwner) : std::string();
}
inline std::string latchTtlArgument(const SetLeaseCall &call)
{
    return call.latchTtl ? milliseconds(*call.latchTtl) : std::string();
}
inline void appendKeep(std::vector<std::string> &arguments, const UnlockCall &call)
{
    if (call.keep)
        arguments.push_back(std::to_string(call.keep->ofOwner));
}

} // namespace lockcore::synchronizers
