// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/freshness.h"

#include "ui/support/view_clock.h"

#include <QDateTime>
#include <algorithm>

namespace lockui {

using namespace lockcore;

namespace {

bool isLiveNow(const SourceStatus &status)
{
    return status.phase == SourcePhase::Live || status.phase == SourcePhase::Sweeping;
}

} // namespace

bool isFresh(const Snapshot &snapshot)
{
    return isLiveNow(snapshot.status)
        || std::ranges::any_of(snapshot.nodes, [](const NodeStatus &node) { return isLiveNow(node.status); });
}

std::set<std::string> lostServers(const Snapshot &snapshot)
{
    std::set<std::string> lost;
    if (!isFresh(snapshot))
        return lost;
    for (const NodeStatus &node : snapshot.nodes)
        if (node.status.phase == SourcePhase::Stale)
            lost.insert(node.node);
    return lost;
}

QString pauseText(MonoTime since, const ViewClock &clock)
{
    const auto at = QDateTime::fromMSecsSinceEpoch(clock.wallAt(since).time_since_epoch().count());
    return at.toString(QStringLiteral("HH:mm:ss"));
}

} // namespace lockui
