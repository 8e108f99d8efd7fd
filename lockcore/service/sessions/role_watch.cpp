// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/role_watch.h"

#include "lockcore/service/rights/missing_rights.h"

namespace lockcore::service {

using namespace monitor;
using namespace transport;

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

} // namespace lockcore::service
