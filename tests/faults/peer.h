// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"
#include "tests/faults/plan.h"

namespace faults {

/// A client of a schedule as a process of its own, which can be stopped and killed: says on stdout what its users
/// believe, and does what stdin says: `freeze`, `finish`, `close`. Returns when it was closed, or stdin has ended.
int runPeer(const Plan &plan, int client, const lockcore::transport::Deployment &deployment);

} // namespace faults
