// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/byte_stream.h"

namespace lockcore {

void ByteStream::fail(ErrorCode code, std::string message)
{
    if (std::exchange(m_failed, true))
        return;
    Q_EMIT failed(Error{ code, std::move(message), {} });
}

} // namespace lockcore
