// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/sessions/channel_counter.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockcore::service {

/// How many clients listen to the channels of locks on other servers than the one that keeps them: a message reaches a
/// master's replicas too, and in a cluster every node, and a client may have subscribed on any of them. Each server is
/// asked for its channels as a whole, so that the cost depends on who waits and not on how many locks there are.
/// Source: Redis: PUBSUB CHANNELS and SHARDCHANNELS; Redisson: subscriptionMode.
/// Thread: that of the object.
class SubscriberCensus : public QObject {
public:
    using Numbers = ChannelCounter::Numbers;
    /// Not complete: some server could not be asked, so that nobody who is not found can be said to be missing.
    using Answer = std::function<void(const Numbers &numbers, bool complete)>;
    using IsOurs = std::function<bool(const std::string &server, const std::string &channel)>;

    SubscriberCensus(bool isCluster, IsOurs isOurs);
    ~SubscriberCensus() override;

    /// One of the servers that keep locks. Its replicas as it tells of them; absent: they are not known.
    void setServer(const transport::Endpoint &server, std::optional<std::vector<transport::Endpoint>> replicas);
    void forget(const std::string &server);

    /// Elsewhere than on this server.
    void count(const std::string &server, Answer answer);

private:
    struct Place;
    struct Server {
        transport::Endpoint endpoint;
        std::optional<std::vector<transport::Endpoint>> replicas;
    };
    struct Question {
        std::set<std::string> places;
        MonoTime askedAt;
        bool complete = true;
        Answer answer;
    };

    Question questionFor(const std::string &server);
    Place &placeAt(const transport::Endpoint &endpoint);
    void dropUnknownPlaces();
    void work();
    void list(Place &place);
    void listed(Place &place, const monitor::input::ChannelsListed &channels);
    bool isOver(const Question &question) const;
    void answer(const Question &question);

    const bool m_isCluster;
    const IsOurs m_isOurs;
    QTimer m_timer;
    std::map<std::string, Server> m_servers;
    std::map<std::string, std::unique_ptr<Place>> m_places;
    std::vector<Question> m_questions;
};

} // namespace lockcore::service
