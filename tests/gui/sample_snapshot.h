// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <memory>
#include <vector>

namespace lockui::test {

lockcore::Now currentNow();

/// A small shop's locks, of every kind of look: watchdogs, fixed leases, late, waited for, free, without TTL.
std::shared_ptr<lockcore::monitor::Snapshot> sampleSnapshot(lockcore::Now now);

/// A held reentrant lock under a watchdog, renewed `age` ago.
std::shared_ptr<lockcore::monitor::LockState> makeLock(
    const lockcore::LockName &name, lockcore::MonoTime now, lockcore::Millis age = lockcore::Millis(0));

/// Sorted by name, as a snapshot must be.
std::shared_ptr<lockcore::monitor::Snapshot> makeSnapshot(
    lockcore::Now now, std::vector<std::shared_ptr<const lockcore::monitor::LockState>> locks);

} // namespace lockui::test
