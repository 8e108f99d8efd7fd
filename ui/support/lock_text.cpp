// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/lock_text.h"

#include "lockcore/monitor/quorum_holds.h"
#include "ui/support/client_names.h"
#include "ui/support/display_text.h"
#include "ui/support/view_clock.h"

#include <QCoreApplication>
#include <algorithm>

namespace lockui {

using namespace lockcore;

namespace {

struct LockText {
    Q_DECLARE_TR_FUNCTIONS(LockText)
};

Millis between(MonoTime from, MonoTime to) { return std::chrono::duration_cast<Millis>(to - from); }

bool holdsNow(const LockState &lock, const Holder &holder) { return lock.kind != Kind::FasterMulti || !holder.expired; }

QString renewedText(std::int64_t times)
{
    if (times == 1)
        return LockText::tr("renewed once");
    return times == 2 ? LockText::tr("renewed twice") : LockText::tr("renewed %1 times").arg(countText(times));
}

QString readWriteText(const LockState &lock)
{
    const auto readers = std::count_if(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.mode == HoldMode::Read; });
    const bool written = std::any_of(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.mode == HoldMode::Write; });
    QStringList parts{ LockText::tr("Read/Write") };
    if (written)
        parts << LockText::tr("writer");
    if (readers == 1)
        parts << LockText::tr("1 reader");
    else if (readers > 1)
        parts << LockText::tr("%1 readers").arg(countText(readers));
    return parts.join(QStringLiteral(" · "));
}

/// Who holds a permit or has counted down is not written to Redis.
QString counterText(const LockState &lock)
{
    if (lock.rare->count)
        return LockText::tr("%1 to go").arg(countText(*lock.rare->count));
    if (!lock.rare->permits)
        return LockText::tr("does not exist");
    const QString free = LockText::tr("%1 free").arg(countText(freePermits(*lock.rare->permits)));
    return lock.rare->permits->leased ? LockText::tr("%1 · %2 leased").arg(free, countText(*lock.rare->permits->leased))
                                      : free;
}

} // namespace

QString kindText(Kind kind)
{
    switch (kind) {
    case Kind::Reentrant:
        return LockText::tr("Reentrant");
    case Kind::Fair:
        return LockText::tr("Fair");
    case Kind::ReadWrite:
        return LockText::tr("Read/Write");
    case Kind::Fenced:
        return LockText::tr("Fenced");
    case Kind::FasterMulti:
        return LockText::tr("Faster multi-lock");
    case Kind::Semaphore:
        return LockText::tr("Semaphore");
    case Kind::PermitExpirableSemaphore:
        return LockText::tr("Expirable permits");
    case Kind::CountDownLatch:
        return LockText::tr("Latch");
    }
    return {};
}

QString kindText(const LockState &lock)
{
    if (const auto others = alsoPossible(lock); !others.empty()) {
        QStringList kinds{ kindText(lock.kind) };
        for (const Kind kind : others)
            kinds << kindText(kind);
        return kinds.join(LockText::tr(" or "));
    }
    if (lock.kind == Kind::ReadWrite)
        return readWriteText(lock);
    if (lock.kind == Kind::Fenced && lock.rare->token)
        return LockText::tr("Fenced · token %1").arg(countText(*lock.rare->token));
    const bool fromPort
        = std::any_of(lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.fromPort; });
    return fromPort ? LockText::tr("%1 · from a port").arg(kindText(lock.kind)) : kindText(lock.kind);
}

QString modeText(HoldMode mode) { return mode == HoldMode::Read ? LockText::tr("read") : LockText::tr("write"); }

QString leaseText(Lease lease)
{
    switch (lease) {
    case Lease::Watchdog:
        return LockText::tr("watchdog");
    case Lease::Fixed:
        return LockText::tr("fixed lease");
    case Lease::Unknown:
        return LockText::tr("unknown");
    }
    return {};
}

QString leaseProof(const LockState &lock)
{
    switch (lock.lease) {
    case Lease::Watchdog:
        return LockText::tr("watchdog (%1)").arg(renewedText(lock.renewals));
    case Lease::Fixed:
        return LockText::tr("fixed lease (no renewal when one was due)");
    case Lease::Unknown:
        return lock.renewals == 0 ? LockText::tr("lease unknown (no renewal seen yet)")
                                  : LockText::tr("lease unknown (%1)").arg(renewedText(lock.renewals));
    }
    return {};
}

QString holderText(const LockState &lock, const ClientNames *names)
{
    if (isCounter(lock.kind))
        return counterText(lock);
    if (lock.holders.empty())
        return QStringLiteral("–");
    const auto now = holdersNow(lock);
    if (now.empty())
        return lock.holders.size() == 1
            ? LockText::tr("%1, run out").arg(namedOwner(lock.holders.front().owner, names))
            : LockText::tr("%1 holders, run out").arg(countText(static_cast<qint64>(lock.holders.size())));
    if (const auto holds = quorumHolds(lock); holds.size() == 1 && holds.front().inferred)
        return LockText::tr("%1 clients, thread %2")
            .arg(countText(static_cast<qint64>(holds.front().parts.size())),
                displayText(lock.holders.front().owner.thread.text()));
    if (now.size() > 1)
        return LockText::tr("%1 holders").arg(countText(static_cast<qint64>(now.size())));
    const Holder &holder = *now.front();
    const QString owner = namedOwner(holder.owner, names);
    return holder.count > 1 ? owner + QStringLiteral(" ×") + countText(holder.count) : owner;
}

