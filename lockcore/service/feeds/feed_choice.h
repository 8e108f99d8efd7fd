// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/feed_scope.h"
#include "lockcore/monitor/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// Which feed to try next, best first, and in words why the one in use is in use.
/// Thread: any (no shared state).
class FeedChoice {
public:
    explicit FeedChoice(std::optional<Feed> byHand = std::nullopt, FeedScope scope = {});

    Feed candidate() const { return m_order.at(m_next); } // re-reading is always possible
    /// `why` follows "since".
    void impossible(std::string why);
    void describe(FeedScope scope) { m_scope = std::move(scope); } // of the same feed
    /// Why the candidate is in use: one or two sentences.
    std::string reason() const;

private:
    std::string scopeInWords() const;

    std::optional<Feed> m_byHand;
    FeedScope m_scope;
    std::vector<Feed> m_order;
    std::size_t m_next = 0;
    std::vector<std::string> m_obstacles;
};

} // namespace lockcore
