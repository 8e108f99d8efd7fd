// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/missing_rights.h"

#include "lockcore/protocol/server_error.h"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace lockcore {

namespace {

struct Loss {
    std::string_view what;
    std::string_view cost;
    std::string_view rule;
};

constexpr std::string_view NoTracking
    = "changes are not announced, so locks are read again and again, and new ones are found late";

Loss lossOf(Right right)
{
    switch (right) {
    case Right::Info:
        return { "INFO", "version and role of the server stay unknown", "+info" };
    case Right::Time:
        return { "TIME", "time-outs and leases are compared with the clock of this computer", "+time" };
    case Right::Scan:
        return { "SCAN", "locks that exist already cannot be found", "+scan" };
    case Right::ReadKeys:
        return { "Looking at some keys", "locks with such names are not shown", "~*" };
    case Right::ReadCommands:
        return { "Some command that reads", "what only it can tell of a lock is not shown", "+@read" };
    case Right::ReadScripts:
        return { "EVALSHA_RO", "locks are read in several steps instead of at one moment", "+eval_ro +evalsha_ro" };
    case Right::CountWaiters:
        return { "PUBSUB NUMSUB", "how many wait for a lock that is not fair stays unknown",
            "+pubsub|channels +pubsub|numsub" };
    case Right::Tracking:
        return { "CLIENT TRACKING", NoTracking, "+client|tracking" };
    case Right::Invalidations:
        return { "SUBSCRIBE __redis__:invalidate", NoTracking, "+subscribe &__redis__:invalidate" };
    case Right::ConnectionId:
        return { "CLIENT ID", NoTracking, "+client|id" };
    case Right::NotificationSettings:
        return { "CONFIG GET", "whether the server has keyspace notifications on stays unknown", "+config|get" };
    case Right::Notifications:
        return { "PSUBSCRIBE to keyspace notifications", NoTracking,
            "+psubscribe &__keyevent@*__:* &__keyspace@*__:*" };
    case Right::UnlockMessages:
        return { "PSUBSCRIBE redisson_*", "many releases can only be guessed from the time",
            "+psubscribe &redisson_*" };
    case Right::ShardedChannels:
        return { "PUBSUB SHARDCHANNELS", "unlock messages of the cluster cannot be found",
            "+pubsub|shardchannels +pubsub|shardnumsub" };
    case Right::ShardedMessages:
        return { "SSUBSCRIBE", "unlock messages of the cluster are not heard", "+ssubscribe &redisson_*" };
    case Right::ClusterSlots:
        return { "CLUSTER SLOTS", "who keeps which slots of the cluster stays unknown", "+cluster|slots" };
    case Right::MovingSlots:
        return { "ASKING", "locks are not seen on the node to which their slot is moving", "+asking" };
    case Right::SentinelMaster:
        return { "SENTINEL GET-MASTER-ADDR-BY-NAME", "where the master is stays unknown",
            "+sentinel|get-master-addr-by-name +subscribe &+switch-master" };
    }
    return {};
}

} // namespace

std::string missingRight(Right right)
{
    const Loss loss = lossOf(right);
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
    const Loss loss = lossOf(right);
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
        std::istringstream rules{ std::string(lossOf(right).rule) };
        for (std::string rule; rules >> rule;) {
            if (said.insert(rule).second)
                line += ' ' + rule;
        }
    }
    return line.empty() ? line : "ACL SETUSER " + (m_user.empty() ? "default" : m_user) + line;
}

} // namespace lockcore
