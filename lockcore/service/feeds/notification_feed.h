// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/prefix_learner.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"
#include "lockcore/transport/turn_work.h"

#include <QObject>
#include <QTimer>
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
    void broken(lockcore::MonoTime since); // the server may tell of them no longer

private:
    std::vector<std::string> patterns(const std::string &settings, const Prefixes &prefixes) const;
    void listen(const std::vector<std::string> &patterns, bool needed, const Started &started);
    void heard(const protocol::PubSubMessage &message);
    void end(std::vector<SubscriptionId> &subscriptions);
    void isOn(const Prefixes &prefixes, const std::vector<std::string> &patterns, MonoTime askedAt);
    void checkSetting();

    Connection &m_commands;
    Subscriber &m_subscriber;
    MissingRights &m_rights;
    std::vector<SubscriptionId> m_subscriptions; // in use
    std::vector<SubscriptionId> m_next; // to take over
    bool m_tookOver = false;
    QTimer m_settingCheck;
    Prefixes m_prefixes;
    std::vector<std::string> m_patterns; // in use
    MonoTime m_worksAt; // for the last time that is known
    std::vector<std::string> m_keys; // heard in this turn
    TurnWork m_telling;
    std::uint64_t m_attempt = 0;
};

} // namespace lockcore
