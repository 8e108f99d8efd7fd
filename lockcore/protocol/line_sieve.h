// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockcore::protocol {

/// Lets the lines of a stream pass, but for those that are too long: of these nothing is kept, however long they get.
class LineSieve {
public:
    explicit LineSieve(std::size_t longest) // with its end
        : m_longest(longest)
    {
    }

    std::string pass(std::string_view bytes); // the lines that are whole now
    std::size_t heldBack() const { return m_heldBack; } // so many lines, until now

private:
    const std::size_t m_longest;
    std::string m_begun;
    bool m_isTooLong = false;
    std::size_t m_heldBack = 0;
};

} // namespace lockcore::protocol
