// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/support/origin.h"

#include <string>

namespace lockui {

// Command lines that look at a lock from a POSIX shell. They lead to the same servers and have no password: lockctl
// takes it from LOCKSCOPE_PASSWORD, redis-cli from REDISCLI_AUTH.

/// `lockctl … show NAME`
std::string lockctlCommand(const lockcore::LockName &name, const Origin &origin);

/// `printf … | redis-cli …`: by its kind all keys of the lock that were seen, and when the main one expires. A line for
/// each independent server that has it; empty: nobody knows where it is.
std::string redisCliCommand(const lockcore::monitor::LockState &lock, const Origin &origin);

} // namespace lockui
