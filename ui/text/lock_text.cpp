// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/lock_text.h"

#include "lockcore/base/enum_table.h"
#include "lockcore/monitor/quorum_holds.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

struct LockText {
    Q_DECLARE_TR_FUNCTIONS(LockText)
};

constexpr TextRow<Kind> KindTexts[]{
    { Kind::Reentrant, QT_TRANSLATE_NOOP("LockText", "Reentrant") },
    { Kind::Fair, QT_TRANSLATE_NOOP("LockText", "Fair") },
    { Kind::ReadWrite, QT_TRANSLATE_NOOP("LockText", "Read/Write") },
    { Kind::Fenced, QT_TRANSLATE_NOOP("LockText", "Fenced") },
    { Kind::FasterMulti, QT_TRANSLATE_NOOP("LockText", "Faster multi-lock") },
    { Kind::Semaphore, QT_TRANSLATE_NOOP("LockText", "Semaphore") },
    { Kind::PermitExpirableSemaphore, QT_TRANSLATE_NOOP("LockText", "Expirable permits") },
    { Kind::CountDownLatch, QT_TRANSLATE_NOOP("LockText", "Latch") },
    { Kind::Token, QT_TRANSLATE_NOOP("LockText", "Token") },
};
static_assert(hasRowForEach(KindTexts));

constexpr TextRow<Lease> LeaseTexts[]{
    { Lease::Unknown, QT_TRANSLATE_NOOP("LockText", "unknown") },
    { Lease::Watchdog, QT_TRANSLATE_NOOP("LockText", "watchdog") },
    { Lease::Fixed, QT_TRANSLATE_NOOP("LockText", "fixed lease") },
};
static_assert(hasRowForEach(LeaseTexts));

Millis between(MonoTime from, MonoTime to) { return std::chrono::duration_cast<Millis>(to - from); }

bool holdsNow(const LockState &lock, const Holder &holder) { return lock.kind != Kind::FasterMulti || !holder.expired; }

QString renewedText(std::int64_t times)
{
    if (times == 1)
        return LockText::tr("renewed once");
    return times == 2 ? LockText::tr("renewed twice")
                      : LockText::tr("renewed %1 times", nullptr, pluralOf(times)).arg(countText(times));
}

QString readWriteText(const LockState &lock, const QString &kind)
{
    const auto readers = std::count_if(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.mode == HoldMode::Read; });
    const bool written = std::any_of(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.mode == HoldMode::Write; });
    QStringList parts{ kind };
    if (written)
        parts << LockText::tr("writer");
    if (readers > 0)
        parts << LockText::tr("%1 readers", nullptr, pluralOf(readers)).arg(countText(readers));
    return parts.join(QStringLiteral(" · "));
}

/// Who holds a permit or has counted down is not written to Redis. A latch is gone when it is counted down.
QString counterText(const LockState &lock)
{
    if (lock.kind == Kind::CountDownLatch)
        return isHeld(lock) ? LockText::tr("%1 to go").arg(countText(*lock.count)) : LockText::tr("open");
    if (!lock.permits)
        return LockText::tr("does not exist");
    const QString free = LockText::tr("%1 free").arg(countText(freePermits(*lock.permits)));
    return lock.permits->leased ? LockText::tr("%1 · %2 leased").arg(free, countText(*lock.permits->leased)) : free;
}

} // namespace

QString kindText(Kind kind) { return LockText::tr(rowOf(KindTexts, kind).text); }

QString kindText(const LockState &lock)
{
    if (const auto others = lock.otherKinds; !others.empty()) {
        QStringList kinds{ kindText(lock.kind) };
        for (const Kind kind : others)
            kinds << kindText(kind);
        return kinds.join(LockText::tr(" or "));
    }
    if (lock.kind == Kind::ReadWrite)
        return readWriteText(lock, kindText(lock.kind));
    if (lock.kind == Kind::Fenced && lock.token)
        return LockText::tr("Fenced · token %1").arg(countText(*lock.token));
    const bool fromPort
        = std::any_of(lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.fromPort; });
    return fromPort ? LockText::tr("%1 · from a port").arg(kindText(lock.kind)) : kindText(lock.kind);
}

QString shortKindText(const LockState &lock)
{
    if (!lock.otherKinds.empty())
        return LockText::tr("%1 or other").arg(kindText(lock.kind));
    switch (lock.kind) {
    case Kind::ReadWrite:
        return readWriteText(lock, LockText::tr("R/W"));
    case Kind::FasterMulti:
        return LockText::tr("Multi-lock");
    case Kind::PermitExpirableSemaphore:
        return LockText::tr("Permits");
    default:
        return kindText(lock.kind);
    }
}

QString modeText(HoldMode mode) { return mode == HoldMode::Read ? LockText::tr("read") : LockText::tr("write"); }

