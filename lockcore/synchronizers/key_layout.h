// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/export.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::synchronizers {

/// The names of a lock's other keys and of its channels, byte for byte as Redisson writes them.
/// Source: Redisson: RedissonObject, prefixName and suffixName; getChannelName of each kind.
namespace key_layout {

constexpr std::string_view Prefix = "redisson_"; // of queues, deadlines, tokens, unlock latches and all channels
constexpr std::string_view Channels = "redisson_*"; // pattern of all channels; an ACL has to name this very one
constexpr std::string_view BracedNames = "*{*"; // pattern of all fair queues, zsets of permits, named counters

/// What stands before the name.
constexpr std::string_view UnlockLatches = "redisson_unlock_latch:";
constexpr std::string_view LockChannels = "redisson_lock__channel:";
constexpr std::string_view ReadWriteChannels = "redisson_rwlock:";
constexpr std::string_view SemaphoreChannels = "redisson_sc:";
constexpr std::string_view LatchChannels = "redisson_countdownlatch__channel__{"; // whatever the name

/// `{name}:suffix`, or `name:suffix` if the name has a `{` anywhere.
std::string suffixed(std::string_view name, std::string_view suffix);

std::string fairQueue(std::string_view name); // list
std::string fairTimeouts(std::string_view name); // zset
std::string token(std::string_view name); // string
std::string unlockLatch(std::string_view name, std::string_view requestId); // string
std::string readTimeoutPrefix(std::string_view name, const OwnerId &owner); // without the index
std::string readTimeout(std::string_view name, const OwnerId &owner, std::int64_t index); // string; from 1
std::string permitDeadlines(std::string_view name); // zset

/// All keys that a lock of whatever kind may have, but those with an owner or a request in their names.
LOCKCORE_EXPORT std::vector<std::string> keysOf(std::string_view name);

std::string lockChannel(std::string_view name);
std::string fairChannel(std::string_view name, const OwnerId &waiter); // one a waiter
std::string readWriteChannel(std::string_view name);
std::string semaphoreChannel(std::string_view name); // also of semaphores with permits that expire
std::string latchChannel(std::string_view name);

/// The names of which `{name}`, or the name itself if it has a `{`, makes this.
std::vector<LockName> unbraced(std::string_view text);

/// The locks that a fair queue, its deadlines, a token or a read hold's time-out may belong to; empty for any other
/// key. Two where the braces may be Redisson's or part of the name: `a` and `{a}` share these keys.
std::vector<LockName> possibleParents(std::string_view key);

/// The key `{name}:OWNER:rwlock_timeout:N`, which a reader writes with its hold, and deletes with it.
struct ReadTimeout {
    std::vector<LockName> locks; // as in possibleParents()
    OwnerId owner;
    bool isFirst; // of the holds of its owner: each further one, taken while it lasts, has a key of its own
};
/// Absent: it is no such key.
std::optional<ReadTimeout> parseReadTimeout(std::string_view key);

/// The semaphores whose permits a zset of this name may hold; empty for any other key.
std::vector<LockName> possibleSemaphores(std::string_view key);

/// The other name that has the same queue, deadlines, token and channel: `{a}` for `a`, and `a` for `{a}`.
std::optional<LockName> namesake(std::string_view name);

/// Of the keys that live for the moment of an unlock and are never shown.
bool isUnlockLatch(std::string_view key);

/// The free places of a bounded queue: a semaphore that belongs to the queue, and is not shown.
bool isQueueCapacity(std::string_view key);

} // namespace key_layout

} // namespace lockcore::synchronizers
