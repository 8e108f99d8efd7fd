// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/backoff.h"
#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/pubsub.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/protocol/server_info.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace lockcore::transport {

struct ConnectionOptions {
    bool readOnly = true; // passes only the commands of protocol/command.h
    Millis connectTimeout{ 5'000 }; // up to the end of the handshake
    Millis replyTimeout{ 10'000 }; // the oldest outstanding request; then the connection is dropped
    Millis keepAlive{ 15'000 }; // PING after so long without traffic
    bool reconnect = true;
    Backoff backoff{ Millis{ 200 }, Millis{ 10'000 } };
    Backoff backoffAfterTooMuch{ Millis{ 1'000 }, Millis{ 60'000 } }; // a reply beyond our limits
    bool asksTime = false; // of the server, for scripts with a last moment
    bool toSentinel = false; // else one is turned away
};

enum class RequestId : std::uint64_t {};

/// Whether ASKING goes out right before a request: a node to which a slot is moving then answers for it. That ends with
/// the next command, so that each form in which a script is sent has an ASKING of its own.
struct Asking {
    bool first = false;
    std::function<void(const Result<protocol::Reply> &)> answered = {}; // each of them
};

/// One connection to one server over TCP, TLS or a Unix socket: handshake, pipelined requests, time-outs, keep-alive,
/// and coming back by itself.
/// Errors: every handler is called exactly once, with the reply (a server error is an ordinary reply) or with why there
///         is none; handlers outstanding at destruction are dropped.
/// Thread: that of the object.
class LOCKCORE_EXPORT Connection : public QObject {
    Q_OBJECT
public:
    enum class State { Closed, Connecting, Ready, WaitingToReconnect };
    using ReplyHandler = std::function<void(Result<protocol::Reply>)>;

    Connection(Endpoint endpoint, ConnectionOptions options, QObject *parent = nullptr);
    ~Connection() override;

    void open();
    void close(); // outstanding handlers get local/cancelled

    State state() const;
    const Endpoint &endpoint() const;
    const protocol::ServerInfo &serverInfo() const; // of the last handshake
    std::optional<Millis> retryIn() const; // until the next attempt to connect, where one is planned
    std::int64_t clientId() const; // CLIENT ID of this connection; 0: not known

    /// Sends when ready, else fails at once with network/connection-closed: nothing is queued for later.
    RequestId send(protocol::Command command, ReplyHandler handler, const Asking &asking = {});
    /// EVALSHA (EVALSHA_RO for read-only scripts); EVAL once when the server does not know the script. Where it has a
    /// last moment, that is when its answer would be given up, if the server's time is known. Told that it came late
    /// all the same, it is sent once more by the time that it was told then: the server's clock was set.
    RequestId eval(const protocol::Script &script, std::span<const std::string> keys,
        std::span<const std::string> arguments, ReplyHandler handler, Asking asking = {});
    /// What was asked for in this turn of the event loop goes out now, not at its end.
    void flush();
    /// The reply keeps its place and is thrown away; the handler is dropped.
    void abandon(RequestId request);

Q_SIGNALS:
    void ready(); // after each handshake
    void lost(const lockcore::Error &error); // was ready, or an attempt failed; see state() for what comes next
    void messageReceived(const lockcore::protocol::PubSubMessage &message); // or the end of a sharded subscription

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::transport
