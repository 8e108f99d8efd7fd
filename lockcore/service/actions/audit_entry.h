// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/enum_table.h"
#include "lockcore/base/error.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/service/monitor_options.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

enum class AuditAction {
    ForceRelease,
    Renew,
    DropWaiter,
    ReturnPermit,
    LockByHand, // and the next three: by a client that a person leads
    UnlockByHand,
    RenewByHand,
    CountDownByHand,
};
enum class AuditEnd { Done, Refused, Failed };

/// What an enumerator is called in the log.
template <typename Enum>
struct AuditWord {
    Enum value;
    const char *name;
};

inline constexpr AuditWord<AuditAction> AuditActions[]{
    { AuditAction::ForceRelease, "forceRelease" },
    { AuditAction::Renew, "renew" },
    { AuditAction::DropWaiter, "dropWaiter" },
    { AuditAction::ReturnPermit, "returnPermit" },
    { AuditAction::LockByHand, "lockByHand" },
    { AuditAction::UnlockByHand, "unlockByHand" },
    { AuditAction::RenewByHand, "renewByHand" },
    { AuditAction::CountDownByHand, "countDownByHand" },
};
static_assert(hasRowForEach(AuditActions));
constexpr const char *nameOf(AuditAction action) { return rowOf(AuditActions, action).name; }

inline constexpr AuditWord<AuditEnd> AuditEnds[]{
    { AuditEnd::Done, "done" },
    { AuditEnd::Refused, "refused" },
    { AuditEnd::Failed, "failed" },
};
static_assert(hasRowForEach(AuditEnds));
constexpr const char *nameOf(AuditEnd end) { return rowOf(AuditEnds, end).name; }

LOCKCORE_EXPORT AuditAction auditActionOf(const synchronizers::AdminCommand &command);

/// What a person has a client of this program do to a lock that others may use.
struct HandDeed {
    AuditAction action = AuditAction::LockByHand;
    LockName lock;
    synchronizers::Kind kind = synchronizers::Kind::Reentrant;
    synchronizers::ExpectedHolder client; // with the mode that it takes or gives back
    std::optional<Millis> ttl; // that it renews to
};

/// When a lock ended, as the person saw it or as the server found it.
struct AuditedEnd {
    std::optional<WallTime> at; // absent: never

    bool operator==(const AuditedEnd &) const = default;
};

/// What came of an action, as it was recorded after the answer.
struct AuditOutcome {
    std::optional<WallTime> at;
    std::string end; // one of AuditEnds, or the word of a later version
    std::string endpoint; // who answered, where it was not the one that was asked first
    bool published = false; // the message that wakes waiters was sent
    std::vector<synchronizers::HolderReading> found; // the holders at that moment
    std::vector<OwnerId> waiting; // who stood in the queue then, where that was asked for
    bool isAnew = false; // refused: it was who was expected, but held or waited anew, as the time told
    std::optional<AuditedEnd> foundEnd; // then, of a lock: by the server's clock
    bool isUnsent = false; // failed, or was refused, before it was sent
    std::string code; // of the error; empty: none
    std::string error; // in English

    bool operator==(const AuditOutcome &) const = default;
};

/// One action, as it was recorded before it was sent. What was not recorded is empty or absent; bytes that are not
/// UTF-8 are exact.
struct AuditEntry {
    std::size_t number = 0; // among those that were read, from 0 on
    std::string id;
    std::optional<WallTime> begunAt;
    std::string user; // of the operating system
    std::string host; // on which the program ran
    std::string program;
    std::optional<std::int64_t> process;
    std::string action; // one of AuditActions, or the word of a later version
    std::string endpoint;
    AuditedConnection connection;
    LockName lock;
    std::string kind; // as nameOf(Kind)
    std::vector<synchronizers::ExpectedHolder> expected; // as the person saw them
    bool onlyThese = false;
    std::optional<AuditedEnd> seenEnd; // by this computer's clock; absent: it was to be done whenever the lock ended
    std::optional<Millis> ttl;
    std::optional<OwnerId> waiter;
    std::optional<std::string> permit;
    std::optional<synchronizers::ExpectedHolder> byHand; // the client that a person led
    std::string reason;
    std::vector<std::string> notAsked; // independent servers that were not seen then, and may have had the lock
    std::optional<AuditOutcome> outcome; // absent: none is recorded
    std::vector<std::string> lines; // as they stand in the file

    bool operator==(const AuditEntry &) const = default;
};

using AuditEntryPtr = std::shared_ptr<const AuditEntry>;

/// The answer was lost: nobody knows whether the server carried out what it was sent.
LOCKCORE_EXPORT bool mayHaveBeenDone(ErrorCode code);

/// How much of an action is known.
enum class AuditState {
    Done,
    Refused, // who was there was not who was expected, also as seen before it was sent: nothing was changed
    Failed,
    AnswerLost, // sent, and whether it was carried out is not known
    UnderWay, // begun a moment ago, or a client by hand waits: an outcome may still be recorded
    Interrupted, // nobody recorded what came of it, and nobody will
    Other, // a word of a later version
};
LOCKCORE_EXPORT AuditState stateOf(const AuditEntry &entry, WallTime now);

/// The user of the operating system who runs this program, as the log calls him.
LOCKCORE_EXPORT std::string auditUser();
/// The computer, as the log calls it.
LOCKCORE_EXPORT std::string auditHost();

} // namespace lockcore::service
