// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"

#include <string>

namespace lockcore {

/// What a user needs to take, renew and give back locks of every kind, as one line: `ACL SETUSER name ~* +…`. An empty
/// name: the default user's. Channels are left out as in `aclLineFor`: `&redisson_*` permits those of locks.
/// In a cluster: also to find its nodes, and to hear by shards.
LOCKCORE_EXPORT std::string aclLineForClients(const std::string &user, bool inCluster);

} // namespace lockcore
