// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/inquiry.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr Millis LongestAnswer{ 2'000 }; // another one can be asked

} // namespace

Inquiry::Inquiry(const ConnectionOptions &options, Question question)
    : m_options(options)
    , m_question(std::move(question))
{
    m_options.reconnect = false;
    m_options.asksTime = false;
    m_options.connectTimeout = std::min(m_options.connectTimeout, LongestAnswer);
    m_options.replyTimeout = std::min(m_options.replyTimeout, LongestAnswer);
}

Inquiry::~Inquiry() = default;

void Inquiry::start(const std::vector<Endpoint> &places)
{
    stop();
    m_places.assign(places.begin(), places.end());
    next({ ErrorCode::InvalidArgument, "there is nobody to ask", {} });
}

void Inquiry::stop()
{
    m_places.clear();
    if (!m_connection)
        return;
    m_connection->disconnect();
    m_connection->setParent(this);
    m_connection.release()->deleteLater(); // we may have been called from one of its signals
}

void Inquiry::next(const Error &error)
{
    auto places = std::exchange(m_places, {});
    stop();
    if (places.empty()) {
        Q_EMIT failed(error);
        return;
    }
    m_connection = std::make_unique<Connection>(places.front(), m_options);
    places.pop_front();
    m_places = std::move(places);
    connect(m_connection.get(), &Connection::ready, this, [this] { m_question(*m_connection); });
    connect(m_connection.get(), &Connection::lost, this, [this](const Error &reason) { next(reason); });
    m_connection->open();
}

Connection::ReplyHandler Inquiry::ifStillAsking(std::function<void(const protocol::Reply &)> take)
{
    return [this, asked = m_connection.get(), take = std::move(take)](const Result<protocol::Reply> &reply) {
        if (m_connection.get() == asked && reply) // a lost connection is told by its signal
            take(*reply);
    };
}

} // namespace lockcore
