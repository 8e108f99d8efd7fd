// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/feeds/attempts.h"
#include "lockcore/service/feeds/change_feed.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <QTimer>
#include <memory>
#include <optional>

namespace lockcore::service {

/// Client tracking, whose announcements go to the connection of a subscriber. It begins on a connection that is there
/// anyway. Other prefixes begin on a connection of their own before the ones in use end, so that nothing is missed.
/// Thread: that of the object.
class TrackingFeed : public ChangeFeed {
public:
    TrackingFeed(transport::Connection &commands, transport::Subscriber &subscriber, MissingRights &rights);

    monitor::Feed kind() const override { return monitor::Feed::ClientTracking; }
    void start(const monitor::Prefixes &prefixes, bool needed, Started started) override;
    void stop() override;
    bool tookOver(const ChangeFeed &before) const override { return m_tookOver && &before == this; }
    bool lacksRights() const override;

private:
    struct Later {
        void operator()(transport::Connection *connection) const;
    };
    using OwnConnection = std::unique_ptr<transport::Connection, Later>; // may be given up in an answer of its own

    void startAfresh(const monitor::Prefixes &prefixes, const Started &started);
    void takeOver(const monitor::Prefixes &prefixes, const Started &started);
    void redirect(transport::Connection &connection, const monitor::Prefixes &prefixes, const Started &started);
    void isOn(transport::Connection &connection);
    void turnOff();
    void checkRedirect();

    transport::Connection &m_commands;
    transport::Subscriber &m_subscriber;
    MissingRights &m_rights;
    std::optional<transport::SubscriptionId> m_subscription;
    QTimer m_redirectCheck;
    MonoTime m_worksAt; // for the last time that is known
    transport::Connection *m_on = nullptr; // the connection for which tracking is on, or may be
    OwnConnection m_own;
    OwnConnection m_next; // to take over
    bool m_tookOver = false;
    Attempts m_attempts;
};

} // namespace lockcore::service
