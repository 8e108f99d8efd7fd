// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/reply.h"

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

} // namespace reply_values

} // namespace lockcore
