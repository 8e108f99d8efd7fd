// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockcore::synchronizers {

/// What a reply holds, leniently: something of another type counts as nothing.
namespace reply_values {

std::optional<std::string> text(const protocol::Reply &reply); // bulk or status
std::int64_t integer(const protocol::Reply &reply, std::int64_t otherwise);
std::vector<std::string> texts(const protocol::Reply &reply);
std::vector<std::optional<std::string>> optionalTexts(const protocol::Reply &reply);
std::vector<std::int64_t> integers(const protocol::Reply &reply);
std::vector<std::pair<std::string, std::string>> pairs(const protocol::Reply &reply); // a flat list of two and two
std::vector<std::pair<std::string, std::string>> pairs(std::span<const protocol::Reply> flat);

/// What a double counts without gaps. Microseconds of twice that many milliseconds would overflow.
constexpr std::int64_t FurthestMillis = std::int64_t{ 1 } << 53;

/// A time as a server tells it, which may be any number.
inline Millis millis(std::int64_t count) { return Millis(std::clamp(count, -FurthestMillis, FurthestMillis)); }

} // namespace reply_values

/// The answer to a try.
struct TryReply {
    bool acquired = false;
    std::optional<Millis> pause; // refused: when to ask again at the latest; absent: only a message helps
    std::optional<Millis> holderTtl; // refused: what the holder has left; absent: it never expires

    std::optional<std::int64_t> token = {}; // acquired: of fenced locks
    std::int64_t unknownBefore
        = 0; // acquired: holds counted before that were not known, or negative, known and not there
    std::optional<WaiterReading> head = {}; // refused a free fair lock: whose turn it is

    bool operator==(const TryReply &) const = default;
};

/// The answer to a try of any lock, semaphore or latch.
/// Errors: lock/already-held for a lock that is not reentrant; network/reply-timeout for a try that came too late.
Result<TryReply> parseTryReply(const protocol::Reply &reply);

// In what scripts answer of holders, a token stands in a list of its own: it may be any bytes, and is not taken apart.

/// The holds left to the owner; zero: released.
/// Errors: lock/not-held with who holds it instead.
Result<std::int64_t> parseUnlockReply(const protocol::Reply &reply);

/// Per lock of a renewal, in its order, whether it is still held.
Result<std::vector<bool>> parseRenewReply(const protocol::Reply &reply, std::size_t locks);

/// The holders in the fields and values of a lock's hash.
Result<std::vector<HolderReading>> parseHolders(const protocol::Reply &fieldsAndValues);

/// A member of a fair queue with its score; absent: it is not an owner.
std::optional<WaiterReading> parseWaiter(const std::string &member, const std::optional<std::string> &score);

/// What the scripts of semaphores and latches answer. That to a try is read by parseTryReply().
/// Errors: as protocol::toError() when the server refused; protocol/malformed-reply.
Result<bool> parseAnswer(const protocol::Reply &reply);
Result<std::int64_t> parseCount(const protocol::Reply &reply);
Result<void> parseDone(const protocol::Reply &reply); // a count that nobody asked for

/// What a permit has left; absent: no lease.
/// Errors: lock/not-held when the permit is gone.
Result<std::optional<Millis>> parsePermitLease(const protocol::Reply &reply);

} // namespace lockcore::synchronizers
