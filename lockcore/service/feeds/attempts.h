// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

namespace lockcore::service {

/// Attempts of which the latest alone counts: what an earlier one has asked for may be answered still, and must not
/// change anything any more. What handlers belong to is to live as long as they do.
class Attempts {
public:
    void supersede() { ++m_latest; } // another one begins, or none any more

    /// For an answer: calls the handler while this attempt counts.
    template <typename Handler>
    auto whileLatest(Handler handler) const
    {
        return [this, mine = m_latest, handler = std::move(handler)](const auto &...answer) {
            if (mine == m_latest)
                handler(answer...);
        };
    }

private:
    std::uint64_t m_latest = 0;
};

} // namespace lockcore::service
