// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockcore::synchronizers {

constexpr std::int64_t MaxLeases = 100; // of permits, those that run out first
constexpr std::size_t LongestNumber = 20; // of 64 bits, with a sign

/// What the keys of a name hold whose main key is a string.
struct CounterLook {
    using Permits = std::vector<std::pair<std::string, std::string>>; // each with its score

    std::string text; // of the main key, cut behind what a number needs
    std::int64_t pttl = -2;
    // Of the zset that would hold its permits.
    Permits firstPermits;
    Permits lastPermit;
    std::int64_t permits = 0;
    std::int64_t overdue = 0;
    bool otherIsNumber = false; // `a` for `{a}`: both would have the same permits and channel
};

/// The semaphore or latch that is there. Most numbers in Redis are neither, and only channels tell: see isPlainNumber.
/// Source: Redisson: RedissonSemaphore, RedissonPermitExpirableSemaphore and RedissonCountDownLatch; for the names of
///         those of values RedissonMap.getSemaphore and its like.
std::optional<LockReading> recogniseCounter(const LockName &name, const CounterLook &look);

/// Nothing in its keys tells that it is a semaphore or a latch: it may be any number.
bool isPlainNumber(const LockReading &reading);

/// By its name it is a semaphore or a latch of a map's or set's value.
bool isNamedCounter(std::string_view key);

/// Whether a string may be the number of a semaphore or latch.
bool mayBeCounter(const std::string &text);

/// What is known of a number besides its keys.
struct CounterHint {
    bool semaphore = false; // of either kind
    bool latch = false;

    explicit operator bool() const { return semaphore || latch; }
    bool operator==(const CounterHint &) const = default;
};

/// The kinds that a counter may be: the likeliest first, none if it may be any number.
using CounterKinds = std::vector<Kind>;

CounterKinds kindsOf(const CounterHint &hint);
/// What is left of these kinds by those that were hinted at; the latter if none is left: it has been replaced since.
CounterKinds both(const CounterKinds &before, const CounterKinds &hinted);

/// What a number is, by what it was when it was last seen (none: it was not) and by the hint. Absent: nothing tells.
std::optional<LockReading> resolveCounter(LockReading reading, const CounterKinds &before, const CounterHint &hint);

/// A counter that clients wait for and that does not exist: a semaphore nobody set, or a latch that is gone.
LockReading absentCounter(const LockName &name, const CounterHint &hint);

} // namespace lockcore::synchronizers
