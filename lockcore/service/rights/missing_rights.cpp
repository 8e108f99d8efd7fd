// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/missing_rights.h"

#include "lockcore/base/enum_table.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace lockcore {

namespace {

/// What is refused for want of a right, what that costs, the ACL rules that permit it.
struct RightRow {
    Right value;
    std::string_view what;
    std::string_view cost;
    std::string_view rule;
};

constexpr std::string_view NoTracking
    = "changes are not announced, so locks are read again and again, and new ones are found late";

/// In the order of the enumeration.
constexpr RightRow Rights[]{
    { Right::Info, "INFO", "version and role of the server stay unknown", "+info" },
    { Right::Time, "TIME", "time-outs and leases are compared with the clock of this computer", "+time" },
    { Right::Scan, "SCAN", "locks that exist already cannot be found", "+scan" },
    { Right::ReadKeys, "Looking at some keys", "locks with such names are not shown", "~*" },
    { Right::ReadCommands, "Some command that reads", "what only it can tell of a lock is not shown", "+@read" },
    { Right::ReadScripts, "EVALSHA_RO", "locks are read in several steps instead of at one moment",
        "+eval_ro +evalsha_ro" },
    { Right::CountWaiters, "PUBSUB NUMSUB", "how many wait for a lock that is not fair stays unknown",
        "+pubsub|channels +pubsub|numsub" },
    { Right::Tracking, "CLIENT TRACKING", NoTracking, "+client|tracking" },
    { Right::Invalidations, "SUBSCRIBE __redis__:invalidate", NoTracking, "+subscribe &__redis__:invalidate" },
    { Right::ConnectionId, "CLIENT ID", NoTracking, "+client|id" },
    { Right::NotificationSettings, "CONFIG GET", "whether the server has keyspace notifications on stays unknown",
        "+config|get" },
    { Right::Notifications, "PSUBSCRIBE to keyspace notifications", NoTracking,
        "+psubscribe &__keyevent@*__:* &__keyspace@*__:*" },
    { Right::UnlockMessages, "PSUBSCRIBE redisson_*", "many releases can only be guessed from the time",
        "+psubscribe &redisson_*" },
    { Right::ShardedChannels, "PUBSUB SHARDCHANNELS", "unlock messages of the cluster cannot be found",
        "+pubsub|shardchannels +pubsub|shardnumsub" },
    { Right::ShardedMessages, "SSUBSCRIBE", "unlock messages of the cluster are not heard", "+ssubscribe &redisson_*" },
    { Right::ClusterSlots, "CLUSTER SLOTS", "who keeps which slots of the cluster stays unknown", "+cluster|slots" },
    { Right::MovingSlots, "ASKING", "locks are not seen on the node to which their slot is moving", "+asking" },
    { Right::SentinelMaster, "SENTINEL GET-MASTER-ADDR-BY-NAME", "where the master is stays unknown",
        "+sentinel|get-master-addr-by-name +subscribe &+switch-master" },
};
static_assert(hasRowForEach(Rights));

} // namespace

std::string missingRight(Right right)
{
    const RightRow &loss = rowOf(Rights, right);
    std::string text(loss.what);
    return text.append(" is refused to this user: ")
        .append(loss.cost)
        .append(". The ACL rule ")
        .append(loss.rule)
        .append(" permits it.");
}

std::string missingRight(Right right, const protocol::Reply &refusal)
{
    if (isPermissionError(refusal))
        return missingRight(right);
    const RightRow &loss = rowOf(Rights, right);
    std::string text(loss.what);
    return text.append(" does not work here: ")
        .append(loss.cost)
        .append(". The server said: ")
        .append(protocol::toError(refusal, {}).message);
}

bool isPermissionError(const protocol::Reply &reply)
{
    return reply.isError() && protocol::toError(reply, {}).code == ErrorCode::PermissionDenied;
}

bool mayHideLocks(const SourceStatus &status)
{
    // A status has the sentences alone, of several servers with their names in front.
    return std::ranges::any_of(status.missingRights, [](const std::string &sentence) {
        return sentence.ends_with(missingRight(Right::Scan)) || sentence.ends_with(missingRight(Right::ReadKeys))
            || sentence.ends_with(missingRight(Right::ReadCommands));
    });
}

void MissingRights::add(Right right)
{
    m_rights.insert(right);
    say(missingRight(right));
}

void MissingRights::add(Right right, const protocol::Reply &refusal)
{
    if (isPermissionError(refusal))
        m_rights.insert(right);
    say(missingRight(right, refusal));
}

void MissingRights::say(std::string sentence)
{
    if (std::find(m_sentences.begin(), m_sentences.end(), sentence) == m_sentences.end())
        m_sentences.push_back(std::move(sentence));
}

void MissingRights::clear()
{
    m_rights.clear();
    m_sentences.clear();
}

std::string MissingRights::aclLine() const
{
    std::set<std::string> said;
    std::string line;
    for (const Right right : m_rights) {
        std::istringstream rules{ std::string(rowOf(Rights, right).rule) };
        for (std::string rule; rules >> rule;) {
            if (said.insert(rule).second)
                line += ' ' + rule;
        }
    }
    return line.empty() ? line : "ACL SETUSER " + (m_user.empty() ? "default" : m_user) + line;
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
