// SPDX-License-Identifier: Apache-2.0
// What the engine makes of a look at locks, and of one that failed.
#include "lockcore/monitor/engine.h"

#include "lockcore/monitor/listeners.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"
#include "lockcore/synchronizers/recognition.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr Millis RetryReadsAfter{ 300 };
constexpr Millis ClaimWithin{ 2'000 };
constexpr Millis AbsentFor{ 1'000 };
constexpr Millis AwayWithin{ 1'000 }; // who waited for what is free now
constexpr Millis CountFreeAfter{ 100 }; // a hand-over is over by then
constexpr Millis ListensAfter{ 300 }; // a waiter enters the queue first
constexpr std::chrono::seconds ShowUnreadableFor{ 60 };
constexpr std::size_t MostUnclaimed = 100'000;
constexpr Millis LookAtUnreadEvery{ 1'000 };

bool isOfQueue(const Event &event)
{
    return event.kind == EventKind::FoundQueued || event.kind == EventKind::Queued || leftQueue(event.kind);
}

bool isHeld(const LockState *lock) { return lock && !lock->holders.empty(); }

/// Its waiters, if there are any, listen on one channel.
bool isFreeLock(const LockState &state)
{
    return state.holders.empty() && !isCounter(state.kind) && state.kind != Kind::Fair;
}

} // namespace

void Engine::on(const input::LocksRead &read)
{
    const auto batch = m_reads.finish(read.read);
    if (!batch)
        return;
    if (batch->front().second == ReadReason::Swept)
        m_discovery.sweptRead(read.sentAt, m_now.mono);
    std::unordered_map<std::string_view, const LockReading *> readings;
    for (const auto &reading : read.readings)
        readings.emplace(reading.name, &reading);

    Look look = lookSince(read.sentAt);
    look.serverTime = read.serverTime;
    m_registry.forgetFlushOfAnother(read.readings, look);
    const std::unordered_set<std::string_view> refused(read.refused.begin(), read.refused.end());
    const std::unordered_set<std::string_view> later(read.later.begin(), read.later.end());
    const std::unordered_set<std::string_view> unread(read.unread.begin(), read.unread.end());
    for (const auto &[name, reason] : *batch) {
        if (later.contains(name)) {
            m_reads.add(name, reason);
            continue;
        }
        if (unread.contains(name) && (isNamed(name) || isHeld(m_registry.find(name)))) {
            isUnread(name);
            continue;
        }
        const auto found = readings.find(name);
        const auto *reading = found == readings.end() ? nullptr : found->second;
        if (!refused.contains(name)) {
            m_unreadable.erase(name);
            enter(name, reading, reason, look);
        } else if (read.forWantOfRights) {
            mayNotRead(name);
        } else {
            if (reading && isOurs(name) && !m_registry.knows(name))
                enter(name, reading, reason, look); // better than nothing
            isElsewhere(name);
        }
    }
}

Look Engine::lookSince(MonoTime sentAt) const
{
    const auto halfway = (m_now.mono - sentAt) / 2;
    return { .askedAt = sentAt,
        .at = sentAt + halfway,
        .wall = m_now.wall,
        .uncertainty = std::chrono::ceil<Millis>(halfway),
        .hearsUnlocks = m_hearsUnlocks,
        .sharesChannel = sharesWithDatabases(),
        .node = m_node };
}

void Engine::enter(const LockName &name, const LockReading *reading, ReadReason reason, Look look)
{
    m_claimed.erase(name);
    m_passing.erase(name);
    m_unread.erase(name);
    if (isQueueOfAnother(name, reading, reason) || !matchesPattern(m_settings.keyPattern, name))
        return; // which was looked for as the queue of another, too
    std::optional<LockReading> whole;
    if (const auto *queue = m_mapped.queueOf(name)) {
        whole = withQueue(name, reading, *queue);
        reading = &*whole;
        if (m_rereads && reason == ReadReason::Known)
            m_reads.add(queue->name, ReadReason::Swept); // nothing else tells of it
    }
    if (m_slots.empty() || m_registry.knows(name) || (!reading && isOurs(name)))
        return enterClaimed(name, reading, reason, look);
    m_claims.insert_or_assign(name, Claim{ reading ? std::optional(*reading) : std::nullopt, reason, look });
    m_newClaims.push_back(name);
}

/// In a cluster a lock that is new here may be known elsewhere, and that has been asked.
void Engine::enterClaimed(const LockName &name, const LockReading *reading, ReadReason reason, Look look)
{
    if (reading && isDamaged(*reading) && !isKnownForALock(*reading))
        reading = nullptr;
    std::optional<LockReading> counter;
    if (!reading || isPlainNumber(*reading)) {
        counter = judgeCounter(name, reading);
        reading = counter ? &*counter : nullptr;
    }
    m_hints.used(name, look.askedAt);
    look.exact = isTold(name) && m_registry.lookedAt(name).value_or(m_toldSince) >= m_toldSince;
    if (auto announced = m_announced.extract(name)) {
        look.announcedAt = std::exchange(announced.mapped().at, std::nullopt);
        look.timesAnnounced = announced.mapped().times;
        if (announced.mapped().last > look.askedAt) // what that was of, the next look may be the first to show
            m_announced.insert(std::move(announced));
    }
    look.untold = look.exact && reason == ReadReason::Swept;
    look.absenceKnown = look.exact && reason == ReadReason::Announced && !m_discovery.isFirst() && isOurs(name)
        && tellsOf(m_sweptScope, name);
    // What has two holders was none before it looked like a lock, and they may have been in it.
    look.absenceKnown = look.absenceKnown && !(reading && isDamaged(*reading));
    if (!reading && reason == ReadReason::Announced)
        m_nonLockKeys.foundNoLock(name, m_now.mono);
    if (reading)
        m_throttle.found(name);
    const bool isWaited = isWaitedFor(name, reason);
    const auto free = isWaited && !reading ? std::optional(m_waited.freeLock(name)) : std::nullopt;
    const auto hidden = hiddenWaiters(name, reading);
    std::optional<LockReading> queued;
    if (hidden > 0 && (reading || !m_registry.knows(name))) {
        queued = reading ? *reading : LockReading{};
        queued->name = name;
        queued->kind = Kind::Fair; // of no other kind anybody listens on a channel of its own
        reading = &*queued;
    }
    enterKnown(name, free && !queued ? &*free : reading, look);
    if (hidden > 0)
        m_registry.counted(name, { .subscribers = hidden, .waiters = {} });
    if (counter && counter->keys.empty())
        m_registry.counted(name, { .subscribers = m_hints.waiting(name, {}), .waiters = {} });
    if (isWaited && isFreeLock(*m_registry.find(name)))
        m_registry.counted(name, { .subscribers = m_waited.clients(name), .waiters = {} });
}

/// A lock that nobody holds is shown while somebody waits for it.
void Engine::lookAtWaitedLocks()
{
    for (const auto &name : m_waited.listed(*m_channels.channels())) {
        if (!isOurs(name) || !isOfInterest(name))
            continue;
        const LockState *known = m_registry.find(name);
        const auto clients = m_waited.clients(name);
        if (!known)
            m_reads.add(name, ReadReason::Swept);
        else if (clients && isFreeLock(*known) && isMeant(name) && known->lastChange.at + AwayWithin <= m_now.mono)
            m_registry.counted(name, { .subscribers = clients, .waiters = {} });
    }
}

/// A name that is not known yet.
bool Engine::isWaitedFor(const LockName &name, ReadReason reason) const
{
    return reason == ReadReason::Swept && !m_registry.knows(name) && m_waited.clients(name) && isMeant(name);
}

/// Of two names that share a channel, by what is told there: the one that is held.
bool Engine::isMeant(const LockName &name) const
{
    const auto other = key_layout::namesake(name);
    const LockState *sharing = other ? m_registry.find(*other) : nullptr;
    return sharing == nullptr || sharing->holders.empty();
}

/// What was waited for until it became free may be waited for still: that is asked soon, without the hand-overs.
void Engine::enterKnown(const LockName &name, const LockReading *reading, const Look &look)
{
    const LockState *before = m_registry.find(name);
    const bool wasWaitedFor = before != nullptr && !before->holders.empty() && before->subscribers.value_or(0) > 0;
    const auto told = std::ssize(m_events);
    m_registry.enter(name, reading, look, m_now.mono, m_events);
    if (m_regrouped.erase(name) > 0)
        m_events.erase(std::remove_if(m_events.begin() + told, m_events.end(), isOfQueue), m_events.end());
    const LockState *after = m_registry.find(name);
    if (!wasWaitedFor || after == nullptr || !after->holders.empty())
        return;
    m_subscribers.askSoon(name);
    m_countFreeAt = m_countFreeAt.value_or(m_now.mono + CountFreeAfter);
}

/// A queue of a free name may be that of a lock whose own name is mapped; then it is shown with that lock alone.
bool Engine::isQueueOfAnother(const LockName &name, const LockReading *reading, ReadReason reason)
{
    const auto *queue = m_mapped.queueOf(name);
    if (queue && reading && !reading->waiters.empty()) { // it has its own: the other was taken for its by mistake
        m_reads.add(*m_mapped.removeOf(name), ReadReason::Announced);
        m_regrouped.insert(name);
    }
    if (!reading || reading->waiters.empty() || !reading->holders.empty()) {
        m_unclaimedQueues.erase(name);
        disjoin(name, reading);
        return false;
    }
    const auto lock = m_mapped.lockOf(*reading);
    const auto *known = lock ? m_registry.find(*lock) : nullptr;
    const bool hasItsOwn = known && !known->waiters.empty() && !m_mapped.queueOf(*lock);
    const auto *namesake = m_registry.find(name);
    const bool wasHeld = namesake && !ttlHistoryOf(*namesake).empty();
    if (!lock || hasItsOwn || wasHeld || !isOfInterest(*lock)) {
        disjoin(name, reading);
        if (m_unclaimedQueues.size() >= MostUnclaimed && !m_unclaimedQueues.contains(name))
            return false;
        const auto [place, isNew] = m_unclaimedQueues.try_emplace(name);
        auto &shownFrom = place->second;
        if (isNew && !namesake && reason == ReadReason::Announced && !m_uncounted) {
            shownFrom = m_now.mono + ListensAfter; // whose it is will be known in a moment
            m_channels.hurry(*shownFrom);
        }
        return shownFrom.has_value();
    }
    const bool waits = awaitsList(*reading);
    if (!waits)
        m_unclaimedQueues.erase(name);
    if (m_discovery.isFirst() || (namesake && !namesake->waiters.empty()))
        m_regrouped.insert(*lock); // they waited there before
    m_registry.abandon(name);
    const bool isNews = m_mapped.put(*lock, waits ? m_mapped.withoutUnknownNewcomers(*reading) : *reading);
    if (isNews && m_discovery.isFirst())
        m_reads.add(*lock, ReadReason::Swept); // the first look is not over before that
    else if (isNews)
        readLock(*lock);
    return true;
}

/// The queue is not, or no longer, that of the lock with which it was shown.
void Engine::disjoin(const LockName &queue, const LockReading *reading)
{
    const auto lock = m_mapped.remove(queue);
    if (!lock)
        return;
    if (reading && !reading->waiters.empty())
        m_regrouped.insert(*lock);
    readLock(*lock);
}

/// Who listens on a channel of its own stands in a queue, or has just got the lock or left. Of those of whom a second
/// list says so still, the queue lies under a name that was not found; the first look has but one list.
void Engine::lookForHiddenWaiters()
{
    const auto strayedBefore = std::exchange(m_stray, {});
    const auto hiddenBefore = std::exchange(m_hidden, {});
    if (m_status.channelsShared)
        return; // they may wait for a lock in another database
    for (const auto &[name, owners] : m_mapped.listeners()) {
        if (!isOurs(name) || !isOfInterest(name))
            continue;
        const LockState *lock = m_registry.find(name);
        const auto before = strayedBefore.find(name);
        for (const OwnerId &owner : owners) {
            if (lock && holdsOrQueues(*lock, owner))
                continue;
            m_stray[name].push_back(owner);
            if (m_discovery.isFirst()
                || (before != strayedBefore.end() && std::ranges::find(before->second, owner) != before->second.end()))
                m_hidden[name].push_back(owner);
        }
        if (m_hidden.contains(name))
            m_reads.add(name, lock && !m_discovery.isFirst() ? ReadReason::Known : ReadReason::Swept);
    }
    for (const auto &[name, owners] : hiddenBefore) {
        const LockState *lock = m_registry.find(name);
        if (!m_hidden.contains(name) && lock && lock->kind == Kind::Fair)
            m_registry.counted(name, { .subscribers = 0, .waiters = {} });
    }
}

/// How many wait for it in a queue that was not found; whoever holds it by now, or stands in a queue, is none of them.
std::int64_t Engine::hiddenWaiters(const LockName &name, const LockReading *reading)
{
    const auto hidden = m_hidden.find(name);
    if (hidden == m_hidden.end())
        return 0;
    if (reading)
        std::erase_if(hidden->second, [reading](const OwnerId &owner) { return holdsOrQueues(*reading, owner); });
    const bool mayBeFair = !reading || reading->kind == Kind::Reentrant || reading->kind == Kind::Fair;
    return mayBeFair && (!reading || reading->waiters.empty()) ? std::ssize(hidden->second) : 0;
}

/// Whether who has come to a queue of another name listens for its lock will be known in a moment.
bool Engine::awaitsList(const LockReading &queue)
{
    if (m_uncounted || !m_mapped.hasUnknownNewcomer(queue))
        return false;
    const auto [place, isNew] = m_unclaimedQueues.try_emplace(queue.name);
    if (isNew) {
        place->second = m_now.mono + ListensAfter;
        m_channels.hurry(*place->second);
    }
    return place->second.has_value();
}

void Engine::readLock(const LockName &name)
{
    m_reads.add(name, m_registry.knows(name) ? ReadReason::Known : ReadReason::Announced);
}

/// Ordinary hashes look like damaged locks. It was one when it was last seen, has what only locks have, or somebody
/// takes it for one and each owner in it has a number of holds.
bool Engine::isKnownForALock(const LockReading &reading) const
{
    const auto *known = m_registry.find(reading.name);
    if ((known && !isCounter(known->kind)) || isLockByItsLooks(reading) || !reading.waiters.empty() || reading.token
        || (isNamed(reading.name) && hasRealHolds(reading)))
        return true;
    const auto channels = m_channels.channels();
    return channels && std::any_of(channels->begin(), channels->end(), [&](const ChannelState &listed) {
        return listed.channel == key_layout::lockChannel(reading.name)
            || listed.channel == key_layout::readWriteChannel(reading.name);
    });
}

/// While its slot moves, a lock may have gone ahead already. As long as nobody claims it, it is shown as it was; for a
/// while only where the slot has just passed through.
void Engine::isElsewhere(const LockName &name)
{
    const bool wasClaimed = m_claimed.erase(name) > 0;
    m_announced.erase(name);
    if (!isOurs(name))
        m_unclaimedQueues.erase(name);
    if (!m_registry.knows(name))
        return;
    if (!wasClaimed
        && (isOurs(name) || m_now.mono < m_passing.try_emplace(name, m_now.mono + ClaimWithin).first->second))
        return m_registry.lookLater(name, m_now.mono + RetryReadsAfter);
    m_passing.erase(name);
    m_registry.abandon(name);
}

/// Who else shows the lock looks whether it still has it before it gives it up.
void Engine::on(const input::ClaimsAnswered &answered)
{
    for (const auto &[name, known] : answered.locks) {
        const auto claim = m_claims.extract(name);
        if (!claim)
            continue;
        const auto &[reading, reason, look] = claim.mapped();
        if (known && reading) {
            m_registry.adopt(known);
            m_publishedAt.reset(); // at once: it is to be missing nowhere
        }
        enterClaimed(name, reading ? &*reading : nullptr, reason, look);
    }
}

void Engine::on(const input::LockClaimed &claimed)
{
    if (!m_registry.knows(claimed.name))
        return;
    m_claimed.insert(claimed.name);
    readKnown(claimed.name);
}

bool Engine::isNamed(const LockName &name) const { return m_settings.keyPattern == exactPattern(name); }

/// A hash has grown beyond what a lock may have. It still keeps everybody out: it is shown as it was last seen.
void Engine::isUnread(const LockName &name)
{
    m_announced.erase(name);
    m_unread.insert(name);
    m_registry.lookLater(name, m_now.mono + LookAtUnreadEvery);
}

/// It may still be as it was last seen, until its lease ends; and others may be as unreadable.
void Engine::mayNotRead(const LockName &name)
{
    m_announced.erase(name);
    const LockState *lock = m_registry.find(name);
    if (m_unreadable.contains(name))
        return;
    if (!lock) {
        // Among many it is one that is not ours to see; where it alone is asked for, nothing is known.
        if (m_settings.keyPattern == exactPattern(name))
            m_unreadable.emplace(name, m_now.mono + ShowUnreadableFor);
        return;
    }
    if (m_unreadable.empty())
        readAll();
    const auto latest = m_now.mono + ShowUnreadableFor;
    m_unreadable.emplace(name, std::min(lock->expiresAt.value_or(latest), latest));
    m_registry.wentBlind(name);
    m_registry.lookLater(name, m_unreadable.at(name));
}

void Engine::forgetUnreadable()
{
    std::erase_if(m_unreadable, [this](const auto &entry) {
        if (entry.second > m_now.mono)
            return false;
        m_registry.abandon(entry.first);
        return true;
    });
}

/// What is to be shown of a number, or of a name without a key that clients may wait for as for a number. Where nothing
/// tells what it is, its name may; else who asks for it by its name is told of it all the same.
std::optional<LockReading> Engine::judgeCounter(const LockName &name, const LockReading *reading) const
{
    const auto *known = m_registry.find(name);
    const auto hint = m_hints.of(name);
    if (reading) {
        auto counter = resolveCounter(*reading, kindsSeen(known), hint);
        if (!counter && isTokenName(m_settings.tokenNames, name))
            return tokenLockOf(*reading);
        return counter || !isNamed(name) ? counter : std::optional(*reading);
    }
    const auto other = key_layout::namesake(name);
    if (!hint || (other && !kindsSeen(m_registry.find(*other)).empty()))
        return std::nullopt;
    // It went a moment ago: those who waited are on their way out.
    const bool recent = known && !known->subscribers;
    if (!m_hints.waiting(name, recent ? known->lastChange.at + AbsentFor : MonoTime{}))
        return std::nullopt;
    return absentCounter(name, hint);
}

void Engine::on(const input::WorkFailed &failed)
{
    if (m_discovery.failed(failed.work, m_now.mono, failed.refused))
        return;
    const auto batch = m_reads.finish(failed.work);
    if (!batch)
        return;
    m_readsHeldUntil = m_now.mono + RetryReadsAfter;
    for (const auto &[name, reason] : *batch)
        m_reads.add(name, reason);
}

} // namespace lockcore::monitor
