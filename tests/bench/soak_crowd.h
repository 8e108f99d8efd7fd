// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace lockbench {

constexpr int SoakLocks = 200;

std::string soakLock(int number);

/// Takes, renews and releases these locks as many threads of one client, until it is killed. Returns the exit status.
int runCrowd(const std::string &url);

} // namespace lockbench
