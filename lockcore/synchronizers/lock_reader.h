// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/synchronizers/token_recognition.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockcore::synchronizers {

/// One look at some names, atomic by script. A name that holds no lock gives no reading; a free lock with a fair queue
/// does, and so does any number: see isPlainNumber. The script takes the lock names as KEYS; every other key is derived
/// from them (standard auxiliary names). Costs some five commands a usual lock; give at most fifty names at a time.
/// Errors: protocol/malformed-reply; those of the server, when the reply is an error.
const protocol::Script &readLocksScript();
/// The server's time, as far as it is known. Where the server may be asked for it, it goes by its own and tells it.
/// `tokens`: of these names, which strings are read as locks of other libraries.
std::vector<std::string> readLocksArguments(
    WallTime now, bool asks = false, std::span<const LockName> names = {}, const TokenNames &tokens = {});
Result<std::vector<LockReading>> decodeReadLocks(std::span<const LockName> names, protocol::Reply reply,
    Recognition recognition = Recognition::Sure, const TokenNames &tokens = {});
/// A moment by the server's clock, as exactly as it is known: not before `from`, and at most `span` later.
struct ServerMoment {
    WallTime from;
    Millis span{ 0 };
};
/// When each of them was looked at; absent: the server was not asked for its time.
std::optional<ServerMoment> timeOfLooks(std::span<const LockName> names, const protocol::Reply &reply);
/// Those of the names that another node of the cluster has to be asked for. A reading of one tells what is still here,
/// and nothing of its other keys.
std::vector<LockName> namesElsewhere(std::span<const LockName> names, const protocol::Reply &reply);
/// Those that were left out, so that the server was not kept busy for long: to be read again. Never the first.
std::vector<LockName> namesForLater(std::span<const LockName> names, const protocol::Reply &reply);
/// Hashes that may be locks and are too large to be read: nothing is known of them.
std::vector<LockName> namesUnread(std::span<const LockName> names, const protocol::Reply &reply);

/// Where a sweep is: SCAN's cursor of each of its walks over all keys, which the server alone understands.
struct SweepPosition {
    std::vector<std::string>
        cursors{}; // as many as sweepWalks(), empty at the end of a walk; none: all are at the beginning

    bool isAtEnd() const;
    bool operator==(const SweepPosition &) const = default;
};
/// A walk of SCAN over all keys. Each finds what is there from its beginning to its end, whatever the others do.
struct SweepWalk {
    /// Of hashes: those that may be locks. Of strings: all of them. Empty: names of any type that tell of other locks.
    std::string type;
    std::string pattern; // empty: all
};
/// The free fair locks that somebody waits for, and the semaphores and latches that keys tell of by their names, are
/// found together: all of these names have a brace. The key pattern is for names of locks and counts for hashes only:
/// sort the other candidates with matchesPattern. Each pattern for strings is a walk more.
std::vector<SweepWalk> sweepWalks(const std::string &keyPattern = {}, const TokenNames &tokens = {});

/// A sweep: of each walk one bounded page of SCAN, on the server. Such walks side by side pass the same keys one after
/// the other while they are at hand.
const protocol::Script &sweepPageScript();
/// SCAN's COUNT for each of them. Asks time: how long the script takes may be told by the server's clock.
std::vector<std::string> sweepPageArguments(
    std::span<const SweepWalk> walks, const SweepPosition &from, int count, bool asksTime = false);
struct SweepPage {
    SweepPosition next{};
    std::int64_t keysSeen = 0; // the size of the database on the first page, 0 on the others: SCAN does not tell
    std::vector<LockName> candidates{}; // lock names to read with readLocks; parents of auxiliary keys included
    std::vector<LockReading> readings{}; // of those that were looked at in the same step
    std::int64_t keysPassed = 0; // by this page, about: as many as SCAN was asked for
};
Result<SweepPage> decodeSweepPage(protocol::Reply reply, Recognition recognition = Recognition::Sure);
/// What is known of a page before all of it is decoded.
struct SweepPageHead {
    SweepPosition next;
    std::optional<std::chrono::microseconds> took; // on the server; absent: not known
};
std::optional<SweepPageHead> headOfSweepPage(const protocol::Reply &reply);

/// The same without scripts: a command for each walk that is not at its end, and the page that their replies are, in
/// order. All hashes are candidates. `keysSeen` stays 0: see DBSIZE.
std::vector<protocol::Command> scanCommands(std::span<const SweepWalk> walks, const SweepPosition &from, int count);
Result<SweepPage> decodeScans(
    std::span<const SweepWalk> walks, const SweepPosition &from, std::span<const protocol::Reply> replies);

} // namespace lockcore::synchronizers
