// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/wait_groups.h"

#include "ui/text/lock_text.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

Millis TimeLost::at(MonoTime now) const
{
    return std::chrono::duration_cast<Millis>(now.time_since_epoch() * goingOn - began + seen);
}

namespace {

bool mayBeWaitedFor(const LockState &lock) { return !lock.waiters.empty() || listeningAtLeast(lock) > 0; }

} // namespace

bool waitsFor(const LockState &lock, const OwnerId &owner)
{
    return std::ranges::none_of(holdersNow(lock), [&](const Holder *holder) { return holder->owner == owner; });
}

std::vector<const Waiter *> waitersOnce(const LockState &lock)
{
    std::vector<const Waiter *> waiters;
    std::set<std::pair<std::string_view, std::string_view>> known;
    for (const Waiter &waiter : lock.waiters)
        if (known.emplace(waiter.owner.client, waiter.owner.thread).second)
            waiters.push_back(&waiter);
    return waiters;
}

Millis blockedBy(const LockName &lock, const Snapshot *snapshot)
{
    const LockStatistics *numbers
        = snapshot != nullptr && snapshot->analysis ? statisticsOf(*snapshot->analysis, lock) : nullptr;
    if (numbers == nullptr)
        return Millis(0);
    const MonoTime counted = snapshot->analysis->at;
    const auto seen = snapshot->locks.find(lock);
    return waitedInAll(*numbers, counted, seen.get(), seen ? seenUntil(*snapshot, *seen, counted) : counted);
}

Millis waitedInAll(const LockStatistics &numbers, MonoTime countedAt, const LockState *lock, MonoTime seenUntil)
{
    const MonoTime countedUntil = numbers.blockedUntil.value_or(std::min(countedAt, seenUntil));
    MonoTime::duration counted{ 0 }; // of those who wait still
    MonoTime::duration seen{ 0 };
    if (lock != nullptr)
        for (const Waiter *waiter : waitersOnce(*lock))
            if (listens(*waiter) && waitsFor(*lock, waiter->owner)) {
                counted += std::max(countedUntil - waiter->since.at, MonoTime::duration{ 0 });
                seen += std::max(seenUntil - waiter->since.at, MonoTime::duration{ 0 });
            }
    return std::max(
        numbers.blocked + std::chrono::duration_cast<Millis>(seen - counted), std::chrono::duration_cast<Millis>(seen));
}

WaitedLocks::WaitedLocks(const Snapshot &snapshot, const LockList &among, const std::vector<KnownWait> &known)
{
    m_sharesChannels = sharesChannels(snapshot);
    m_losses = losses(snapshot);
    if (isStale(snapshot))
        m_allLostSince = snapshot.status.staleSince;
    for (const KnownWait &wait : known)
        m_known[wait.lock].push_back(wait);
    for (const Lock &lock : among)
        add(lock);
}

void WaitedLocks::add(const Lock &lock)
{
    const auto ours = m_known.find(lock->name);
    const bool isOurs = ours != m_known.end();
    if (!mayBeWaitedFor(*lock) && !isOurs)
        return;
    const auto waits = [&](const OwnerId &owner) { return waitsFor(*lock, owner); };
    if (std::ranges::none_of(lock->waiters, waits, &Waiter::owner) && listeningAtLeast(*lock) == 0
        && !(isOurs && std::ranges::any_of(ours->second, waits, &KnownWait::owner)))
        return;
    const Place place = m_locks.size();
    m_locks.push_back(lock);
    m_places.emplace(lock->name, place);
    for (const Holder *holder : holdersNow(*lock))
        m_parts[holder->owner].holds.push_back(place);
    const auto addWait = [&](const OwnerId &owner) {
        std::vector<Place> &places = m_parts[owner].waits;
        if (places.empty() || places.back() != place)
            places.push_back(place);
    };
    for (const Waiter &waiter : lock->waiters)
        if (waits(waiter.owner) && isGhost(waiter))
            m_parts[waiter.owner].deadWaits.push_back(place);
        else if (waits(waiter.owner))
            addWait(waiter.owner);
    if (isOurs)
        for (const KnownWait &wait : ours->second)
            if (waits(wait.owner))
                addWait(wait.owner);
}

const std::vector<KnownWait> &WaitedLocks::knownAt(const LockState &lock) const
{
    static const std::vector<KnownWait> None;
    const auto found = m_known.find(lock.name);
    return found == m_known.end() ? None : found->second;
}

std::int64_t WaitedLocks::moreThanKnown(const LockState &lock) const
{
    std::set<std::string_view> clients;
    for (const KnownWait &wait : knownAt(lock))
        if (!hasOwner(lock.waiters, wait.owner))
            clients.insert(wait.owner.client);
    return listeningAtLeast(lock) - std::ssize(clients);
}

std::int64_t WaitedLocks::listenersOf(const LockState &lock) const
{
    return std::max<std::int64_t>(0, moreThanKnown(lock));
}

std::optional<MonoTime> WaitedLocks::lostSince(const LockState &lock) const
{
    return m_allLostSince ? m_allLostSince : lockui::lostSince(m_losses, lock);
}

