// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/server_facts.h"

#include "lockcore/service/rights/missing_rights.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ratio>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

constexpr Millis Tolerance{ 100 }; // also for clocks that are put right little by little

} // namespace

void ServerClock::answered(MonoTime asked, MonoTime answered, WallTime said)
{
    const Reference read{ asked + (answered - asked) / 2, said, (answered - asked) / 2 + Millis(1) };
    if (m_reference) {
        const auto differs = std::chrono::abs(at(read.mono) - said);
        const bool contradicts = differs > read.uncertainty + m_reference->uncertainty;
        if (!contradicts && read.uncertainty >= m_reference->uncertainty)
            return;
    }
    m_reference = read;
}

WallTime ServerClock::at(MonoTime mono) const
{
    return m_reference->wall + std::chrono::floor<Millis>(mono - m_reference->mono);
}

Millis ServerClock::ahead(Now now)
{
    if (!m_reference)
        return Millis{ 0 };
    const Millis ahead = at(now.mono) - now.wall;
    if (std::chrono::abs(ahead) < Tolerance)
        m_ahead = Millis{ 0 };
    else if (std::chrono::abs(ahead - m_ahead) >= Tolerance)
        m_ahead = std::chrono::round<std::chrono::duration<std::int64_t, std::deci>>(ahead);
    return m_ahead;
}

namespace {

constexpr Millis AskRoleEvery{ 2'000 };

} // namespace

NodeRole roleOf(const protocol::ServerInfo &server)
{
    return server.role == "master" ? NodeRole::Master : server.role == "slave" ? NodeRole::Replica : NodeRole::Unknown;
}

RoleWatch::RoleWatch(Connection &connection)
    : m_connection(connection)
{
    m_timer.setInterval(AskRoleEvery);
    connect(&m_timer, &QTimer::timeout, this, [this] { ask(); });
}

void RoleWatch::start()
{
    m_asking = false;
    m_timer.start();
    ask();
}

void RoleWatch::stop() { m_timer.stop(); }

void RoleWatch::ask()
{
    if (m_asking)
        return;
    m_asking = true;
    askForDatabases();
    m_connection.send({ "INFO", "replication" }, [this](const Result<protocol::Reply> &reply) {
        m_asking = false;
        if (!m_timer.isActive() || !reply)
            return;
        if (const std::string *info = reply->bulk())
            take(*info);
        else if (isPermissionError(*reply))
            refuse();
    });
}

/// Whoever waits for a lock of another database may do so though there are no keys any more at this moment: where this
/// is not the first one, in which nearly all are, that is always likely.
void RoleWatch::askForDatabases()
{
    const int own = m_connection.endpoint().database;
    if (own != 0)
        Q_EMIT databasesSeen(true, false);
    m_connection.send({ "INFO", "keyspace" }, [this, own](const Result<protocol::Reply> &reply) {
        if (!m_timer.isActive() || !reply || !reply->bulk())
            return;
        const auto databases = protocol::parseServerInfo(*reply->bulk()).databases;
        const bool haveKeys = databases.size() > databases.count(own);
        Q_EMIT databasesSeen(own != 0 || haveKeys, haveKeys);
    });
}

void RoleWatch::refuse()
{
    stop();
    Q_EMIT seen({});
    Q_EMIT databasesSeen(true, false);
    Q_EMIT refused();
}

void RoleWatch::take(const std::string &info) { Q_EMIT seen(protocol::parseServerInfo(info)); }

bool isAlone(const ServerFacts &facts) { return facts.role == NodeRole::Master && facts.replicas.empty(); }

void addMissing(ServerFacts &facts, const std::vector<MissingRight> &missing, const std::string &aclLine)
{
    for (const MissingRight &each : missing) {
        if (std::ranges::find(facts.missingRights, each) == facts.missingRights.end())
            facts.missingRights.push_back(each);
    }
    if (!aclLine.empty())
        facts.aclLine = aclLine;
}

void addFacts(Snapshot &snapshot, const ServerFacts &facts, bool isUp, bool isOfCluster)
{
    NodeStatus &node = snapshot.nodes.front();
    node.role = facts.role;
    node.replicaLag = facts.replicaLag;
    for (SourceStatus *status : { &snapshot.status, &node.status }) {
        status->serverVersion = facts.version;
        status->missingRights = facts.missingRights;
        status->aclLine = facts.aclLine;
        status->clockAhead = facts.clockAhead;
        status->slowLog = facts.slowLog;
    }
    if (!isOfCluster)
        return;
    for (const ReplicaFacts &replica : facts.replicas)
        snapshot.nodes.push_back(
            { replica.node, NodeRole::Replica, {}, isUp ? std::optional(replica.lag) : std::nullopt, 0, {} });
}

} // namespace lockcore::service
