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

struct Text {
    Q_DECLARE_TR_FUNCTIONS(LockText)
};

Millis between(MonoTime from, MonoTime to) { return std::chrono::duration_cast<Millis>(to - from); }

bool holdsNow(const LockState &lock, const Holder &holder) { return lock.kind != Kind::FasterMulti || !holder.expired; }

QString renewedText(std::int64_t times)
{
    if (times == 1)
        return Text::tr("renewed once");
    return times == 2 ? Text::tr("renewed twice") : Text::tr("renewed %1 times").arg(countText(times));
}

QString readWriteText(const LockState &lock)
{
    const auto readers = std::count_if(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.mode == HoldMode::Read; });
    const bool written = std::any_of(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.mode == HoldMode::Write; });
    QStringList parts{ Text::tr("Read/Write") };
    if (written)
        parts << Text::tr("writer");
    if (readers == 1)
        parts << Text::tr("1 reader");
    else if (readers > 1)
        parts << Text::tr("%1 readers").arg(countText(readers));
    return parts.join(QStringLiteral(" · "));
}

/// Who holds a permit or has counted down is not written to Redis.
QString counterText(const LockState &lock)
{
    if (lock.rare->count)
        return Text::tr("%1 to go").arg(countText(*lock.rare->count));
    if (!lock.rare->permits)
        return Text::tr("does not exist");
    const QString free = Text::tr("%1 free").arg(countText(freePermits(*lock.rare->permits)));
    return lock.rare->permits->leased ? Text::tr("%1 · %2 leased").arg(free, countText(*lock.rare->permits->leased))
                                      : free;
}

} // namespace

QString kindText(Kind kind)
{
    switch (kind) {
    case Kind::Reentrant:
        return Text::tr("Reentrant");
    case Kind::Fair:
        return Text::tr("Fair");
    case Kind::ReadWrite:
        return Text::tr("Read/Write");
    case Kind::Fenced:
        return Text::tr("Fenced");
    case Kind::FasterMulti:
        return Text::tr("Faster multi-lock");
    case Kind::Semaphore:
        return Text::tr("Semaphore");
    case Kind::PermitExpirableSemaphore:
        return Text::tr("Expirable permits");
    case Kind::CountDownLatch:
        return Text::tr("Latch");
    }
    return {};
}

QString kindText(const LockState &lock)
{
    if (const auto others = alsoPossible(lock); !others.empty()) {
        QStringList kinds{ kindText(lock.kind) };
        for (const Kind kind : others)
            kinds << kindText(kind);
        return kinds.join(Text::tr(" or "));
    }
    if (lock.kind == Kind::ReadWrite)
        return readWriteText(lock);
    if (lock.kind == Kind::Fenced && lock.rare->token)
        return Text::tr("Fenced · token %1").arg(countText(*lock.rare->token));
    const bool fromPort
        = std::any_of(lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.fromPort; });
    return fromPort ? Text::tr("%1 · from a port").arg(kindText(lock.kind)) : kindText(lock.kind);
}

QString modeText(HoldMode mode) { return mode == HoldMode::Read ? Text::tr("read") : Text::tr("write"); }

QString leaseText(Lease lease)
{
    switch (lease) {
    case Lease::Watchdog:
        return Text::tr("watchdog");
    case Lease::Fixed:
        return Text::tr("fixed lease");
    case Lease::Unknown:
        return Text::tr("unknown");
    }
    return {};
}

