// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/right_text.h"

#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::transport;

namespace {

struct RightText {
    Q_DECLARE_TR_FUNCTIONS(RightText)
};

/// The commands, or words for several of them.
constexpr TextRow<Right> Commands[]{
    { Right::Info, "INFO" },
    { Right::Time, "TIME" },
    { Right::Scan, "SCAN" },
    { Right::ReadKeys, QT_TRANSLATE_NOOP("RightText", "Looking at some keys") },
    { Right::ReadCommands, QT_TRANSLATE_NOOP("RightText", "Some command that reads") },
    { Right::ReadScripts, "EVALSHA_RO" },
    { Right::CountWaiters, "PUBSUB NUMSUB" },
    { Right::Tracking, "CLIENT TRACKING" },
    { Right::Invalidations, "SUBSCRIBE __redis__:invalidate" },
    { Right::ConnectionId, "CLIENT ID" },
    { Right::NotificationSettings, "CONFIG GET" },
    { Right::Notifications, QT_TRANSLATE_NOOP("RightText", "PSUBSCRIBE to keyspace notifications") },
    { Right::UnlockMessages, "PSUBSCRIBE redisson_*" },
    { Right::ShardedChannels, "PUBSUB SHARDCHANNELS" },
    { Right::ShardedMessages, "SSUBSCRIBE" },
    { Right::ClusterSlots, "CLUSTER SLOTS" },
    { Right::MovingSlots, "ASKING" },
    { Right::SentinelMaster, "SENTINEL GET-MASTER-ADDR-BY-NAME" },
};
static_assert(hasRowForEach(Commands));

constexpr const char *NoAnnouncements = QT_TRANSLATE_NOOP(
    "RightText", "changes are not announced, so locks are read again and again, and new ones are found late");

constexpr TextRow<Right> Costs[]{
    { Right::Info, QT_TRANSLATE_NOOP("RightText", "version and role of the server stay unknown") },
    { Right::Time,
        QT_TRANSLATE_NOOP("RightText", "time-outs and leases are compared with the clock of this computer") },
    { Right::Scan, QT_TRANSLATE_NOOP("RightText", "locks that exist already cannot be found") },
    { Right::ReadKeys, QT_TRANSLATE_NOOP("RightText", "locks with such names are not shown") },
    { Right::ReadCommands, QT_TRANSLATE_NOOP("RightText", "what only it can tell of a lock is not shown") },
    { Right::ReadScripts, QT_TRANSLATE_NOOP("RightText", "locks are read in several steps instead of at one moment") },
    { Right::CountWaiters, QT_TRANSLATE_NOOP("RightText", "how many wait for a lock that is not fair stays unknown") },
    { Right::Tracking, NoAnnouncements },
    { Right::Invalidations, NoAnnouncements },
    { Right::ConnectionId, NoAnnouncements },
    { Right::NotificationSettings,
        QT_TRANSLATE_NOOP("RightText", "whether the server has keyspace notifications on stays unknown") },
    { Right::Notifications, NoAnnouncements },
    { Right::UnlockMessages, QT_TRANSLATE_NOOP("RightText", "many releases can only be guessed from the time") },
    { Right::ShardedChannels, QT_TRANSLATE_NOOP("RightText", "unlock messages of the cluster cannot be found") },
    { Right::ShardedMessages, QT_TRANSLATE_NOOP("RightText", "unlock messages of the cluster are not heard") },
    { Right::ClusterSlots, QT_TRANSLATE_NOOP("RightText", "who keeps which slots of the cluster stays unknown") },
    { Right::MovingSlots,
        QT_TRANSLATE_NOOP("RightText", "locks are not seen on the node to which their slot is moving") },
    { Right::SentinelMaster, QT_TRANSLATE_NOOP("RightText", "where the master is stays unknown") },
};
static_assert(hasRowForEach(Costs));

QString sentence(const MissingRight &missing)
{
    const QString what = RightText::tr(rowOf(Commands, missing.right).text);
    const QString cost = RightText::tr(rowOf(Costs, missing.right).text);
    if (!missing.refusal.empty())
        return RightText::tr("%1 does not work here: %2. The server said: %3")
            .arg(what, cost, displayText(missing.refusal));
    return RightText::tr("%1 is refused to this user: %2. The ACL rule %3 permits it.")
        .arg(what, cost, QString::fromLatin1(rowOf(AclRules, missing.right).text));
}

} // namespace

QString missingRightText(const MissingRight &missing)
{
    if (!missing.recorded.empty())
        return displayText(missing.recorded);
    if (missing.nodes.empty())
        return sentence(missing);
    QStringList nodes;
    for (const std::string &node : missing.nodes)
        nodes << displayText(node);
    return RightText::tr("%1: %2", "servers, what they refuse")
        .arg(nodes.join(QStringLiteral(", ")), sentence(missing));
}

namespace {

constexpr int SlotCount = 16'384; // of a cluster

struct TrialText {
    Q_DECLARE_TR_FUNCTIONS(TrialText)
};

int slotsFound(const ConnectionReport &report)
{
    int found = 0;
    for (const ServerAnswer &each : report.servers)
        found += each.error ? 0 : each.slots;
    return found;
}

} // namespace

QString answerText(const ServerAnswer &answer)
{
    const QString server = displayText(answer.server);
    if (answer.error)
        return TrialText::tr("%1 does not answer: %2").arg(server, errorReason(*answer.error));
    const QString text = answer.role.empty() ? TrialText::tr("%1 answers").arg(server)
                                             : TrialText::tr("%1 answers (%2)").arg(server, displayText(answer.role));
    return answer.slots > 0 ? TrialText::tr("%1, %n slots", nullptr, answer.slots).arg(text) : text;
}

QString answersText(const ConnectionReport &report)
{
    if (report.servers.empty())
        return {};
    if (report.topology == Topology::Sentinel)
        return TrialText::tr("The sentinels name %1 as the master %2")
            .arg(displayText(report.servers.front().server), displayText(report.masterName));
    const auto all = pluralOf(std::ssize(report.servers));
    const auto answering = std::ranges::count_if(report.servers, [](const ServerAnswer &each) { return !each.error; });
    if (report.topology == Topology::Nodes)
        return TrialText::tr("%1 of %n servers answer", nullptr, all).arg(answering);
    return TrialText::tr("%1 of %n masters answer, with %2 of %3 slots", nullptr, all)
        .arg(answering)
        .arg(slotsFound(report))
        .arg(SlotCount);
}

bool isAllReached(const ConnectionReport &report)
{
    const bool isAnySilent
        = std::ranges::any_of(report.servers, [](const ServerAnswer &each) { return each.error.has_value(); });
    return !isAnySilent && (report.topology != Topology::Cluster || slotsFound(report) == SlotCount);
}

} // namespace lockui
