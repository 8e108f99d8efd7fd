// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lock_comparison.h"

#include "lockcore/monitor/lease_judgement.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/recognition.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

bool isQueueListed(const LockReading &reading)
{
    return std::ranges::find(reading.keys, key_layout::fairQueue(reading.name)) != reading.keys.end();
}

/// What a semaphore has to give, or what a latch has left to count.
std::optional<std::int64_t> numberOf(const LockState &state)
{
    return state.permits ? freePermits(*state.permits) : state.count;
}

} // namespace

/// A countdown runs on from where it was: answers that differ by less than the clocks' tolerance are no jump.
std::optional<MonoTime> LockComparison::measured(std::optional<Millis> ttl, std::optional<MonoTime> known)
{
    if (!ttl)
        return std::nullopt;
    const MonoTime expiry = m_look.at + *ttl;
    const bool same = known && expiry <= *known + m_tolerance && expiry >= *known - m_tolerance;
    m_uncertainty = std::max(m_uncertainty, same ? Millis(m_record.uncertainty) : m_look.uncertainty);
    return same ? *known : expiry;
}

void LockComparison::report(EventKind kind, const Holder *holder, Certainty certainty)
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
bool LockComparison::describe()
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
        if (!m_next.subscribers)
            m_next.takenSinceCount = 0;
        return m_before;
    }
    m_next.token = m_reading->token;
    m_next.otherKinds = m_reading->alsoPossible;
    // A fair lock without waiters looks like a plain one; once it was seen to be fair it stays so.
    if (!(m_before && m_before->kind == Kind::Fair && m_reading->kind == Kind::Reentrant))
        m_next.kind = m_reading->kind;
    if (m_next.kind == Kind::Fair)
        m_next.subscribers.reset(); // its waiters have channels of their own
    if (!m_next.subscribers)
        m_next.takenSinceCount = 0;
    m_next.expiresAt = m_reading->holders.empty() && !isCounter(m_reading->kind)
        ? std::nullopt
        : measured(m_reading->ttl, m_before ? m_before->expiresAt : std::nullopt);
    return true;
}

void LockComparison::describeKeys()
{
    m_next.hasMainKey = m_reading && !m_reading->keys.empty() && m_reading->keys.front() == m_next.name;
    m_next.otherKeys.clear();
    if (m_reading)
        m_next.otherKeys.assign(m_reading->keys.begin() + (m_next.hasMainKey ? 1 : 0), m_reading->keys.end());
}

/// What the reading says of one holder, and how long it has.
std::pair<Holder, std::optional<Millis>> LockComparison::describeHolder(const HolderReading &reading) const
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
bool LockComparison::endHolds(const std::vector<Holder> &before, const std::vector<HolderReading> &readings)
{
    return std::all_of(before.begin(), before.end(), [&](const Holder &holder) {
        const bool holds = std::any_of(
            readings.begin(), readings.end(), [&](const auto &reading) { return isSameHold(holder, reading); });
        return holds || endHold(holder);
    });
}

/// Each partial unlock has left a latch, too.
void LockComparison::explainDecrements(const std::vector<Holder> &before, const std::vector<HolderReading> &readings)
{
    for (const auto &reading : readings) {
        const auto known
            = std::find_if(before.begin(), before.end(), [&](const auto &other) { return isSameHold(other, reading); });
        if (known != before.end() && reading.count < known->count)
            m_evidence.useLatches(static_cast<std::size_t>(known->count - reading.count));
    }
}

/// A message says that the lock was free since the last look, and whoever holds it has taken it anew. Faster
/// multi-locks tell of each release. A message that came late may be of a hold before the last look: then the deadline
/// stood still.
bool LockComparison::wasFreed() const
{
    return wasHeld() && m_reading && !m_reading->holders.empty() && m_next.kind != Kind::FasterMulti
        && !m_look.sharesChannel && m_evidence.hadMessage() && isOfAnotherTime();
}

/// By one of those who were counted, perhaps: so many may wait no longer.
void LockComparison::takenBy(std::int64_t clients)
{
    m_next.takenSinceCount
        = std::min(m_next.takenSinceCount + clients, m_next.subscribers.value_or(0)); // of others it tells nothing
}

bool LockComparison::compareHolders()
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
            takenBy(1);
            // Beside another owner nobody can acquire it: a program has written the field.
            const bool isWritten = m_reading && isDamaged(*m_reading);
            const bool isConcluded = isWritten || known != before.end();
            if (holder.expired)
                beginExpired(holder);
            else
                beginHold(holder, isConcluded ? Certainty::Inferred : unlessBlind());
            m_holds.courses.push_back({ .isNew = true });
        }
        m_next.holders.push_back(std::move(holder));
    }
    return !m_unclear;
}

void LockComparison::reportNumber(EventKind kind, std::optional<std::int64_t> number, Certainty certainty)
{
    report(kind, nullptr, certainty);
    m_change.events.back().count = number;
}

/// False: the latch is gone, and it is not clear yet why.
bool LockComparison::endCounter(std::int64_t number)
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

