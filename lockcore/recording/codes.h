// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockcore {

/// The numbers that stand for enumerators in recordings: the places in these lists. They are in people's files, so
/// whatever becomes of the enumeration, a list only ever grows at its end.
template <typename Enum>
inline constexpr std::array<Enum, 0> Codes{};

template <>
inline constexpr std::array Codes<EventKind>{ EventKind::Appeared, EventKind::Acquired, EventKind::Reentered,
    EventKind::Renewed, EventKind::PartlyReleased, EventKind::Released, EventKind::Expired, EventKind::ForceReleased,
    EventKind::Deleted, EventKind::Queued, EventKind::Dequeued, EventKind::WaiterTimedOut, EventKind::PermitsChanged,
    EventKind::CountChanged, EventKind::Gap };

template <>
inline constexpr std::array Codes<Certainty>{ Certainty::Seen, Certainty::Inferred };

template <>
inline constexpr std::array Codes<Kind>{ Kind::Reentrant, Kind::Fair, Kind::ReadWrite, Kind::Fenced, Kind::FasterMulti,
    Kind::Semaphore, Kind::PermitExpirableSemaphore, Kind::CountDownLatch };

template <>
inline constexpr std::array Codes<HoldMode>{ HoldMode::Read, HoldMode::Write };

template <>
inline constexpr std::array Codes<Lease>{ Lease::Unknown, Lease::Watchdog, Lease::Fixed };

template <>
inline constexpr std::array Codes<Feed>{ Feed::None, Feed::ClientTracking, Feed::KeyspaceNotifications,
    Feed::Rereading };

template <>
inline constexpr std::array Codes<SourcePhase>{ SourcePhase::Connecting, SourcePhase::Sweeping, SourcePhase::Live,
    SourcePhase::Stale, SourcePhase::Failed };

template <>
inline constexpr std::array Codes<NodeRole>{ NodeRole::Unknown, NodeRole::Master, NodeRole::Replica };

template <>
inline constexpr std::array Codes<SuspectKind>{ SuspectKind::LateRenewal, SuspectKind::MissedRenewal,
    SuspectKind::OutlivedHold, SuspectKind::OrphanQueue, SuspectKind::DeadWaiter, SuspectKind::FreeButWaitedFor,
    SuspectKind::LeakedChannel, SuspectKind::NoTtl, SuspectKind::ReaderTimeouts, SuspectKind::TwoHolders,
    SuspectKind::QueueClockDrift };

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
    static_assert(!Codes<Enum>.empty());
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

} // namespace lockcore
