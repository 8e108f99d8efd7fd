// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/link.h"

namespace lockcore {

/// Leads nowhere: every request gets the same error. Spares its users a null link.
class NoLink : public Link {
    Q_OBJECT
public:
    explicit NoLink(Error error);

    void open() override { }
    void close() override { }
    bool isReady() const override { return false; }
    bool isReadyFor(std::string_view) const override { return false; }
    bool isDown() const override { return true; }

    void eval(const protocol::Script &script, std::span<const std::string> keys, std::span<const std::string> arguments,
        ReplyHandler handler) override;
    void send(protocol::Command command, std::string_view key, ReplyHandler handler) override;

    SubscriptionId subscribe(const std::string &channel, Subscriber::MessageHandler onMessage,
        Subscriber::ConfirmedHandler confirmed) override;
    void unsubscribe(SubscriptionId) override { }

private:
    const Error m_error;
};

} // namespace lockcore
