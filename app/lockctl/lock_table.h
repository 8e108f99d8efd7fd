// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/table.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/snapshot.h"

#include <memory>
#include <string>
#include <vector>

namespace lockctl {

using Locks = std::vector<std::shared_ptr<const lockcore::LockState>>;

std::vector<std::string> lockTable(const Locks &locks, lockcore::MonoTime now, std::optional<int> width);

/// `0.4 s`, `38 s`, `4 m 12 s`, `1 h 22 m`
std::string durationText(lockcore::Millis duration);
std::string ttlText(const lockcore::LockState &lock, lockcore::MonoTime now);
std::string heldText(const lockcore::LockState &lock, lockcore::MonoTime now);
std::string kindText(const lockcore::LockState &lock);

} // namespace lockctl
