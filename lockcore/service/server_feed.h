// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/channel_listener.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// Gets both connections up and the server to tell of changes: client tracking redirected to the subscriber's
/// connection, and the unlock messages. Sets all of it up again whenever either connection was lost.
/// Thread: that of the object.
class ServerFeed : public QObject {
    Q_OBJECT
public:
    ServerFeed(const Endpoint &endpoint, QObject *parent);

    void open();
    Connection &commands() { return m_commands; }
    Feed feed() const { return m_feed; }
    bool hearsUnlocks() const { return m_hearsUnlocks; }
    std::optional<Millis> retryIn() const; // until the next attempt, where one is planned
    const std::vector<std::string> &missingRights() const { return m_missing; }
    /// Listens for the locks shown, where it may not listen for all of them.
    void follow(const Snapshot &snapshot);
    /// Whether one of the subscribers to that channel is ourselves.
    bool listensTo(const std::string &channel) const { return m_channels && m_channels->listensTo(channel); }

Q_SIGNALS:
    void established();
    void broken(const lockcore::Error &error); // nothing is to be trusted until it is established again
    void keysChanged(const std::vector<std::string> &keys);
    void everythingChanged();
    void messageHeard(const std::string &channel);

private:
    void subscribe();
    void connected();
    void connectionLost(const Error &error);
    void establish(Feed feed);
    void missing(std::string sentence);
    void checkRedirect();

    Connection m_commands;
    Subscriber m_subscriber;
    std::unique_ptr<ChannelListener> m_channels; // where the pattern is refused
    QTimer m_redirectCheck;
    bool m_subscriberReady = false;
    bool m_established = false;
    bool m_hearsInvalidations = false;
    bool m_hearsUnlocks = false;
    Feed m_feed = Feed::None;
    std::uint64_t m_attempt = 0;
    std::vector<std::string> m_missing;
};

} // namespace lockcore
