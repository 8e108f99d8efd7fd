// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/node_text.h"

#include "lockcore/base/enum_table.h"
#include "ui/text/display_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace lockui {

using lockcore::TextRow;
using lockcore::monitor::NodeRole;
using lockcore::monitor::NodeStatus;
using lockcore::monitor::SourcePhase;
using namespace lockcore;
using namespace lockcore::monitor;
using Extent = FeedScope::Extent;

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

namespace {

/// What has not been looked through yet may have any number, and at least those that are known all the same.
QString knownLocksText(const NodeStatus &node)
{
    if (node.status.lastSweep)
        return locksText(node.locks);
    return node.locks > 0 ? QStringLiteral("≥ ") + locksText(node.locks) : NodeText::tr("locks not known");
}

} // namespace

QString nodeText(const NodeStatus &node)
{
    QStringList parts{ displayText(node.node), roleText(node.role), slotsText(node.slots) };
    if (isWatched(node))
        parts << phaseText(node.status.phase) << feedText(node.status.feed) << knownLocksText(node);
    parts << clockDifferenceText(node.status);
    if (node.replicaLag)
        parts << NodeText::tr("heard of its master %1 ago").arg(durationText(*node.replicaLag));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

namespace {

struct FeedText {
    Q_DECLARE_TR_FUNCTIONS(FeedText)
};

constexpr TextRow<Feed> FeedTexts[]{
    { Feed::None, "" },
    { Feed::ClientTracking, QT_TRANSLATE_NOOP("FeedText", "client tracking") },
    { Feed::KeyspaceNotifications, QT_TRANSLATE_NOOP("FeedText", "keyspace notifications") },
    { Feed::Rereading, QT_TRANSLATE_NOOP("FeedText", "re-reading") },
};
static_assert(hasRowForEach(FeedTexts));

constexpr TextRow<FeedObstacle> ObstacleTexts[]{
    { FeedObstacle::InvalidationsRefused,
        QT_TRANSLATE_NOOP("FeedText", "listening to invalidations is refused to this user") },
    { FeedObstacle::ConnectionIdRefused, QT_TRANSLATE_NOOP("FeedText", "CLIENT ID is refused to this user") },
    { FeedObstacle::TrackingRefused, QT_TRANSLATE_NOOP("FeedText", "CLIENT TRACKING is refused to this user") },
    { FeedObstacle::TrackingFails, QT_TRANSLATE_NOOP("FeedText", "CLIENT TRACKING does not work here (%1)") },
    { FeedObstacle::SettingsUnknown,
        QT_TRANSLATE_NOOP("FeedText", "whether the server has keyspace notifications on may not be asked") },
    { FeedObstacle::NotificationsOff, QT_TRANSLATE_NOOP("FeedText", "the server has keyspace notifications off") },
    { FeedObstacle::NotificationsTellTooLittle,
        QT_TRANSLATE_NOOP(
            "FeedText", "the keyspace notifications that the server has on (%1) do not tell enough of locks") },
    { FeedObstacle::NotificationsRefused,
        QT_TRANSLATE_NOOP("FeedText", "listening to keyspace notifications is refused to this user") },
    { FeedObstacle::AnnouncementsLost, QT_TRANSLATE_NOOP("FeedText", "the connection for announcements is lost (%1)") },
};
static_assert(hasRowForEach(ObstacleTexts));

QString detourText(const FeedDetour &detour)
{
    const QString text = FeedText::tr(rowOf(ObstacleTexts, detour.obstacle).text);
    return detour.detail.empty() ? text : text.arg(displayText(detour.detail));
}

QString prefixList(const std::vector<std::string> &prefixes)
{
    constexpr std::size_t MostPrefixes = 5;
    QStringList texts;
    for (std::size_t i = 0; i < std::min(prefixes.size(), MostPrefixes); ++i)
        texts << displayText(prefixes[i]);
    if (prefixes.size() > MostPrefixes)
        texts << QStringLiteral("…");
    return texts.join(QStringLiteral(", "));
}

/// What there is to hear, after the feed alone.
QString scoped(const QString &text, Feed feed, const FeedScope &scope)
{
    const int keys = scope.nonLockKeys;
    if (scope.trial)
        return FeedText::tr(
            "%1, to find out whether other keys are still written too often (%n a second before).", nullptr, keys)
            .arg(text);
    const bool hearsNothing = feed == Feed::Rereading && scope.extent != Extent::Everything;
    switch (hearsNothing ? Extent::Nothing : scope.extent) {
    case Extent::Everything:
        break;
    case Extent::Nothing:
        return FeedText::tr("%1, since other keys are written about %n times a second.", nullptr, keys).arg(text);
    case Extent::Prefixes:
        return FeedText::tr(
            "%1 of keys that begin with %2, since others are written about %n times a second. New locks "
            "with other names are found by sweeps only.",
            nullptr, keys)
            .arg(text, prefixList(scope.prefixes));
    }
    return text + QLatin1Char('.');
}

QString description(const SourceStatus &status)
{
    const FeedReason &reason = status.feedReason;
    const bool isDeaf = !reason.detours.empty() && reason.detours.front().obstacle == FeedObstacle::AnnouncementsLost;
    switch (status.feed) {
    case Feed::ClientTracking:
        return FeedText::tr("The server tells of each change (client tracking)");
    case Feed::KeyspaceNotifications:
        return FeedText::tr("The server tells of each change (keyspace notifications)");
    case Feed::Rereading:
        return isDeaf ? FeedText::tr("Known locks are read again and again")
                      : FeedText::tr("Known locks are read again and again, new ones are found by sweeps only");
    case Feed::None:
        break;
    }
    return {};
}

QString firstSentence(const SourceStatus &status)
{
    const FeedReason &reason = status.feedReason;
    QString text = description(status);
    if (reason.isByHand)
        text = FeedText::tr("%1, as chosen by hand").arg(text);
    QStringList detours;
    for (const FeedDetour &detour : reason.detours)
        detours << detourText(detour);
    if (!detours.isEmpty())
        text
            = FeedText::tr("%1, since %2", "a feed, why no better one").arg(text, detours.join(FeedText::tr(", and ")));
    return scoped(text, status.feed, reason.scope);
}

} // namespace

QString feedText(Feed feed)
{
    const char *text = rowOf(FeedTexts, feed).text;
    return *text == 0 ? QString() : FeedText::tr(text);
}

QString feedReasonText(const SourceStatus &status)
{
    const FeedReason &reason = status.feedReason;
    if (!reason.recorded.empty())
        return displayText(reason.recorded);
    if (status.feed == Feed::None)
        return {};
    QStringList sentences{ firstSentence(status) };
    if (reason.leavesChannelsOut)
        sentences << FeedText::tr(
            "There are more channels of locks than are listened to: releases told of at the others "
            "are seen by other means only.");
    if (!reason.partOfCluster.empty())
        sentences << FeedText::tr("This is a node of a cluster: only the locks of its own slots are seen; "
                                  "redis-cluster://%1 shows all.")
                         .arg(displayText(reason.partOfCluster));
    if (reason.mayMiss)
        sentences << FeedText::tr("A lock held for less than %1 s may not be seen.")
                         .arg(std::chrono::duration_cast<std::chrono::seconds>(*reason.mayMiss).count());
    const QString text = sentences.join(QLatin1Char(' '));
    return reason.node.empty()
        ? text
        : FeedText::tr("%1: %2", "a server, how it is heard").arg(displayText(reason.node), text);
}

} // namespace lockui
