// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/transport/endpoint.h"

#include <QAbstractSocket>
#include <QObject>
#include <memory>
#include <string_view>

namespace lockcore::transport {

/// Bytes to and from one server, over TCP, TLS or a Unix socket alike. Used once: a new attempt takes a new stream.
/// Errors: `failed` comes at most once, never from inside open(); nothing follows it.
/// Thread: that of the object.
class ByteStream : public QObject {
    Q_OBJECT
public:
    static std::unique_ptr<ByteStream> create(const Endpoint &endpoint);

    void open();
    /// What it means that nothing came in time.
    virtual Error silence(Said why) const { return errorOf(ErrorCode::ConnectTimeout, std::move(why)); }
    virtual void write(std::string_view bytes) = 0;
    virtual void flush() = 0; // gives the system at once what it takes
    /// A piece of what has arrived, empty when there is no more; the view is valid until the next call.
    virtual std::string_view read() = 0;
    /// Its end will break the connection off: what the peer does not have by then is not sent again.
    virtual void breakOff() = 0;

Q_SIGNALS:
    void opened(); // TLS: the peer is verified
    void readable();
    void failed(const lockcore::Error &error);

protected:
    ByteStream() = default;
    virtual void start() = 0;
    void fail(const Error &error);

private:
    bool m_isStarting = false;
    bool m_failed = false;
};

ErrorCode errorCode(QAbstractSocket::SocketError error);

/// The end of this socket will reset its connection.
void lingerNever(int descriptor);

std::unique_ptr<ByteStream> tcpStream(const Endpoint &endpoint);
std::unique_ptr<ByteStream> localStream(const Endpoint &endpoint);
std::unique_ptr<ByteStream> tlsStream(const Endpoint &endpoint);

} // namespace lockcore::transport
