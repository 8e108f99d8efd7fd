// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/feed_reason.h"
#include "lockcore/monitor/prefix_learner.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/feeds/attempts.h"
#include "lockcore/service/feeds/channel_listener.h"
#include "lockcore/service/feeds/feed_choice.h"
#include "lockcore/service/feeds/heartbeat.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/service/rights/rights_watch.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

struct FeedOptions {
    std::optional<monitor::Feed> byHand; // absent: the best that the server permits
    std::string keyPattern; // of the names of interest; empty: all
    bool plainNames = false; // see MonitorOptions
};

/// Gets both connections to a server up and finds the best way to hear of changes: client tracking, else keyspace
/// notifications, else re-reading; and listens to the unlock messages. Sets all of it up again whenever it was lost.
/// Thread: that of the object.
class ServerFeed : public QObject {
    Q_OBJECT
public:
    ServerFeed(const transport::Endpoint &endpoint, FeedOptions options, QObject *parent);

    void open();
    void choose(std::optional<monitor::Feed> byHand);
    void limit(monitor::FeedScope scope);

    transport::Connection &commands() { return m_commands; }
    MissingRights &rights() { return m_rights; }
    RightsWatch &rightsWatch() { return m_rightsWatch; }
    monitor::Feed feed() const { return m_up ? m_choice.candidate().kind() : monitor::Feed::None; }
    monitor::FeedReason reason() const;
    const monitor::FeedScope &scope() const { return m_scope; }
    bool missedNothing() const { return m_missedNothing; } // when it changed for the last time
    std::optional<MonoTime> deafSince() const { return m_deafSince; } // before it changed
    bool mayBeLimited() const { return !m_options.byHand && !m_subscriberLost; }
    bool hearsUnlocks() const { return m_listener.hearsAll(); }
    std::optional<Millis> retryIn() const; // until the next attempt, where one is planned
    /// True: this program stood still, which it has just told of, and what is heard now is older than anybody knows.
    bool noticesPause() { return m_heartbeat.noticesPause(); }
    /// Listens for the locks shown, where it may not listen for all of them.
    void follow(std::shared_ptr<const monitor::Snapshot> snapshot);
    const ChannelListener &listener() const { return m_listener; }

Q_SIGNALS:
    void established();
    void changed(); // another feed, or another scope
    /// Nothing is to be trusted until it is established again.
    void broken(const lockcore::Error &error, lockcore::MonoTime heardAt);
    void keysChanged(const std::vector<std::string> &keys);
    void timeTold(lockcore::MonoTime asked, lockcore::MonoTime answered, lockcore::WallTime said);
    void everythingChanged(std::int64_t counted); // as input::EverythingChanged has it
    void databasesSwapped();
    void messageHeard(const std::string &channel);
    void rightsMissing(); // more than before

private:
    void subscriberReady();
    void subscriberLost(const Error &error);
    void connectionLost(const Error &error);
    void connected();
    void listen();
    void subscriberSilent();
    void doWithoutSubscriber();
    void feedBroke(MonoTime since);
    void deaf(MonoTime since);
    void chooseFeed();
    void narrowOrWiden();
    void explainAnew();
    void tryCandidate();
    monitor::Prefixes prefixesOfInterest() const;
    void tried(std::optional<monitor::FeedDetour> obstacle);
    void settled();
    void establish();
    void resumed();
    bool knowsSubscriber() const; // ready, or lost
    void startAgain(Said why);

    transport::Connection m_commands;
    transport::Subscriber m_subscriber;
    MissingRights m_rights;
    FeedChoice m_choice;
    ChannelListener m_listener;
    Heartbeat m_heartbeat;
    RightsWatch m_rightsWatch;
    FeedOptions m_options;
    monitor::FeedScope m_scope;
    const ChangeFeed *m_before = nullptr; // the feed in use until the scope that is wanted works
    std::optional<Error> m_subscriberLost;
    Attempts m_losses; // of the subscriber
    bool m_feedSettled = false;
    bool m_listenerSettled = false;
    bool m_up = false; // and has been said to be
    bool m_missedNothing = false;
    std::optional<MonoTime> m_deafSince;
    bool m_silent = false; // the connection stands, but nothing is answered
};

} // namespace lockcore::service
