// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/plain_stream.h"
#include "lockcore/transport/tls_stream.h"

namespace lockcore {

std::unique_ptr<ByteStream> ByteStream::create(const Endpoint &endpoint)
{
    if (!endpoint.socketPath.empty())
        return localStream(endpoint);
    if (endpoint.tls.enabled)
        return tlsStream(endpoint);
    return tcpStream(endpoint);
}

} // namespace lockcore
