// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/names.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lockctl {

/// Of a client's id a table shows so many characters, and an ellipsis: `7f21aa09…`.
constexpr std::size_t ShortClient = 8;
constexpr std::string_view Ellipsis = "…";

/// What one client can hold by its name alone: `spin` and `nonReentrant` are reentrant locks used in another way.
using HoldKind = std::pair<lockcore::synchronizers::Kind, lockcore::synchronizers::LockVariant>;
const char *holdKindName(const HoldKind &kind);
std::vector<const char *> holdKindNames(); // as options, help and completion tell them
std::optional<HoldKind> holdKindNamed(std::string_view name);
std::optional<lockcore::synchronizers::HoldMode> modeNamed(std::string_view name);

/// How a monitor hears of changes, as one chooses it.
std::vector<const char *> feedNames();
std::optional<lockcore::monitor::Feed> feedNamed(std::string_view name);

} // namespace lockctl
