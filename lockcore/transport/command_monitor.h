// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/protocol/handshake.h"
#include "lockcore/protocol/monitor_line.h"
#include "lockcore/protocol/reply_reader.h"
#include "lockcore/transport/byte_stream.h"
#include "lockcore/transport/endpoint.h"

#include <QObject>
#include <QTimer>
#include <cstddef>
#include <memory>
#include <string_view>

namespace lockcore::transport {

/// A connection that logs in, says MONITOR, and nothing else ever: it has no way of sending another command. MONITOR
/// costs a server much; it ends with this object.
/// Errors: `failed` comes at most once, and nothing after it.
/// Thread: that of the object.
class CommandMonitor : public QObject {
    Q_OBJECT
public:
    explicit CommandMonitor(const Endpoint &endpoint, Millis connectTimeout = Millis{ 5'000 });
    ~CommandMonitor() override;

    void open();
    void close(); // at once; nothing is told any more
    std::size_t bytesRead() const { return m_bytes; } // since MONITOR was permitted

Q_SIGNALS:
    void listening();
    void heard(const lockcore::protocol::MonitorLine &line); // what cannot be read is left out
    void passedOver(); // a command that is too long to be of a lock
    void failed(const lockcore::Error &error);

private:
    void readAll();
    bool feed(std::string_view bytes); // false: over
    bool take(const protocol::Reply &reply); // false: over
    bool login(const protocol::Reply &reply);
    void fail(Error error);

    Endpoint m_endpoint;
    protocol::Handshake m_handshake;
    protocol::ReplyReader m_reader;
    protocol::LineSieve m_sieve; // before the reader, once there is nothing but lines
    std::unique_ptr<ByteStream> m_stream;
    QTimer m_patience;
    std::size_t m_bytes = 0;
    bool m_asked = false; // MONITOR is sent
    bool m_listening = false;
};

} // namespace lockcore::transport
