// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockcore {

/// What a reply holds, leniently: something of another type counts as nothing.
namespace reply_values {

std::optional<std::string> text(const protocol::Reply &reply); // bulk or status
std::int64_t integer(const protocol::Reply &reply, std::int64_t otherwise);
std::vector<std::string> texts(const protocol::Reply &reply);
std::vector<std::optional<std::string>> optionalTexts(const protocol::Reply &reply);
std::vector<std::int64_t> integers(const protocol::Reply &reply);
std::vector<std::pair<std::string, std::string>> pairs(const protocol::Reply &reply); // a flat list of two and two

/// What a double counts without gaps. Microseconds of twice that many milliseconds would overflow.
constexpr std::int64_t FurthestMillis = std::int64_t{ 1 } << 53;

/// A time as a server tells it, which may be any number.
inline Millis millis(std::int64_t count) { return Millis(std::clamp(count, -FurthestMillis, FurthestMillis)); }

} // namespace reply_values

} // namespace lockcore
