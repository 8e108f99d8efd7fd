// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/byte_stream.h"

namespace lockcore::transport {

std::unique_ptr<ByteStream> ByteStream::create(const Endpoint &endpoint)
{
    if (!endpoint.socketPath.empty())
        return localStream(endpoint);
    if (endpoint.tls.enabled)
        return tlsStream(endpoint);
    return tcpStream(endpoint);
}

void ByteStream::open()
{
    m_isStarting = true;
    start();
    m_isStarting = false;
}

/// Where there is no way to an address, Qt says so while it is told to connect. Whoever opens a stream is often being
/// made itself, by somebody who would delete it for that.
void ByteStream::fail(const Error &error)
{
    if (std::exchange(m_failed, true))
        return;
    if (m_isStarting)
        QMetaObject::invokeMethod(
            this, [this, error] { Q_EMIT failed(error); }, Qt::QueuedConnection);
    else
        Q_EMIT failed(error);
}

} // namespace lockcore::transport
