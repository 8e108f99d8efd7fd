// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/missing_rights.h"

#include "lockcore/protocol/acl_line.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;

bool isPermissionError(const protocol::Reply &reply)
{
    return reply.isError() && protocol::toError(reply, {}).code == ErrorCode::PermissionDenied;
}

bool mayHideLocks(const SourceStatus &status)
{
    return std::ranges::any_of(status.missingRights, [](const MissingRight &missing) {
        const bool hides
            = missing.right == Right::Scan || missing.right == Right::ReadKeys || missing.right == Right::ReadCommands;
        return hides && missing.refusal.empty() && missing.recorded.empty();
    });
}

void MissingRights::add(Right right)
{
    m_rights.insert(right);
    note({ right });
}

/// For want of the right, or for whatever the server said.
void MissingRights::add(Right right, const protocol::Reply &refusal)
{
    if (isPermissionError(refusal))
        add(right);
    else
        note({ right, protocol::toError(refusal, {}).message });
}

void MissingRights::note(MissingRight missing)
{
    if (std::ranges::find(m_missing, missing) == m_missing.end())
        m_missing.push_back(std::move(missing));
}

void MissingRights::clear()
{
    m_rights.clear();
    m_missing.clear();
}

std::string MissingRights::aclLine() const
{
    std::string rules;
    for (const Right right : m_rights)
        rules.append(" ").append(rowOf(AclRules, right).text);
    return protocol::aclLine(m_user, rules);
}

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
    for (const char *command : { "HGET", "LINDEX", "ZSCORE", "ZMSCORE" })
        questions.push_back({ Right::ReadCommands, { command, lock, "0" } });
    if (inCluster) {
        questions.push_back({ Right::ClusterSlots, { "CLUSTER", "SLOTS" } });
        questions.push_back({ Right::MovingSlots, { "ASKING" } });
        questions.push_back({ Right::ShardedChannels, { "PUBSUB", "SHARDCHANNELS", channel } });
        questions.push_back({ Right::ShardedChannels, { "PUBSUB", "SHARDNUMSUB", channel } });
    }
    return questions;
}

bool RightQuestion::looksAtKey() const
{
    const bool hasArguments = command.size() > 1; // DBSIZE has none
    return hasArguments && (right == Right::ReadKeys || right == Right::ReadCommands);
}

void RefusedRights::take(Right asked, bool looksAtKey, const protocol::Reply &reply)
{
    const bool isAnswer = !reply.isError() || reply.error()->text.starts_with("WRONGTYPE"); // not of an unknown command
    if (!isPermissionError(reply))
        m_hasLookedAtKey = m_hasLookedAtKey || (looksAtKey && isAnswer);
    else if (asked != Right::ReadKeys && asked != Right::ReadCommands)
        m_rights.insert(asked);
    else
        m_rights.insert(reply.error()->text.find(" key") == std::string::npos ? Right::ReadCommands : Right::ReadKeys);
}

std::set<Right> RefusedRights::rights() const
{
    std::set<Right> rights = m_rights;
    if (!m_hasLookedAtKey && rights.contains(Right::ReadCommands) && rights.contains(Right::Scan))
        rights.insert(Right::ReadKeys);
    return rights;
}

} // namespace lockcore::service
