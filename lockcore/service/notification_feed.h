// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/prefix_learner.h"
#include "lockcore/service/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"
#include "lockcore/transport/turn_work.h"

#include <QObject>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// Keyspace notifications of one database, where the server has them on: that is never changed.
/// Thread: that of the object.
class NotificationFeed : public QObject {
    Q_OBJECT
public:
    /// Nothing: it works; else why not.
    using Started = std::function<void(std::optional<std::string>)>;

    NotificationFeed(Connection &commands, Subscriber &subscriber, MissingRights &rights, QObject *parent);

    /// With the subscriber ready. `needed`: rights that are missing are told, since nothing better is possible. What is
    /// listened to stays so until this works.
    void start(const Prefixes &prefixes, bool needed, Started started);
    void stop();
    bool tookOver() const { return m_tookOver; } // the last start: without a moment in which nothing was heard

Q_SIGNALS:
    void keysChanged(const std::vector<std::string> &keys);

private:
    std::vector<std::string> patterns(const std::string &settings, const Prefixes &prefixes) const;
    void listen(const std::vector<std::string> &patterns, bool needed, const Started &started);
    void heard(const protocol::PubSubMessage &message);
    void end(std::vector<SubscriptionId> &subscriptions);

    Connection &m_commands;
    Subscriber &m_subscriber;
    MissingRights &m_rights;
    std::vector<SubscriptionId> m_subscriptions; // in use
    std::vector<SubscriptionId> m_next; // to take over
    bool m_tookOver = false;
    std::vector<std::string> m_keys; // heard in this turn
    TurnWork m_telling;
    std::uint64_t m_attempt = 0;
};

} // namespace lockcore
