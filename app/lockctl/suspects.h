// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/lock_filter.h"
#include "ui/text/suspect_json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockctl {

// A null analysis: nothing was concluded yet.

/// For a column: `Never ends, Dead waiter`; empty: nothing is suspected.
std::string suspectsText(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// The same, and what only some seconds more would make sure of: `Never ends?`.
std::string likelySuspectsText(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// How many such marks all locks have, and how many deadlocks only some seconds more would make sure of.
std::int64_t likelyMarks(const lockcore::monitor::Analysis &analysis);
/// For people, a line each: what is suspected and what was seen.
std::vector<std::string> suspectLines(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// One line; empty: nothing was seen to happen.
std::string statisticsLine(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);

/// Those that match, for as long as both are there. Of a lock that is gone only the name is known.
lockui::LockChoice chosenBy(
    const lockcore::monitor::LockFilter &filter, const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now);

/// A line for each circle of clients that wait for each other.
std::vector<std::string> deadlockLines(const std::vector<lockcore::monitor::WaitCycle> &cycles);

} // namespace lockctl
