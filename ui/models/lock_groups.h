// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockui {

/// What the rows of the table of locks are put together by.
enum class Grouping : std::uint8_t {
    None,
    Client, // who holds it; its threads are told in the rows
    Prefix, // of the name, up to its first separator
    LongPrefix, // up to the second, where there is one
};

/// Names a group for as long as there is anything in it. Those that stand for the rest come last.
struct GroupKey {
    bool isRest = false; // held by nobody, or a name without a separator
    std::string text; // the client's id, or the prefix

    auto operator<=>(const GroupKey &) const = default;
};

/// A lock stands in the group of each client that holds it, and in one group of names.
std::vector<GroupKey> groupsOf(const lockcore::monitor::LockState &lock, Grouping grouping);

/// Up to the so manieth `:`, `/` or `.`, that one included; up to the last one where there are fewer. Separators that a
/// name begins with belong to its first part. Empty: it has none.
std::string_view namePrefix(std::string_view name, int parts);

/// Those who wait for a lock, as they are added up: of some locks only the least number is known, or nothing.
struct GroupCounts {
    std::int64_t locks = 0;
    std::int64_t held = 0;
    std::int64_t waiting = 0;
    std::int64_t open = 0; // locks for which more may wait than were counted
    std::int64_t atChannels = 0; // locks of which those who wait are counted at their channels
    std::int64_t needy = 0; // that something looks wrong with

    GroupCounts &operator+=(const GroupCounts &other);
    GroupCounts &operator-=(const GroupCounts &other);
    bool operator==(const GroupCounts &) const = default;
};
GroupCounts countsOf(const lockcore::monitor::LockState &lock, bool isNeedy);

/// What may be more than what is counted in a group.
struct GroupSight {
    bool isWhole = true; // all keys were looked at: there are no other locks
    bool sharesChannels = false; // some may wait for locks in another database
};

/// `3 locks · 2 held · ≥ 4 waiting`
QString countsText(const GroupCounts &counts, bool heldGoesWithoutSaying, const GroupSight &sight);
QString needyText(const GroupCounts &counts); // empty: nothing

} // namespace lockui
