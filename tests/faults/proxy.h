// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <QSocketNotifier>
#include <QTimer>
#include <array>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace faults {

/// The network between clients and one server, over loopback TCP: it stalls, delays, cuts and loses as networks do.
/// While it stalls, what a client has sent is on its way. A client that closes the connection leaves it there, and it
/// arrives later, as the kernel goes on sending it again; one that aborts takes it back, unless the words are late for
/// being under way for long.
/// Thread: that of the object, whose event loop has to run.
class Proxy {
public:
    Proxy();
    ~Proxy();

    std::uint16_t port() const { return m_port; }
    void setServer(std::string socketPath); // empty: connections end at once

    enum class Ways { Up, Down, Both }; // up: to the server
    void stall(Ways ways, lockcore::Millis time, bool newOnesToo);
    void delay(lockcore::Millis each, lockcore::Millis time);
    void makeLate(lockcore::Millis time); // what is on its way up now and for a moment: by so much
    void cut(); // both ends hear of it at once
    void cutInNext(Ways way); // in the middle of what comes next there
    void refuse(lockcore::Millis time);
    void heal(); // all that it does to new words and connections ends; what is on its way arrives

private:
    enum Way { Up, Down };
    struct Piece {
        lockcore::MonoTime due;
        std::string bytes; // empty: the end of the stream
    };
    struct Line { // from one socket to the other
        std::deque<Piece> pieces;
        lockcore::MonoTime stalledUntil{};
        bool ended = false; // nothing more is read
    };
    struct Connection {
        std::array<int, 2> sockets{ -1, -1 }; // by the way that starts there: client, server
        std::array<std::unique_ptr<QSocketNotifier>, 2> readable;
        std::array<Line, 2> lines;
        bool late = false;
        bool over = false;
    };

    void listen();
    void accept();
    void read(Connection &connection, Way way);
    void take(Connection &connection, Way way, std::string bytes);
    void deliver(Connection &connection);
    void deliverDue();
    void abort(Connection &connection);
    void lostByClient(Connection &connection);
    void end(Connection &connection, bool reset);
    void armTimer();

    int m_listener = -1;
    std::uint16_t m_port = 0;
    std::unique_ptr<QSocketNotifier> m_incoming;
    std::string m_server;
    std::list<std::unique_ptr<Connection>> m_connections;
    lockcore::MonoTime m_stalledUntil{};
    std::array<bool, 2> m_stalledWays{};
    lockcore::MonoTime m_delayedUntil{};
    lockcore::Millis m_delay{ 0 };
    lockcore::MonoTime m_refusedUntil{};
    lockcore::MonoTime m_lateUntil{};
    lockcore::Millis m_late{ 0 };
    std::optional<Way> m_cutInNext;
    QTimer m_timer;
};

} // namespace faults
