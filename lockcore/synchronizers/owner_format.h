// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/export.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockcore::synchronizers {

/// A hash field, list element or zset member that names an owner.
struct ParsedOwner {
    OwnerId owner; // without the mark of a write hold
    bool write = false; // holds the write half of a read/write lock
    bool fromPort = false; // in the form of a port of Redisson, not of Redisson itself

    bool operator==(const ParsedOwner &) const = default;
};

/// Reads `uuid:threadId`, optionally `:write`, optionally the 32 hex digits of a transaction (which stay in `thread`).
/// Absent: not an owner by shape.
std::optional<ParsedOwner> parseOwner(std::string_view text);

/// What stands for no owner, as `client:thread` as far as it can be taken apart: `toString` of it is the text.
OwnerId ownerOfStrangeField(std::string_view text);

/// Who holds a lock by this token, which other libraries may have written: an owner by shape is taken apart, as
/// lockcore's own is, and anything else is all client.
LOCKCORE_EXPORT OwnerId ownerOfToken(std::string_view token);

/// Whether it is an owner by shape, and not with the mark of a write hold.
LOCKCORE_EXPORT bool isPlainOwner(std::string_view text);

/// How the owner stands in the hash: the inverse of parseOwner.
std::string ownerField(const OwnerId &owner, bool write);

/// A digit of the hexadecimal numbers that Redisson writes.
inline bool isLowerHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// A decimal integer as Redis' HINCRBY writes it, and nothing else.
std::optional<std::int64_t> parseInteger(std::string_view text);

} // namespace lockcore::synchronizers
