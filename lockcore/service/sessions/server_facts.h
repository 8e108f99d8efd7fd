// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// What time it is at a server, by what it said when it was asked: deadlines in Redis are compared with that, not with
/// the clock of this computer, which may be set to anything. It goes on by the clock of MonoTime, whatever happens to
/// the wall clock meanwhile.
class ServerClock {
public:
    void answered(MonoTime asked, MonoTime answered, WallTime said);

    /// By how much it is ahead of the wall clock of this computer; zero while that is not known, and where the two
    /// differ by less than could matter. It stays the same while nothing was set, so that what goes by it does, too.
    Millis ahead(Now now);

private:
    struct Reference {
        MonoTime mono;
        WallTime wall;
        MonoTime::duration uncertainty;
    };

    WallTime at(MonoTime mono) const;

    std::optional<Reference> m_reference;
    Millis m_ahead{ 0 };
};

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

/// A replica that a master tells of.
struct ReplicaFacts {
    std::string node;
    Millis lag{ 0 }; // since the master last heard of it

    bool operator==(const ReplicaFacts &) const = default;
};

/// What is known of a server beside its locks, and stands beside them in each snapshot.
struct ServerFacts {
    std::string version;
    monitor::NodeRole role = monitor::NodeRole::Unknown;
    /// A replica: since it last heard of its master; while the link is down, since then.
    std::optional<Millis> replicaLag;
    std::vector<ReplicaFacts> replicas;
    std::vector<monitor::MissingRight> missingRights; // on this connection
    std::string aclLine; // permits all of them
    std::optional<Millis> clockAhead; // of ours; absent: not compared yet
    monitor::SlowLogAccess slowLog = monitor::SlowLogAccess::Unknown;

    bool operator==(const ServerFacts &) const = default;
};

bool isAlone(const ServerFacts &facts); // a master without replicas

/// Adds the rights that were found missing since; the line permits all that is missing.
void addMissing(ServerFacts &facts, const std::vector<monitor::MissingRight> &missing, const std::string &aclLine);

/// Beside a node of a cluster its replicas are listed, too. Nobody sees how they are: while the node that tells of them
/// is lost they may be well.
void addFacts(monitor::Snapshot &snapshot, const ServerFacts &facts, bool isUp, bool isOfCluster);

} // namespace lockcore::service
