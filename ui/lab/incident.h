// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
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

/// A scenario in which clients do the same in the same order: acquires, re-entries, waits in a queue, crashes, releases
/// and force releases, and are expected to see the same. What nobody saw is said in the notes, and nothing is made up
/// for it: permits and counts, of which Redis does not tell whose they are, are left out.
/// Errors: a sentence, where nothing is left to do for clients, or more than a scenario can have.
tl::expected<Scenario, QString> scenarioOf(const Incident &incident, const IncidentChoice &choice);

} // namespace lockui::lab
