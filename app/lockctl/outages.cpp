// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/outages.h"

#include "app/common/words.h"
#include "app/lockctl/one_sweep.h"

#include <algorithm>

namespace lockctl {

using app::Words;
using lockcore::Error;
using lockcore::ErrorCode;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::monitor::NodeStatus;
using lockcore::monitor::Snapshot;

namespace {

Millis between(MonoTime from, MonoTime to)
{
    return std::max(Millis(0), std::chrono::duration_cast<Millis>(to - from));
}

} // namespace

void Outages::start(const Snapshot &snapshot, MonoTime now)
{
    m_since = now;
    for (const NodeStatus &node : unseenNodes(snapshot))
        m_unseen.insert(node.node);
}

void Outages::heard(const lockcore::monitor::EventList &events, MonoTime now)
{
    for (const lockcore::monitor::Event &event : *events) {
        if (event.kind != lockcore::monitor::EventKind::Gap || !event.ttl)
            continue;
        Gaps &gaps = m_gaps[event.node];
        gaps.sum += std::min(*event.ttl, between(std::max(m_since, gaps.until), now));
        gaps.until = now;
    }
}

/// Also until now, where it is not seen.
Millis Outages::missed(const NodeStatus &node, MonoTime now) const
{
    const auto found = m_gaps.find(node.node);
    const Gaps gaps = found == m_gaps.end() ? Gaps() : found->second;
    if (!node.status.staleSince)
        return gaps.sum;
    return gaps.sum + between(std::max({ *node.status.staleSince, m_since, gaps.until }), now);
}

/// Of the time since the start, without what was missed.
Millis Outages::rest(Millis missed, MonoTime now) const
{
    const Millis all = between(m_since, now);
    return all - std::min(missed, all);
}

Millis Outages::watched(const Snapshot &snapshot, MonoTime now) const
{
    Millis longest{ 0 };
    for (const NodeStatus &node : snapshot.nodes) {
        if (isWatched(node) && !m_unseen.contains(node.node))
            longest = std::max(longest, missed(node, now));
    }
    return rest(longest, now);
}

std::vector<Error> Outages::errors(const Snapshot &snapshot, MonoTime now) const
{
    std::vector<Error> errors;
    for (const NodeStatus &node : snapshot.nodes) {
        if (!isWatched(node))
            continue;
        const bool isUnseen = m_unseen.contains(node.node);
        const Millis gone = missed(node, now);
        const std::string context
            = Words::tr("watching the locks of %1").arg(QString::fromStdString(node.status.server)).toStdString();
        if (!isSeen(node.status)) {
            errors.push_back(app::withMore(whyNotSeen(node.status),
                isUnseen ? Words::tr("; its locks were not watched")
                         : Words::tr("; it was watched for %1 only").arg(lockui::ttlText(rest(gone, now)))));
        } else if (isUnseen) {
            errors.push_back(app::complaint(
                ErrorCode::ConnectionClosed, Words::tr("it could not be seen from the beginning"), context));
        } else if (m_gaps.contains(node.node)) {
            errors.push_back(app::complaint(ErrorCode::ConnectionClosed,
                Words::tr("it could not be seen for %1").arg(lockui::ttlText(gone)), context));
        }
    }
    return errors;
}

} // namespace lockctl
