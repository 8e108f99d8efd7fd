// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/client_rights.h"

#include "lockcore/protocol/acl_line.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace lockcore::client {

using protocol::aclLine;

namespace {

/// A blank would end the pattern, and `*` and its like have another meaning there.
bool standsForItself(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_:.,;/@#+={}-", c) != nullptr;
}

} // namespace

std::string aclLineForClients(const std::string &user, bool inCluster)
{
    std::string rules
        = "+exists +get +getrange +hexists +hget +hgetall +hkeys +hlen +lindex +llen +lrange +pttl +type +zcard"
          " +zcount +zrange +zrangebyscore +zscore +strlen +time +ping +eval +evalsha +publish +subscribe +unsubscribe"
          " +decr +decrby +del +hdel +hincrby +hset +incr +incrby +lpop +lrem +persist +pexpire +rpush +set +zadd"
          " +zincrby +zrem";
    if (inCluster)
        rules += " +cluster|slots +@pubsub"; // messages by shards have no names before Redis 7
    return aclLine(user, rules);
}

/// The lock's own key, and those that Redisson derives from its name.
std::string aclLineForKeys(const std::string &user, const LockName &lock)
{
    if (lock.empty() || !std::ranges::all_of(lock, standsForItself))
        return aclLine(user, "~*");
    return aclLine(user, lock.find('{') == std::string::npos ? "~" + lock + " ~*{" + lock + "}*" : "~*" + lock + '*');
}

std::string aclLineForChannels(const std::string &user) { return aclLine(user, "&redisson_*"); }

std::string aclLineForRefused(const std::string &user, bool inCluster, const LockName &lock, const std::string &said)
{
    if (said.find(" channel") != said.npos)
        return aclLineForChannels(user);
    return said.find(" key") != said.npos ? aclLineForKeys(user, lock) : aclLineForClients(user, inCluster);
}

} // namespace lockcore::client
