// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/export.h"

#include <string>

namespace lockcore::client {

// Three lines `ACL SETUSER name …` permit a user to take, renew and give back a lock, whatever its kind. Each only adds
// rights; the server refuses patterns where all keys, or all channels, are permitted already. An empty user: the
// default one.

/// The commands. In a cluster: also to find its nodes, and to hear by shards.
LOCKCORE_EXPORT std::string aclLineForClients(const std::string &user, bool inCluster);
/// The keys of the lock, `~lock ~*{lock}*`; all keys where the name could not stand there.
LOCKCORE_EXPORT std::string aclLineForKeys(const std::string &user, const LockName &lock);
/// The channels of all locks, which all users may use in Redis 6. From 7 on they have to be permitted.
LOCKCORE_EXPORT std::string aclLineForChannels(const std::string &user);
/// The one of them that permits what a server has refused, by what it said.
LOCKCORE_EXPORT std::string aclLineForRefused(
    const std::string &user, bool inCluster, const LockName &lock, const std::string &said);

} // namespace lockcore::client
