// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/views/empty_state.h"

namespace lockui {

/// What is said where a server was looked at and no lock is to be shown: whether there are any may not be known.
EmptyState::Content contentWithoutLocks(const lockcore::monitor::SourceStatus &status);

} // namespace lockui
