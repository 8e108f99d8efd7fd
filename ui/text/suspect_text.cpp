// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/suspect_text.h"

#include "lockcore/base/enum_table.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct SuspectText {
    Q_DECLARE_TR_FUNCTIONS(SuspectText)
};

constexpr TextRow<SuspectKind> SuspectTitles[]{
    { SuspectKind::TwoHolders, QT_TRANSLATE_NOOP("SuspectText", "Two holders") },
    { SuspectKind::TokenWentBack, QT_TRANSLATE_NOOP("SuspectText", "Fencing token went back") },
    { SuspectKind::MissedRenewal, QT_TRANSLATE_NOOP("SuspectText", "Renewals missed") },
    { SuspectKind::TooFewServers, QT_TRANSLATE_NOOP("SuspectText", "On too few servers") },
    { SuspectKind::OrphanQueue, QT_TRANSLATE_NOOP("SuspectText", "Queue without a holder") },
    { SuspectKind::FreeButWaitedFor, QT_TRANSLATE_NOOP("SuspectText", "Free but waited for") },
    { SuspectKind::NoTtl, QT_TRANSLATE_NOOP("SuspectText", "Never ends") },
    { SuspectKind::DeadWaiter, QT_TRANSLATE_NOOP("SuspectText", "Dead waiter") },
    { SuspectKind::LateRenewal, QT_TRANSLATE_NOOP("SuspectText", "Renewal late") },
    { SuspectKind::ReaderTimeouts, QT_TRANSLATE_NOOP("SuspectText", "Time-outs of readers") },
    { SuspectKind::OutlivedHold, QT_TRANSLATE_NOOP("SuspectText", "Renewed on and on") },
    { SuspectKind::LeakedChannel, QT_TRANSLATE_NOOP("SuspectText", "Leaked subscription") },
    { SuspectKind::QueueClockDrift, QT_TRANSLATE_NOOP("SuspectText", "Waits longer than usual, or clocks differ") },
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

QString average(Millis total, std::int64_t number) { return exactDurationText(total / number); }

QString exact(const std::optional<Millis> &duration)
{
    return exactDurationText(std::chrono::abs(duration.value_or(Millis{ 0 })));
}

/// Both of them whole sentences but for the full stop.
QString amidWaiters(const QString &sentence, const Observation &seen)
{
    if (seen.waiting == 0)
        return sentence;
    const QString waiters = seen.areClients
        ? SuspectText::tr("%n client instances wait", nullptr, pluralOf(seen.waiting))
        : SuspectText::tr("%n waiters wait", nullptr, pluralOf(seen.waiting));
    return SuspectText::tr("%1 while %2", "it is so, while some wait").arg(sentence, waiters);
}

QString heldLong(const Observation &seen)
{
    const QString held = seen.isAtLeast ? SuspectText::tr("at least %1").arg(exact(seen.since)) : exact(seen.since);
    QString text = amidWaiters(
        SuspectText::tr("It has been held for %1, and the lock was renewed %n times", nullptr, pluralOf(seen.number))
            .arg(held),
        seen);
    if (seen.usual)
        text += SuspectText::tr("; 99 of 100 of its holds ended within %1").arg(exact(seen.usual));
    return SuspectText::tr("%1: its client may renew it for a thread that has long gone on.").arg(text);
}

/// Until the last of the time-outs of those who are first in the queue. Recordings of before tell only of the first.
QString blockedText(const Observation &seen)
{
    return seen.isAtLeast ? SuspectText::tr("at least %1").arg(exact(seen.usual)) : exact(seen.usual);
}

/// Several who are first: there are several waiters.
QString rowNotServed(const Observation &seen)
{
    const QString waiters = countText(seen.number);
    const QString first = countText(seen.former);
    if (!seen.usual)
        return SuspectText::tr("Nobody holds it or takes it, though %1 waiters are queued; one of the first %2 has no "
                               "time-out, so nobody clears it away.")
            .arg(waiters, first);
    if (*seen.usual > Millis{ 0 })
        return SuspectText::tr("Nobody holds it or takes it, though %1 waiters are queued; the first %2 keep "
                               "everybody else from it for another %3.")
            .arg(waiters, first, blockedText(seen));
    return SuspectText::tr("Nobody holds it or takes it, though %1 waiters are queued; the time-outs of the first %2 "
                           "ran out, the last %3 ago.")
        .arg(waiters, first, exact(seen.usual));
}

QString queueNotServed(const Observation &seen)
{
    if (seen.former > 1)
        return rowNotServed(seen);
    const int waiters = pluralOf(seen.number);
    if (!seen.left)
        return SuspectText::tr(
            "Nobody holds it or takes it, though %n waiters are queued; the first has no time-out, so "
            "nobody clears it away.",
            nullptr, waiters);
    if (*seen.left > Millis{ 0 })
        return SuspectText::tr("Nobody holds it or takes it, though %n waiters are queued; the first keeps "
                               "everybody else from it for another %1.",
            nullptr, waiters)
            .arg(exact(seen.left));
    return SuspectText::tr(
        "Nobody holds it or takes it, though %n waiters are queued; the time-out of the first ran out "
        "%1 ago.",
        nullptr, waiters)
        .arg(exact(seen.left));
}

QString waiterGone(const Observation &seen)
{
    const QString gone
        = SuspectText::tr("It is number %1 in the queue, but nobody listens on its channel").arg(seen.number);
    if (!seen.left)
        return SuspectText::tr("%1, and without a time-out nobody clears it away.").arg(gone);
    const bool isOver = *seen.left <= Millis{ 0 };
    const QString own
        = (isOver ? SuspectText::tr("%1; its time-out ran out %2 ago") : SuspectText::tr("%1; its time-out is %2 away"))
              .arg(gone, exact(seen.left));
    if (seen.former > 1 && !seen.usual)
        return SuspectText::tr("%1, but one of the first %2, all ghosts, has none: nobody clears it away.")
            .arg(own, countText(seen.former));
    if (seen.former > 1 && *seen.usual > Millis{ 0 })
        return SuspectText::tr("%1, and the first %2, all ghosts, block the queue for up to %3.")
            .arg(own, countText(seen.former), blockedText(seen));
    if (isOver)
        return own + QLatin1Char('.');
    return (seen.number == 1 ? SuspectText::tr("%1; it blocks the queue for up to %2.")
                             : SuspectText::tr("%1; it can be cleared away within %2."))
        .arg(gone, exact(seen.left));
}

QString listeners(const Observation &seen)
{
    return SuspectText::tr("%n client instances have listened for at least %1", nullptr, pluralOf(seen.number))
        .arg(exact(seen.since));
}

QString channelText(const Observation &seen)
{
    const QString listen = listeners(seen);
    switch (seen.what) {
    case Observed::PermitsFree:
        return SuspectText::tr(
            "%1 though %n permits could be taken: a message was missed, or each wants more than that.", nullptr,
            pluralOf(seen.permits))
            .arg(listen);
    case Observed::NothingToWaitFor:
        return SuspectText::tr("%1, but there is nothing of that name to wait for: it was deleted, or never set up.")
            .arg(listen);
    case Observed::NotHeldForLong:
        return SuspectText::tr("%1 for a lock that was not held in all that time: nobody may wait any more.")
            .arg(listen);
    default:
        return SuspectText::tr("%1, but nobody holds the lock: a message was missed, and they sleep on.").arg(listen);
    }
}

QString sentence(const Observation &seen)
{
    switch (seen.what) {
    case Observed::NeverExpires:
        return amidWaiters(SuspectText::tr("It has no time to live, so it stays held until somebody releases it"), seen)
            + QLatin1Char('.');
    case Observed::RenewalLate:
        return SuspectText::tr("Its watchdog should have renewed it %1 ago; %2 of %3 are left.")
            .arg(exact(seen.since), exact(seen.left), exact(seen.usual));
    case Observed::RenewalsMissed:
        return SuspectText::tr("Its watchdog missed two renewals in a row, the first %1 ago; %2 of %3 are left.")
            .arg(exact(seen.since), exact(seen.left), exact(seen.usual));
    case Observed::StrangeField:
        return SuspectText::tr("A field that is no owner stands in its hash, written by another program: nobody can "
                               "release it, and it keeps others out like a holder.");
    case Observed::SeveralOwners:
        return SuspectText::tr(
            "%n owners stand in its hash where one at a time may hold it.", nullptr, pluralOf(seen.number));
    case Observed::HeldOnTwoServers:
        return SuspectText::tr("It is held on two servers of the cluster at once, by different owners.");
    case Observed::TakenAfterLoss:
        return SuspectText::tr("This owner lost it %1 ago, no release of it was seen, and somebody else has taken it "
                               "since: both may believe they hold it for another %2.")
            .arg(exact(seen.since), exact(seen.left));
    case Observed::HeldLong:
        return heldLong(seen);
    case Observed::ReaderRanOut:
        return amidWaiters(SuspectText::tr("All time-outs of this reader ran out, but it still counts"), seen)
            + QLatin1Char('.');
    case Observed::ReaderOutlivesLock:
        return SuspectText::tr("The lock ends %1 before the time-out of one of its readers, which would lose it then.")
            .arg(exact(seen.left));
    case Observed::QueueNotServed:
        return queueNotServed(seen);
    case Observed::WaiterGone:
        return waiterGone(seen);
    case Observed::TimeOutTooFar:
        return SuspectText::tr(
            "Its time-out is %1 away, but number %2 in the queue, with 5 minutes over what is before "
            "it, explains at most %3: it waits with a longer limit, or a client's clock is ahead.")
            .arg(exact(seen.left))
            .arg(seen.number)
            .arg(exact(seen.usual));
    case Observed::TimeOutBeforeFormer:
        return SuspectText::tr("Its time-out is %1 before that of the waiter before it: the clocks of their clients "
                               "differ, or somebody gave up with another limit than it had.")
            .arg(exact(seen.left));
    case Observed::OnTooFewServers:
        return SuspectText::tr(
            "No holder has it on more than %1 of %2 servers, which is no RedLock: an attempt has not "
            "given back what it got, or the hold was lost on the others, where somebody else can "
            "take it.")
            .arg(seen.number)
            .arg(seen.former);
    case Observed::TokenNotGrown:
        return SuspectText::tr("Its fencing token is %1, though %2 was given before: the count began anew, and what it "
                               "guards cannot tell by the token who comes too late.")
            .arg(seen.number)
            .arg(seen.former);
    case Observed::PermitsFree:
    case Observed::NothingToWaitFor:
    case Observed::NotHeldForLong:
    case Observed::NobodyHolds:
        return channelText(seen);
    }
    return {};
}

/// What was seen in part may have been longer. How a hold ended may be concluded: when it did is known.
QString measuredHoldsText(const LockStatistics &numbers)
{
    QString text = SuspectText::tr("%1 holds measured: %2 on average, %3 at most", nullptr, pluralOf(numbers.holds))
                       .arg(countText(numbers.holds), average(numbers.heldTotal, numbers.holds),
                           exactDurationText(numbers.heldLongest));
    if (numbers.holds >= HoldsForPercentile)
        text = SuspectText::tr("%1, 99 % of the last within %2", "holds measured")
                   .arg(text, exactDurationText(numbers.heldP99));
    return text;
}

} // namespace