namespace {

/// A moment of the server's clock, told in ours, which are compared anew now and then.
void keepIfSame(std::optional<WallTime> &after, const std::optional<WallTime> &before)
{
    constexpr Millis SameMoment{ 1'000 };
    if (after && before && std::chrono::abs(*after - *before) <= SameMoment)
        after = before;
}

/// Of the permits that are out still the first whose lease was set anew; null: none was. `clockSet`: by how much our
/// clock was, which moves all deadlines.
const PermitReading *leaseSetAnew(const PermitsReading &before, const PermitsReading &after, Millis clockSet)
{
    for (const PermitReading &permit : before.leases) {
        const auto still = std::ranges::find(after.leases, permit.id, &PermitReading::id);
        if (still == after.leases.end())
            continue;
        auto deadline = still->deadline;
        keepIfSame(deadline, permit.deadline);
        auto moved = permit.deadline;
        if (moved)
            *moved += clockSet;
        keepIfSame(moved, deadline);
        if (deadline != permit.deadline && deadline != moved)
            return &*still;
    }
    return nullptr;
}

/// As many are out as before, but not the same ones: one that had not run out is gone. Where not all are listed it
/// cannot be told.
bool haveChangedHands(const PermitsReading &before, const PermitsReading &after, WallTime now)
{
    if (morePermits(before) != 0 || morePermits(after) != 0)
        return false;
    return std::ranges::any_of(before.leases, [&](const PermitReading &permit) {
        const bool ranOut = permit.deadline && *permit.deadline <= now;
        return !ranOut && std::ranges::find(after.leases, permit.id, &PermitReading::id) == after.leases.end();
    });
}

} // namespace

/// By how much our clock was set since it was first seen as it is.
Millis LockComparison::clockSetSince(const LockState &before) const
{
    return (m_look.wall - before.readAt) - std::chrono::duration_cast<Millis>(m_look.at - before.readAtMono);
}

bool LockComparison::compareNumbers()
{
    const auto after = numberOf(m_next);
    const EventKind changed = m_next.count ? EventKind::CountChanged : EventKind::PermitsChanged;
    if (!m_before || !numberOf(*m_before)) {
        const bool cameIntoBeing = m_before || (m_look.absenceKnown && !m_look.broughtHere);
        if (after)
            reportNumber(
                cameIntoBeing ? changed : EventKind::Appeared, after, cameIntoBeing ? unlessBlind() : Certainty::Seen);
        return true;
    }
    const auto before = *numberOf(*m_before);
    if (!after)
        return endCounter(before);
    const auto &permitsBefore = m_before->permits;
    const auto &permits = m_next.permits;
    const bool areLeased = permitsBefore && permits && permitsBefore->leased;
    const auto *setAnew = areLeased ? leaseSetAnew(*permitsBefore, *permits, clockSetSince(*m_before)) : nullptr;
    const bool leased = setAnew
        || (areLeased
            && (permitsBefore->leased != permits->leased || haveChangedHands(*permitsBefore, *permits, m_look.wall)));
    if (before != *after || leased)
        reportNumber(changed, after, Certainty::Seen);
    if (!m_next.count && *after < before)
        takenBy(before - *after);
    if (setAnew && setAnew->deadline)
        m_change.events.back().ttl = std::max(Millis{ *setAnew->deadline - m_look.wall }, Millis{ 0 });
    return true;
}

/// Who held it beside others, and for so short that no look shows it.
void LockComparison::tellOfPassingReaders()
{
    if (m_next.kind != Kind::ReadWrite && m_record.aside().passing.isEmpty())
        return; // as nearly always: what is remembered aside is not touched then
    static const std::vector<Holder> Nobody;
    std::vector<PassingReaders::Passed> passed;
    m_record.changeAside([&](LockAside &aside) {
        passed = aside.passing.looked(m_before ? m_before->holders : Nobody, m_next.holders, m_look.askedAt);
    });
    if (m_record.blind || m_look.sharesChannel || m_next.kind != Kind::ReadWrite)
        return;
    const auto told = m_change.events.size();
    for (const auto &[owner, from, until] : passed) {
        Holder holder;
        holder.owner = owner;
        holder.count = 1;
        holder.mode = HoldMode::Read;
        if (!leavesNoLatches(holder))
            m_evidence.useLatches(1);
        for (const auto &[kind, at] : { std::pair(EventKind::Acquired, from), std::pair(EventKind::Released, until) }) {
            report(kind, &holder, Certainty::Inferred);
            m_change.events.back().at = m_look.wall - std::chrono::duration_cast<WallTime::duration>(m_look.at - at);
        }
    }
    auto &events = m_change.events; // the holds were before what this look itself tells
    std::rotate(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(told), events.end());
}

namespace {

/// Whether Redis has something else, and not only we think otherwise of it or counted who listens.
bool isOtherInRedis(const LockState &before, LockState after)
{
    after.lease = before.lease;
    after.leaseSeen = before.leaseSeen;
    after.subscribers = before.subscribers;
    after.takenSinceCount = before.takenSinceCount;
    if (after.holders.size() == before.holders.size())
        for (std::size_t i = 0; i < after.holders.size(); ++i)
            after.holders[i].lease = before.holders[i].lease;
    after.becameSoThen = before.becameSoThen;
    if (after.waiters.size() == before.waiters.size())
        for (std::size_t i = 0; i < after.waiters.size(); ++i)
            keepIfSame(after.waiters[i].deadline, before.waiters[i].deadline);
    if (after.permits && before.permits && after.permits->leases.size() == before.permits->leases.size())
        for (std::size_t i = 0; i < after.permits->leases.size(); ++i)
            keepIfSame(after.permits->leases[i].deadline, before.permits->leases[i].deadline);
    return after != before;
}

} // namespace

void LockComparison::finish()
{
    const auto &events = m_change.events;
    const auto isChange = [](const Event &event) { return event.kind != EventKind::FoundQueued; };
    if (const auto last = std::find_if(events.rbegin(), events.rend(), isChange); last != events.rend())
        m_next.lastChange = { m_look.at, last->kind, last->certainty };
    else if (!m_before)
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
    const bool isKnownBefore = m_before || (m_look.absenceKnown && !m_look.broughtHere);
    const bool wasWatched = isKnownBefore && m_look.exact && !m_look.untold && !m_record.blind;
    m_next.becameSoThen = m_next.becameSoThen && !m_record.blind;
    m_record.blind = false;
    m_record.restarted = false;
    m_record.uncertainty = std::chrono::duration_cast<decltype(m_record.uncertainty)>(m_uncertainty);
    m_change.changed = !m_before || m_next != *m_before;
    if (m_change.changed) {
        if (!m_before || isOtherInRedis(*m_before, m_next)) {
            m_next.readAt = m_look.wall;
            m_next.readAtMono = m_look.at;
            m_next.becameSoThen = wasWatched;
        }
        m_record.state = std::make_shared<const LockState>(std::move(m_next));
    }
}

/// Who left the queue made way for whoever has acquired the lock by then.
void LockComparison::tellOfQueue(const std::vector<WaiterReading> &readings, const QueueLook &look)
{
    auto &events = m_change.events;
    const auto told = static_cast<std::ptrdiff_t>(events.size());
    compareQueue(m_next, readings, look, events);
    const auto queue = events.begin() + told;
    const auto acquired = std::find_if(events.begin(), queue,
        [&](const Event &event) { return event.kind == EventKind::Acquired && event.at == look.wall; });
    const auto others = std::find_if_not(queue, events.end(), [](const Event &event) { return leftQueue(event.kind); });
    std::rotate(acquired, queue, others);
}

/// Whoever waited in a queue that cannot be read may wait still, or have left it and come again.
void LockComparison::lookAtQueue()
{
    static const std::vector<WaiterReading> Nobody;
    if (m_reading && m_reading->waiters.empty() && isQueueListed(*m_reading)) {
        if (auto waiters = std::exchange(m_next.waiters, {}); !waiters.empty())
            m_record.changeAside([&](LockAside &aside) { aside.lastRead = std::move(waiters); });
        return;
    }
    const bool wasUnread = m_before && hasUnreadQueue(*m_before);
    if (wasUnread)
        m_record.changeAside([this](LockAside &aside) { m_next.waiters = std::exchange(aside.lastRead, {}); });
    const bool isBlind = m_record.blind || wasUnread;
    const bool announced = m_look.exact && (m_before || m_look.absenceKnown) && !isBlind;
    const auto certainty = wasUnread ? Certainty::Inferred : unlessBlind();
    const auto sinceLast = m_before || m_look.absenceKnown ? std::optional(certainty) : std::nullopt;
    tellOfQueue(m_reading ? m_reading->waiters : Nobody,
        { m_look.at, m_look.wall, announced, sinceLast, isBlind,
            m_record.restarted || m_record.aside().trace.flushedAt });
}

LockChange LockComparison::run()
{
    if (!describe())
        return {};
    if (!compareHolders() || !compareNumbers()) {
        LockChange nothing;
        nothing.lookAgain = true;
        return nothing;
    }
    tellOfPassingReaders();
    describeKeys();
    lookAtQueue();
    judgeLease(m_record, m_next, m_holds, m_look.at);
    drawCorner(m_record, m_next, m_look, m_holds.renewed && !m_holds.newHold);
    finish();
    return std::move(m_change);
}

LockChange enter(LockRecord &record, const LockName &name, const LockReading *reading, const Look &look)
{
    LockChange before;
    if (const auto left = record.aside().unexplained) {
        record.changeAside([](LockAside &aside) { aside.unexplained.reset(); });
        const auto next = neededNext(record.state.get(), *left, reading, look);
        Look then = left->look;
        then.sharesChannel = then.sharesChannel || look.sharesChannel;
        then.timesAnnounced += look.timesAnnounced;
        before = LockComparison(record, name, left->reading ? &*left->reading : nullptr, then, next).run();
    }
    auto change = LockComparison(record, name, reading, look, std::nullopt).run();
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

} // namespace lockcore::monitor
