// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/topology.h"

#include <vector>

namespace lockcore {

/// What one server is to be told.
struct AdminTarget {
    Endpoint endpoint;
    AdminCommand command;
};

/// Whom a command concerns: the server that keeps the lock; of independent ones each that has it, with what was seen
/// there. `lock` is the lock as it was shown last, null: not at all.
/// Errors: network/connection-closed while it is not known who keeps what; server/cluster-busy when nobody keeps the
///         lock's slot; locks/not-held when no independent server has it; locks/holder-changed when independent
///         servers together have other holders than those expected, it names both.
[[nodiscard]] Result<std::vector<AdminTarget>> routeCommand(
    const AdminCommand &command, Topology topology, const std::vector<SlotOwner> &nodes, const LockState *lock);

/// The command as it reaches who waits. Of a lock that is freed those are told too who stand in no queue that was
/// found. A waiter is taken out of the queue of the lock alone that its waiters listen for: under another name the next
/// one would not be woken. Errors: locks/holder-changed when who stands in the queue listens for another lock, it names
/// that one.
[[nodiscard]] Result<AdminCommand> fitToListeners(AdminCommand command, const Snapshot &snapshot);

} // namespace lockcore
