// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/protocol/slow_log.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// Tells what of the slow log is new, by the ids that were seen before.
class SlowLogReader {
public:
    /// The ids of another process begin anew. `ownName`: of our connections; empty: they have none of their own.
    void connected(const std::string &runId, const std::string &ownName); // empty run: not known

    /// The newest of what is listed, newest first; of what is new the oldest first. From the first look nothing is new:
    /// that was before our time. What was new and is no longer listed stands before the rest, as a number.
    std::vector<monitor::Event> read(const std::vector<protocol::SlowCommand> &listed);

private:
    bool isOurs(const protocol::SlowCommand &slow) const;

    std::string m_runId;
    std::string m_ownName;
    std::optional<std::int64_t> m_lastId; // absent: never looked
};

/// Asks a server every few seconds what it went through that no key tells of: slow commands and paused clients.
/// Cost: at most 32 entries of the slow log, and the counters of its commands, each time.
/// Thread: that of the object.
class ServerWatch : public QObject {
    Q_OBJECT
public:
    explicit ServerWatch(transport::Connection &connection);

    void start();
    void stop();

Q_SIGNALS:
    void slowLogSeen(lockcore::monitor::SlowLogAccess access);
    void slowCommandsSeen(const std::vector<lockcore::monitor::Event> &events); // at the times of the server's clock
    void clientsPaused(lockcore::monitor::Event event); // without its time

private:
    void ask();
    void askForSlowLog();
    void askForPauses();
    void comparePauses();

    transport::Connection &m_connection;
    SlowLogReader m_slowLog;
    bool m_readsSlowLog = true; // false: it was refused
    std::optional<protocol::ServerInfo> m_clients; // what it said of pauses just now
    std::optional<std::int64_t> m_pauseCalls; // at the last look; absent: on this connection there was none
    bool m_wasPaused = false;
    bool m_asking = false;
    QTimer m_timer;
};

} // namespace lockcore::service
