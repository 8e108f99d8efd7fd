// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bare_loop.h"

#include "tests/bench/pair_calls.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <hiredis/hiredis.h>
#include <memory>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace lockbench {

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::string_view FirstRequestId = "0000000000000000000000000000000f";

struct Connection {
    std::unique_ptr<redisContext, decltype(&redisFree)> context{ nullptr, redisFree };
    std::string acquire;
    std::string unlock;
    std::size_t requestIdEnd = 0; // in `unlock`
    bool unlocking = false;

    bool send(std::uint64_t number)
    {
        if (unlocking)
            replaceRequestId(number);
        const std::string &request = unlocking ? unlock : acquire;
        return ::send(context->fd, request.data(), request.size(), MSG_NOSIGNAL)
            == static_cast<ssize_t>(request.size());
    }

private:
    /// An unlock with the id of an earlier one would change nothing.
    void replaceRequestId(std::uint64_t number)
    {
        const std::string digits = std::to_string(number);
        unlock.replace(requestIdEnd - 1 - digits.size(), digits.size(), digits);
    }
};

class BareRun {
public:
    bool open(const std::string &host, int port, int connections)
    {
        for (int i = 0; i < connections; ++i) {
            Connection &connection = m_connections.emplace_back();
            connection.context.reset(redisConnect(host.c_str(), port));
            if (!connection.context || connection.context->err)
                return false;
            prepare(connection, i + 1);
        }
        m_epoll = epoll_create1(EPOLL_CLOEXEC);
        for (Connection &connection : m_connections) {
            epoll_event event{ EPOLLIN, { .ptr = &connection } };
            if (epoll_ctl(m_epoll, EPOLL_CTL_ADD, connection.context->fd, &event) != 0)
                return false;
        }
        return true;
    }

    ~BareRun() { ::close(m_epoll); }

    std::optional<double> run(Millis warmUp, Millis measured)
    {
        if (!sendAll() || !turn(warmUp))
            return std::nullopt;
        m_done = 0;
        const auto begin = Clock::now();
        if (!turn(measured))
            return std::nullopt;
        return static_cast<double>(m_done) / std::chrono::duration<double>(Clock::now() - begin).count();
    }

private:
    static void load(redisContext *context, const ScriptCall &call)
    {
        freeReplyObject(redisCommand(context, "SCRIPT LOAD %b", call.script->text.data(), call.script->text.size()));
    }

    static void prepare(Connection &connection, int number)
    {
        const ScriptCall acquire = acquireCall(holdOf(number));
        const ScriptCall unlock = unlockCall(holdOf(number), std::string(FirstRequestId));
        load(connection.context.get(), acquire);
        load(connection.context.get(), unlock);
        connection.acquire = protocol::format(command(acquire));
        connection.unlock = protocol::format(command(unlock));
        connection.requestIdEnd = connection.unlock.find(FirstRequestId) + FirstRequestId.size();
    }

    bool sendAll()
    {
        return std::all_of(m_connections.begin(), m_connections.end(),
            [this](Connection &connection) { return connection.send(++m_requests); });
    }

    bool turn(Millis duration)
    {
        const auto end = Clock::now() + duration;
        std::array<epoll_event, 256> events{};
        while (Clock::now() < end) {
            const int count = epoll_wait(m_epoll, events.data(), static_cast<int>(events.size()), 1'000);
            for (int i = 0; i < count; ++i) {
                if (!answered(*static_cast<Connection *>(events.at(static_cast<std::size_t>(i)).data.ptr)))
                    return false;
            }
        }
        return true;
    }

    bool answered(Connection &connection)
    {
        std::array<char, 4096> buffer{};
        const ssize_t size = ::recv(connection.context->fd, buffer.data(), buffer.size(), 0);
        const std::string_view reply(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
        if (reply != (connection.unlocking ? ":0\r\n" : "$-1\r\n")) {
            std::fprintf(stderr, "bare loop: unexpected reply %.*s\n", static_cast<int>(reply.size()), reply.data());
            return false;
        }
        connection.unlocking = !connection.unlocking;
        m_done += connection.unlocking ? 0 : 1;
        return connection.send(++m_requests);
    }

    std::vector<Connection> m_connections;
    int m_epoll = -1;
    std::int64_t m_done = 0;
    std::uint64_t m_requests = 0;
};

} // namespace

std::optional<double> bareRate(const Endpoint &endpoint, int connections, Millis warmUp, Millis measured)
{
    BareRun bare;
    if (!bare.open(endpoint.host, endpoint.port, connections)) {
        std::fprintf(stderr, "bare loop: no connection to %s\n", endpoint.display().c_str());
        return std::nullopt;
    }
    return bare.run(warmUp, measured);
}

} // namespace lockbench
