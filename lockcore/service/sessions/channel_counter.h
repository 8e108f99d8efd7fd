// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine_io.h"
#include "lockcore/transport/connection.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockcore::service {

/// Asks a server which channels of locks have subscribers, and how many; of a cluster's node both kinds of channels are
/// counted together. Subscriptions of monitors do not count.
/// Thread: that of the connection, which has to outlive the answers.
class ChannelCounter {
public:
    using IsOurs = std::function<bool(const std::string &channel)>; // we are one of its subscribers
    using Answer = std::function<void(monitor::EngineInput)>;
    using Refused = std::function<void()>;
    using Numbers = std::map<std::string, std::int64_t>;
    /// Counts on other servers where clients may have subscribed; as SubscriberCensus::count.
    using Elsewhere = std::function<void(std::function<void(const Numbers &numbers, bool complete)>)>;

    ChannelCounter(transport::Connection &connection, IsOurs isOurs, Answer answer, Refused refused);

    void countElsewhereToo(Elsewhere elsewhere) { m_elsewhere = std::move(elsewhere); }
    void reset(); // a new connection may have other rights
    void count(const monitor::action::CountSubscribers &count);
    void list();
    /// Asks for its channels, and for those on which the waiters of a lock whose name has this one in it listen.
    void listOnly(const LockName &name);

private:
    using NumbersHandler = std::function<void(const Numbers &)>;
    struct Questions;

    void list(const std::string &pattern, std::vector<std::string> also);
    void countAll(const std::vector<std::string> &channels, NumbersHandler handler);
    void listed(std::vector<std::string> channels);
    void ask(const std::shared_ptr<Questions> &questions, protocol::Command command,
        std::function<void(const protocol::Reply &)> take);

    transport::Connection &m_connection;
    IsOurs m_isOurs;
    Answer m_answer;
    Refused m_refused;
    Elsewhere m_elsewhere; // empty: nowhere
    bool m_allowed = true;
    bool m_sharded = false;
};

} // namespace lockcore::service
