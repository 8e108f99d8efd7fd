// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/node_text.h"

#include "ui/support/display_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace lockui {

using lockcore::Feed;
using lockcore::NodeRole;
using lockcore::NodeStatus;
using lockcore::SourcePhase;

namespace {

struct NodeText {
    Q_DECLARE_TR_FUNCTIONS(NodeText)
};

QString roleText(NodeRole role)
{
    switch (role) {
    case NodeRole::Unknown:
        return {};
    case NodeRole::Master:
        return NodeText::tr("master");
    case NodeRole::Replica:
        return NodeText::tr("replica");
    }
    return {};
}

QString phaseText(SourcePhase phase)
{
    switch (phase) {
    case SourcePhase::Connecting:
        return NodeText::tr("connecting");
    case SourcePhase::Sweeping:
        return NodeText::tr("first sweep");
    case SourcePhase::Live:
        return NodeText::tr("live");
    case SourcePhase::Stale:
        return NodeText::tr("stale");
    case SourcePhase::Failed:
        return NodeText::tr("failed");
    }
    return {};
}

QString slotsText(const std::vector<lockcore::SlotSpan> &spans)
{
    constexpr std::size_t Most = 4;
    QStringList texts;
    for (std::size_t i = 0; i < std::min(spans.size(), Most); ++i)
        texts << (spans[i].first == spans[i].last ? QString::number(spans[i].first)
                                                  : QStringLiteral("%1–%2").arg(spans[i].first).arg(spans[i].last));
    if (spans.size() > Most)
        texts << QStringLiteral("…");
    return texts.isEmpty() ? QString() : NodeText::tr("slots %1").arg(texts.join(QStringLiteral(", ")));
}

} // namespace

QString feedText(Feed feed)
{
    switch (feed) {
    case Feed::None:
        return {};
    case Feed::ClientTracking:
        return NodeText::tr("client tracking");
    case Feed::KeyspaceNotifications:
        return NodeText::tr("keyspace notifications");
    case Feed::Rereading:
        return NodeText::tr("re-reading");
    }
    return {};
}

QString clockDifferenceText(const lockcore::SourceStatus &status)
{
    const auto ahead = clockDifference(status);
    if (!ahead)
        return {};
    const QString difference = durationText(std::chrono::abs(*ahead));
    return (ahead->count() > 0 ? NodeText::tr("server clock %1 ahead") : NodeText::tr("server clock %1 behind"))
        .arg(difference);
}

QString nodeText(const NodeStatus &node)
{
    QStringList parts{ displayText(node.node), roleText(node.role), slotsText(node.slots) };
    if (!node.status.server.empty()) // it is watched
        parts << phaseText(node.status.phase) << feedText(node.status.feed)
              << (node.locks == 1 ? NodeText::tr("1 lock") : NodeText::tr("%1 locks").arg(countText(node.locks)));
    parts << clockDifferenceText(node.status);
    if (node.replicaLag)
        parts << NodeText::tr("heard of its master %1 ago").arg(durationText(*node.replicaLag));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace lockui
