// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <optional>

namespace lockcore {

/// What the server said when it was connected to.
NodeRole roleOf(const protocol::ServerInfo &server);

/// Asks a server every few seconds whether it is a master or a replica, and how far a replica lags behind. A master is
/// asked too: it may lose its office.
/// Thread: that of the object.
class RoleWatch : public QObject {
    Q_OBJECT
public:
    explicit RoleWatch(Connection &connection);

    void start();
    void stop();

Q_SIGNALS:
    void seen(const lockcore::protocol::ServerInfo &server); // what it says of replication
    void refused(); // the user may not ask, or no longer

private:
    void ask();
    void refuse();
    void take(const std::string &info);

    Connection &m_connection;
    QTimer m_timer;
    bool m_asking = false;
};

} // namespace lockcore
