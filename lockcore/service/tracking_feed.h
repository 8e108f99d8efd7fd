// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/prefix_learner.h"
#include "lockcore/service/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// Client tracking on one connection, whose announcements go to the connection of a subscriber.
/// Thread: that of the object.
class TrackingFeed : public QObject {
    Q_OBJECT
public:
    /// Nothing: it works; else why not.
    using Started = std::function<void(std::optional<std::string>)>;

    TrackingFeed(Connection &commands, Subscriber &subscriber, MissingRights &rights, QObject *parent);

    /// With the subscriber ready. Everything is announced where there are no prefixes.
    void start(const Prefixes &prefixes, Started started);
    void stop();

Q_SIGNALS:
    void keysChanged(const std::vector<std::string> &keys);
    void everythingChanged();
    void broken(); // announcements go nowhere any more

private:
    void redirect(const Prefixes &prefixes, const Started &started);
    void checkRedirect();

    Connection &m_commands;
    Subscriber &m_subscriber;
    MissingRights &m_rights;
    std::optional<SubscriptionId> m_subscription;
    QTimer m_redirectCheck;
    bool m_maybeOn = false;
    std::uint64_t m_attempt = 0;
};

} // namespace lockcore
