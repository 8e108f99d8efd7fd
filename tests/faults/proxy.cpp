// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/proxy.h"

#include "lockcore/transport/clock.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace faults {

using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::transport::monoNow;

namespace {

constexpr Millis TryAgain{ 5 }; // a socket whose buffer is full

int connectTo(const std::string &path)
{
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return socket;
    ::close(socket);
    return -1;
}

void close(int &socket, bool reset)
{
    if (socket < 0)
        return;
    if (reset) {
        const linger now{ 1, 0 };
        ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(std::exchange(socket, -1));
}

} // namespace

Proxy::Proxy()
{
    listen();
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { deliverDue(); });
}

Proxy::~Proxy()
{
    cut();
    ::close(m_listener);
}

void Proxy::listen()
{
    m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int yes = 1;
    ::setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(m_port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(m_listener, reinterpret_cast<const sockaddr *>(&address), sizeof address);
    ::listen(m_listener, 128);
    socklen_t size = sizeof address;
    ::getsockname(m_listener, reinterpret_cast<sockaddr *>(&address), &size);
    m_port = ntohs(address.sin_port);
    m_incoming = std::make_unique<QSocketNotifier>(m_listener, QSocketNotifier::Read);
    QObject::connect(m_incoming.get(), &QSocketNotifier::activated, &m_timer, [this] { accept(); });
}

void Proxy::setServer(std::string socketPath) { m_server = std::move(socketPath); }

void Proxy::accept()
{
    int client = -1;
    while ((client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        int server = m_server.empty() || monoNow() < m_refusedUntil ? -1 : connectTo(m_server);
        if (server < 0) {
            close(client, true);
            continue;
        }
        const int yes = 1;
        ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        m_connections.push_back(std::make_unique<Connection>());
        Connection &connection = *m_connections.back();
        connection.sockets = { client, server };
        for (const Way way : { Up, Down }) {
            if (m_stalledWays[way])
                connection.lines[way].stalledUntil = m_stalledUntil;
            connection.readable[way]
                = std::make_unique<QSocketNotifier>(connection.sockets[way], QSocketNotifier::Read);
            QObject::connect(connection.readable[way].get(), &QSocketNotifier::activated, &m_timer,
                [this, &connection, way] { read(connection, way); });
        }
    }
}

void Proxy::read(Connection &connection, Way way)
{
    if (connection.over || connection.lines[way].ended)
        return;
    std::array<char, 65'536> buffer;
    const ssize_t count = ::recv(connection.sockets[way], buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0) {
        take(connection, way, std::string(buffer.data(), std::size_t(count)));
    } else if (count == 0) {
        connection.lines[way].ended = true;
        connection.readable[way]->setEnabled(false);
        connection.lines[way].pieces.push_back({ connection.lines[way].stalledUntil, {} });
    } else if (way == Up) {
        lostByClient(connection);
    } else {
        abort(connection);
    }
    deliver(connection);
    armTimer();
}

void Proxy::take(Connection &connection, Way way, std::string bytes)
{
    if (m_cutInNext == way && bytes.size() > 8) {
        m_cutInNext.reset();
        bytes.resize(bytes.size() / 2);
        Line &line = connection.lines[way];
        line.pieces.push_back({ {}, std::move(bytes) });
        line.stalledUntil = {};
        deliver(connection);
        return abort(connection);
    }
    const MonoTime now = monoNow();
    Line &line = connection.lines[way];
    MonoTime due = std::max(now, line.stalledUntil);
    if (now < m_delayedUntil)
        due = std::max(due, now + m_delay);
    if (way == Up && now < m_lateUntil) {
        due = std::max(due, now + m_late);
        connection.late = true;
    }
    if (!line.pieces.empty())
        due = std::max(due, line.pieces.back().due);
    line.pieces.push_back({ due, std::move(bytes) });
}

// A client's abort takes back what is on its way, but for words that are late; the server hears of it behind them.
void Proxy::lostByClient(Connection &connection)
{
    Line &up = connection.lines[Up];
    up.ended = true;
    connection.readable[Up]->setEnabled(false);
    if (!connection.late)
        up.pieces.clear();
    up.pieces.push_back({ up.pieces.empty() ? up.stalledUntil : up.pieces.back().due, {} });
}

void Proxy::deliver(Connection &connection)
{
    const MonoTime now = monoNow();
    for (const Way way : { Up, Down }) {
        Line &line = connection.lines[way];
        const Way other = way == Up ? Down : Up;
        while (!connection.over && !line.pieces.empty() && line.pieces.front().due <= now) {
            Piece &piece = line.pieces.front();
            if (piece.bytes.empty())
                return end(connection, false);
            const ssize_t count = ::send(
                connection.sockets[other], piece.bytes.data(), piece.bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0 && errno != EAGAIN && errno != EINTR && way == Up)
                return end(connection, true);
            if (count < 0 && errno != EAGAIN && errno != EINTR) { // the client is gone, its last words are not
                line.pieces.clear();
                break;
            }
            piece.bytes.erase(0, std::size_t(std::max<ssize_t>(count, 0)));
            if (!piece.bytes.empty()) {
                piece.due = now + TryAgain;
                break;
            }
            line.pieces.pop_front();
        }
    }
}

void Proxy::deliverDue()
{
    for (const auto &connection : m_connections)
        deliver(*connection);
    std::erase_if(m_connections, [](const auto &each) { return each->over; });
    armTimer();
}

void Proxy::abort(Connection &connection) { end(connection, true); }

void Proxy::end(Connection &connection, bool reset)
{
    connection.over = true;
    for (const Way way : { Up, Down }) {
        if (connection.readable[way])
            connection.readable[way]->setEnabled(false);
        close(connection.sockets[way], reset);
    }
    m_timer.start(0); // forgets it: its own signals may be under way
}

void Proxy::armTimer()
{
    std::optional<MonoTime> next;
    bool isOver = false;
    for (const auto &connection : m_connections) {
        isOver = isOver || connection->over;
        for (const Line &line : connection->lines) {
            if (!line.pieces.empty())
                next = std::min(next.value_or(line.pieces.front().due), line.pieces.front().due);
        }
    }
    if (isOver)
        m_timer.start(0);
    else if (next)
        m_timer.start(std::max(Millis(0), std::chrono::ceil<Millis>(*next - monoNow())));
}

void Proxy::stall(Ways ways, Millis time, bool newOnesToo)
{
    const MonoTime until = monoNow() + time;
    for (const Way way : { Up, Down }) {
        if (ways != Ways::Both && (ways == Ways::Up) != (way == Up))
            continue;
        for (const auto &connection : m_connections) {
            Line &line = connection->lines[way];
            line.stalledUntil = std::max(line.stalledUntil, until);
            for (Piece &piece : line.pieces)
                piece.due = std::max(piece.due, until);
        }
        m_stalledWays[way] = newOnesToo;
    }
    if (newOnesToo)
        m_stalledUntil = until;
    armTimer();
}

void Proxy::delay(Millis each, Millis time)
{
    m_delay = each;
    m_delayedUntil = monoNow() + time;
}

void Proxy::makeLate(Millis time)
{
    m_late = time;
    m_lateUntil = monoNow() + Millis(50);
}

void Proxy::cut()
{
    for (const auto &connection : m_connections) {
        if (!connection->over)
            abort(*connection);
    }
}

void Proxy::cutInNext(Ways way) { m_cutInNext = way == Ways::Up ? Up : Down; }

void Proxy::refuse(Millis time) { m_refusedUntil = monoNow() + time; }

void Proxy::heal()
{
    m_stalledUntil = m_delayedUntil = m_refusedUntil = m_lateUntil = {};
    m_cutInNext.reset();
}

} // namespace faults
