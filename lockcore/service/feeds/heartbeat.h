// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/service/feeds/attempts.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <optional>

namespace lockcore::service {

/// Hears every second whether a server is alive, on both connections to it. On the one for commands it asks whether
/// the server answers, whether a command was given that changes everything and that no feed tells of, in a cluster
/// whether that is down, and what time it is there. While that is answered, the connection for announcements is asked
/// too: it may be dead though the server answers, and silence is what is usual there.
///
/// The PING of an idle Connection is not this: it keeps the ways through networks open, and a Connection ends when
/// answers are late. Here the connection stands, and what is shown must no longer be called live; a server that refuses
/// everything answers each PING. Since something is sent every second, that PING is never due beside this.
///
/// Where this program itself stood still for seconds (stopped by a signal, a debugger, its virtual machine), the server
/// went on, and the sockets hold what it announced meanwhile: that something changed, neither when nor how often.
/// Whoever hears anything asks for such a pause first.
///
/// Commands that change everything are counted by the server (INFO commandstats). Client tracking tells of FLUSHALL and
/// FLUSHDB itself, by a null message; of SWAPDB nobody tells, and keyspace notifications tell of none of the three: the
/// locks shown before would stay, called live, and those that are there instead would be missing until the next sweep
/// is through, which takes a minute and longer. Each question costs Redis 7.0 11 µs and 3 KB, measured where 35 kinds
/// of commands had been given: a hundred-thousandth of its time. Thread: that of the object.
class Heartbeat : public QObject {
    Q_OBJECT
public:
    Heartbeat(transport::Connection &commands, transport::Subscriber &announcements, QObject *parent);

    void start(); // with the connection for commands ready
    void stop();
    void startAnnouncements(); // with that connection ready
    void stopAnnouncements();
    bool noticesPause(); // true: it has just told of one, and what is heard now is of no use
    MonoTime heardAt() const { return m_heardAt; } // all was well for the last time
    MonoTime announcementsHeardAt() const { return m_announcements.heardAt; } // anything, for the last time

Q_SIGNALS:
    void stopped(const lockcore::Error &error); // no answer, or one that refuses everything; once
    void resumed();
    void announcementsSilent(); // once
    void slept(lockcore::Millis time); // this computer
    void stoodStill(lockcore::Millis time); // this program, on a computer that was awake
    void databaseEmptied(std::int64_t times); // by the server's count
    void databasesSwapped();
    void timeTold(lockcore::MonoTime asked, lockcore::MonoTime answered, lockcore::WallTime said);
    void timeRefused(); // once

private:
    void tick();
    void beat();
    void answered(const protocol::Reply &reply);
    void compare(const protocol::Reply &reply);
    void hearTime(const protocol::Reply &reply);
    void heedCluster(const protocol::Reply &reply);
    void fail(Error error);
    void askAnnouncements();
    void announcementsHeard();

    struct Announcements {
        bool running = false;
        bool waiting = false;
        int beatsWaited = 0; // for the answer that is outstanding
        std::uint64_t period = 0;
        MonoTime heardAt;
    };

    transport::Connection &m_connection;
    transport::Subscriber &m_subscriber;
    Announcements m_announcements;
    QTimer m_timer;
    Attempts m_periods;
    int m_ticksWaited = 0; // for the answer that is outstanding
    Millis m_asleep{ 0 }; // in all, when last seen
    MonoTime m_ranAt; // when last seen
    MonoTime m_askedAt;
    MonoTime m_heardAt;
    bool m_waiting = false;
    bool m_failed = false;
    bool m_mayAskTime = true;
    bool m_mayCompare = true;
    bool m_mayAskForKeys = true;
    std::optional<Error> m_clusterDown;
    struct Changes {
        std::int64_t emptied = 0;
        std::int64_t swapped = 0;
    };
    std::optional<Changes> m_changes; // such commands so far
};

} // namespace lockcore::service
