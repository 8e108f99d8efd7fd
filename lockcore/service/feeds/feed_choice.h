// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/feed_reason.h"
#include "lockcore/service/feeds/change_feed.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockcore::service {

/// All feeds that there are for one server, which of them to try next, and why the one in use is in use.
/// Thread: that of the feeds.
class FeedChoice {
public:
    FeedChoice(transport::Connection &commands, transport::Subscriber &subscriber, MissingRights &rights);

    const std::vector<std::unique_ptr<ChangeFeed>> &feeds() const { return m_feeds; } // the best first

    /// Begins anew, with the feed that was chosen by hand, else with the best one.
    void begin(std::optional<monitor::Feed> byHand, monitor::FeedScope scope);
    ChangeFeed &candidate() const { return *m_order.at(m_next); } // re-reading is always possible
    bool isNeeded() const; // more rights would bring no feed that is better than the candidate
    void impossible(monitor::FeedDetour why); // the next one is the candidate
    void stopOthers() const; // than the candidate
    void stopAll() const;

    void describe(monitor::FeedScope scope) { m_scope = std::move(scope); } // of the same feed
    monitor::FeedReason reason() const; // why the candidate is in use

private:
    bool isByHand() const { return m_byHand == candidate().kind(); }

    std::vector<std::unique_ptr<ChangeFeed>> m_feeds;
    std::optional<monitor::Feed> m_byHand;
    monitor::FeedScope m_scope;
    std::vector<ChangeFeed *> m_order;
    std::size_t m_next = 0;
    std::vector<monitor::FeedDetour> m_detours;
};

} // namespace lockcore::service
