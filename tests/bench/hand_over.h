// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/endpoint.h"

#include <vector>

namespace lockbench {

/// Microseconds from the release by one client to the moment when another one, which waits for the lock, knows that it
/// holds it. Both on one event loop. Empty: something failed, told on stderr.
std::vector<double> handOvers(const lockcore::transport::Endpoint &endpoint, int times);

} // namespace lockbench
