// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockcore {

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
inline constexpr std::array Codes<EventKind> = byCode(EventKinds);

template <>
inline constexpr std::array Codes<Certainty> = byCode(Certainties);

template <>
inline constexpr std::array Codes<HoldMode> = byCode(HoldModes);

template <>
inline constexpr std::array Codes<Lease> = byCode(Leases);

template <>
inline constexpr std::array Codes<Feed> = byCode(Feeds);

template <>
inline constexpr std::array Codes<SourcePhase>{ SourcePhase::Connecting, SourcePhase::Sweeping, SourcePhase::Live,
    SourcePhase::Stale, SourcePhase::Failed };

template <>
inline constexpr std::array Codes<NodeRole>{ NodeRole::Unknown, NodeRole::Master, NodeRole::Replica };

template <>
inline constexpr std::array Codes<SuspectKind> = byCode(SuspectKinds);

template <>
inline constexpr std::array Codes<Right>{ Right::Info, Right::Time, Right::Scan, Right::ReadKeys, Right::ReadCommands,
    Right::ReadScripts, Right::CountWaiters, Right::Tracking, Right::Invalidations, Right::ConnectionId,
    Right::NotificationSettings, Right::Notifications, Right::UnlockMessages, Right::ShardedChannels,
    Right::ShardedMessages, Right::ClusterSlots, Right::MovingSlots, Right::SentinelMaster };

template <>
inline constexpr std::array Codes<FeedObstacle>{ FeedObstacle::InvalidationsRefused, FeedObstacle::ConnectionIdRefused,
    FeedObstacle::TrackingRefused, FeedObstacle::TrackingFails, FeedObstacle::SettingsUnknown,
    FeedObstacle::NotificationsOff, FeedObstacle::NotificationsTellTooLittle, FeedObstacle::NotificationsRefused,
    FeedObstacle::AnnouncementsLost };

template <>
inline constexpr std::array Codes<FeedScope::Extent>{ FeedScope::Extent::Everything, FeedScope::Extent::Prefixes,
    FeedScope::Extent::Nothing };

template <>
inline constexpr std::array Codes<Observed>{ Observed::NeverExpires, Observed::RenewalLate, Observed::RenewalsMissed,
    Observed::StrangeField, Observed::SeveralOwners, Observed::HeldOnTwoServers, Observed::TakenAfterLoss,
    Observed::HeldLong, Observed::ReaderRanOut, Observed::ReaderOutlivesLock, Observed::QueueNotServed,
    Observed::WaiterGone, Observed::TimeOutTooFar, Observed::TimeOutBeforeFormer, Observed::PermitsFree,
    Observed::NothingToWaitFor, Observed::NotHeldForLong, Observed::NobodyHolds };

template <>
inline constexpr std::array Codes<ErrorCode>{ ErrorCode::HostNotFound, ErrorCode::ConnectionRefused,
    ErrorCode::ConnectTimeout, ErrorCode::ReplyTimeout, ErrorCode::ConnectionClosed, ErrorCode::TlsFailed,
    ErrorCode::CertificateRejected, ErrorCode::NetworkOther, ErrorCode::MalformedReply, ErrorCode::ReplyTooLarge,
    ErrorCode::AuthenticationFailed, ErrorCode::PermissionDenied, ErrorCode::Loading, ErrorCode::ReadOnlyReplica,
    ErrorCode::NoScript, ErrorCode::WrongType, ErrorCode::OutOfMemory, ErrorCode::ScriptBusy, ErrorCode::Moved,
    ErrorCode::ClusterBusy, ErrorCode::ServerOther, ErrorCode::UnknownLayout, ErrorCode::InvalidArgument,
    ErrorCode::ReadOnlyMode, ErrorCode::NotSupported, ErrorCode::FileFailed, ErrorCode::Cancelled, ErrorCode::NotHeld,
    ErrorCode::HolderChanged, ErrorCode::LockLost, ErrorCode::AlreadyHeld, ErrorCode::NotReplicated };

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

inline std::uint64_t codeOf(Kind kind) { return rowOf(kind).code; }

template <>
inline std::optional<Kind> fromCode(std::uint64_t code)
{
    for (const KindRow &row : allKinds()) {
        if (row.code == code)
            return row.value;
    }
    return std::nullopt;
}

} // namespace lockcore
