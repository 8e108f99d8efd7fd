// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <optional>

namespace lockcore {

/// Asks a server every second whether it answers, and whether a command was given that changes everything and that no
/// feed tells of (SWAPDB; for keyspace notifications also FLUSHALL and FLUSHDB). In a cluster also whether that is
/// down. And what time it is there. And notices that this computer has slept. Thread: that of the object.
class Heartbeat : public QObject {
    Q_OBJECT
public:
    Heartbeat(Connection &connection, QObject *parent);

    void start(); // with the connection ready
    void stop();
    MonoTime heardAt() const { return m_heardAt; } // all was well for the last time

Q_SIGNALS:
    void heard(); // all is well; at each answer
    void stopped(const lockcore::Error &error); // no answer, or one that refuses everything; once
    void resumed();
    void slept(lockcore::Millis time);
    void everythingChanged();
    void timeTold(lockcore::MonoTime asked, lockcore::MonoTime answered, lockcore::WallTime said);
    void timeRefused(); // once

private:
    void tick();
    void beat();
    void answered(const protocol::Reply &reply);
    void compare(const protocol::Reply &reply);
    void hearTime(const protocol::Reply &reply);
    void heedCluster(const protocol::Reply &reply);
    void fail(ErrorCode code, std::string message);

    Connection &m_connection;
    QTimer m_timer;
    std::uint64_t m_period = 0;
    int m_ticksWaited = 0; // for the answer that is outstanding
    Millis m_asleep{ 0 }; // in all, at the last tick
    MonoTime m_askedAt;
    MonoTime m_heardAt;
    bool m_waiting = false;
    bool m_failed = false;
    bool m_mayAskTime = true;
    bool m_mayCompare = true;
    bool m_mayAskForKeys = true;
    std::optional<Error> m_clusterDown;
    std::optional<std::int64_t> m_changes; // such commands so far
};

} // namespace lockcore