WaitedLocks::Groups WaitedLocks::groups() const
{
    std::vector<Place> root(m_locks.size());
    std::iota(root.begin(), root.end(), Place(0));
    const auto find = [&](Place place) {
        while (root[place] != place)
            place = root[place] = root[root[place]];
        return place;
    };
    for (const auto &[owner, part] : m_parts) {
        for (const auto *list : { &part.holds, &part.waits, &part.deadWaits })
            for (const Place place : *list) {
                const Place one = find(part.main());
                const Place other = find(place);
                root[std::max(one, other)] = std::min(one, other);
            }
    }
    Groups groups;
    for (Place place = 0; place < root.size(); ++place)
        groups[find(place)].push_back(place);
    return groups;
}

/// The cycle may be over since it was found.
bool WaitedLocks::stillStands(const WaitCycle &cycle) const
{
    return std::ranges::all_of(cycle, [&](const WaitEdge &edge) {
        const auto place = m_places.find(edge.lock);
        if (place == m_places.end())
            return false;
        const LockState &lock = *m_locks[place->second];
        const auto waiter = std::ranges::find(lock.waiters, edge.waiter, &Waiter::owner);
        return waiter != lock.waiters.end() && !isGhost(*waiter) && !waitsFor(lock, edge.holder);
    });
}

WaitedLocks::Cycles WaitedLocks::cycles(const Snapshot &snapshot, const Groups &groups) const
{
    Cycles found;
    if (!snapshot.analysis || !snapshot.analysis->graph || snapshot.analysis->graph->cycles.empty())
        return found;
    std::map<Place, Place> groupOf;
    for (const auto &[first, locks] : groups)
        for (const Place place : locks)
            groupOf[place] = first;
    for (const WaitCycle &cycle : snapshot.analysis->graph->cycles)
        if (!cycle.empty() && stillStands(cycle))
            found[groupOf.at(m_places.at(cycle.front().lock))].push_back(&cycle);
    return found;
}

namespace {

/// `lost`: when its server was; how long it goes on from then nobody sees.
void addTime(TimeLost &all, const Since &since, std::optional<MonoTime> lost)
{
    ++all.waits;
    if (lost) {
        all.seen += std::max(*lost - since.at, MonoTime::duration(0));
    } else {
        ++all.goingOn;
        all.began += since.at.time_since_epoch();
    }
    all.isAtLeast = all.isAtLeast || !since.exact;
}

} // namespace

ChainWeight WaitedLocks::weightOf(const Group &group) const
{
    ChainWeight weight;
    std::set<OwnerId> waiting;
    for (const Place place : group) {
        const LockState &lock = *m_locks[place];
        const auto lost = lostSince(lock);
        for (const Waiter *waiter : waitersOnce(lock)) {
            if (isGhost(*waiter) || !waitsFor(lock, waiter->owner))
                continue;
            waiting.insert(waiter->owner);
            if (waiter->subscribed)
                addTime(weight.lost, waiter->since, lost);
            else
                weight.mayBeGhosts = true;
        }
        for (const KnownWait &wait : knownAt(lock))
            if (waitsFor(lock, wait.owner) && waiting.insert(wait.owner).second)
                addTime(weight.lost, { wait.since, true }, lost);
        const auto others = moreThanKnown(lock);
        // A client of ours that is not among those who are counted asks without listening, or is not counted yet. And
        // who waits without a queue is counted by client instances, whether this program knows one of them or not.
        const bool isWithoutQueue = lock.waiters.empty() && !knownAt(lock).empty();
        const bool mayBeMore = others != 0 || isWithoutQueue || isSeenInPart(lock);
        weight.blocked += std::max<std::int64_t>(0, others);
        weight.lost.isPartly = weight.lost.isPartly || mayBeMore;
        weight.isBlockedAtLeast = weight.isBlockedAtLeast || mayBeMore || mayMoreWait(lock);
        weight.mayBeElsewhere = weight.mayBeElsewhere || (m_sharesChannels && others > 0 && isCountedAtChannel(lock));
    }
    weight.blocked += std::ssize(waiting);
    return weight;
}

const ChainCount &ChainCounter::count(const Snapshot &snapshot)
{
    LockList::Changes changes;
    forEachDifference(m_seen, snapshot.locks, [&](const WaitedLocks::Lock &before, const WaitedLocks::Lock &now) {
        const bool isWaitedFor = now && mayBeWaitedFor(*now);
        if (isWaitedFor || (before && mayBeWaitedFor(*before)))
            changes.emplace((now ? now : before)->name, isWaitedFor ? now : nullptr);
    });
    m_seen = snapshot.locks;
    m_waitedFor.apply(changes);
    const auto &analysis = snapshot.analysis;
    const bool mayHaveCycles
        = m_count.deadlocks > 0 || (analysis && analysis->graph && !analysis->graph->cycles.empty());
    if (changes.empty() && !mayHaveCycles)
        return m_count;
    const WaitedLocks waited(snapshot, m_waitedFor, {});
    const WaitedLocks::Groups groups = waited.groups();
    m_count = { std::ssize(groups), 0 };
    for (const auto &[first, cycles] : waited.cycles(snapshot, groups))
        m_count.deadlocks += std::ssize(cycles);
    return m_count;
}

} // namespace lockui
