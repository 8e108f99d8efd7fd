// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/enum_table.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/catalog.h"

namespace lockcore::monitor {

// What the monitor tells of, by the names that programs and scripts read. Kinds of locks have theirs in the catalogue
// of the synchronizers, what people read in the window is with the window.

inline constexpr NameRow<EventKind> EventKinds[]{
    { EventKind::Appeared, "appeared", 0 },
    { EventKind::Acquired, "acquired", 1 },
    { EventKind::Reentered, "reentered", 2 },
    { EventKind::Renewed, "renewed", 3 },
    { EventKind::PartlyReleased, "partlyReleased", 4 },
    { EventKind::Released, "released", 5 },
    { EventKind::Expired, "expired", 6 },
    { EventKind::ForceReleased, "forceReleased", 7 },
    { EventKind::Deleted, "deleted", 8 },
    { EventKind::FoundQueued, "foundQueued", 21 },
    { EventKind::Queued, "queued", 9 },
    { EventKind::Dequeued, "dequeued", 10 },
    { EventKind::WaiterTimedOut, "waiterTimedOut", 11 },
    { EventKind::PermitsChanged, "permitsChanged", 12 },
    { EventKind::CountChanged, "countChanged", 13 },
    { EventKind::Gap, "gap", 14 },
    { EventKind::MasterChanged, "masterChanged", 15 },
    { EventKind::ServerRestarted, "serverRestarted", 16 },
    { EventKind::SlowCommand, "slowCommand", 17 },
    { EventKind::ClientsPaused, "clientsPaused", 18 },
    { EventKind::DatabaseEmptied, "databaseEmptied", 19 },
    { EventKind::DatabasesSwapped, "databasesSwapped", 20 },
};
static_assert(hasRowForEach(EventKinds));
constexpr const char *nameOf(EventKind kind) { return rowOf(EventKinds, kind).name; }

inline constexpr NameRow<Certainty> Certainties[]{
    { Certainty::Seen, "seen", 0 },
    { Certainty::Inferred, "inferred", 1 },
    { Certainty::Recorded, "recorded", 2 },
};
static_assert(hasRowForEach(Certainties));
constexpr const char *nameOf(Certainty certainty) { return rowOf(Certainties, certainty).name; }

inline constexpr NameRow<Lease> Leases[]{
    { Lease::Unknown, "unknown", 0 },
    { Lease::Watchdog, "watchdog", 1 },
    { Lease::Fixed, "fixed", 2 },
};
static_assert(hasRowForEach(Leases));
constexpr const char *nameOf(Lease lease) { return rowOf(Leases, lease).name; }

inline constexpr NameRow<Feed> Feeds[]{
    { Feed::None, "none", 0 },
    { Feed::ClientTracking, "tracking", 1 },
    { Feed::KeyspaceNotifications, "notifications", 2 },
    { Feed::Rereading, "rereading", 3 },
};
static_assert(hasRowForEach(Feeds));
constexpr const char *nameOf(Feed feed) { return rowOf(Feeds, feed).name; }

/// The gravest first, as the enumeration is; recordings number them otherwise.
inline constexpr NameRow<SuspectKind> SuspectKinds[]{
    { SuspectKind::TwoHolders, "twoHolders", 9 },
    { SuspectKind::TokenWentBack, "tokenWentBack", 11 },
    { SuspectKind::MissedRenewal, "missedRenewal", 1 },
    { SuspectKind::TooFewServers, "tooFewServers", 12 },
    { SuspectKind::OrphanQueue, "orphanQueue", 3 },
    { SuspectKind::FreeButWaitedFor, "freeButWaitedFor", 5 },
    { SuspectKind::NoTtl, "noTtl", 7 },
    { SuspectKind::DeadWaiter, "deadWaiter", 4 },
    { SuspectKind::LateRenewal, "lateRenewal", 0 },
    { SuspectKind::ReaderTimeouts, "readerTimeouts", 8 },
    { SuspectKind::OutlivedHold, "outlivedHold", 2 },
    { SuspectKind::LeakedChannel, "leakedChannel", 6 },
    { SuspectKind::QueueClockDrift, "queueClockDrift", 10 },
};
static_assert(hasRowForEach(SuspectKinds));
constexpr const char *nameOf(SuspectKind kind) { return rowOf(SuspectKinds, kind).name; }

inline constexpr NameRow<Observed> Observations[]{
    { Observed::NeverExpires, "neverExpires", 0 },
    { Observed::RenewalLate, "renewalLate", 1 },
    { Observed::RenewalsMissed, "renewalsMissed", 2 },
    { Observed::StrangeField, "strangeField", 3 },
    { Observed::SeveralOwners, "severalOwners", 4 },
    { Observed::HeldOnTwoServers, "heldOnTwoServers", 5 },
    { Observed::TakenAfterLoss, "takenAfterLoss", 6 },
    { Observed::HeldLong, "heldLong", 7 },
    { Observed::ReaderRanOut, "readerRanOut", 8 },
    { Observed::ReaderOutlivesLock, "readerOutlivesLock", 9 },
    { Observed::QueueNotServed, "queueNotServed", 10 },
    { Observed::WaiterGone, "waiterGone", 11 },
    { Observed::TimeOutTooFar, "timeOutTooFar", 12 },
    { Observed::TimeOutBeforeFormer, "timeOutBeforeFormer", 13 },
    { Observed::PermitsFree, "permitsFree", 14 },
    { Observed::NothingToWaitFor, "nothingToWaitFor", 15 },
    { Observed::NotHeldForLong, "notHeldForLong", 16 },
    { Observed::NobodyHolds, "nobodyHolds", 17 },
    { Observed::OnTooFewServers, "onTooFewServers", 19 },
    { Observed::TokenNotGrown, "tokenNotGrown", 18 },
};
static_assert(hasRowForEach(Observations));
constexpr const char *nameOf(Observed what) { return rowOf(Observations, what).name; }

} // namespace lockcore::monitor
