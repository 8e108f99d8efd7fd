// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/feeds/attempts.h"
#include "lockcore/service/feeds/change_feed.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"
#include "lockcore/transport/turn_work.h"

#include <QTimer>
#include <string>
#include <vector>

namespace lockcore::service {

/// Keyspace notifications of one database, where the server has them on: that is never changed.
/// Thread: that of the object.
class NotificationFeed : public ChangeFeed {
public:
    NotificationFeed(transport::Connection &commands, transport::Subscriber &subscriber, MissingRights &rights);

    monitor::Feed kind() const override { return monitor::Feed::KeyspaceNotifications; }
    void start(const monitor::Prefixes &prefixes, bool needed, Started started) override;
    void stop() override;
    bool tookOver(const ChangeFeed &before) const override { return m_tookOver && &before == this; }
    bool lacksRights() const override;

private:
    std::vector<std::string> patterns(const std::string &settings, const monitor::Prefixes &prefixes) const;
    void listen(const std::vector<std::string> &patterns, bool needed, const Started &started);
    void heard(const protocol::PubSubMessage &message);
    void end(std::vector<transport::SubscriptionId> &subscriptions);
    void isOn(const monitor::Prefixes &prefixes, const std::vector<std::string> &patterns, MonoTime askedAt);
    void checkSetting();

    transport::Connection &m_commands;
    transport::Subscriber &m_subscriber;
    MissingRights &m_rights;
    std::vector<transport::SubscriptionId> m_subscriptions; // in use
    std::vector<transport::SubscriptionId> m_next; // to take over
    bool m_tookOver = false;
    QTimer m_settingCheck;
    monitor::Prefixes m_prefixes;
    std::vector<std::string> m_patterns; // in use
    MonoTime m_worksAt; // for the last time that is known
    std::vector<std::string> m_keys; // heard in this turn
    transport::TurnWork m_telling;
    Attempts m_attempts;
};

} // namespace lockcore::service
