// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lock_record.h"

#include "lockcore/monitor/evidence.h"
#include "lockcore/monitor/lease_judgement.h"
#include "lockcore/monitor/queue_change.h"
#include "lockcore/monitor/ttl_corners.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/recognition.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockcore {

namespace {

constexpr Millis ClockTolerance{ 20 };

bool isQueueListed(const LockReading &reading)
{
    return std::ranges::find(reading.keys, key_layout::fairQueue(reading.name)) != reading.keys.end();
}

/// One comparison of a record with a reading.
class Entry {
public:
    /// With what the next look needs nothing more will be heard of what this one leaves unexplained.
    Entry(LockRecord &record, const LockName &name, const LockReading *reading, const Look &look,
        const std::optional<NeededNext> &next)
        : m_record(record)
        , m_before(record.state.get())
        , m_reading(reading)
        , m_look(look)
        , m_final(next.has_value())
        , m_evidence(record.aside().trace, look.askedAt, next)
        , m_tolerance(ClockTolerance + look.uncertainty + record.uncertainty)
        , m_next(m_before ? *m_before : LockState{})
    {
        m_next.name = name;
    }

    LockChange run();

private:
    bool describe();
    void describeKeys();
    std::pair<Holder, std::optional<Millis>> describeHolder(const HolderReading &reading) const;
    bool endHolds(const std::vector<Holder> &before, const std::vector<HolderReading> &readings);
    void explainDecrements(const std::vector<Holder> &before, const std::vector<HolderReading> &readings);
    bool compareHolders();
    bool wasFreed() const;
    bool isOfAnotherTime() const;
    HoldCourse continueHold(const Holder &before, Holder &after, std::optional<Millis> ttl);
    bool isNotDue(const Holder &before, const Holder &after) const;
    bool mayBeToldSoon() const { return m_look.exact && !m_look.sharesChannel && !m_final; }
    bool readsOtherwise(const Holder &writer) const;
    void beginHold(Holder &holder, Certainty certainty);
    bool endHold(const Holder &holder);
    bool endSilently(const Holder &holder);
    void released(const Holder &holder);
    HoldCourse extended(const Holder &before, Holder &after);
    HoldCourse notExtended(const Holder &before, Holder &after);
    HoldCourse withoutTrace(const Holder &before, Holder &after);
    bool tellsNobodyOfItsEnd(const Holder &holder) const;
    HoldCourse takenAgain(const Holder &before, Holder &after);
    HoldCourse takenOnceMore(const Holder &after);
    void learn(const Holder &holder, bool leftLatch);
    bool leavesLatches(const Holder &holder) const;
    bool leavesNoLatches(const Holder &holder) const;
    bool wasHeld() const { return m_before && !m_before->holders.empty(); }
    bool wasHeldByOne() const { return m_before && m_before->holders.size() == 1; }
    Certainty unlessBlind() const { return m_record.blind || m_look.untold ? Certainty::Inferred : Certainty::Seen; }
    bool compareNumbers();
    bool endCounter(std::int64_t number);
    void reportNumber(EventKind kind, std::optional<std::int64_t> number, Certainty certainty);
    void finish();
    void report(EventKind kind, const Holder *holder, Certainty certainty);
    std::optional<MonoTime> measured(std::optional<Millis> ttl, std::optional<MonoTime> known);
    bool jumpedUp(std::optional<MonoTime> before, std::optional<MonoTime> after) const;

