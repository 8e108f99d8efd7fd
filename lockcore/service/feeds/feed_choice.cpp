// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/feed_choice.h"

#include "lockcore/service/feeds/notification_feed.h"
#include "lockcore/service/feeds/tracking_feed.h"

#include <algorithm>

namespace lockcore {

namespace {

using Extent = FeedScope::Extent;

constexpr std::size_t PrefixesInWords = 5;

/// What is known is read again and again. That takes over from any feed: nothing has to begin.
class Rereading : public ChangeFeed {
public:
    Feed kind() const override { return Feed::Rereading; }
    std::string description() const override
    {
        return "Known locks are read again and again, new ones are found by sweeps only";
    }
    void start(const Prefixes &, bool, Started started) override { started(std::nullopt); }
    void stop() override { }
    bool tookOver(const ChangeFeed &) const override { return true; }
};

std::string joined(const std::vector<std::string> &parts, const std::string &between, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size() && i < most; ++i)
        text += (i == 0 ? "" : between) + parts[i];
    return parts.size() > most ? text + between + "…" : text;
}

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
    m_obstacles.clear();
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

void FeedChoice::impossible(std::string why)
{
    m_obstacles.push_back(std::move(why));
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

std::string FeedChoice::reason() const
{
    std::string text = candidate().description();
    if (isByHand())
        text += ", as chosen by hand";
    if (!m_obstacles.empty())
        text += ", since " + joined(m_obstacles, ", and ", m_obstacles.size());
    return text + scopeInWords() + '.';
}

std::string FeedChoice::scopeInWords() const
{
    const std::string nonLockKeys = std::to_string(m_scope.nonLockKeys);
    if (m_scope.trial)
        return ", to find out whether other keys are still written too often (" + nonLockKeys + " a second before)";
    const bool hearsNothing = candidate().kind() == Feed::Rereading && m_scope.extent != Extent::Everything;
    switch (hearsNothing ? Extent::Nothing : m_scope.extent) {
    case Extent::Everything:
        break;
    case Extent::Nothing:
        return ", since other keys are written about " + nonLockKeys + " times a second";
    case Extent::Prefixes:
        return " of keys that begin with " + joined(m_scope.prefixes, ", ", PrefixesInWords)
            + ", since others are written about " + nonLockKeys
            + " times a second. New locks with other names are found by sweeps only";
    }
    return {};
}

} // namespace lockcore
