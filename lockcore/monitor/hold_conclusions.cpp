// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lock_comparison.h"
#include "lockcore/synchronizers/catalog.h"

#include <algorithm>

// How holds begin, go on and end, and what tells of it.

namespace lockcore::monitor {

using namespace synchronizers;

bool LockComparison::jumpedUp(std::optional<MonoTime> before, std::optional<MonoTime> after) const
{
    return before && after && *after > *before + m_tolerance;
}

void LockComparison::beginHold(Holder &holder, Certainty certainty)
{
    const bool known = m_before || m_look.absenceKnown;
    const bool exact = m_look.exact && known && !m_record.blind && !m_look.untold && !m_look.broughtHere
        && certainty == Certainty::Seen;
    holder.since = { .at = m_look.at, .exact = exact };
    if (!known)
        report(EventKind::Appeared, &holder, Certainty::Seen);
    else
        report(EventKind::Acquired, &holder, m_look.broughtHere ? Certainty::Inferred : certainty);
}

/// It is counted still, but its time is over: of what was so at the first look, nothing is told. The time-outs of a
/// reader are asked for by another command than the holders, before which it may have been given back: that is heard in
/// a moment.
void LockComparison::beginExpired(Holder &holder)
{
    holder.since = { m_look.at, false };
    if (!m_before && !m_look.absenceKnown)
        return;
    const bool isWatched = m_look.exact && !m_look.untold && !m_record.blind;
    if (isWatched && holder.mode == HoldMode::Read) {
        holder.expired = false;
        holder.expiresAt = m_look.at + std::min(NeverSoLate, m_reading->ttl.value_or(NeverSoLate));
    }
    beginHold(holder, Certainty::Inferred);
    if (holder.expired)
        report(EventKind::Expired, &holder, Certainty::Inferred);
}

/// Its client leaves a latch at each unlock, and we would have been told of it.
bool LockComparison::leavesLatches(const Holder &holder) const
{
    return m_look.exact && m_look.latchWriters && m_look.latchWriters->isOne(holder.owner.client);
}

bool LockComparison::leavesNoLatches(const Holder &holder) const
{
    return m_look.latchWriters && m_look.latchWriters->isNone(holder.owner.client);
}

/// Where several hold it, or held it one after the other, it is not known whose unlock it was.
void LockComparison::learn(const Holder &holder, bool leftLatch)
{
    const bool wasOne = wasHeldByOne() && m_evidence.latches() <= 1 && m_evidence.messages() <= 1;
    if (m_look.latchWriters && m_look.exact && wasOne)
        m_look.latchWriters->unlocked(holder.owner.client, leftLatch);
}

void LockComparison::released(const Holder &holder)
{
    const bool isSeen = m_evidence.latchesLeft() > 0 && !m_look.sharesChannel;
    m_evidence.useLatches(1);
    m_evidence.useMessage();
    report(EventKind::Released, &holder, isSeen ? Certainty::Seen : Certainty::Inferred);
    if (isSeen) {
        // Of one that was silent before, nothing is to come any more, unless the word of that is under way itself.
        const bool mayPublish = !m_record.silent || !m_record.aside().trace.missing.empty();
        m_record.silent = !m_evidence.hadMessage();
        // Of the end of a fair lock only its first waiter is told, and of that of one of several holds nobody.
        const bool tellsNobody = m_next.kind == Kind::Fair && m_before->waiters.empty();
        m_missesMessage = m_record.silent && mayPublish && wasHeldByOne() && !tellsNobody;
    }
    if (!m_look.sharesChannel || !m_evidence.hadLatch())
        learn(holder, isSeen);
}

bool LockComparison::mayBeOurs() const
{
    const auto &trace = m_record.aside().trace;
    return trace.awaitsAction && !trace.leaseSetAt && !m_final;
}

/// False: no reason for its end is known yet.
bool LockComparison::endHold(const Holder &holder)
{
    const auto &trace = m_record.aside().trace;
    if (holder.expired && !trace.isForced(holder.owner)) // by force it ends for those whom it still kept out
        return true; // that was told when it ran out
    const bool ranOut = holder.expiresAt && *holder.expiresAt <= m_look.at + m_tolerance;
    // Some unlocks of a lock that ran out already publish all the same.
    const auto releasedAt = m_evidence.releasedAt();
    const bool releasedInTime = releasedAt && !(holder.expiresAt && *releasedAt > *holder.expiresAt + m_tolerance);

    if (trace.isForced(holder.owner)) {
        report(EventKind::ForceReleased, &holder, Certainty::Seen);
        m_wasForced = true;
        m_record.publishes = false; // ours told those of a spin lock, too
    } else if (mayBeOurs()) {
        return false;
    } else if (m_evidence.isOpen() && !m_look.sharesChannel && !(releasedInTime && m_evidence.hadLatch())) {
        return false; // a message comes before its latch
    } else if (ranOut && (m_look.sharesChannel || !releasedInTime)) {
        // Where nobody is told of a release, it had its time if its end was announced when that was over.
        const bool isSure = isToldOf() ? m_look.hearsUnlocks && !releasedInTime : m_look.exact;
        report(EventKind::Expired, &holder, isSure ? unlessBlind() : Certainty::Inferred);
    } else if (releasedInTime && !m_evidence.hadLatch() && leavesLatches(holder)) {
        if (!m_final)
            return false;
        report(EventKind::ForceReleased, &holder, Certainty::Inferred); // its owner would have left a latch
        learn(holder, false);
    } else if (releasedInTime) {
        released(holder);
    } else if (trace.flushedAt) {
        report(EventKind::Deleted, &holder, m_look.sharesChannel ? Certainty::Inferred : Certainty::Seen);
    } else if (m_record.restarted) {
        report(EventKind::Deleted, &holder, Certainty::Inferred);
    } else if (m_record.blind || !m_look.hearsUnlocks || !isToldOf()) {
        report(EventKind::Released, &holder, Certainty::Inferred);
    } else {
        return endSilently(holder);
    }
    return true;
}

/// Of most ways to unlock something would be heard. Older clients release spin locks, fair locks that nobody waits for,
/// and one of several read holds without a trace, which is likelier than that another program deleted the key.
bool LockComparison::endSilently(const Holder &holder)
{
    if (!m_final)
        return false;
    const bool isPublished = m_record.publishes && !holder.mode && m_next.kind != Kind::Fair;
    const bool isDeleted = leavesLatches(holder) || isPublished;
    report(isDeleted ? EventKind::Deleted : EventKind::Released, &holder, Certainty::Inferred);
    learn(holder, false);
    // A client that leaves latches may be one of which that is not known yet: then it was no unlock.
    m_record.silent = m_record.silent || (!isDeleted && leavesNoLatches(holder));
    return true;
}

/// A watchdog renews when a third of the lease is over, not before. Newer clients renew all their locks together, then
/// that third began with another lock; and a re-entry sets the lease anew, and leaves the watchdog as it was.
bool LockComparison::isNotDue(const Holder &before, const Holder &after) const
{
    constexpr int Earliest = 4; // a part of the lease
    if (!after.expiresAt || !before.expiresAt)
        return false;
    const auto lease = *after.expiresAt - m_look.at;
    if (before.since.exact && after.count == 1 && (m_look.at - before.since.at) * Earliest < lease)
        return true;
    const auto left = *before.expiresAt - m_look.at;
    const auto setAt = *before.expiresAt - lease;
    const auto wasSet = [&](MonoTime began) { return setAt <= began + m_tolerance && setAt >= began - m_tolerance; };
    const auto renewal = m_record.lease.lastRenewal();
    const bool isByItsWatchdog = wasSet(before.since.at) || (renewal && wasSet(*renewal));
    return leavesNoLatches(after) && isByItsWatchdog && (left - m_tolerance) * 3 > lease * 2;
}

/// No watchdog renews before a third of its lease is over, give or take its timer, unless it renews all its locks
/// together: then whoever took the lock anew, or wrote it, did the same.
bool LockComparison::roseEarly(const Holder &before, const Holder &after) const
{
    if (!m_look.exact || !after.expiresAt || !before.expiresAt || after.count > 1)
        return false;
    const auto lease = *after.expiresAt - m_look.at;
    const auto renewal = m_record.lease.lastRenewal();
    const MonoTime setAt = renewal.value_or(before.since.exact ? before.since.at : *before.expiresAt - lease);
    return (m_look.at - setAt + m_tolerance) * 10 < lease * 3;
}

/// Given back and taken again it would be the same; who holds it more than once hardly did that as often.
bool LockComparison::tellsNobodyOfItsEnd(const Holder &holder) const
{
    const bool isSilent = m_next.kind == Kind::Fair ? m_before->waiters.empty() : m_record.silent && !holder.mode;
    return (isSilent || !isToldOf()) && holder.count == 1;
}

/// Whoever gives it back, or takes it once more, undoes that by a second command, after the answer to the first: Redis
/// announces them one by one. At the last look at it no word of the second one is on its way any more. Who does not
/// wait for the answer may do both in one turn of the server, of which client tracking tells once.
/// Source: Redis: tracking.c, trackingBroadcastInvalidationMessages, which beforeSleep calls before it sends answers.
bool LockComparison::wasLeaseSetAlone() const { return m_final && m_look.timesAnnounced == 1; }

HoldCourse LockComparison::takenAgain(const Holder &before, Holder &after, EventKind end)
{
    report(end, &before, Certainty::Inferred);
    m_holds.newHold = true;
    beginHold(after, Certainty::Inferred);
    return { .isNew = true };
}

/// And given back as often.
HoldCourse LockComparison::takenOnceMore(const Holder &after)
{
    m_holds.leaseSet = true;
    Holder twice = after;
    ++twice.count;
    report(EventKind::Reentered, &twice, Certainty::Inferred);
    report(EventKind::PartlyReleased, &after, Certainty::Inferred);
    return { .restarted = true };
}

/// Its time to live rose: it was renewed, or given back and taken again by the same owner between two looks.
HoldCourse LockComparison::extended(const Holder &before, Holder &after)
{
    if (mayBeOurs() || (m_evidence.isOpen() && !m_look.sharesChannel)) {
        m_unclear = true;
        return {};
    }
    m_wasLeaseSet = m_record.aside().trace.leaseSetAt.has_value();
    // Of several holds, of those of readers and of the values of a faster multi-lock nobody knows whose it was.
    const bool isItsOwn = !m_look.sharesChannel && m_next.kind != Kind::FasterMulti;
    const auto &flushedAt = m_record.aside().trace.flushedAt;
    if (flushedAt && *flushedAt <= m_look.askedAt && isItsOwn && m_look.exact) // it was written anew after that
        return takenAgain(before, after, EventKind::Deleted);
    const bool isAlone = !after.mode || (after.mode == HoldMode::Write && m_reading->holders.size() == 1);
    const bool anUnlock = m_evidence.latchesLeft() > 0 && isAlone && isItsOwn;
    const bool wasFree = m_evidence.hadMessage() && isItsOwn;
    const bool wasGivenBack = m_evidence.latchesLeft() > 0 && isItsOwn && after.mode == HoldMode::Read && !m_wasLeaseSet
        && isNotDue(before, after);
    if (wasFree || wasGivenBack || (anUnlock && tellsNobodyOfItsEnd(after))) {
        // The message says that the lock was free meanwhile; where there are none, the latch may say the same.
        m_evidence.useMessage();
        m_evidence.useLatches(1);
        return takenAgain(before, after);
    }
    if (anUnlock) { // else it would have been free
        m_evidence.useLatches(1);
        return takenOnceMore(after);
    }
    if (m_wasLeaseSet) {
        m_holds.leaseSet = true;
        report(EventKind::Renewed, &after, Certainty::Seen);
        return { .restarted = true };
    }
    // Most libraries make a token of their own for each acquire; with one that has the same for all it may be taken
    // anew.
    if (isTokenLock(m_next.kind)) {
        report(EventKind::Renewed, &after, Certainty::Inferred);
        m_holds.renewed = true;
        return { .renewed = true };
    }
    const bool isEarly = m_look.exact && isNotDue(before, after);
    if (isEarly && mayBeToldSoon() && isItsOwn) { // it is no watchdog of its own
        m_unclear = true;
        return {};
    }
    // Where the message of a release may not arrive, that nothing else was done tells of a renewal.
    if (!m_look.hearsUnlocks && isItsOwn && m_look.timesAnnounced == 1 && mayBeToldSoon()) {
        m_unclear = true;
        return {};
    }
    // The watchdog of a client that leaves no latches was not due yet. Where all unlocks are heard, it has taken the
    // lock once more and given that back; or, which is likelier where nobody is told of its end, has given it back
    // altogether.
    if (isEarly && isItsOwn && isAlone && leavesNoLatches(after) && !m_record.blind && !wasLeaseSetAlone())
        return tellsNobodyOfItsEnd(after) ? takenAgain(before, after) : takenOnceMore(after);
    const bool isDoubtful = m_evidence.latchesLeft() > 0 || m_evidence.hadMessage()
        || (!m_look.hearsUnlocks && !wasLeaseSetAlone())
        || ((isEarly || (isItsOwn && isAlone && roseEarly(before, after)))
            && (m_record.silent || !leavesLatches(after))); // a message and a latch would both be late
    report(EventKind::Renewed, &after, isDoubtful ? Certainty::Inferred : unlessBlind());
    m_holds.renewed = true;
    return { .restarted = isDoubtful, .renewed = true };
}

/// Its time to live fell, or hardly rose. By the server's clock its deadline may have been set all the same, and not by
/// a watchdog: had the lock been free, we hear of that in a moment, where there is something to hear.
HoldCourse LockComparison::notExtended(const Holder &before, Holder &after)
{
    if (m_reading->holders.size() != 1) { // the key's deadline is that of the longest
        if (m_record.blind && before.expiresAt && after.expiresAt && after.expiresAt != before.expiresAt)
            report(EventKind::Renewed, &after, Certainty::Inferred);
        return {};
    }
    if (!isOfAnotherTime())
        return {};
    if (mayBeOurs() || mayBeToldSoon()) {
        m_unclear = true;
        return {};
    }
    m_wasLeaseSet = m_record.aside().trace.leaseSetAt.has_value();
    const auto known = deadlineIn(m_record);
    const auto deadline = deadlineIn(m_reading, m_look);
    const bool isCertain = known && deadline && wasHeldByOne() && m_look.exact && !m_record.blind;
    const bool isItsOwn = !m_look.sharesChannel && m_next.kind != Kind::FasterMulti && after.mode != HoldMode::Read;
    bool mayBeAnew = false;
    if (isCertain && isItsOwn) {
        const bool anUnlock = m_evidence.latchesLeft() > 0;
        const bool fell = deadline->from < known->from;
        const bool isNoWatchdog = fell || isNotDue(before, after);
        mayBeAnew = tellsNobodyOfItsEnd(after) && leavesNoLatches(after) && isNoWatchdog && !m_wasLeaseSet;
        m_evidence.useLatches(1);
        if ((tellsNobodyOfItsEnd(after) && anUnlock) || (mayBeAnew && !wasLeaseSetAlone()))
            return takenAgain(before, after);
        if (anUnlock && fell) // where it hardly rose, the message may be later still
            return takenOnceMore(after);
    }
    // No watchdog sets it to less: whoever did leaves open when that comes next.
    const bool isNearer = jumpedUp(after.expiresAt, before.expiresAt);
    m_holds.leaseSet = m_holds.leaseSet || m_wasLeaseSet || isNearer;
    if (m_record.blind || isNearer)
        report(EventKind::Renewed, &after,
            m_record.blind || mayBeAnew || isTokenLock(m_next.kind) ? Certainty::Inferred : Certainty::Seen);
    return { .restarted = m_wasLeaseSet || isNearer };
}

/// A writer took the lock to read, too, which sets the lease of both, or gave a part of that back.
bool LockComparison::readsOtherwise(const Holder &writer) const
{
    const auto reads = [&](const auto &holders) {
        const auto found = std::ranges::find_if(
            holders, [&](const auto &each) { return each.owner == writer.owner && each.mode == HoldMode::Read; });
        return found == holders.end() ? 0 : found->count;
    };
    return writer.mode == HoldMode::Write && m_before && m_reading
        && reads(m_before->holders) != reads(m_reading->holders);
}

/// The deadline that the key has now is not the one that it had.
bool LockComparison::isOfAnotherTime() const
{
    if (!m_reading->ttl)
        return false;
    const auto known = deadlineIn(m_record);
    if (const auto deadline = deadlineIn(m_reading, m_look); deadline && known)
        return isOther(*deadline, *known);
    return m_next.expiresAt != m_before->expiresAt;
}

/// Out of sight it may have been given back and taken again. Then its deadline would hardly be the same.
bool LockComparison::mayBeAnother(const Holder &before, const Holder &after) const
{
    return m_record.blind && (!before.expiresAt || after.expiresAt != before.expiresAt || after.count != before.count);
}

/// Who takes it once more adds one, and who gives it back takes one away and leaves a latch, or does so by another
/// client. By more it may have been written anew.
HoldCourse LockComparison::heldOtherwise(const Holder &before, const Holder &after)
{
    m_holds.leaseSet = true;
    const auto more = after.count - before.count;
    const bool areTold = more < 0 && m_evidence.latches() >= static_cast<std::size_t>(-more);
    const bool isOne = std::abs(more) == 1;
    report(more > 0 ? EventKind::Reentered : EventKind::PartlyReleased, &after,
        isOne || areTold ? unlessBlind() : Certainty::Inferred);
    return { .restarted = true };
}

/// PERSIST, or EXPIRE where there was no end, which who gives it back and takes it again sets as well.
HoldCourse LockComparison::endsOrNot(const Holder &after)
{
    if (mayBeOurs() || (after.expiresAt && mayBeToldSoon())) {
        m_unclear = true;
        return {};
    }
    m_wasLeaseSet = m_record.aside().trace.leaseSetAt.has_value();
    m_holds.leaseSet = true;
    report(EventKind::Renewed, &after, unlessBlind());
    return { .restarted = true };
}

HoldCourse LockComparison::continueHold(const Holder &before, Holder &after, std::optional<Millis> ttl)
{
    after.expiresAt = measured(ttl, before.expiresAt);
    after.since = mayBeAnother(before, after) ? Since{ m_look.at, false } : before.since;
    if (before.expired && !after.expired) { // its end was told
        m_holds.newHold = m_holds.newHold || m_reading->holders.size() == 1;
        beginHold(after, Certainty::Inferred);
        return { .isNew = true };
    }
    // Commands that are sent one by one may have found it held, and then its time-outs gone because it was given back.
    const bool isOver = before.expiresAt && *before.expiresAt <= m_look.at + m_tolerance;
    if (after.expired && !before.expired && !isOver) {
        after.expired = false;
        after.expiresAt = before.expiresAt;
    }
    if (after.expired && before.expiresAt && *before.expiresAt < *after.expiresAt)
        after.expiresAt = before.expiresAt; // it ran out then, and still counts
    if (after.expired) {
        const HoldCourse course = after.count != before.count ? heldOtherwise(before, after) : HoldCourse{};
        if (!before.expired)
            report(EventKind::Expired, &after, unlessBlind());
        return course;
    }
    if (after.count != before.count)
        return heldOtherwise(before, after);
    if (before.expiresAt.has_value() != after.expiresAt.has_value())
        return endsOrNot(after);
    if (!jumpedUp(before.expiresAt, after.expiresAt))
        return notExtended(before, after);
    return readsOtherwise(after) ? HoldCourse{ .restarted = true } : extended(before, after);
}

} // namespace lockcore::monitor