QString waitingText(const LockState &lock)
{
    const auto count = waitingCount(lock);
    if (!count)
        return LockText::tr("unknown");
    const bool atLeast = lock.waiters.empty() ? lock.kind != Kind::Fair && *count > 0 : mayHaveMoreWaiters(lock);
    return atLeast ? QStringLiteral("≥ ") + countText(*count) : countText(*count);
}

QString waitingExplanation(const LockState &lock)
{
    if (mayHaveMoreWaiters(lock))
        return LockText::tr("At least %1 in the fair queue: no more are read.")
            .arg(countText(std::ssize(lock.waiters)));
    if (!lock.waiters.empty())
        return LockText::tr("%1 in the fair queue").arg(countText(static_cast<qint64>(lock.waiters.size())));
    if (hasUnreadQueue(lock))
        return LockText::tr("The queue was not read: it has an element longer than a waiter can be, so it is not known "
                            "who waits.");
    if (lock.kind == Kind::Fair)
        return LockText::tr("The queue is empty.");
    if (!lock.subscribers)
        return LockText::tr(
            "It is not known how many wait: Redis was not asked yet, or refused to tell, or clients may "
            "listen at a replica that could not be asked.");
    if (*lock.subscribers == 0)
        return LockText::tr("No client instance is subscribed to the unlock channel.");
    const QString instances = *lock.subscribers == 1
        ? LockText::tr("1 client instance subscribed")
        : LockText::tr("%1 client instances subscribed").arg(countText(*lock.subscribers));
    return instances + QStringLiteral("\n")
        + LockText::tr("Each may have several threads waiting; Redis does not store which.");
}

bool isFree(const LockState &lock) { return isCounter(lock.kind) || !isHeld(lock); }

std::vector<const Holder *> holdersNow(const LockState &lock)
{
    std::vector<const Holder *> now;
    for (const Holder &holder : lock.holders)
        if (holdsNow(lock, holder))
            now.push_back(&holder);
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

QString heldText(const LockState &lock, MonoTime now)
{
    const auto since = heldSince(lock);
    return since ? sinceText(*since, now) : QStringLiteral("–");
}

QString asSure(const QString &text, Certainty certainty)
{
    return certainty == Certainty::Inferred ? LockText::tr("probably %1").arg(text) : text;
}

QString eventText(EventKind kind)
{
    switch (kind) {
    case EventKind::Appeared:
        return LockText::tr("first seen");
    case EventKind::Acquired:
        return LockText::tr("acquired");
    case EventKind::Reentered:
        return LockText::tr("re-entered");
    case EventKind::Renewed:
        return LockText::tr("renewed");
    case EventKind::PartlyReleased:
        return LockText::tr("partly released");
    case EventKind::Released:
        return LockText::tr("released");
    case EventKind::Expired:
        return LockText::tr("expired");
    case EventKind::ForceReleased:
        return LockText::tr("force-released");
    case EventKind::Deleted:
        return LockText::tr("deleted");
    case EventKind::Queued:
        return LockText::tr("queued");
    case EventKind::Dequeued:
        return LockText::tr("left the queue");
    case EventKind::WaiterTimedOut:
        return LockText::tr("waiter timed out");
    case EventKind::PermitsChanged:
        return LockText::tr("permits changed");
    case EventKind::CountChanged:
        return LockText::tr("count changed");
    case EventKind::Gap:
        return LockText::tr("not seen");
    }
    return {};
}

QString endText(const Event &end, const ClientNames *names)
{
    const QString who = end.owner ? namedOwner(*end.owner, names) : QString();
    QString text = eventText(end.kind);
    if (end.owner && end.kind == EventKind::Released)
        text = LockText::tr("released by %1").arg(who);
    else if (end.owner && end.kind == EventKind::Expired)
        text = LockText::tr("expired while %1 held it").arg(who);
    else if (end.owner && end.kind == EventKind::ForceReleased)
        text = LockText::tr("force-released while %1 held it").arg(who);
    else if (end.owner)
        text = LockText::tr("deleted while %1 held it").arg(who);
    return asSure(text, end.certainty);
}

QString agoText(MonoTime at, MonoTime now) { return LockText::tr("%1 ago").arg(durationText(between(at, now))); }

QString knownSinceText(const LockState &lock, const ViewClock &clock)
{
    if (clock.isFrozen())
        return LockText::tr("as it was %1").arg(agoText(clock.now(), clock.realNow()));
    return LockText::tr("unchanged for %1").arg(durationText(between(lock.readAtMono, clock.now())));
}

QString changeText(const LockState &lock, MonoTime now)
{
    const TtlState state = ttlState(lock, now);
    if (state == TtlState::Late)
        return LockText::tr("renewal late");
    if (state == TtlState::Expiring)
        return LockText::tr("expires before release?");
    const QString text = eventText(lock.lastChange.kind) + QLatin1Char(' ') + agoText(lock.lastChange.at, now);
    return asSure(text, lock.lastChange.certainty);
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

Tone toneOf(TtlState state)
{
    switch (state) {
    case TtlState::Free:
        return Tone::Muted;
    case TtlState::NoExpiry:
    case TtlState::Expiring:
    case TtlState::Late:
        return Tone::Warning;
    case TtlState::Watchdog:
        return Tone::Accent;
    case TtlState::Fixed:
        return Tone::Fixed;
    case TtlState::Unknown:
        return Tone::Muted;
    }
    return Tone::Normal;
}

} // namespace lockui
