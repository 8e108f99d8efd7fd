// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/client_rights.h"

namespace lockcore {

std::string aclLineForClients(const std::string &user, bool inCluster)
{
    return "ACL SETUSER " + (user.empty() ? "default" : user)
        + " ~* +@read +time +ping +eval +evalsha +publish +subscribe +unsubscribe +decr +decrby +del +hdel +hincrby"
          " +hset +incr +incrby +lpop +lrem +persist +pexpire +rpush +set +zadd +zincrby +zrem"
        + (inCluster ? " +cluster|slots +spublish +ssubscribe +sunsubscribe" : "");
}

} // namespace lockcore
