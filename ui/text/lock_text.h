// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockui {

class ClientNames;

/// Short words for what a lock is and does; what is inferred or a lower bound says so.

QString kindText(lockcore::synchronizers::Kind kind);
QString kindText(const lockcore::monitor::LockState &lock); // with readers, token, …
QString shortKindText(const lockcore::monitor::LockState &lock); // where the whole has no room
QString modeText(lockcore::synchronizers::HoldMode mode);
QString leaseText(lockcore::monitor::Lease lease);
QString leaseProof(const lockcore::monitor::LockState &lock); // `watchdog (renewed twice)`
QString holderText(const lockcore::monitor::LockState &lock, const ClientNames *names = nullptr);
/// The one whom that names; null: nobody, or several.
const lockcore::monitor::Holder *holderNamed(const lockcore::monitor::LockState &lock);
/// `snapshot`: whose lock it is, which tells whether they may wait for one in another database: `3?`.
QString waitingText(const lockcore::monitor::LockState &lock, const lockcore::monitor::Snapshot *snapshot = nullptr);
QString waitingElsewhereText();
/// Of locks, or of what is found among them: `3`, or where not all locks are seen `≥ 3`, or `?` where none was found.
QString seenCountText(std::int64_t seen, bool isWhole);
/// All keys were looked at once, and no lock is kept from the user.
bool areAllKnown(const lockcore::monitor::Snapshot &snapshot);
/// Of what happens to locks: `0.3`; where some may be kept from the user, `≥ 0.3` or `?`.
QString seenRateText(double perSecond, const lockcore::monitor::SourceStatus &status);
/// One of the rates of a server, or `?` as long as it is too early to know it.
QString latelyText(double lockcore::monitor::Rates::*rate, const lockcore::monitor::SourceStatus &status);
/// Of several locks: `3`, `≥ 3`, or `3?` where some may wait for locks in another database; `?`: nothing is known.
QString waitingSumText(std::int64_t waiting, bool isAtLeast, bool mayBeElsewhere);
QString ghostsText(std::int64_t ghosts); // `ghosts among them: 2`
QString waitingExplanation(const lockcore::monitor::LockState &lock, bool atReplica); // read from a replica alone
/// Of one that is gone and in whose queue nobody stood.
QString waitedExplanation(const lockcore::monitor::LockState &lock);
QString subscribedText(std::int64_t clients, bool isWhole = true); // `3 client instances subscribed`
QString outOfSightText(const lockcore::monitor::Quorum &quorum); // `not known of 1 of its 3 servers`
QString sinceText(const lockcore::monitor::Since &since, lockcore::MonoTime now); // `38 s` or `≥ 38 s`
/// What was seen until before now may go on: it is at least as long.
QString sinceText(const lockcore::monitor::Since &since, lockcore::MonoTime seenUntil, lockcore::MonoTime now);
QString heldText(const lockcore::monitor::LockState &lock, lockcore::MonoTime seenUntil, lockcore::MonoTime now);
QString changeText(const lockcore::monitor::LockState &lock, lockcore::MonoTime seenUntil);
QString shortChangeText(
    const lockcore::monitor::LockState &lock, lockcore::MonoTime seenUntil); // no room for the whole
QString agoText(lockcore::MonoTime at, lockcore::MonoTime now); // `0.4 s ago`
/// Of several moments, from the first to the last: `4.0 s to 1 m 08 s`.
QString agesText(lockcore::MonoTime first, lockcore::MonoTime last, lockcore::MonoTime now);
QString agoText(lockcore::MonoTime first, lockcore::MonoTime last, lockcore::MonoTime now);

/// Nobody holds it: who ran out holds no faster multi-lock, and a counter is never held as a whole.
/// Whether all who hold it are taken for one: a RedissonRedLock has another client id on each independent server.
bool isOneQuorumHold(const lockcore::monitor::LockState &lock);
QString heldMeaning(); // of `held`, wherever locks are counted or found by it
bool isFree(const lockcore::monitor::LockState &lock);

/// Those who hold it, without those whose hold ran out; of a read/write lock these are still counted, and come last.
std::vector<const lockcore::monitor::Holder *> holdersNow(const lockcore::monitor::LockState &lock);

/// Since when it has been held by anybody who holds it now; absent: free.
std::optional<lockcore::monitor::Since> heldSince(const lockcore::monitor::LockState &lock);

enum class TtlState { Free, NoExpiry, Watchdog, Fixed, Unknown, Expiring, Late };
TtlState ttlState(const lockcore::monitor::LockState &lock, lockcore::MonoTime now);

/// On how many independent servers a lock is, and what that makes of it as a RedLock.

QString quorumText(const lockcore::monitor::Quorum &quorum); // `on 2 of 3 servers`, `on 1 of 3 servers, 1 unknown`
QString shortText(const lockcore::monitor::Quorum &quorum); // `2 of 3`; `1–2 of 3` while one cannot be seen
/// Whether that is more than half, and what of it is inferred.
QString quorumMeaning(const lockcore::monitor::LockState &lock);

/// The server that it was read from, or all that have it.
QString whereText(const lockcore::monitor::LockState &lock);

} // namespace lockui
