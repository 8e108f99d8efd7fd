// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/line_sieve.h"

#include <utility>

namespace lockcore::protocol {

std::string LineSieve::pass(std::string_view bytes)
{
    std::string whole;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const auto piece = bytes.substr(0, end == bytes.npos ? end : end + 1);
        bytes.remove_prefix(piece.size());
        m_isTooLong = m_isTooLong || m_begun.size() + piece.size() > m_longest;
        if (m_isTooLong)
            m_begun.clear();
        else
            m_begun += piece;
        if (end == bytes.npos)
            break;
        whole += std::exchange(m_begun, {});
        m_heldBack += std::exchange(m_isTooLong, false) ? 1 : 0;
    }
    return whole;
}

} // namespace lockcore::protocol
