// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/byte_stream.h"

#include <QAbstractSocket>

namespace lockcore::transport {

ErrorCode errorCode(QAbstractSocket::SocketError error);

/// The end of this socket will reset its connection.
void lingerNever(int descriptor);

std::unique_ptr<ByteStream> tcpStream(const Endpoint &endpoint);
std::unique_ptr<ByteStream> localStream(const Endpoint &endpoint);
std::unique_ptr<ByteStream> tlsStream(const Endpoint &endpoint);

} // namespace lockcore::transport
