// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/byte_stream.h"

namespace lockcore {

std::unique_ptr<ByteStream> tlsStream(const Endpoint &endpoint);

} // namespace lockcore
