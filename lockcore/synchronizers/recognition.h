// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/synchronizers/token_recognition.h"

#include <optional>

namespace lockcore::synchronizers {

struct CounterLook;
struct LockLook;

/// The lock that a hash is, or that a queue without a hash tells of: one beyond doubt, or also a damaged one, see
/// recogniseDamaged.
std::optional<LockReading> recognise(
    const LockName &name, const LockLook &look, Recognition recognition = Recognition::Sure);

/// A string that was looked at: a semaphore or latch, or any number, see isPlainNumber; else the lock that it is by its
/// name.
std::optional<LockReading> recogniseString(const LockName &name, const CounterLook &look, const TokenNames &names);

bool isDamaged(const LockReading &reading);
/// Whether there is an owner among the holders, and each owner there is has a number of holds, as in every lock.
bool hasRealHolds(const LockReading &reading);
/// Whether even of a name that nobody knows a damaged lock is nothing else: it ends by itself, and each holder is one
/// as Redisson writes it, of a read/write lock or of a few.
bool isLockByItsLooks(const LockReading &reading);

} // namespace lockcore::synchronizers
