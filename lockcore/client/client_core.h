// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/hold_table.h"
#include "lockcore/client/hold_turns.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/transport/link.h"
#include "lockcore/transport/turn_work.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// What the user of a client is told, on the next turn of the event loop: never from inside a call, and in an order in
/// which even deleting the client does no harm.
class Outbox : public QObject {
    Q_OBJECT
public:
    void add(std::function<void()> message);

private:
    void deliver();

    std::vector<std::function<void()>> m_messages;
    TurnWork m_delivery{ TurnWork::Order::Deliver, [this] { deliver(); } };
};

/// What the parts of a client share.
struct ClientCore {
    ClientCore(const Deployment &deployment, const LockClientOptions &clientOptions);

    void send(const ScriptCall &call, Link::ReplyHandler handler); // by the first key
    bool isReadyFor(const LockName &name) const { return link->isReadyFor(name); }
    OwnerId owner(const std::string &thread) const { return { id, thread }; }

    const std::string id;
    const LockClientOptions options;
    std::optional<Error> unusable; // the deployment has no link: what every request gets
    std::unique_ptr<Link> link;
    HoldTable holds{ renewalPeriod(options) / 100 };
    HoldTurns turns;
    Outbox outbox;
    std::function<void()> progress = [] {}; // called when something under way has ended
};

} // namespace lockcore
