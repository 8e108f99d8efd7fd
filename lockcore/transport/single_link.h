// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/link.h"

namespace lockcore {

/// One server: a connection for requests and one for subscriptions.
class SingleLink : public Link {
    Q_OBJECT
public:
    SingleLink(const Endpoint &server, const ConnectionOptions &options);

    void open() override;
    void close() override;
    bool isReady() const override;
    bool isReadyFor(std::string_view key) const override;
    bool isDown() const override;

    void eval(const protocol::Script &script, std::span<const std::string> keys, std::span<const std::string> arguments,
        ReplyHandler handler) override;
    void send(protocol::Command command, std::string_view key, ReplyHandler handler) override;

    SubscriptionId subscribe(const std::string &channel, Subscriber::MessageHandler onMessage,
        Subscriber::ConfirmedHandler confirmed) override;
    void unsubscribe(SubscriptionId subscription) override;

private:
    Connection m_connection;
    Subscriber m_subscriber;
};

} // namespace lockcore
