// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/deployment.h"

#include <QElapsedTimer>
#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockcore::service {

/// Whether one of several servers answers.
struct ServerAnswer {
    std::string server;
    std::optional<Error> error; // absent: it answers
    std::string role; // as in the report
    int slots = 0; // that it keeps

    bool operator==(const ServerAnswer &) const = default;
};

/// What a server said and allowed when it was tried; of several servers what all of them allow.
struct ConnectionReport {
    std::string version; // `7.0.15`; empty: INFO is not permitted
    std::string role; // master, slave; empty: not known
    std::string mode; // standalone, sentinel, cluster; empty: not known
    std::chrono::microseconds roundTrip{ 0 }; // the fastest of a few PINGs; of several servers the slowest of them
    bool readOnlyScripts = false; // EVAL_RO
    bool clientTracking = false;
    bool pubSub = false;
    std::vector<monitor::MissingRight> missing;
    std::string aclLine; // `ACL SETUSER …`: permits all that is missing; empty: nothing is
    transport::Topology topology = transport::Topology::Single;
    std::string masterName; // by which sentinels know the one server
    std::vector<ServerAnswer> servers; // of several

    bool operator==(const ConnectionReport &) const = default;
};

/// Tries all servers of a deployment once, on read-only connections of its own: nothing on them is changed. Sentinels
/// are asked for the master, nodes of a cluster for the others.
/// Errors: those of the connection, when no server answers.
/// Thread: that of the object.
class LOCKCORE_EXPORT ConnectionProbe : public QObject {
    Q_OBJECT
public:
    explicit ConnectionProbe(QObject *parent = nullptr);
    ~ConnectionProbe() override;

    void start(const transport::Deployment &deployment); // an earlier probe is cancelled
    void cancel(); // `finished` does not come any more
    bool isRunning() const;

Q_SIGNALS:
    void finished(const lockcore::Result<lockcore::service::ConnectionReport> &report);

private:
    class Private;
    std::unique_ptr<Private> d;
};

/// Tries one server, on a read-only connection of its own.
/// Thread: that of the object; `finished` is called once, never from inside the constructor.
class ServerProbe : public QObject {
    Q_OBJECT
public:
    using Finished = std::function<void(const Result<ConnectionReport> &)>;

    ServerProbe(const transport::Endpoint &endpoint, bool inCluster, Finished finished);

private:
    using Take = std::function<void(const protocol::Reply &)>;

    void begin();
    void ping(int left);
    void askForRights();
    void tryFeeds();
    void conclude();
    void ask(protocol::Command command, Take take);
    transport::Connection::ReplyHandler answering(Take take);
    bool note(monitor::Right right, const protocol::Reply &reply);
    void finish(const Result<ConnectionReport> &result);

    Finished m_finished; // empty once called
    bool m_inCluster;
    ConnectionReport m_report;
    MissingRights m_rights;
    RefusedRights m_refused;
    bool m_tracking = false;
    QElapsedTimer m_sincePing;
    transport::Connection m_connection; // last: its end must find the rest
};

} // namespace lockcore::service
