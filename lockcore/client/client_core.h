// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/hold_table.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/transport/deployment.h"
#include "lockcore/transport/link.h"
#include "lockcore/transport/turn_work.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::client {

/// What the user of a client is told, on the next turn of the event loop: never from inside a call, and in an order in
/// which even deleting the client does no harm.
class Outbox : public QObject {
public:
    void add(std::function<void()> message);

private:
    void deliver();

    std::vector<std::function<void()>> m_messages;
    transport::TurnWork m_delivery{ transport::TurnWork::Order::Deliver, [this] { deliver(); } };
};

/// What the parts of a client report without being asked, and the only way up: a part calls by name only those parts
/// that it was made with. LockClient makes its signals of these reports.
struct ClientEvents {
    using OfHold = std::function<void(const HoldKey &)>;

    OfHold renewed = [](const HoldKey &) {};
    OfHold lost = [](const HoldKey &) {}; // no longer in the table
    OfHold unconfirmed = [](const HoldKey &) {}; // not renewed for a whole lease; the watchdog goes on trying
    std::function<void(const Error &)> cleanUpFailed = [](const Error &) {};
    std::function<void()> ended = [] {}; // something that was under way, so that a client that closes may be idle
};

/// What the parts of a client share.
struct ClientCore {
    ClientCore(const transport::Deployment &deployment, const LockClientOptions &clientOptions);

    void send(const synchronizers::ScriptCall &call, transport::Link::ReplyHandler handler); // by the first key
    bool isReadyFor(const LockName &name) const { return link->isReadyFor(name); }
    OwnerId owner(const std::string &thread) const { return { id, thread }; }

    const std::string id; // UUID v4, lower case
    const LockClientOptions options;
    std::optional<Error> unusable; // the deployment has no link: what every request gets
    std::unique_ptr<transport::Link> link;
    HoldTable holds;
    HoldTurns turns;
    Outbox outbox;
    ClientEvents events;
};

std::string randomRequestId(); // 32 lower-case hex digits

/// The server may take the same command a little later: it loads, or fails over, or moves keys, or runs short of
/// memory or of replicas.
bool isPassing(const protocol::Reply &reply);
/// The error of a request that was sent and may have been carried out all the same.
Error afterLostAnswer(Error error);

} // namespace lockcore::client