QString leaseProof(const LockState &lock)
{
    switch (lock.lease) {
    case Lease::Watchdog:
        return Text::tr("watchdog (%1)").arg(renewedText(lock.renewals));
    case Lease::Fixed:
        return Text::tr("fixed lease (no renewal when one was due)");
    case Lease::Unknown:
        return lock.renewals == 0 ? Text::tr("lease unknown (no renewal seen yet)")
                                  : Text::tr("lease unknown (%1)").arg(renewedText(lock.renewals));
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
            ? Text::tr("%1, run out").arg(namedOwner(lock.holders.front().owner, names))
            : Text::tr("%1 holders, run out").arg(countText(static_cast<qint64>(lock.holders.size())));
    if (const auto holds = quorumHolds(lock); holds.size() == 1 && holds.front().inferred)
        return Text::tr("%1 clients, thread %2")
            .arg(countText(static_cast<qint64>(holds.front().parts.size())),
                displayText(lock.holders.front().owner.thread.text()));
    if (now.size() > 1)
        return Text::tr("%1 holders").arg(countText(static_cast<qint64>(now.size())));
    const Holder &holder = *now.front();
    const QString owner = namedOwner(holder.owner, names);
    return holder.count > 1 ? owner + QStringLiteral(" ×") + countText(holder.count) : owner;
}

QString waitingText(const LockState &lock)
{
    const auto count = waitingCount(lock);
    if (!count)
        return Text::tr("unknown");
    const bool atLeast = lock.waiters.empty() ? lock.kind != Kind::Fair && *count > 0 : mayHaveMoreWaiters(lock);
    return atLeast ? QStringLiteral("≥ ") + countText(*count) : countText(*count);
}

QString waitingExplanation(const LockState &lock)
{
    if (mayHaveMoreWaiters(lock))
        return Text::tr("At least %1 in the fair queue: no more are read.").arg(countText(std::ssize(lock.waiters)));
    if (!lock.waiters.empty())
        return Text::tr("%1 in the fair queue").arg(countText(static_cast<qint64>(lock.waiters.size())));
    if (hasUnreadQueue(lock))
        return Text::tr("The queue was not read: it has an element longer than a waiter can be, so it is not known "
                        "who waits.");
    if (lock.kind == Kind::Fair)
        return Text::tr("The queue is empty.");
    if (!lock.subscribers)
        return Text::tr("It is not known how many wait: Redis was not asked yet, or refused to tell.");
    if (*lock.subscribers == 0)
        return Text::tr("No client instance is subscribed to the unlock channel.");
    const QString instances = *lock.subscribers == 1
        ? Text::tr("1 client instance subscribed")
        : Text::tr("%1 client instances subscribed").arg(countText(*lock.subscribers));
    return instances + QStringLiteral("\n")
        + Text::tr("Each may have several threads waiting; Redis does not store which.");
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

QString eventText(EventKind kind)
{
    switch (kind) {
    case EventKind::Appeared:
        return Text::tr("first seen");
    case EventKind::Acquired:
        return Text::tr("acquired");
    case EventKind::Reentered:
        return Text::tr("re-entered");
    case EventKind::Renewed:
        return Text::tr("renewed");
    case EventKind::PartlyReleased:
        return Text::tr("partly released");
    case EventKind::Released:
        return Text::tr("released");
    case EventKind::Expired:
        return Text::tr("expired");
    case EventKind::ForceReleased:
        return Text::tr("force-released");
    case EventKind::Deleted:
        return Text::tr("deleted");
    case EventKind::Queued:
        return Text::tr("queued");
    case EventKind::Dequeued:
        return Text::tr("left the queue");
    case EventKind::WaiterTimedOut:
        return Text::tr("waiter timed out");
    case EventKind::PermitsChanged:
        return Text::tr("permits changed");
    case EventKind::CountChanged:
        return Text::tr("count changed");
    case EventKind::Gap:
        return Text::tr("not seen");
    }
    return {};
}

QString endText(const Event &end, const ClientNames *names)
{
    const QString who = end.owner ? namedOwner(*end.owner, names) : QString();
    QString text = eventText(end.kind);
    if (end.owner && end.kind == EventKind::Released)
        text = Text::tr("released by %1").arg(who);
    else if (end.owner && end.kind == EventKind::Expired)
        text = Text::tr("expired while %1 held it").arg(who);
    else if (end.owner && end.kind == EventKind::ForceReleased)
        text = Text::tr("force-released while %1 held it").arg(who);
    else if (end.owner)
        text = Text::tr("deleted while %1 held it").arg(who);
    return end.certainty == Certainty::Inferred ? Text::tr("probably %1").arg(text) : text;
}

QString agoText(MonoTime at, MonoTime now) { return Text::tr("%1 ago").arg(durationText(between(at, now))); }

QString knownSinceText(const LockState &lock, const ViewClock &clock)
{
    if (clock.isFrozen())
        return Text::tr("as it was %1").arg(agoText(clock.now(), clock.realNow()));
    return Text::tr("unchanged for %1").arg(durationText(between(lock.readAtMono, clock.now())));
}

QString changeText(const LockState &lock, MonoTime now)
{
    const TtlState state = ttlState(lock, now);
    if (state == TtlState::Late)
        return Text::tr("renewal late");
    if (state == TtlState::Expiring)
        return Text::tr("expires before release?");
    const QString text = eventText(lock.lastChange.kind) + QLatin1Char(' ') + agoText(lock.lastChange.at, now);
    return lock.lastChange.certainty == Certainty::Inferred ? Text::tr("probably %1").arg(text) : text;
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
