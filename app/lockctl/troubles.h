// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"

#include <string>
#include <vector>

namespace lockctl {

/// `deadWaiter`
const char *nameOf(lockcore::SuspectKind kind);

// A null analysis: nothing was concluded yet.

/// `[{"kind", "evidence", "certainty"}]`
std::string suspectsJson(const lockcore::Analysis *analysis, const lockcore::LockName &lock);
/// `null` if nothing was seen to happen.
std::string statisticsJson(const lockcore::Analysis *analysis, const lockcore::LockName &lock);

/// For a column: `deadWaiter, noTtl`; empty: nothing is suspected.
std::string suspectsText(const lockcore::Analysis *analysis, const lockcore::LockName &lock);
/// For people, a line each: what is suspected and what was seen.
std::vector<std::string> suspectLines(const lockcore::Analysis *analysis, const lockcore::LockName &lock);
/// One line; empty: nothing was seen to happen.
std::string statisticsLine(const lockcore::Analysis *analysis, const lockcore::LockName &lock);

/// A line for each circle of clients that wait for each other: of all, or of those that the lock has a part in.
std::vector<std::string> deadlockLines(const lockcore::Analysis *analysis, const lockcore::LockName *lock = nullptr);
/// The same as `[[{"waiter", "lock", "holder"}]]`.
std::string deadlocksJson(const lockcore::Analysis *analysis, const lockcore::LockName *lock = nullptr);

} // namespace lockctl
