// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/enum_table.h"

#include <string>
#include <vector>

namespace lockcore::monitor {

/// What a server may refuse to whoever only looks.
enum class Right {
    Info,
    Time,
    Scan,
    ReadKeys, // some keys
    ReadCommands, // some of the commands that read
    ReadScripts,
    CountWaiters,
    Tracking,
    Invalidations,
    ConnectionId,
    NotificationSettings,
    Notifications,
    UnlockMessages,
    ShardedChannels,
    ShardedMessages,
    ClusterSlots,
    MovingSlots,
    SentinelMaster,
};

/// The rules of an ACL that permit it.
inline constexpr TextRow<Right> AclRules[]{
    { Right::Info, "+info" },
    { Right::Time, "+time" },
    { Right::Scan, "+scan" },
    { Right::ReadKeys, "~*" },
    { Right::ReadCommands, "+@read" },
    { Right::ReadScripts, "+eval_ro +evalsha_ro" },
    { Right::CountWaiters, "+pubsub|channels +pubsub|numsub" },
    { Right::Tracking, "+client|tracking" },
    { Right::Invalidations, "+subscribe &__redis__:invalidate" },
    { Right::ConnectionId, "+client|id" },
    { Right::NotificationSettings, "+config|get" },
    { Right::Notifications, "+psubscribe &__keyevent@*__:* &__keyspace@*__:*" },
    { Right::UnlockMessages, "+psubscribe &redisson_*" },
    { Right::ShardedChannels, "+pubsub|shardchannels +pubsub|shardnumsub" },
    { Right::ShardedMessages, "+ssubscribe &redisson_*" },
    { Right::ClusterSlots, "+cluster|slots" },
    { Right::MovingSlots, "+asking" },
    { Right::SentinelMaster, "+sentinel|get-master-addr-by-name +subscribe &+switch-master" },
};
static_assert(hasRowForEach(AclRules));

/// What is not seen for want of a right, or since the server answers otherwise.
struct MissingRight {
    Right right = Right::Info;
    std::string refusal{}; // what the server said; empty: the ACL forbids it to this user
    std::vector<std::string> nodes{}; // of several, where it is so; empty: on all of them
    std::string recorded{}; // in place of all these, in recordings of before they were: one sentence in English

    bool operator==(const MissingRight &) const = default;
};

} // namespace lockcore::monitor
