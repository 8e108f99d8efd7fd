// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockcore::recording {

/// The enumerators by the codes in their table, which are the numbers from zero on, each once.
template <typename Enum, std::size_t N>
constexpr std::array<Enum, N> byCode(const NameRow<Enum> (&rows)[N])
{
    std::array<Enum, N> result{};
    std::array<bool, N> used{};
    for (const NameRow<Enum> &row : rows) {
        if (used.at(row.code))
            throw "two rows have one code"; // then it does not compile
        used.at(row.code) = true;
        result.at(row.code) = row.value;
    }
    return result;
}

/// The numbers that stand for enumerators in recordings: the places in these lists, or the codes in the table that the
/// enumeration has. They are in people's files, so whatever becomes of the enumeration, a list only ever grows at its
/// end. Kinds have theirs in the catalogue, see below.
template <typename Enum>
inline constexpr std::array<Enum, 0> Codes{};

template <>
inline constexpr std::array Codes<monitor::EventKind> = byCode(monitor::EventKinds);

template <>
inline constexpr std::array Codes<monitor::Certainty> = byCode(monitor::Certainties);

template <>
inline constexpr std::array Codes<synchronizers::HoldMode> = byCode(synchronizers::HoldModes);

template <>
inline constexpr std::array Codes<monitor::Lease> = byCode(monitor::Leases);

template <>
inline constexpr std::array Codes<monitor::Feed> = byCode(monitor::Feeds);

template <>
inline constexpr std::array Codes<monitor::SourcePhase>{ monitor::SourcePhase::Connecting,
    monitor::SourcePhase::Sweeping, monitor::SourcePhase::Live, monitor::SourcePhase::Stale,
    monitor::SourcePhase::Failed };

template <>
inline constexpr std::array Codes<monitor::NodeRole>{ monitor::NodeRole::Unknown, monitor::NodeRole::Master,
    monitor::NodeRole::Replica };

template <>
inline constexpr std::array Codes<monitor::SlowLogAccess>{ monitor::SlowLogAccess::Unknown,
    monitor::SlowLogAccess::Read, monitor::SlowLogAccess::Refused, monitor::SlowLogAccess::Missing };

template <>
inline constexpr std::array Codes<monitor::SuspectKind> = byCode(monitor::SuspectKinds);

template <>
inline constexpr std::array Codes<monitor::Right>{ monitor::Right::Info, monitor::Right::Time, monitor::Right::Scan,
    monitor::Right::ReadKeys, monitor::Right::ReadCommands, monitor::Right::ReadScripts, monitor::Right::CountWaiters,
    monitor::Right::Tracking, monitor::Right::Invalidations, monitor::Right::ConnectionId,
    monitor::Right::NotificationSettings, monitor::Right::Notifications, monitor::Right::UnlockMessages,
    monitor::Right::ShardedChannels, monitor::Right::ShardedMessages, monitor::Right::ClusterSlots,
    monitor::Right::MovingSlots, monitor::Right::SentinelMaster };

template <>
inline constexpr std::array Codes<monitor::FeedObstacle>{ monitor::FeedObstacle::InvalidationsRefused,
    monitor::FeedObstacle::ConnectionIdRefused, monitor::FeedObstacle::TrackingRefused,
    monitor::FeedObstacle::TrackingFails, monitor::FeedObstacle::SettingsUnknown,
    monitor::FeedObstacle::NotificationsOff, monitor::FeedObstacle::NotificationsTellTooLittle,
    monitor::FeedObstacle::NotificationsRefused, monitor::FeedObstacle::AnnouncementsLost };

template <>
inline constexpr std::array Codes<monitor::FeedScope::Extent>{ monitor::FeedScope::Extent::Everything,
    monitor::FeedScope::Extent::Prefixes, monitor::FeedScope::Extent::Nothing };

template <>
inline constexpr std::array Codes<monitor::Observed> = byCode(monitor::Observations);

template <>
inline constexpr std::array Codes<ErrorCode> = byCode(ErrorCodes);

template <typename Enum>
constexpr std::uint64_t codeOf(Enum value)
{
    static_assert(Codes<Enum>.size() == enumeratorCount<Enum>());
    std::uint64_t code = 0;
    while (code < Codes<Enum>.size() && Codes<Enum>[code] != value)
        ++code;
    return code; // not listed: unreadable rather than something else
}

template <typename Enum>
constexpr std::optional<Enum> fromCode(std::uint64_t code)
{
    return code < Codes<Enum>.size() ? std::optional(Codes<Enum>[code]) : std::nullopt;
}

inline std::uint64_t codeOf(synchronizers::Kind kind) { return rowOf(kind).code; }

template <>
inline std::optional<synchronizers::Kind> fromCode(std::uint64_t code)
{
    for (const synchronizers::KindRow &row : synchronizers::allKinds()) {
        if (row.code == code)
            return row.value;
    }
    return std::nullopt;
}

} // namespace lockcore::recording
