// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/export.h"

#include <string>

namespace lockcore {

/// What a user needs to take, renew and give back a lock, whatever its kind, beside the channels of locks, as one line:
/// `ACL SETUSER name ~lock ~*{lock}* +…`; all keys where the name could not stand there. An empty user: the default
/// one. In a cluster: also to find its nodes, and to hear by shards.
LOCKCORE_EXPORT std::string aclLineForClients(const std::string &user, const LockName &lock, bool inCluster);
/// The channels of all locks, which all users may use in Redis 6. From 7 on they have to be permitted; the server
/// refuses the line where all channels are.
LOCKCORE_EXPORT std::string aclLineForChannels(const std::string &user);

} // namespace lockcore
