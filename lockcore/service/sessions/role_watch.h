// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>

namespace lockcore::service {

/// What the server said when it was connected to.
monitor::NodeRole roleOf(const protocol::ServerInfo &server);

/// Asks a server every few seconds whether it is a master or a replica, and how far a replica lags behind. A master is
/// asked too: it may lose its office. And whether other databases have keys, which share their channels with this one.
/// Thread: that of the object.
class RoleWatch : public QObject {
    Q_OBJECT
public:
    explicit RoleWatch(transport::Connection &connection);

    void start();
    void stop();

Q_SIGNALS:
    void seen(const lockcore::protocol::ServerInfo &server); // what it says of replication
    /// Others may have keys, also where that is not to be known; and whether they have some at this moment.
    void databasesSeen(bool others, bool haveKeys);
    void refused(); // the user may not ask, or no longer

private:
    void ask();
    void refuse();
    void take(const std::string &info);
    void askForDatabases();

    transport::Connection &m_connection;
    QTimer m_timer;
    bool m_asking = false;
};

} // namespace lockcore::service
