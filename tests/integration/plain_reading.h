// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/synchronizers/synchronizer.h"
#include "tests/support/blocking_client.h"

#include <vector>

namespace testsupport {

/// The locks among these names, by one command after the other and by regular expressions: slow, and written from the
/// description of what Redisson writes alone, so that it can tell whether lockcore's readers are right.
std::vector<lockcore::synchronizers::LockReading> readPlainly(
    BlockingClient &client, const std::vector<lockcore::LockName> &names);

} // namespace testsupport
