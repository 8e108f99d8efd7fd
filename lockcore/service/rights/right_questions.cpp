// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/right_questions.h"

#include "lockcore/synchronizers/key_layout.h"

namespace lockcore {

std::vector<RightQuestion> rightQuestions(bool inCluster, const std::string &lock)
{
    const std::string channel = key_layout::lockChannel(lock);
    std::vector<RightQuestion> questions{
        { Right::Info, { "INFO", "server" } },
        { Right::Time, { "TIME" } },
        { Right::Scan, { "SCAN", "0", "COUNT", "1" } },
        { Right::ReadKeys, { "TYPE", key_layout::fairQueue(lock) } },
        { Right::ReadKeys, { "TYPE", key_layout::fairTimeouts(lock) } },
        { Right::ReadKeys, { "TYPE", key_layout::token(lock) } },
        { Right::ReadCommands, { "DBSIZE" } },
        { Right::ReadScripts, { "EVAL_RO", "return 0", "0" } },
        { Right::ReadScripts, { "EVALSHA_RO", std::string(40, '0'), "0" } },
        { Right::CountWaiters, { "PUBSUB", "CHANNELS", channel } },
        { Right::CountWaiters, { "PUBSUB", "NUMSUB", channel } },
        { Right::ConnectionId, { "CLIENT", "ID" } },
    };
    for (const char *command : { "TYPE", "HLEN", "HRANDFIELD", "HGETALL", "PTTL", "LLEN", "ZCARD", "GET" })
        questions.push_back({ Right::ReadCommands, { command, lock } });
    for (const char *command : { "LRANGE", "ZRANGE", "ZCOUNT", "GETRANGE" })
        questions.push_back({ Right::ReadCommands, { command, lock, "0", "0" } });
    for (const char *command : { "LINDEX", "ZSCORE", "ZMSCORE" })
        questions.push_back({ Right::ReadCommands, { command, lock, "0" } });
    if (inCluster) {
        questions.push_back({ Right::ClusterSlots, { "CLUSTER", "SLOTS" } });
        questions.push_back({ Right::MovingSlots, { "ASKING" } });
        questions.push_back({ Right::ShardedChannels, { "PUBSUB", "SHARDCHANNELS", channel } });
        questions.push_back({ Right::ShardedChannels, { "PUBSUB", "SHARDNUMSUB", channel } });
    }
    return questions;
}

Right refusedRight(Right asked, const protocol::Reply &refusal)
{
    if (asked != Right::ReadKeys && asked != Right::ReadCommands)
        return asked;
    return refusal.error()->text.find(" key") == std::string::npos ? Right::ReadCommands : Right::ReadKeys;
}

void addUnknowable(std::set<Right> &refused)
{
    if (refused.contains(Right::ReadCommands) && refused.contains(Right::Scan))
        refused.insert(Right::ReadKeys);
}

} // namespace lockcore
