// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockcore::synchronizers {

// Limits on what is read of one lock.
constexpr std::int64_t MaxFields = 1'000; // a larger hash is no lock
constexpr std::int64_t MaxWaiters = 1'000; // of a fair queue, from its head
constexpr std::int64_t LongestElement = 256; // bytes of an owner, with room for those of ports
constexpr std::int64_t MaxReadHolds = 1'000; // time-out keys of a read/write lock

using HashFields = std::vector<std::pair<std::string, std::string>>;

/// What the keys of one name hold, before it is known whether that is a lock.
/// Numbers are as Redis replies them: -1, -2 for no time to live and no key.
struct LockLook {
    HashFields fields; // empty: there is no main key
    std::int64_t pttl = -2;

    // One-field hashes and free names only.
    std::vector<std::string> queue;
    std::int64_t queueLength = 0; // negative: not read, since an element is longer than a waiter can be
    std::vector<std::optional<std::string>> deadlines; // of the queue's members, as Redis prints scores
    std::optional<std::string> firstTimeout; // a member of the zset of deadlines
    std::optional<std::string> token;

    // Hashes with a mode only: for each field with so few holds that they were looked at.
    std::map<std::string, std::vector<std::int64_t>> readHolds;

    // Free names only: the type of the other name with the same queue, and its fields if it has just one.
    std::optional<std::string> namesakeType;
    HashFields namesakeFields;
};

/// A hash as a lock of one of these kinds, by its fields alone: for the catalogue. A single holder is that of a
/// reentrant, fair or fenced lock, which further keys tell apart. No hash passes for two of them.
/// Source: what the classes of Redisson write that the files of each kind name.
std::optional<LockReading> recogniseExclusive(const LockName &name, const LockLook &look);
std::optional<LockReading> recogniseReadWrite(const LockName &name, const LockLook &look);
std::optional<LockReading> recogniseFasterMulti(const LockName &name, const LockLook &look);

/// A name without a key whose queue waits. `a` and `{a}` have one queue between them: it is that of the one which
/// is held; else of `a`, unless that name is taken by something else.
std::optional<LockReading> recogniseFree(const LockName &name, const LockLook &look);

/// A hash of which some fields are a lock's, though not all: so it looks when another program has written into a lock,
/// and it still keeps everybody out. Who else uses such fields looks the same, so the name must be known for a lock.
/// Each field that stands for no owner is a holder of that name: `toString` of its owner is the field.
std::optional<LockReading> recogniseDamaged(const LockName &name, const LockLook &look);

/// Whether a hash that has this field, any one of its fields, may be a lock. False: it surely is none.
bool mayBeLock(std::string_view field);

/// The fields of read holds whose time-out keys are to be looked at, with the number of holds.
std::vector<std::pair<std::string, std::int64_t>> readHoldsToAsk(const HashFields &fields);

} // namespace lockcore::synchronizers
