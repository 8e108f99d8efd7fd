// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"

#include <QString>
#include <functional>
#include <memory>
#include <vector>

namespace lockui::lab {

/// What was seen of locks in a stretch of time, such as a part of a recording.
struct Incident {
    lockcore::WallTime from;
    lockcore::WallTime to;
    std::shared_ptr<const lockcore::monitor::Snapshot> before; // null: nothing was seen before
    /// By time, all that are later than `before`. Those after `to` only tell which clients lived on.
    std::vector<lockcore::monitor::Event> events;
    /// What was shown at a moment, of those between `from` and `to`; null: not known.
    std::function<std::shared_ptr<const lockcore::monitor::Snapshot>(lockcore::WallTime)> snapshotAt;
};

struct IncidentChoice {
    std::vector<lockcore::LockName> locks; // empty: all
    lockcore::Millis longestPause{ 1'000 }; // between two steps; longer ones are shortened
    QString source; // of what it is made, for who reads it
};

} // namespace lockui::lab
