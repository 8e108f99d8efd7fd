// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/json.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/lock_filter.h"

#include <functional>
#include <string>
#include <vector>

namespace lockctl {

// A null analysis: nothing was concluded yet.

/// `[{"kind", "subject", "evidence": {"observed", …}, "certainty"}]`
Json suspectsJson(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// `null` if nothing was seen to happen.
Json statisticsJson(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);

/// For a column: `Never ends, Dead waiter`; empty: nothing is suspected.
std::string suspectsText(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// The same, and what only some seconds more would make sure of: `Never ends?`.
std::string likelySuspectsText(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// For people, a line each: what is suspected and what was seen.
std::vector<std::string> suspectLines(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// One line; empty: nothing was seen to happen.
std::string statisticsLine(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);

/// Whether a lock is meant; empty: all are.
using LockChoice = std::function<bool(const lockcore::LockName &)>;
/// Those that match, for as long as both are there. Of a lock that is gone only the name is known.
LockChoice chosenBy(
    const lockcore::monitor::LockFilter &filter, const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now);

/// The circles of clients that wait for each other, in which a lock that is meant has a part.
std::vector<lockcore::monitor::WaitCycle> cyclesOf(
    const lockcore::monitor::Analysis *analysis, const LockChoice &isMeant = {});
/// A line for each.
std::vector<std::string> deadlockLines(const std::vector<lockcore::monitor::WaitCycle> &cycles);
/// The same as `[[{"waiter", "lock", "holder"}]]`.
Json deadlocksJson(const std::vector<lockcore::monitor::WaitCycle> &cycles);

} // namespace lockctl