QString suspectTitle(SuspectKind kind) { return SuspectText::tr(rowOf(SuspectTitles, kind).text); }

QString observationText(const Observation &seen)
{
    if (!seen.recorded.empty())
        return displayText(seen.recorded);
    QStringList parts{ sentence(seen) };
    if (seen.leavesTwinOut)
        parts << SuspectText::tr(
            "A lock of the same name but for braces around it has the same channel, and was not looked at.");
    if (seen.mayBeElsewhere)
        parts << SuspectText::tr("Or they listen for one of the same name in another database: channels know none.");
    return parts.join(QLatin1Char(' '));
}

QString suspectText(const Suspect &suspect, const ClientNames *names)
{
    QStringList parts;
    if (!suspect.subject.empty())
        parts << subjectText(suspect.subject, names) + QLatin1Char(':');
    parts << observationText(suspect.evidence);
    if (suspect.certainty == Certainty::Inferred)
        parts << SuspectText::tr("(inferred)");
    return parts.join(QLatin1Char(' '));
}

/// Where there is no room for all, the last ones are left out, which stand elsewhere in the detail, too.
QStringList statisticsTexts(const LockStatistics &numbers)
{
    QStringList parts;
    if (numbers.acquires > 0)
        parts
            << SuspectText::tr("%1 × taken").arg(countText(numbers.acquires))
            << SuspectText::tr("%1 hand-overs", nullptr, pluralOf(numbers.handOvers)).arg(countText(numbers.handOvers));
    if (numbers.blocked > Millis{ 0 }) // who waited before is not in it
        parts << SuspectText::tr("total waiting time ≥ %1").arg(exactDurationText(numbers.blocked));
    if (numbers.renewalGapMean > Millis{ 0 })
        parts << SuspectText::tr("renewed every %1, %2 at most")
                     .arg(exactDurationText(numbers.renewalGapMean), exactDurationText(numbers.renewalGapLongest));
    if (numbers.holds > 0)
        parts << measuredHoldsText(numbers);
    if (numbers.waits > 0)
        parts << SuspectText::tr("%1 whole waits: %2 on average, %3 at most", nullptr, pluralOf(numbers.waits))
                     .arg(countText(numbers.waits), average(numbers.waitedTotal, numbers.waits),
                         exactDurationText(numbers.waitedLongest));
    return parts;
}

QString statisticsText(const LockStatistics &numbers) { return statisticsTexts(numbers).join(QStringLiteral(" · ")); }

QString cycleText(const WaitCycle &cycle, const ClientNames *names)
{
    QStringList parts;
    for (const WaitEdge &edge : cycle)
        parts << SuspectText::tr("%1 waits for %2, which %3 holds")
                     .arg(namedOwner(edge.waiter, names), lockNameText(edge.lock, 80), namedOwner(edge.holder, names));
    return parts.join(QStringLiteral("; "));
}

} // namespace lockui
