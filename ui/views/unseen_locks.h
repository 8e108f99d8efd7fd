// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/origin.h"
#include "ui/views/empty_state.h"

#include <optional>

namespace lockui {

/// What stands on a page that has nothing to show while it is not known whether there is anything; `snapshot` is null
/// before there is one. Absent: all was looked at.
std::optional<EmptyState::Content> unseenContent(const lockcore::monitor::Snapshot *snapshot, const Origin &origin);

/// A person can do something about it: the server wants a password, or another one.
bool wantsPassword(const lockcore::monitor::Snapshot &snapshot);

} // namespace lockui
