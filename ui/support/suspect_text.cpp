// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/suspect_text.h"

#include "lockcore/base/enum_table.h"
#include "ui/support/client_names.h"
#include "ui/support/display_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockui {

using namespace lockcore;

namespace {

struct SuspectText {
    Q_DECLARE_TR_FUNCTIONS(SuspectText)
};

constexpr TextRow<SuspectKind> SuspectTitles[]{
    { SuspectKind::TwoHolders, QT_TRANSLATE_NOOP("SuspectText", "Two holders") },
    { SuspectKind::MissedRenewal, QT_TRANSLATE_NOOP("SuspectText", "Renewals missed") },
    { SuspectKind::OrphanQueue, QT_TRANSLATE_NOOP("SuspectText", "Queue without a holder") },
    { SuspectKind::FreeButWaitedFor, QT_TRANSLATE_NOOP("SuspectText", "Free but waited for") },
    { SuspectKind::NoTtl, QT_TRANSLATE_NOOP("SuspectText", "Never ends") },
    { SuspectKind::DeadWaiter, QT_TRANSLATE_NOOP("SuspectText", "Dead waiter") },
    { SuspectKind::LateRenewal, QT_TRANSLATE_NOOP("SuspectText", "Renewal late") },
    { SuspectKind::ReaderTimeouts, QT_TRANSLATE_NOOP("SuspectText", "Time-outs of readers") },
    { SuspectKind::OutlivedHold, QT_TRANSLATE_NOOP("SuspectText", "Renewed on and on") },
    { SuspectKind::LeakedChannel, QT_TRANSLATE_NOOP("SuspectText", "Leaked subscription") },
    { SuspectKind::QueueClockDrift, QT_TRANSLATE_NOOP("SuspectText", "Clocks of the queue differ") },
};
static_assert(hasRowForEach(SuspectTitles));

constexpr std::size_t LongestClient = 36;
constexpr std::int64_t HoldsForPercentile = 20; // of fewer it says nothing

/// An owner stands as `client:thread`; a channel as it is.
QString subjectText(const std::string &subject, const ClientNames *names)
{
    const auto colon = subject.find(':');
    const bool isOwner = colon == LongestClient;
    return isOwner ? namedOwner({ subject.substr(0, colon), subject.substr(colon + 1) }, names)
                   : displayText(subject, 80);
}

QString average(Millis total, std::int64_t number) { return durationText(total / number); }

} // namespace

QString suspectTitle(SuspectKind kind) { return SuspectText::tr(rowOf(SuspectTitles, kind).text); }

QString suspectText(const Suspect &suspect, const ClientNames *names)
{
    QStringList parts;
    if (!suspect.subject.empty())
        parts << subjectText(suspect.subject, names) + QLatin1Char(':');
    parts << displayText(suspect.evidence);
    if (suspect.certainty == Certainty::Inferred)
        parts << SuspectText::tr("(inferred)");
    return parts.join(QLatin1Char(' '));
}

QString statisticsText(const LockStatistics &numbers)
{
    QStringList parts;
    if (numbers.acquires > 0)
        parts << SuspectText::tr("%1 × taken").arg(countText(numbers.acquires))
              << (numbers.handOvers == 1 ? SuspectText::tr("1 hand-over")
                                         : SuspectText::tr("%1 hand-overs").arg(countText(numbers.handOvers)));
    if (numbers.holds > 0)
        parts << SuspectText::tr("held %1 on average, %2 at most")
                     .arg(average(numbers.heldTotal, numbers.holds), durationText(numbers.heldLongest));
    if (numbers.holds >= HoldsForPercentile)
        parts << SuspectText::tr("99 % of the holds within %1").arg(durationText(numbers.heldP99));
    if (numbers.waits > 0)
        parts << SuspectText::tr("queued %1 on average, %2 at most")
                     .arg(average(numbers.waitedTotal, numbers.waits), durationText(numbers.waitedLongest));
    if (numbers.blocked > Millis{ 0 })
        parts << SuspectText::tr("total waiting time %1").arg(durationText(numbers.blocked));
    if (numbers.renewalGapMean > Millis{ 0 })
        parts << SuspectText::tr("renewed every %1, %2 at most")
                     .arg(durationText(numbers.renewalGapMean), durationText(numbers.renewalGapLongest));
    return parts.join(QStringLiteral(" · "));
}

QString cycleText(const WaitCycle &cycle, const ClientNames *names)
{
    QStringList parts;
    for (const WaitEdge &edge : cycle)
        parts << SuspectText::tr("%1 waits for %2, which %3 holds")
                     .arg(namedOwner(edge.waiter, names), displayText(edge.lock, 80), namedOwner(edge.holder, names));
    return parts.join(QStringLiteral("; "));
}

} // namespace lockui