    LockRecord &m_record;
    const LockState *m_before;
    const LockReading *m_reading;
    const Look &m_look;
    const bool m_final;
    Evidence m_evidence;
    const Millis m_tolerance;
    Millis m_uncertainty{ 0 }; // of the least certain time to live that is shown
    LockState m_next;
    LockChange m_change;
    bool m_missesMessage = false; // of a release
    bool m_unclear = false; // what was heard may belong to this look or to the next one
    bool m_wasForced = false; // by us
    bool m_wasLeaseSet = false; // as well
    HoldChanges m_holds;
};

/// A countdown runs on from where it was: answers that differ by less than the clocks' tolerance are no jump.
std::optional<MonoTime> Entry::measured(std::optional<Millis> ttl, std::optional<MonoTime> known)
{
    if (!ttl)
        return std::nullopt;
    const MonoTime expiry = m_look.at + *ttl;
    const bool same = known && expiry <= *known + m_tolerance && expiry >= *known - m_tolerance;
    m_uncertainty = std::max(m_uncertainty, same ? Millis(m_record.uncertainty) : m_look.uncertainty);
    return same ? *known : expiry;
}

bool Entry::jumpedUp(std::optional<MonoTime> before, std::optional<MonoTime> after) const
{
    return before && after && *after > *before + m_tolerance;
}

void Entry::report(EventKind kind, const Holder *holder, Certainty certainty)
{
    Event event;
    event.at = m_look.wall;
    event.kind = kind;
    event.lock = m_next.name;
    event.lockKind = m_next.kind;
    event.certainty = certainty;
    event.node = m_look.node;
    if (holder) {
        event.owner = holder->owner;
        event.count = holder->count;
        if (holder->expiresAt)
            event.ttl = leftAt(*holder->expiresAt, m_look.at);
    }
    m_change.events.push_back(std::move(event));
}

/// Takes over what needs no conclusion.
bool Entry::describe()
{
    m_next.node = m_look.node;
    if (!m_before)
        m_next.slot = static_cast<std::int16_t>(protocol::keySlot(m_next.name));
    m_next.mode = m_reading ? m_reading->mode : std::nullopt;
    m_next.permits = m_reading ? m_reading->permits : std::nullopt;
    m_next.count = m_reading ? m_reading->count : std::nullopt;
    const bool isHeldNow = m_reading && !m_reading->holders.empty();
    if (wasHeld() && !isHeldNow)
        m_next.subscribers.reset(); // who waited for it goes in a moment
    if (!m_reading) {
        m_next.expiresAt.reset();
        if (isCounter(m_next.kind))
            m_next.subscribers.reset(); // as well
        return m_before;
    }
    m_next.token = m_reading->token;
    m_next.otherKinds = m_reading->alsoPossible;
    // A fair lock without waiters looks like a plain one; once it was seen to be fair it stays so.
    if (!(m_before && m_before->kind == Kind::Fair && m_reading->kind == Kind::Reentrant))
        m_next.kind = m_reading->kind;
    if (m_next.kind == Kind::Fair)
        m_next.subscribers.reset(); // its waiters have channels of their own
    m_next.expiresAt = m_reading->holders.empty() && !isCounter(m_reading->kind)
        ? std::nullopt
        : measured(m_reading->ttl, m_before ? m_before->expiresAt : std::nullopt);
    return true;
}

void Entry::describeKeys()
{
    m_next.hasMainKey = m_reading && !m_reading->keys.empty() && m_reading->keys.front() == m_next.name;
    m_next.otherKeys.clear();
    if (m_reading)
        m_next.otherKeys.assign(m_reading->keys.begin() + (m_next.hasMainKey ? 1 : 0), m_reading->keys.end());
}

void Entry::beginHold(Holder &holder, Certainty certainty)
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

/// Its client leaves a latch at each unlock, and we would have been told of it.
bool Entry::leavesLatches(const Holder &holder) const
{
    return m_look.exact && m_look.latchWriters && m_look.latchWriters->isOne(holder.owner.client);
}

bool Entry::leavesNoLatches(const Holder &holder) const
{
    return m_look.latchWriters && m_look.latchWriters->isNone(holder.owner.client);
}

/// Where several hold it, or held it one after the other, it is not known whose unlock it was.
void Entry::learn(const Holder &holder, bool leftLatch)
{
    const bool wasOne = wasHeldByOne() && m_evidence.latches() <= 1 && m_evidence.messages() <= 1;
    if (m_look.latchWriters && m_look.exact && wasOne)
        m_look.latchWriters->unlocked(holder.owner.client, leftLatch);
}

void Entry::released(const Holder &holder)
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

/// False: no reason for its end is known yet.
bool Entry::endHold(const Holder &holder)
{
    const auto &trace = m_record.aside().trace;
    const bool ranOut = holder.expiresAt && *holder.expiresAt <= m_look.at + m_tolerance;
    // Some unlocks of a lock that ran out already publish all the same.
    const auto releasedAt = m_evidence.releasedAt();
    const bool releasedInTime = releasedAt && !(holder.expiresAt && *releasedAt > *holder.expiresAt + m_tolerance);

    if (trace.forcedAt) {
        report(EventKind::ForceReleased, &holder, Certainty::Seen);
        m_wasForced = true;
        m_record.publishes = false; // ours told those of a spin lock, too
    } else if (m_evidence.isOpen() && !m_look.sharesChannel && !(releasedInTime && m_evidence.hadLatch())) {
        return false; // a message comes before its latch
    } else if (ranOut && (m_look.sharesChannel || !releasedInTime)) {
        const bool isSure = m_look.hearsUnlocks && !releasedInTime;
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
    } else if (m_record.blind || !m_look.hearsUnlocks) {
        report(EventKind::Released, &holder, Certainty::Inferred);
    } else {
        return endSilently(holder);
    }
    return true;
}

/// Of most ways to unlock something would be heard. Older clients release spin locks, fair locks that nobody waits for,
/// and one of several read holds without a trace, which is likelier than that another program deleted the key.
bool Entry::endSilently(const Holder &holder)
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
bool Entry::isNotDue(const Holder &before, const Holder &after) const
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

HoldCourse Entry::takenAgain(const Holder &before, Holder &after)
{
    report(EventKind::Released, &before, Certainty::Inferred);
    m_holds.newHold = true;
    beginHold(after, Certainty::Inferred);
    return { .isNew = true };
}

/// And given back as often.
HoldCourse Entry::takenOnceMore(const Holder &after)
{
    m_holds.leaseSet = true;
    Holder twice = after;
    ++twice.count;
    report(EventKind::Reentered, &twice, Certainty::Inferred);
    report(EventKind::PartlyReleased, &after, Certainty::Inferred);
    return { .restarted = true };
}

/// Its time to live rose: it was renewed, or given back and taken again by the same owner between two looks.
HoldCourse Entry::extended(const Holder &before, Holder &after)
{
    if (m_evidence.isOpen() && !m_look.sharesChannel) {
        m_unclear = true;
        return {};
    }
    m_wasLeaseSet = m_record.aside().trace.leaseSetAt.has_value();
    // Of several holds, of those of readers and of the values of a faster multi-lock nobody knows whose it was.
    const bool isItsOwn = !m_look.sharesChannel && m_next.kind != Kind::FasterMulti;
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
    const bool isEarly = m_look.exact && isNotDue(before, after);
    if (isEarly && mayBeToldSoon() && isItsOwn) { // it is no watchdog of its own
        m_unclear = true;
        return {};
    }
    if (isEarly && isItsOwn && isAlone && leavesNoLatches(after) && !m_record.blind)
        return withoutTrace(before, after);
    const bool isDoubtful = m_evidence.latchesLeft() > 0 || m_evidence.hadMessage() || !m_look.hearsUnlocks
        || (isEarly && !leavesLatches(after));
    report(EventKind::Renewed, &after, isDoubtful ? Certainty::Inferred : unlessBlind());
    m_holds.renewed = true;
    return { .restarted = isDoubtful, .renewed = true };
}

/// The watchdog of a client that leaves no latches was not due yet. Where all unlocks are heard, it has taken the lock
/// once more and given that back; a fair lock that nobody waits for, or a spin lock, it may have given back altogether,
/// which is likelier.
HoldCourse Entry::withoutTrace(const Holder &before, Holder &after)
{
    return tellsNobodyOfItsEnd(after) ? takenAgain(before, after) : takenOnceMore(after);
}

/// Given back and taken again it would be the same; who holds it more than once hardly did that as often.
bool Entry::tellsNobodyOfItsEnd(const Holder &holder) const
{
    const bool isSilent = m_next.kind == Kind::Fair ? m_before->waiters.empty() : m_record.silent && !holder.mode;
    return isSilent && holder.count == 1;
}

/// Its time to live fell, or hardly rose. By the server's clock its deadline may have been set all the same, and not by
/// a watchdog: had the lock been free, we hear of that in a moment, where there is something to hear.
HoldCourse Entry::notExtended(const Holder &before, Holder &after)
{
    if (m_reading->holders.size() != 1 || !isOfAnotherTime())
        return {};
    if (mayBeToldSoon()) {
        m_unclear = true;
        return {};
    }
    m_wasLeaseSet = m_record.aside().trace.leaseSetAt.has_value();
    const auto known = deadlineIn(m_record);
    const auto deadline = deadlineIn(m_reading, m_look);
    const bool isCertain = known && deadline && wasHeldByOne() && m_look.exact && !m_record.blind;
    const bool isItsOwn = !m_look.sharesChannel && m_next.kind != Kind::FasterMulti && after.mode != HoldMode::Read;
    if (isCertain && isItsOwn) {
        const bool anUnlock = m_evidence.latchesLeft() > 0;
        const bool fell = deadline->from < known->from;
        const bool isNoWatchdog = fell || isNotDue(before, after);
        m_evidence.useLatches(1);
        if (tellsNobodyOfItsEnd(after) && (anUnlock || (leavesNoLatches(after) && isNoWatchdog && !m_wasLeaseSet)))
            return takenAgain(before, after);
        if (anUnlock && fell) // where it hardly rose, the message may be later still
            return takenOnceMore(after);
    }
    m_holds.leaseSet = m_holds.leaseSet || m_wasLeaseSet;
    return { .restarted = m_wasLeaseSet };
}

/// A writer took the lock to read, too, which sets the lease of both, or gave a part of that back.
bool Entry::readsOtherwise(const Holder &writer) const
{
    const auto reads = [&](const auto &holders) {
        const auto found = std::ranges::find_if(
            holders, [&](const auto &each) { return each.owner == writer.owner && each.mode == HoldMode::Read; });
        return found == holders.end() ? 0 : found->count;
    };
    return writer.mode == HoldMode::Write && m_before && m_reading
        && reads(m_before->holders) != reads(m_reading->holders);
}

HoldCourse Entry::continueHold(const Holder &before, Holder &after, std::optional<Millis> ttl)
{
    after.since = before.since;
    after.expiresAt = measured(ttl, before.expiresAt);
    if (after.expired && before.expiresAt && *before.expiresAt < *after.expiresAt)
        after.expiresAt = before.expiresAt; // it ran out then, and still counts
    if (after.count != before.count) {
        m_holds.leaseSet = true;
        report(after.count > before.count ? EventKind::Reentered : EventKind::PartlyReleased, &after, unlessBlind());
        return { .restarted = true };
    }
    if (after.expired)
        return {};
    if (!jumpedUp(before.expiresAt, after.expiresAt))
        return notExtended(before, after);
    return readsOtherwise(after) ? HoldCourse{ .restarted = true } : extended(before, after);
}

/// What the reading says of one holder, and how long it has.
std::pair<Holder, std::optional<Millis>> Entry::describeHolder(const HolderReading &reading) const
{
    Holder holder;
    holder.owner = reading.owner;
    holder.count = reading.count;
    holder.mode = reading.mode;
    holder.fromPort = reading.fromPort;
    if (reading.heldUntil) { // by itself, whatever the key has left for the others
        const auto left = std::max(Millis{ *reading.heldUntil - m_look.wall }, Millis{ 0 });
        holder.expired = left == Millis{ 0 };
        return { std::move(holder), m_reading->ttl ? std::min(left, *m_reading->ttl) : left };
    }
    if (reading.mode != HoldMode::Read || reading.readTtls.empty()) // empty: more than are read
        return { std::move(holder), m_reading->ttl };
    // Each hold of a reader runs out by itself.
    const auto longest = std::max_element(reading.readTtls.begin(), reading.readTtls.end());
    const auto left = std::max(*longest, Millis{ 0 });
    holder.expired = left == Millis{ 0 };
    return { std::move(holder), left };
}

/// False: somebody is gone, and it is not clear yet why.
bool Entry::endHolds(const std::vector<Holder> &before, const std::vector<HolderReading> &readings)
{
    return std::all_of(before.begin(), before.end(), [&](const Holder &holder) {
        const bool holds = std::any_of(
            readings.begin(), readings.end(), [&](const auto &reading) { return isSameHold(holder, reading); });
        return holds || endHold(holder);
    });
}

/// Each partial unlock has left a latch, too.
void Entry::explainDecrements(const std::vector<Holder> &before, const std::vector<HolderReading> &readings)
{
    for (const auto &reading : readings) {
        const auto known
            = std::find_if(before.begin(), before.end(), [&](const auto &other) { return isSameHold(other, reading); });
        if (known != before.end() && reading.count < known->count)
            m_evidence.useLatches(static_cast<std::size_t>(known->count - reading.count));
    }
}

/// The deadline that the key has now is not the one that it had.
bool Entry::isOfAnotherTime() const
{
    if (!m_reading->ttl)
        return false;
    const auto known = deadlineIn(m_record);
    if (const auto deadline = deadlineIn(m_reading, m_look); deadline && known)
        return isOther(*deadline, *known);
    return m_before->expiresAt && m_next.expiresAt != m_before->expiresAt;
}

/// A message says that the lock was free since the last look, and whoever holds it has taken it anew. Faster
/// multi-locks tell of each release. A message that came late may be of a hold before the last look: then the deadline
/// stood still.
bool Entry::wasFreed() const
{
    return wasHeld() && m_reading && !m_reading->holders.empty() && m_next.kind != Kind::FasterMulti
        && !m_look.sharesChannel && m_evidence.hadMessage() && isOfAnotherTime();
}

bool Entry::compareHolders()
{
    static const std::vector<HolderReading> Nobody;
    const auto &readings = m_reading ? m_reading->holders : Nobody;
    const bool isAnew = wasFreed();
    const auto before = std::exchange(m_next.holders, {});
    if (!endHolds(before, isAnew ? Nobody : readings))
        return false;
    if (!isAnew)
        explainDecrements(before, readings);
    for (const auto &reading : readings) {
        auto [holder, ttl] = describeHolder(reading);
        const auto known
            = std::find_if(before.begin(), before.end(), [&](const auto &other) { return isSameHold(other, reading); });
        if (known != before.end() && !isAnew) {
            m_holds.courses.push_back(continueHold(*known, holder, ttl));
        } else {
            holder.expiresAt = measured(ttl, std::nullopt);
            m_holds.newHold = m_holds.newHold || isAnew || before.empty() || readings.size() == 1;
            // Beside another owner nobody can acquire it: a program has written the field.
            const bool isWritten = m_reading && isDamaged(*m_reading);
            const bool isConcluded = isWritten || known != before.end();
            beginHold(holder, isConcluded ? Certainty::Inferred : unlessBlind());
            m_holds.courses.push_back({ .isNew = true });
        }
        m_next.holders.push_back(std::move(holder));
    }
    return !m_unclear;
}

void Entry::reportNumber(EventKind kind, std::optional<std::int64_t> number, Certainty certainty)
{
    report(kind, nullptr, certainty);
    m_change.events.back().count = number;
}

/// False: the latch is gone, and it is not clear yet why.
bool Entry::endCounter(std::int64_t number)
{
    const auto &trace = m_record.aside().trace;
    const auto certainty = trace.flushedAt && m_look.sharesChannel ? Certainty::Inferred : unlessBlind();
    if (m_before->expiresAt && *m_before->expiresAt <= m_look.at + m_tolerance)
        reportNumber(EventKind::Expired, number, certainty);
    else if (trace.flushedAt || m_record.restarted || !m_before->count)
        reportNumber(EventKind::Deleted, number, certainty);
    else if (m_evidence.hadMessage() || m_record.blind || !m_look.hearsUnlocks)
        reportNumber(EventKind::CountChanged, 0, Certainty::Inferred); // it goes when it opens
    else if (!m_final)
        return false;
    else
        reportNumber(EventKind::Deleted, number, Certainty::Seen); // nobody was told that it opened
    return true;
}

/// What a semaphore has to give, or what a latch has left to count.
std::optional<std::int64_t> numberOf(const LockState &state)
{
    return state.permits ? freePermits(*state.permits) : state.count;
}

bool Entry::compareNumbers()
{
    const auto after = numberOf(m_next);
    if (!m_before || !numberOf(*m_before)) {
        if (after)
            reportNumber(EventKind::Appeared, after, Certainty::Seen);
        return true;
    }
    const auto before = *numberOf(*m_before);
    if (!after)
        return endCounter(before);
    const auto &permitsBefore = m_before->permits;
    const auto &permits = m_next.permits;
    const bool leased = permitsBefore && permits && permitsBefore->leased && permitsBefore->leased != permits->leased;
    if (before != *after || leased)
        reportNumber(m_next.count ? EventKind::CountChanged : EventKind::PermitsChanged, after, Certainty::Seen);
    return true;
}

void Entry::finish()
{
    if (!m_change.events.empty()) {
        const auto &last = m_change.events.back();
        m_next.lastChange = { m_look.at, last.kind, last.certainty };
    }
    if (!m_before && m_change.events.empty())
        m_next.lastChange.at = m_look.at;
    m_record.changeAside([this](LockAside &aside) {
        aside.trace.explained(m_look.askedAt, m_evidence.messagesUsed(), m_evidence.latchesUsed());
        aside.trace.missedUntil(m_look.askedAt);
        if (m_missesMessage)
            aside.trace.missing.push_back(m_look.at);
        // What we did, and heard of after the question, explains one look alone.
        if (m_wasForced)
            aside.trace.forcedAt.reset();
        if (m_wasLeaseSet)
            aside.trace.leaseSetAt.reset();
    });
    if (m_look.serverTime || !m_before || m_next.expiresAt != m_before->expiresAt) {
        const auto deadline = deadlineIn(m_reading, m_look).value_or(ServerMoment{});
        m_record.deadline = deadline.from;
        m_record.deadlineSpan = std::chrono::duration_cast<decltype(m_record.deadlineSpan)>(deadline.span);
    }
    m_record.blind = false;
    m_record.restarted = false;
    m_record.uncertainty = std::chrono::duration_cast<decltype(m_record.uncertainty)>(m_uncertainty);
    m_change.changed = !m_before || m_next != *m_before;
    if (m_change.changed) {
        m_next.readAt = m_look.wall;
        m_next.readAtMono = m_look.at;
        m_record.state = std::make_shared<const LockState>(std::move(m_next));
    }
}

LockChange Entry::run()
{
    if (!describe())
        return {};
    if (!compareHolders() || !compareNumbers()) {
        LockChange nothing;
        nothing.lookAgain = true;
        return nothing;
    }
    describeKeys();
    static const std::vector<WaiterReading> Nobody;
    const bool announced = m_look.exact && (m_before || m_look.absenceKnown) && !m_record.blind;
    const auto sinceLast = m_before || m_look.absenceKnown ? std::optional(unlessBlind()) : std::nullopt;
    if (m_reading && m_reading->waiters.empty() && isQueueListed(*m_reading))
        m_next.waiters = {}; // not read: whoever waited may wait still
    else
        compareQueue(m_next, m_reading ? m_reading->waiters : Nobody, { m_look.at, m_look.wall, announced, sinceLast },
            m_change.events);
    judgeLease(m_record, m_next, m_holds, m_look.at);
    drawCorner(m_record, m_next, m_look, m_holds.renewed && !m_holds.newHold);
    finish();
    return std::move(m_change);
}

} // namespace

LockChange enter(LockRecord &record, const LockName &name, const LockReading *reading, const Look &look)
{
    LockChange before;
    if (const auto left = record.aside().unexplained) {
        record.changeAside([](LockAside &aside) { aside.unexplained.reset(); });
        const auto next = neededNext(record.state.get(), *left, reading, look);
        Look then = left->look;
        then.sharesChannel = then.sharesChannel || look.sharesChannel;
        before = Entry(record, name, left->reading ? &*left->reading : nullptr, then, next).run();
    }
    auto change = Entry(record, name, reading, look, std::nullopt).run();
    if (change.lookAgain)
        record.changeAside([&](LockAside &aside) {
            aside.unexplained = std::make_shared<const Unexplained>(
                Unexplained{ reading ? std::optional(*reading) : std::nullopt, look });
        });
    change.events.insert(change.events.begin(), std::make_move_iterator(before.events.begin()),
        std::make_move_iterator(before.events.end()));
    change.changed = change.changed || before.changed;
    return change;
}

} // namespace lockcore
