// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

namespace lockcore::monitor {

/// What is known of a server now.
enum class Sight {
    None,
    Shown, // what it shows; it may have more
    Whole, // it was looked through since it was reached: what it does not show it has not
};

LOCKCORE_EXPORT Sight sightOf(const SourceStatus &status);

/// Whether what is shown of a server is of now.
LOCKCORE_EXPORT bool isSeenNow(const SourceStatus &status);

/// Whether it is known what a server has of a lock now, which it shows or not.
bool isKnown(Sight sight, bool isShown);

/// The same of one of several independent servers. `lock`: as all of them together show it, null: not at all.
LOCKCORE_EXPORT bool isKnownOn(const NodeStatus &node, const LockState *lock);

} // namespace lockcore::monitor
