// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/snapshot.h"

#include <optional>

namespace lockui {

class EventStore;

/// When a lock was gone at the latest, and how it ended, if that was seen.
struct LockEnd {
    lockcore::MonoTime at;
    std::optional<lockcore::monitor::Event> how;
    std::optional<lockcore::monitor::Event> upheaval; // right before it, which explains it
    std::optional<lockcore::WallTime> unseenSince; // it ended out of sight: then or later
    bool wentOn = false; // after it was looked at for the last time: how its last hold looked is not known

    bool operator==(const LockEnd &) const = default;
};

/// What the events tell of the end of a lock that was gone at that moment. `last`: as it was read for the last time.
/// `isRecorded`: it is a moment of a recording, of which events may have been passed over.
LockEnd lockEnd(
    const EventStore &events, const lockcore::monitor::LockState &last, lockcore::Now goneAt, bool isRecorded);

} // namespace lockui
