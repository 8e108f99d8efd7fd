// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/node_text.h"

#include "lockcore/base/enum_table.h"
#include "ui/text/display_text.h"
#include "ui/text/feed_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace lockui {

using lockcore::TextRow;
using lockcore::monitor::NodeRole;
using lockcore::monitor::NodeStatus;
using lockcore::monitor::SourcePhase;

namespace {

struct NodeText {
    Q_DECLARE_TR_FUNCTIONS(NodeText)
};

constexpr TextRow<NodeRole> RoleTexts[]{
    { NodeRole::Unknown, "" },
    { NodeRole::Master, QT_TRANSLATE_NOOP("NodeText", "master") },
    { NodeRole::Replica, QT_TRANSLATE_NOOP("NodeText", "replica") },
};
static_assert(hasRowForEach(RoleTexts));

constexpr TextRow<SourcePhase> PhaseTexts[]{
    { SourcePhase::Connecting, QT_TRANSLATE_NOOP("NodeText", "connecting") },
    { SourcePhase::Sweeping, QT_TRANSLATE_NOOP("NodeText", "first sweep") },
    { SourcePhase::Live, QT_TRANSLATE_NOOP("NodeText", "live") },
    { SourcePhase::Stale, QT_TRANSLATE_NOOP("NodeText", "stale") },
    { SourcePhase::Failed, QT_TRANSLATE_NOOP("NodeText", "failed") },
};
static_assert(hasRowForEach(PhaseTexts));

QString roleText(NodeRole role)
{
    const char *text = rowOf(RoleTexts, role).text;
    return *text == 0 ? QString() : NodeText::tr(text);
}

QString phaseText(SourcePhase phase) { return NodeText::tr(rowOf(PhaseTexts, phase).text); }

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

QString locksText(std::int64_t locks)
{
    return NodeText::tr("%1 locks", nullptr, pluralOf(locks)).arg(countText(locks));
}

QString clockDifferenceText(const lockcore::monitor::SourceStatus &status)
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
        parts << phaseText(node.status.phase) << feedText(node.status.feed) << locksText(node.locks);
    parts << clockDifferenceText(node.status);
    if (node.replicaLag)
        parts << NodeText::tr("heard of its master %1 ago").arg(durationText(*node.replicaLag));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

} // namespace lockui