QString leaseText(Lease lease) { return LockText::tr(rowOf(LeaseTexts, lease).text); }

QString leaseProof(const LockState &lock)
{
    switch (lock.lease) {
    case Lease::Watchdog:
        return LockText::tr("watchdog (%1)").arg(renewedText(lock.renewals));
    case Lease::Fixed:
        return LockText::tr("fixed lease (no renewal when one was due)");
    case Lease::Unknown:
        if (lock.holders.size() > 1 && lock.renewals > 0)
            return LockText::tr("lease unknown (%1; each holder has its own)").arg(renewedText(lock.renewals));
        return lock.renewals == 0 ? LockText::tr("lease unknown (no watchdog's renewal seen yet)")
                                  : LockText::tr("lease unknown (%1)").arg(renewedText(lock.renewals));
    }
    return {};
}

const Holder *holderNamed(const LockState &lock)
{
    if (isCounter(lock.kind))
        return nullptr;
    const auto now = holdersNow(lock);
    if (now.empty())
        return lock.holders.size() == 1 ? &lock.holders.front() : nullptr;
    const auto holds = quorumHolds(lock);
    const bool isOneOfSeveral = holds.size() == 1 && holds.front().inferred;
    return now.size() == 1 && !isOneOfSeveral ? now.front() : nullptr;
}

QString holderText(const LockState &lock, const ClientNames *names)
{
    if (isCounter(lock.kind))
        return counterText(lock);
    if (lock.holders.empty())
        return QStringLiteral("–");
    const auto now = holdersNow(lock);
    if (const Holder *holder = holderNamed(lock)) {
        const QString owner = namedOwner(holder->owner, names);
        if (now.empty())
            return LockText::tr("%1, run out").arg(owner);
        return holder->count > 1 ? owner + QStringLiteral(" ×") + countText(holder->count) : owner;
    }
    if (now.empty())
        return LockText::tr("%n holders, run out", nullptr, pluralOf(std::ssize(lock.holders)));
    if (const auto holds = quorumHolds(lock); holds.size() == 1 && holds.front().inferred)
        return LockText::tr("%n clients, thread %1", nullptr, pluralOf(std::ssize(holds.front().parts)))
            .arg(displayText(lock.holders.front().owner.thread));
    return LockText::tr("%1 holders", nullptr, pluralOf(std::ssize(now))).arg(countText(std::ssize(now)));
}

QString waitingText(const LockState &lock, const Snapshot *snapshot)
{
    const auto count = waitingCount(lock);
    return waitingSumText(
        count.value_or(0), !count || mayMoreWait(lock), snapshot != nullptr && mayWaitElsewhere(*snapshot, lock));
}

QString seenCountText(std::int64_t seen, bool isWhole)
{
    if (!isWhole && seen == 0)
        return QStringLiteral("?");
    return (isWhole ? QString() : QStringLiteral("≥ ")) + countText(seen);
}

namespace {

QString atLeastRateText(double perSecond)
{
    return perSecond > 0 && perSecond < 0.05 ? QStringLiteral("> 0") : QStringLiteral("≥ ") + rateText(perSecond);
}

} // namespace

QString seenRateText(double perSecond, const SourceStatus &status)
{
    if (!lockcore::service::mayHideLocks(status))
        return rateText(perSecond);
    return perSecond > 0 ? atLeastRateText(perSecond) : QStringLiteral("?");
}

QString latelyText(double Rates::*rate, const SourceStatus &status)
{
    const Rates &rates = status.rates;
    if (rates.areUnknown)
        return QStringLiteral("?");
    return rate == &Rates::expiries && rates.mayHaveMoreExpiries ? atLeastRateText(rates.expiries)
                                                                 : seenRateText(rates.*rate, status);
}

bool areAllKnown(const Snapshot &snapshot)
{
    const auto isLookedAt = [](const NodeStatus &node) { return node.status.lastSweep || !isWatched(node); };
    return snapshot.status.lastSweep.has_value() && !lockcore::service::mayHideLocks(snapshot.status)
        && std::ranges::all_of(snapshot.nodes, isLookedAt);
}

QString waitingSumText(std::int64_t waiting, bool isAtLeast, bool mayBeElsewhere)
{
    if (waiting == 0)
        return isAtLeast ? QStringLiteral("?") : countText(0);
    if (mayBeElsewhere)
        return countText(waiting) + QLatin1Char('?');
    return isAtLeast ? QStringLiteral("≥ ") + countText(waiting) : countText(waiting);
}

QString ghostsText(std::int64_t ghosts) { return LockText::tr("ghosts among them: %1").arg(countText(ghosts)); }

