// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/connection.h"

#include <QObject>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace lockcore {

/// Asks servers in turn, over a connection of its own, until one gives an answer that will do.
/// Thread: that of the object.
class Inquiry : public QObject {
    Q_OBJECT
public:
    using Question = std::function<void(Connection &asked)>; // ends in stop() or next()

    Inquiry(const ConnectionOptions &options, Question question);
    ~Inquiry() override;

    void start(const std::vector<Endpoint> &places); // ends what went on before
    void stop();
    void next(const Error &error); // asks the next place, for this reason
    bool isGoingOn() const { return m_connection != nullptr; }

    /// Calls `take` with a reply, unless the inquiry has gone on meanwhile.
    Connection::ReplyHandler ifStillAsking(std::function<void(const protocol::Reply &)> take);

Q_SIGNALS:
    void failed(const lockcore::Error &error); // the last place's

private:
    ConnectionOptions m_options;
    const Question m_question;
    std::deque<Endpoint> m_places; // not yet asked
    std::unique_ptr<Connection> m_connection;
};

} // namespace lockcore
