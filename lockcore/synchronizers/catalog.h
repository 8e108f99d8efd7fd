// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/enum_table.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockcore::synchronizers {

struct ForceRelease;
struct LockBehaviour;
struct LockLook;
struct ScriptCall;
struct SetTtl;

inline constexpr NameRow<HoldMode> HoldModes[]{ { HoldMode::Read, "read", 0 }, { HoldMode::Write, "write", 1 } };
static_assert(hasRowForEach(HoldModes));
constexpr const char *nameOf(HoldMode mode) { return rowOf(HoldModes, mode).name; }

inline constexpr TextRow<LockVariant> LockVariants[]{
    { LockVariant::Standard, "standard" },
    { LockVariant::Spin, "spin" },
    { LockVariant::NonReentrant, "nonReentrant" },
};
static_assert(hasRowForEach(LockVariants));
constexpr const char *nameOf(LockVariant variant) { return rowOf(LockVariants, variant).text; }

enum class Category {
    ExclusiveLock, // one holder, in a hash with one field
    ReadWriteLock,
    MultiLock, // a group of values, each with a holder
    Semaphore,
    Latch,
    TokenLock, // one holder, in a string that is its token: any bytes, and of one acquire alone
};

/// How a client takes, renews and gives back a lock of one kind; null: nobody holds such a thing, or not in that way.
struct Behaviours {
    using Find = const LockBehaviour &(*)();

    Find standard = nullptr; // of read/write locks the write half
    Find read = nullptr;
    Find spin = nullptr;
    Find nonReentrant = nullptr;
};

/// The scripts by which an administrator acts on whoever holds a lock; null: nobody does.
struct HolderActions {
    /// After the last moment, in milliseconds since 1970, the script does nothing.
    ScriptCall (*forceRelease)(const ForceRelease &, const std::string &lastMoment, const std::string &publish)
        = nullptr;
    ScriptCall (*setTtl)(const SetTtl &, const std::string &lastMoment) = nullptr;
};

/// All that is told of one kind of lock. What is particular to it is in the pair of files that these functions come
/// from; all kinds are read by the same scripts, see lock_reader.h.
struct KindRow {
    Kind value;
    const char *name; // in JSON, audit log, options, completion; in any case of letters the word of filters
    const char *olderWord; // in filters, beside the name; null: none
    std::uint8_t code; // in recordings: it stands in people's files and never changes
    Category category;
    /// The lock that a hash is; a kind that is told from another only by further keys has the other's. Null: it is kept
    /// in a string, see counter_recognition.h and token_recognition.h.
    std::optional<LockReading> (*recognise)(const LockName &name, const LockLook &look);
    const char *wordOfValues; // what Redisson puts behind the name of a map's or set's value; null: not used for such
    std::string (*channel)(std::string_view name); // where those who wait without a queue listen; null: who waits asks
                                                   // again, and nobody is told of a release
    Behaviours behaviours = {};
    HolderActions actions = {};
};

/// In the order of the enumeration.
LOCKCORE_EXPORT std::span<const KindRow> allKinds();
LOCKCORE_EXPORT const KindRow &rowOf(Kind kind);

LOCKCORE_EXPORT const char *nameOf(Kind kind);

/// By its name in any case of letters, or by the word that filters had for it before; absent: it is none.
LOCKCORE_EXPORT std::optional<Kind> kindNamed(std::string_view word);
/// All names, with commas between them.
LOCKCORE_EXPORT std::string kindNames();

/// How a client takes, renews and gives back such a lock.
/// Errors: local/not-supported for semaphores and latches, which nobody holds; local/invalid-argument for a mode or a
///         variant that does not go with the kind.
Result<const LockBehaviour *> lockBehaviour(
    Kind kind, std::optional<HoldMode> mode, LockVariant variant = LockVariant::Standard);

inline Category categoryOf(Kind kind) { return rowOf(kind).category; }
inline bool isTokenLock(Kind kind) { return categoryOf(kind) == Category::TokenLock; }
/// One holder at a time, whatever it does.
inline bool isExclusive(Kind kind) { return categoryOf(kind) == Category::ExclusiveLock || isTokenLock(kind); }
inline bool isSemaphore(Kind kind) { return categoryOf(kind) == Category::Semaphore; }
/// Counters: without holders that Redis would know of.
inline bool isCounter(Kind kind) { return isSemaphore(kind) || categoryOf(kind) == Category::Latch; }
/// Clients wait for it at a channel, and are told there of its release.
inline bool tellsOfReleases(Kind kind) { return rowOf(kind).channel != nullptr; }

} // namespace lockcore::synchronizers
