// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/join_status.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace lockcore {

namespace {

using Nodes = std::vector<NodeStatus>;

bool all(const Nodes &nodes, SourcePhase phase)
{
    return std::all_of(nodes.begin(), nodes.end(), [phase](const auto &node) { return node.status.phase == phase; });
}

bool any(const Nodes &nodes, SourcePhase phase)
{
    return std::any_of(nodes.begin(), nodes.end(), [phase](const auto &node) { return node.status.phase == phase; });
}

/// Failed and Connecting say that nothing was ever seen: of all nodes, or not at all.
SourcePhase worstPhase(const Nodes &nodes)
{
    if (nodes.empty() || all(nodes, SourcePhase::Connecting))
        return SourcePhase::Connecting;
    if (all(nodes, SourcePhase::Failed))
        return SourcePhase::Failed;
    if (any(nodes, SourcePhase::Stale) || any(nodes, SourcePhase::Failed))
        return SourcePhase::Stale;
    return all(nodes, SourcePhase::Live) ? SourcePhase::Live : SourcePhase::Sweeping;
}

template <typename Value>
void takeEarlier(std::optional<Value> &into, const std::optional<Value> &value)
{
    if (value && (!into || *value < *into))
        into = value;
}

void addRates(Rates &sum, const Rates &rates)
{
    sum.acquires += rates.acquires;
    sum.renewals += rates.renewals;
    sum.releases += rates.releases;
    sum.expiries += rates.expiries;
}

void addVersion(std::string &versions, const std::string &version)
{
    if (version.empty() || (", " + versions + ", ").find(", " + version + ", ") != std::string::npos)
        return;
    versions += versions.empty() ? version : ", " + version;
}

/// Complete when every server that can be seen was looked through.
std::optional<SweepInfo> joinSweeps(const Nodes &nodes)
{
    std::optional<SweepInfo> joined;
    for (const NodeStatus &node : nodes) {
        const auto &sweep = node.status.lastSweep;
        if (!sweep && isSeenNow(node.status))
            return std::nullopt;
        if (!sweep)
            continue;
        if (!joined) {
            joined = sweep;
            continue;
        }
        joined->keysSeen += sweep->keysSeen;
        joined->duration = std::max(joined->duration, sweep->duration);
        joined->finishedAt = std::min(joined->finishedAt, sweep->finishedAt);
        joined->byScript = joined->byScript && sweep->byScript;
    }
    return joined;
}

/// What several servers refuse is said once, with their names.
std::vector<std::string> joinRights(const Nodes &nodes)
{
    std::vector<std::string> sentences; // in the order in which they are told
    std::map<std::string, std::vector<std::string>> where;
    for (const NodeStatus &node : nodes) {
        for (const std::string &sentence : node.status.missingRights) {
            if (where[sentence].empty())
                sentences.push_back(sentence);
            where[sentence].push_back(node.node);
        }
    }
    for (std::string &sentence : sentences) {
        const auto &names = where[sentence];
        if (names.size() == nodes.size())
            continue;
        std::string place;
        for (const std::string &name : names)
            place.append(place.empty() ? "" : ", ").append(name);
        sentence.insert(0, place.append(": "));
    }
    return sentences;
}

/// The one that is worst off speaks for all of them.
void takeFeed(SourceStatus &joined, const Nodes &nodes)
{
    const NodeStatus *worst = nullptr;
    for (const NodeStatus &node : nodes) {
        const auto rank = [](const SourceStatus &status) {
            return std::tuple(
                status.feed, status.feedLimited, status.lastSweep ? status.lastSweep->duration : Millis{});
        };
        if (node.status.feed != Feed::None && (!worst || rank(worst->status) < rank(node.status)))
            worst = &node;
    }
    if (!worst)
        return;
    joined.feed = worst->status.feed;
    joined.feedLimited
        = std::any_of(nodes.begin(), nodes.end(), [](const NodeStatus &node) { return node.status.feedLimited; });
    const bool alike = std::all_of(nodes.begin(), nodes.end(),
        [&](const NodeStatus &node) { return node.status.feedReason == worst->status.feedReason; });
    joined.feedReason = alike || worst->status.feedReason.empty() ? worst->status.feedReason
                                                                  : worst->node + ": " + worst->status.feedReason;
}

} // namespace

bool isSeenNow(const SourceStatus &status)
{
    return status.phase == SourcePhase::Live || status.phase == SourcePhase::Sweeping;
}

void addAclRules(std::string &line, const std::string &other)
{
    constexpr std::size_t WordsBefore = 3; // ACL SETUSER name
    std::istringstream theirs(other);
    std::istringstream ours(line);
    const std::set<std::string> known{ std::istream_iterator<std::string>(ours), {} };
    std::string word;
    for (std::size_t i = 0; theirs >> word; ++i) {
        if (i < WordsBefore && !line.empty() && !known.empty() && !known.contains(word))
            return;
        if (!known.contains(word))
            line += (line.empty() ? "" : " ") + word;
    }
}

SourceStatus joinStatus(const std::string &deployment, const std::vector<NodeStatus> &nodes)
{
    SourceStatus joined;
    joined.server = deployment;
    joined.phase = worstPhase(nodes);
    for (const NodeStatus &node : nodes) {
        const SourceStatus &status = node.status;
        // That the cluster is down is why others are lost, too.
        if (!joined.error || (status.error && status.error->code == ErrorCode::ClusterBusy))
            joined.error = status.error;
        addAclRules(joined.aclLine, status.aclLine);
        joined.channelsShared = joined.channelsShared || status.channelsShared;
        takeEarlier(joined.staleSince, status.staleSince);
        takeEarlier(joined.retryAt, status.retryAt);
        addVersion(joined.serverVersion, status.serverVersion);
        addRates(joined.rates, status.rates);
        if (!joined.clockAhead
            || (status.clockAhead && std::chrono::abs(*status.clockAhead) > std::chrono::abs(*joined.clockAhead)))
            joined.clockAhead = status.clockAhead;
        joined.sweepProgress += status.sweepProgress / static_cast<double>(nodes.size());
    }
    joined.lastSweep = joinSweeps(nodes);
    joined.missingRights = joinRights(nodes);
    takeFeed(joined, nodes);
    return joined;
}

} // namespace lockcore
