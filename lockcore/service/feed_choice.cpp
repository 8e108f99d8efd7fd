// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feed_choice.h"

#include "lockcore/base/enum_table.h"

#include <algorithm>

namespace lockcore {

namespace {

using Extent = FeedScope::Extent;

constexpr std::size_t PrefixesInWords = 5;

constexpr const char *Unannounced = "Known locks are read again and again, new ones are found by sweeps only";

constexpr TextRow<Feed> Sentences[]{
    { Feed::None, Unannounced },
    { Feed::ClientTracking, "The server tells of each change (client tracking)" },
    { Feed::KeyspaceNotifications, "The server tells of each change (keyspace notifications)" },
    { Feed::Rereading, Unannounced },
};
static_assert(hasRowForEach(Sentences));

std::string joined(const std::vector<std::string> &parts, const std::string &between, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size() && i < most; ++i)
        text += (i == 0 ? "" : between) + parts[i];
    return parts.size() > most ? text + between + "…" : text;
}

} // namespace

FeedChoice::FeedChoice(std::optional<Feed> byHand, FeedScope scope)
    : m_byHand(byHand == Feed::None ? std::nullopt : byHand)
    , m_scope(std::move(scope))
    , m_order{ Feed::ClientTracking, Feed::KeyspaceNotifications, Feed::Rereading }
{
    if (m_scope.extent == Extent::Nothing)
        m_order = { Feed::Rereading };
    else if (m_byHand)
        std::stable_partition(m_order.begin(), m_order.end(), [this](Feed feed) { return feed == *m_byHand; });
}

void FeedChoice::impossible(std::string why)
{
    m_obstacles.push_back(std::move(why));
    ++m_next;
}

std::string FeedChoice::reason() const
{
    std::string text = rowOf(Sentences, candidate()).text;
    if (m_byHand == candidate())
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
    const bool hearsNothing = candidate() == Feed::Rereading && m_scope.extent != Extent::Everything;
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
