// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/feeds/attempts.h"
#include "lockcore/service/feeds/subscriber_numbers.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <map>
#include <string>
#include <vector>

namespace lockcore::service {

/// Listens to the unlock channels of one node of a cluster where somebody waits: there is no pattern for such channels,
/// so they are listed now and then: the more there are, the less often. What only monitors listen to is left.
/// Thread: that of the object.
class ShardedChannels : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t MostChannels = 1'000; // that are listened to

    ShardedChannels(
        transport::Connection &commands, transport::Subscriber &subscriber, MissingRights &rights, QObject *parent);

    void start(); // with both connections ready
    void stop();
    bool listensTo(const std::string &channel) const; // the server has said so
    bool leavesSomeOut() const { return m_leavesSomeOut; } // there are too many

Q_SIGNALS:
    void heard(const std::string &channel);
    void refused(); // the missing right has been noted
    void limitChanged(); // whether some are left out

private:
    struct Channel {
        MarkedSubscription subscription;
        bool confirmed = false;
    };

    void list();
    void count(std::vector<std::string> channels);
    void counted(const protocol::Reply &reply);
    void endRound();
    void follow();
    void leaveOut(bool some);
    void listen(const std::string &channel);
    void refuse(monitor::Right right, const protocol::Reply &reply);

    transport::Connection &m_commands;
    transport::Subscriber &m_subscriber;
    MissingRights &m_rights;
    QTimer m_listing;
    Attempts m_rounds; // one at a time
    std::size_t m_listed = 0; // in this round
    std::size_t m_uncounted = 0; // requests of this round
    std::vector<std::string> m_wanted; // in this round: others listen too
    bool m_leavesSomeOut = false;
    std::map<std::string, Channel> m_channels;
    bool m_mayListen = true;
};

} // namespace lockcore::service
