// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/rights/connection_probe.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"

#include <QElapsedTimer>
#include <QObject>
#include <functional>
#include <set>

namespace lockcore {

/// Tries one server, on a read-only connection of its own.
/// Thread: that of the object; `finished` is called once, never from inside the constructor.
class ServerProbe : public QObject {
    Q_OBJECT
public:
    using Finished = std::function<void(const Result<ConnectionReport> &)>;

    ServerProbe(const Endpoint &endpoint, bool inCluster, Finished finished);

private:
    using Take = std::function<void(const protocol::Reply &)>;

    void begin();
    void ping(int left);
    void askForRights();
    void tryFeeds();
    void conclude();
    void ask(protocol::Command command, Take take);
    Connection::ReplyHandler answering(Take take);
    bool note(Right right, const protocol::Reply &reply);
    void finish(const Result<ConnectionReport> &result);

    Finished m_finished; // empty once called
    bool m_inCluster;
    ConnectionReport m_report;
    MissingRights m_rights;
    std::set<Right> m_refused;
    bool m_tracking = false;
    QElapsedTimer m_sincePing;
    Connection m_connection; // last: its end must find the rest
};

} // namespace lockcore
