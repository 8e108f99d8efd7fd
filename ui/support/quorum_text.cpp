// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/quorum_text.h"

#include "lockcore/monitor/quorum_holds.h"
#include "ui/support/display_text.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore;

namespace {

struct QuorumText {
    Q_DECLARE_TR_FUNCTIONS(QuorumText)
};

} // namespace

QString quorumText(const Quorum &quorum)
{
    const QString known = QuorumText::tr("on %1 of %2 servers").arg(quorum.held).arg(quorum.servers);
    return quorum.unknown == 0 ? known : QuorumText::tr("%1, %2 unknown").arg(known).arg(quorum.unknown);
}

QString shortText(const Quorum &quorum)
{
    const QString held = quorum.unknown == 0
        ? QString::number(quorum.held)
        : QStringLiteral("%1–%2").arg(quorum.held).arg(quorum.held + quorum.unknown);
    return QuorumText::tr("%1 of %2").arg(held).arg(quorum.servers);
}

namespace {

QString majority(const Quorum &quorum)
{
    if (quorum.held >= quorum.needed())
        return QuorumText::tr("The same holder has it on more than half of the servers: as a RedLock it is held.");
    if (quorum.held + quorum.unknown >= quorum.needed())
        return QuorumText::tr(
            "Whether more than half of the servers have it is not known: not all of them can be seen.");
    return QuorumText::tr("No holder has it on more than half of the servers: as a RedLock it is not held.");
}

} // namespace

QString quorumMeaning(const LockState &lock)
{
    QString meaning = majority(*lock.quorum);
    const auto holds = quorumHolds(lock);
    if (isContended(holds))
        return meaning + QLatin1Char('\n')
            + QuorumText::tr("It is contended: %1 have it at once on some of the servers.").arg(holds.size());
    if (!holds.empty() && holds.front().inferred)
        return meaning + QLatin1Char('\n')
            + QuorumText::tr(
                "Inferred: clients that differ from server to server are taken for one, since the thread is the "
                "same and one attempt may have taken them all.");
    return meaning;
}

Tone toneOf(const Quorum &quorum) { return quorum.held >= quorum.needed() ? Tone::Good : Tone::Warning; }

QString whereText(const LockState &lock)
{
    if (lock.members.empty())
        return lock.node.empty() ? QString() : QuorumText::tr("node %1").arg(displayText(lock.node));
    QStringList servers;
    for (const auto &member : lock.members)
        servers << displayText(member->node);
    return QuorumText::tr("seen on %1").arg(servers.join(QStringLiteral(", ")));
}

} // namespace lockui
