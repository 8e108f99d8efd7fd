// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/text/json.h"

#include <string>

namespace lockui {

/// Deadlocks go through other locks.
enum class Deadlocks { LookedFor, NotLookedFor };

/// An element of `ls --json`, a lock of the snapshot as it is at `now`, and what is concluded of it.
JsonValue lockJson(const lockcore::monitor::LockState &lock, const lockcore::Now &now,
    const lockcore::monitor::Snapshot &snapshot, Deadlocks deadlocks = Deadlocks::LookedFor);

/// A line of `watch --json`.
JsonValue eventJson(const lockcore::monitor::Event &event);

/// The name of a lock under this field; what is not UTF-8 also exactly, in `nameBase64`.
void addName(JsonValue &object, const char *field, const lockcore::LockName &name);

/// `2026-11-20T14:02:11.380Z`
std::string isoTime(lockcore::WallTime time);
std::string isoTime(lockcore::MonoTime time, const lockcore::Now &now);

/// Held by somebody who holds it now for at least so long; absent: free, or too short a look tells nothing of it.
std::optional<lockcore::Millis> heldFor(const lockcore::monitor::LockState &lock, lockcore::MonoTime now);
bool isHeldForExact(const lockcore::monitor::LockState &lock);
/// That a lock was held for so long at least, which is as long as it was looked at. Less says nothing of the lock.
bool saysHowLong(lockcore::Millis atLeast);

} // namespace lockui
