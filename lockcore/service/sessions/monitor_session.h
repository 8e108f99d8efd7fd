// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine.h"
#include "lockcore/monitor/events.h"
#include "lockcore/service/feeds/server_feed.h"
#include "lockcore/service/monitor_options.h"
#include "lockcore/service/sessions/lock_fetcher.h"
#include "lockcore/service/sessions/server_facts.h"
#include "lockcore/service/sessions/server_watch.h"

#include <QObject>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>

namespace lockcore::service {

/// One server under watch: gives the engine its ears and hands. Never sends anything that changes data.
/// Thread: that of the object.
class MonitorSession : public QObject {
public:
    struct Sink {
        std::function<void(std::shared_ptr<const monitor::Snapshot>)> publish;
        std::function<void(monitor::EventList)> report;
        /// A lock has turned up here, or left again: what other nodes know of it.
        std::function<std::shared_ptr<const monitor::LockState>(const LockName &name)> claim{};
        std::shared_ptr<SingleLockSearch> sought{}; // where one alone is looked at in a cluster
        /// The replicas of this server as it tells of them; absent: that is not all there is to know.
        std::function<void(std::optional<std::vector<transport::Endpoint>> replicas)> replicas{};
        ChannelCounter::Elsewhere countElsewhere{};
        std::function<void()> moved{}; // locks of this node are another's now: which, the cluster has to be asked
    };

    MonitorSession(const transport::Endpoint &endpoint, const MonitorOptions &options, Sink sink);

    void open();
    void refresh();
    void publishNow(); // what has been reported until now is in it
    void setFeed(std::optional<monitor::Feed> feed); // absent: the best that the server permits
    void setUnattended(bool unattended); // see MonitorOptions
    void changedByUs(const monitor::input::ChangedByUs &change);
    void keepSlots(const std::vector<SlotSpan> &slots); // in a cluster: of no others from now on
    /// Locks that another server kept until now, as they were known there and last seen then.
    void takeOver(
        std::vector<std::shared_ptr<const monitor::LockState>> locks, MonoTime unseenSince, const std::string &from);
    bool listensTo(const std::string &channel) const { return m_feed.listener().listensTo(channel); }
    void isClaimed(const LockName &name); // by another node of the cluster

private:
    void tell(monitor::EngineInput input);
    void hear(monitor::EngineInput input);
    bool isOfCluster();
    monitor::FeedReason feedReason();
    template <typename Change>
    void changeFacts(Change change);
    void tellRights();
    void compareClocks();
    void watchServer();
    void reportOfServer(std::vector<monitor::Event> events);
    void tellRole(const protocol::ServerInfo &server);
    void fetched(monitor::EngineInput input);
    void act(monitor::EngineAction action);
    void armTimer(MonoTime at);

    Sink m_sink;
    monitor::Engine m_engine;
    ServerClock m_clock;
    ServerFacts m_facts; // beside the locks of each snapshot
    ServerFeed m_feed;
    LockFetcher m_fetcher;
    QTimer m_timer;
    MonoTime m_wakesAt;
    MonoTime m_lastOfServer; // of what it went through
    RoleWatch m_role;
    ServerWatch m_server;
    std::deque<monitor::EngineInput> m_inputs; // told while an earlier one is being acted on
    bool m_keepsSlots = false; // as a part of a cluster that is watched as a whole
    bool m_acting = false;
    bool m_isUp = false;
};

} // namespace lockcore::service
