// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/feed_choice.h"

#include "lockcore/service/feeds/notification_feed.h"
#include "lockcore/service/feeds/tracking_feed.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

using Extent = FeedScope::Extent;

/// What is known is read again and again. That takes over from any feed: nothing has to begin.
class Rereading : public ChangeFeed {
public:
    Feed kind() const override { return Feed::Rereading; }
    void start(const Prefixes &, bool, Started started) override { started(std::nullopt); }
    void stop() override { }
    bool tookOver(const ChangeFeed &) const override { return true; }
};

} // namespace

FeedChoice::FeedChoice(Connection &commands, Subscriber &subscriber, MissingRights &rights)
{
    m_feeds.push_back(std::make_unique<TrackingFeed>(commands, subscriber, rights));
    m_feeds.push_back(std::make_unique<NotificationFeed>(commands, subscriber, rights));
    m_feeds.push_back(std::make_unique<Rereading>()); // the last one, since it needs nothing
    begin(std::nullopt, {});
}

void FeedChoice::begin(std::optional<Feed> byHand, FeedScope scope)
{
    m_byHand = byHand == Feed::None ? std::nullopt : byHand;
    m_scope = std::move(scope);
    m_next = 0;
    m_detours.clear();
    m_order.clear();
    if (m_scope.extent == Extent::Nothing) {
        m_order.push_back(m_feeds.back().get());
        return;
    }
    for (const auto &feed : m_feeds)
        m_order.push_back(feed.get());
    if (m_byHand)
        std::stable_partition(
            m_order.begin(), m_order.end(), [this](const ChangeFeed *feed) { return feed->kind() == *m_byHand; });
}

bool FeedChoice::isNeeded() const
{
    if (isByHand())
        return true;
    const auto itself = std::ranges::find(m_feeds, &candidate(), &std::unique_ptr<ChangeFeed>::get);
    return std::none_of(m_feeds.begin(), itself, [](const auto &better) { return better->lacksRights(); });
}

void FeedChoice::impossible(FeedDetour why)
{
    m_detours.push_back(std::move(why));
    ++m_next;
}

void FeedChoice::stopOthers() const
{
    for (const auto &feed : m_feeds) {
        if (feed.get() != &candidate())
            feed->stop();
    }
}

void FeedChoice::stopAll() const
{
    for (const auto &feed : m_feeds)
        feed->stop();
}

FeedReason FeedChoice::reason() const { return { .isByHand = isByHand(), .detours = m_detours, .scope = m_scope }; }

} // namespace lockcore::service
