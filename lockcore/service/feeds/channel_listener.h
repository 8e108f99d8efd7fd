// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/feeds/attempts.h"
#include "lockcore/service/feeds/sharded_channels.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lockcore::service {

/// Listens to the unlock messages of one server: to all with one pattern, or to the channel of each lock shown where
/// the user may not do that; in a cluster also to the channels that belong to slots.
/// Thread: that of the object.
class ChannelListener : public QObject {
    Q_OBJECT
public:
    /// `pattern`: of the channels of interest.
    ChannelListener(transport::Connection &commands, transport::Subscriber &subscriber, MissingRights &rights,
        std::string pattern, QObject *parent);

    /// With both connections ready. `settled` is called once it is known what is permitted.
    void start(std::function<void()> settled);
    void stop();
    void follow(std::shared_ptr<const monitor::Snapshot> snapshot);

    /// Whether each unlock message arrives.
    bool hearsAll() const { return m_hearsPattern && !m_inCluster; }
    /// Of the channels that belong to slots, where there are too many.
    bool leavesSomeOut() const { return m_sharded.leavesSomeOut(); }
    /// Whether one of the subscribers is ourselves.
    bool listensTo(const std::string &channel) const
    {
        return m_channels.contains(channel) || m_sharded.listensTo(channel);
    }

Q_SIGNALS:
    void heard(const std::string &channel);
    void refused(); // the missing right has been noted
    void limitChanged(); // whether some channels are left out

private:
    void hear(const std::string &pattern, std::function<void()> settled);
    void followLatest();
    void leaveChannels();

    transport::Connection &m_commands;
    transport::Subscriber &m_subscriber;
    MissingRights &m_rights;
    ShardedChannels m_sharded;
    std::string m_channelsOfInterest;
    std::optional<transport::SubscriptionId> m_pattern;
    bool m_hearsPattern = false;
    bool m_byChannel = false;
    bool m_inCluster = false;
    Attempts m_attempts;
    std::map<std::string, MarkedSubscription> m_channels;
    std::shared_ptr<const monitor::Snapshot> m_latest; // not followed yet
    QTimer m_followTimer;
};

} // namespace lockcore::service