namespace {

/// Who waits is counted with the ghosts, as they stand in the queue as well.
QString queueText(const LockState &lock)
{
    const QString all = LockText::tr("%1 in the fair queue", nullptr, pluralOf(std::ssize(lock.waiters)))
                            .arg(countText(std::ssize(lock.waiters)));
    const std::int64_t ghosts = ghostCount(lock);
    return ghosts == 0 ? all
                       : all + QLatin1Char('\n')
            + LockText::tr("%1 of them ghosts, whose clients seem to be gone", nullptr, pluralOf(ghosts))
                  .arg(countText(ghosts));
}

} // namespace

namespace {

QString countedExplanation(const LockState &lock, bool atReplica)
{
    if (mayHaveMoreWaiters(lock))
        return LockText::tr(
            "At least %1 in the fair queue: no more are read.", nullptr, pluralOf(std::ssize(lock.waiters)))
            .arg(countText(std::ssize(lock.waiters)));
    if (!lock.waiters.empty())
        return queueText(lock);
    if (hasUnreadQueue(lock))
        return LockText::tr("The queue was not read: it has an element that is no waiter, so it is not known "
                            "who waits.");
    if (lock.kind == Kind::Fair) {
        if (lock.subscribers.value_or(0) > 0)
            return LockText::tr("No queue was found. Listening for their turn: %1").arg(countText(*lock.subscribers));
        return isSeenInPart(lock) ? LockText::tr("Nobody was found in the queue.")
                                  : LockText::tr("The queue is empty.");
    }
    if (isTokenLock(lock.kind))
        return LockText::tr("Nobody can tell who waits: clients of such a lock ask again and again.");
    if (!lock.subscribers && atReplica)
        return LockText::tr(
            "It is not known how many wait. This server is a replica: clients that wait may listen at its "
            "master or at another replica, and are not counted here.");
    if (!lock.subscribers)
        return LockText::tr(
            "It is not known how many wait: Redis was not asked yet, or refused to tell, or clients may "
            "listen at a replica that could not be asked.");
    if (*lock.subscribers == 0)
        return isSeenInPart(lock) ? LockText::tr("No client instance was found at the unlock channel.")
                                  : LockText::tr("No client instance is subscribed to the unlock channel.");
    QStringList lines{ subscribedText(*lock.subscribers, !isSeenInPart(lock)) };
    if (lock.takenSinceCount > 0)
        lines << LockText::tr("Some of them may have got it since they were counted.");
    lines << (atReplica ? LockText::tr("At this replica alone: others may listen at its master or at another replica.")
                        : LockText::tr("Each may have several threads waiting; Redis does not store which."));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QString waitingExplanation(const LockState &lock, bool atReplica)
{
    QString counted = countedExplanation(lock, atReplica);
    if (!isSeenInPart(lock) || isTokenLock(lock.kind))
        return counted;
    return counted + QLatin1Char('\n') + LockText::tr("More may wait; %1.").arg(outOfSightText(*lock.quorum));
}

namespace {

QString countedAtLast(const LockState &lock)
{
    if (hasUnreadQueue(lock))
        return LockText::tr("The queue was not read: it had an element that was no waiter, so it is not known "
                            "who waited.");
    if (lock.kind == Kind::Fair) {
        if (lock.subscribers.value_or(0) > 0)
            return LockText::tr("No queue was found. Listened for their turn: %1").arg(countText(*lock.subscribers));
        return isSeenInPart(lock) ? LockText::tr("Nobody was found in the queue.")
                                  : LockText::tr("The queue was empty.");
    }
    if (isTokenLock(lock.kind))
        return LockText::tr("Nobody can tell who waited: clients of such a lock ask again and again.");
    if (!lock.subscribers)
        return LockText::tr("It is not known how many waited.");
    if (*lock.subscribers == 0)
        return isSeenInPart(lock) ? LockText::tr("No client instance was found at the unlock channel.")
                                  : LockText::tr("No client instance was subscribed to the unlock channel.");
    return LockText::tr("%1 client instances were subscribed", nullptr, pluralOf(*lock.subscribers))
        .arg(seenCountText(*lock.subscribers, !isSeenInPart(lock)));
}

} // namespace

QString waitedExplanation(const LockState &lock)
{
    QString counted = countedAtLast(lock);
    if (!isSeenInPart(lock) || isTokenLock(lock.kind))
        return counted;
    return counted + QLatin1Char('\n')
        + LockText::tr("More may have waited: of %1 of its %2 servers it is not known.")
              .arg(lock.quorum->unknown)
              .arg(lock.quorum->servers);
}

QString waitingElsewhereText()
{
    return LockText::tr("They may wait for a lock of the same name in another database of the server.");
}

QString subscribedText(std::int64_t clients, bool isWhole)
{
    return LockText::tr("%1 client instances subscribed", nullptr, pluralOf(clients))
        .arg(seenCountText(clients, isWhole));
}

QString outOfSightText(const Quorum &quorum)
{
    return LockText::tr("not known of %1 of its %2 servers").arg(quorum.unknown).arg(quorum.servers);
}

bool isOneQuorumHold(const LockState &lock) { return lock.quorum && quorumHolds(lock).size() == 1; }

QString heldMeaning()
{
    return LockText::tr(
        "held: who comes now has to wait. Of a semaphore no permit is free, and the count of a latch is above zero.");
}

bool isFree(const LockState &lock) { return isCounter(lock.kind) || !isHeld(lock); }

std::vector<const Holder *> holdersNow(const LockState &lock)
{
    std::vector<const Holder *> now;
    for (const Holder &holder : lock.holders)
        if (holdsNow(lock, holder))
            now.push_back(&holder);
    std::stable_partition(now.begin(), now.end(), [](const Holder *holder) { return !holder->expired; });
    return now;
}

std::optional<Since> heldSince(const LockState &lock)
{
    std::optional<Since> first;
    for (const Holder &holder : lock.holders)
        if (holdsNow(lock, holder) && (!first || holder.since.at < first->at))
            first = holder.since;
    return first;
}

QString sinceText(const Since &since, MonoTime now)
{
    const QString duration = durationText(between(since.at, now));
    return since.exact ? duration : QStringLiteral("≥ ") + duration;
}

QString sinceText(const Since &since, MonoTime seenUntil, MonoTime now)
{
    return sinceText({ since.at, since.exact && seenUntil >= now }, seenUntil);
}

QString heldText(const LockState &lock, MonoTime seenUntil, MonoTime now)
{
    const auto since = heldSince(lock);
    return since ? sinceText(*since, seenUntil, now) : QStringLiteral("–");
}

QString agesText(MonoTime first, MonoTime last, MonoTime now)
{
    const QString longest = durationText(between(first, now));
    const QString shortest = durationText(between(last, now));
    return shortest == longest ? longest : LockText::tr("%1 to %2", "two durations").arg(shortest, longest);
}

QString agoText(MonoTime first, MonoTime last, MonoTime now)
{
    return LockText::tr("%1 ago").arg(agesText(first, last, now));
}

QString agoText(MonoTime at, MonoTime now) { return agoText(at, at, now); }

QString changeText(const LockState &lock, MonoTime seenUntil)
{
    const TtlState state = ttlState(lock, seenUntil);
    if (state == TtlState::Late)
        return LockText::tr("renewal late");
    if (state == TtlState::Expiring)
        return LockText::tr("expires before release?");
    const QString text = eventText(lock.lastChange.kind) + QLatin1Char(' ') + agoText(lock.lastChange.at, seenUntil);
    return asSure(text, lock.lastChange.certainty);
}

QString shortChangeText(const LockState &lock, MonoTime seenUntil)
{
    const TtlState state = ttlState(lock, seenUntil);
    if (state == TtlState::Expiring)
        return LockText::tr("expiring?");
    if (state == TtlState::Late)
        return changeText(lock, seenUntil);
    return shortEventText(lock.lastChange.kind, lock.lastChange.certainty) + QLatin1Char(' ')
        + durationText(between(lock.lastChange.at, seenUntil));
}

TtlState ttlState(const LockState &lock, MonoTime now)
{
    if (isFree(lock))
        return TtlState::Free;
    const auto ttl = ttlAt(lock, now);
    if (!ttl)
        return TtlState::NoExpiry;
    if (renewalLate(lock, now))
        return TtlState::Late;
    if (lock.lease == Lease::Watchdog)
        return TtlState::Watchdog;
    const Millis nearEnd = std::min(Millis(5'000), lock.leaseSeen.value_or(Millis(20'000)) / 4);
    if (*ttl <= nearEnd)
        return TtlState::Expiring;
    return lock.lease == Lease::Fixed ? TtlState::Fixed : TtlState::Unknown;
}

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
        return QuorumText::tr("Whether more than half of the servers have it is not known.");
    return QuorumText::tr("No holder has it on more than half of the servers: as a RedLock it is not held.");
}

} // namespace

QString quorumMeaning(const LockState &lock)
{
    QString meaning = majority(*lock.quorum);
    const auto holds = quorumHolds(lock);
    if (isContended(holds))
        return meaning + QLatin1Char('\n')
            + QuorumText::tr(
                "It is contended: %n have it at once on some of the servers.", nullptr, pluralOf(std::ssize(holds)));
    if (!holds.empty() && holds.front().inferred)
        return meaning + QLatin1Char('\n')
            + QuorumText::tr(
                "Inferred: clients that differ from server to server are taken for one, since the thread is the "
                "same and one attempt may have taken them all.");
    return meaning;
}

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
