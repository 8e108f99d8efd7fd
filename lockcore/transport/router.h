// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/connection.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace lockcore::transport {

/// Sends each request to who owns its slot, and on to where the servers say that its key is now: MOVED, ASK, and once
/// more when a slot is moving, nobody owns it or its owner has lost its office.
/// Errors: every handler is called once, later than the call; those outstanding at destruction are dropped.
/// Thread: that of the object.
class Router : public QObject {
public:
    using ReplyHandler = Connection::ReplyHandler;

    struct Servers {
        std::function<Connection *(int slot)> slotOwner; // null: nobody keeps the slot
        std::function<Connection *(const protocol::NodeAddress &node)> node; // connects if need be
        std::function<void(int slot, const protocol::NodeAddress &to)> moved;
        std::function<void()> stale; // what is known of the servers is old
    };

    explicit Router(Servers servers);

    void addScript(int slot, const protocol::Script &script, std::span<const std::string> keys,
        std::span<const std::string> arguments, ReplyHandler handler);
    void addCommand(int slot, protocol::Command command, ReplyHandler handler);
    void refuse(std::string error, ReplyHandler handler); // in the words of a server
    void connected(); // those that wait go on
    void failAll(const Error &error);

private:
    using Sender = std::function<void(Connection &connection, const Asking &asking, ReplyHandler handler)>;
    struct Request {
        int slot = 0;
        Sender sender; // empty: refused
        ReplyHandler handler;
        protocol::RedirectLimit limit;
        QDeadlineTimer again = {};
        std::optional<protocol::Reply> lastWord = {}; // of a server that sent it on
    };
    std::uint64_t add(int slot, Sender sender, ReplyHandler handler);
    void dispatch(std::uint64_t id);
    void sendTo(std::uint64_t id, Connection &connection, const Asking &asking);
    void answered(std::uint64_t id, const std::string &host, Result<protocol::Reply> reply);
    void follow(std::uint64_t id, const protocol::Redirection &redirection);
    void park(std::uint64_t id);
    void goOn(bool all);
    void finish(std::uint64_t id, Result<protocol::Reply> reply);
    void finishLater(std::uint64_t id, Result<protocol::Reply> reply);

    const Servers m_servers;
    std::map<std::uint64_t, Request> m_requests;
    std::set<std::uint64_t> m_parked;
    std::uint64_t m_lastId = 0;
    QTimer m_timer;
};

} // namespace lockcore::transport
