// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/command_monitor.h"

#include "lockcore/protocol/command.h"
#include "lockcore/protocol/server_error.h"

namespace lockcore::transport {

namespace {

constexpr protocol::ReplyLimits Limits{ .bulkBytes = 1 << 20, .replyBytes = 4 << 20, .elements = 1'000, .nesting = 2 };
constexpr std::size_t LongestLine = std::size_t{ 64 } << 10; // what is longer is of no lock

} // namespace

CommandMonitor::CommandMonitor(const Endpoint &endpoint, Millis connectTimeout)
    : m_endpoint(endpoint)
    , m_handshake({ endpoint.user, endpoint.password, endpoint.database, endpoint.clientName })
    , m_reader(Limits)
    , m_sieve(LongestLine)
    , m_stream(ByteStream::create(endpoint))
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(connectTimeout);
    connect(&m_patience, &QTimer::timeout, this, [this] { fail(m_stream->silence({ Phrase::NoAnswerForLong })); });
    connect(m_stream.get(), &ByteStream::opened, this, [this] {
        std::string bytes;
        for (const auto &command : m_handshake.commands())
            bytes += protocol::format(command);
        m_stream->write(bytes);
    });
    connect(m_stream.get(), &ByteStream::readable, this, &CommandMonitor::readAll);
    connect(m_stream.get(), &ByteStream::failed, this, &CommandMonitor::fail);
}

CommandMonitor::~CommandMonitor()
{
    if (m_stream)
        m_stream->disconnect(this); // and ends with us: there may be no event loop any more for a later deletion
}

void CommandMonitor::open()
{
    m_patience.start();
    m_stream->open();
}

void CommandMonitor::close()
{
    m_patience.stop();
    if (!m_stream)
        return;
    m_stream->disconnect(this);
    m_stream.release()->deleteLater(); // we may have been called from one of its signals
}

void CommandMonitor::readAll()
{
    for (auto bytes = m_stream->read(); !bytes.empty(); bytes = m_stream->read()) {
        m_bytes += m_listening ? bytes.size() : 0;
        if (!feed(bytes))
            return; // closed by what was just told
        while (true) {
            const auto next = m_reader.next();
            if (!next)
                return fail(next.error());
            if (!*next)
                break;
            if (!take(**next) || !m_stream)
                return; // closed by what was just told
        }
    }
}

/// Of a command with a large value nothing is read, and the look goes on.
bool CommandMonitor::feed(std::string_view bytes)
{
    if (!m_asked) {
        m_reader.feed(bytes);
        return true;
    }
    const auto before = m_sieve.heldBack();
    m_reader.feed(m_sieve.pass(bytes));
    for (auto left = m_sieve.heldBack() - before; left > 0 && m_stream; --left)
        Q_EMIT passedOver();
    return m_stream != nullptr;
}

bool CommandMonitor::take(const protocol::Reply &reply)
{
    if (!m_asked)
        return login(reply);
    if (reply.isError()) {
        fail(protocol::toError(reply, {}));
        return false;
    }
    if (!m_listening) {
        m_patience.stop();
        m_listening = true;
        Q_EMIT listening();
    } else if (reply.status() != nullptr) {
        if (const auto line = protocol::parseMonitorLine(reply.status()->text))
            Q_EMIT heard(*line);
    }
    return true;
}

bool CommandMonitor::login(const protocol::Reply &reply)
{
    if (const auto taken = m_handshake.feed(reply); !taken) {
        Error error = taken.error();
        addTried(error, { Phrase::Connecting, { m_endpoint.display() } });
        fail(std::move(error));
        return false;
    }
    if (m_handshake.done()) {
        m_asked = true;
        m_stream->write(protocol::format({ "MONITOR" }));
    }
    return true;
}

void CommandMonitor::fail(Error error)
{
    m_patience.stop();
    m_stream->disconnect(this);
    if (error.tried.empty())
        setTried(error, { Phrase::CommandOn, { "MONITOR", m_endpoint.display() } });
    Q_EMIT failed(error);
}

} // namespace lockcore::transport
