// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "ui/text/json.h"

#include <functional>
#include <vector>

namespace lockui {

// A null analysis: nothing was concluded yet.

/// `[{"kind", "subject", "evidence": {"observed", …}, "certainty"}]`
JsonValue suspectsJson(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);
/// `null` if nothing was seen to happen.
JsonValue statisticsJson(const lockcore::monitor::Analysis *analysis, const lockcore::LockName &lock);

/// Whether a lock is meant; empty: all are.
using LockChoice = std::function<bool(const lockcore::LockName &)>;
/// The circles of clients that wait for each other, in which a lock that is meant has a part.
std::vector<lockcore::monitor::WaitCycle> cyclesOf(
    const lockcore::monitor::Analysis *analysis, const LockChoice &isMeant = {});
/// They as `[[{"waiter", "lock", "holder"}]]`.
JsonValue deadlocksJson(const std::vector<lockcore::monitor::WaitCycle> &cycles);

} // namespace lockui
