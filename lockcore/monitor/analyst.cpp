// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/analyst.h"

#include "lockcore/monitor/channel_list.h"
#include "lockcore/monitor/suspects.h"
#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/monitor/wait_graph.h"
#include "lockcore/synchronizers/key_pattern.h"

#include <algorithm>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr Millis CycleLasts{ 1'000 }; // two queues are not read at the same moment
constexpr Millis ReadAgain{ 2'000 }; // after a gap

bool isQueue(const LockState &lock) { return !lock.waiters.empty() && !lock.holders.empty(); }

FindingPlace placeOf(const LockState &lock) { return { lock.name, lock.node }; }

} // namespace

Analyst::Analyst(AnalystSettings settings)
    : m_settings(std::move(settings))
    , m_graphNow(std::make_shared<const WaitGraph>())
    , m_graph(m_graphNow)
{
}

void Analyst::heard(const std::vector<Event> &events, MonoTime now)
{
    for (const auto &event : events) {
        m_statistics.heard(event, now);
        m_suspects.heard(event);
        m_lostHolds.heard(event, now);
        if (event.kind == EventKind::Gap)
            m_lookAtAllFrom = now + ReadAgain;
    }
}

std::shared_ptr<const Analysis> Analyst::look(const Snapshot &snapshot, Now now)
{
    m_now = now;
    lookAtNodes(snapshot);
    follow(snapshot.locks);
    lookAtLocks();
    lookAtChannels(snapshot);
    drawGraph();

    Analysis next;
    SuspectStore::IsWanted wanted;
    if (!m_settings.suspectsOf.isEmpty())
        wanted = [this](const LockName &lock) { return isWanted(lock); };
    const auto ripe = m_suspects.ripe(now.mono, wanted);
    next.at = now.mono;
    next.suspects = m_suspects.suspects(
        now.mono, m_settings.suspects, [this](const FindingPlace &place) { return findingsAt(place); }, wanted);
    next.moreSuspects = static_cast<std::int64_t>(ripe - std::min(ripe, m_settings.suspects));
    m_lostHolds.looked(m_locks, now.mono);
    next.pendingDeadlocks = std::count_if(m_cycles.begin(), m_cycles.end(), [&](const auto &known) {
        const auto &[cycle, since] = known;
        const auto isWantedHere = [&](const WaitEdge &edge) { return !wanted || wanted(edge.lock); };
        return now.mono - since < CycleLasts && std::any_of(cycle.begin(), cycle.end(), isWantedHere);
    });
    next.pending = static_cast<std::int64_t>(m_suspects.soonRipe(now.mono, wanted)) + next.pendingDeadlocks;
    next.pendingSuspects = m_suspects.pending(now.mono, m_settings.suspects, wanted);
    next.graph = m_graph;
    next.statistics = m_statistics.list(now.mono);
    if (m_last && m_last->suspects == next.suspects && m_last->pending == next.pending
        && m_last->pendingSuspects == next.pendingSuspects && m_last->graph == next.graph
        && m_last->moreSuspects == next.moreSuspects && m_last->statistics == next.statistics)
        return m_last;
    m_last = std::make_shared<const Analysis>(std::move(next));
    return m_last;
}

/// What nobody can see is not suspected; when it is seen again, everything starts anew.
void Analyst::lookAtNodes(const Snapshot &snapshot)
{
    std::set<std::string> stale;
    std::map<std::string, std::optional<MonoTime>> unseenSince;
    m_silentNodes.clear();
    m_sharedNodes.clear();
    if (snapshot.status.channelsShared)
        m_sharedNodes.emplace(); // for what is on several
    m_allLive = snapshot.status.phase == SourcePhase::Live;
    m_allStale = snapshot.nodes.empty() && snapshot.status.staleSince.has_value();
    for (const auto &node : snapshot.nodes) {
        if (!isWatched(node))
            continue; // what it keeps, its master tells
        m_allLive = m_allLive && node.status.phase == SourcePhase::Live;
        if (node.status.staleSince)
            stale.insert(node.node);
        unseenSince.emplace(node.node, node.status.staleSince);
        if (!isAnnouncing(node.status.feed))
            m_silentNodes.insert(node.node);
        if (node.status.channelsShared)
            m_sharedNodes.insert(node.node);
    }
    if (m_allStale)
        unseenSince.emplace(std::string(), snapshot.status.staleSince);
    m_statistics.lookAtServers(unseenSince);
    if (stale == m_staleNodes)
        return;
    m_staleNodes = std::move(stale);
    m_queuesChanged = true;
    m_suspects.forgetIf([this](const FindingPlace &place) { return isStale(place.node); });
    std::fill(m_lookAt.begin(), m_lookAt.end(), MonoTime());
}

bool Analyst::isStale(const std::string &node) const { return m_allStale || m_staleNodes.contains(node); }

/// One of the independent servers that have it may show it still.
bool Analyst::isStale(const LockState &lock) const
{
    if (lock.members.empty())
        return isStale(lock.node);
    return std::ranges::all_of(lock.members, [this](const Lock &member) { return isStale(member->node); });
}

/// Most locks are the same objects as at the last run.
void Analyst::follow(const LockList &locks)
{
    std::vector<MonoTime> lookAt;
    lookAt.reserve(locks.size());
    bool someGone = false;
    auto old = m_locks.begin();
    const auto end = m_locks.end();
    auto oldLookAt = m_lookAt.begin();
    const auto dropBefore = [&](const LockState *lock) {
        for (; old != end && (!lock || (*old)->name < lock->name); ++old, ++oldLookAt) {
            someGone = someGone || m_suspects.concerns((*old)->name);
            gone(**old);
        }
    };
    const auto take = [&](MonoTime at) {
        lookAt.push_back(at);
        ++old;
        ++oldLookAt;
    };
    const auto all = locks.end();
    for (auto lock = locks.begin(); lock != all;) {
        if (skipShared(old, lock)) {
            const auto first = std::exchange(oldLookAt, m_lookAt.begin() + (old - m_locks.begin()));
            lookAt.insert(lookAt.end(), first, oldLookAt);
            continue;
        }
        if (old == end || *old != *lock)
            dropBefore(lock->get());
        if (old != end && *old == *lock) {
            take(*oldLookAt);
        } else if (old != end && (*old)->name == (*lock)->name) {
            replaced(**old, **lock);
            take({});
        } else {
            m_queuesChanged = m_queuesChanged || isQueue(**lock);
            m_tokens.seen(**lock);
            lookAt.emplace_back();
        }
        ++lock;
    }
    dropBefore(nullptr);
    m_locks = locks;
    m_lookAt = std::move(lookAt);
    if (someGone)
        m_suspects.forgetIf([this](const FindingPlace &place) { return place.channel.empty() && !find(place.lock); });
}

void Analyst::gone(const LockState &lock)
{
    m_queuesChanged = m_queuesChanged || isQueue(lock);
    m_statistics.queueGone(lock, m_now.mono);
    m_lostHolds.vanished(lock, m_now.mono);
    m_tokens.vanished(lock.name);
}

void Analyst::replaced(const LockState &before, const LockState &after)
{
    m_queuesChanged = m_queuesChanged || isQueue(before) || isQueue(after);
    m_tokens.seen(after);
    if (before.node == after.node)
        return;
    m_statistics.queueMoved(before, after.node);
    m_lostHolds.vanished(before, m_now.mono);
    m_suspects.enter(placeOf(before), {}, m_now.mono);
}

const LockState *Analyst::find(const LockName &lock) const
{
    const auto place = m_locks.lowerBound(lock);
    return place != m_locks.end() && (*place)->name == lock ? place->get() : nullptr;
}

/// A lock that is not there, and whose channel is listened to, has a name at least.
bool Analyst::isWanted(const LockName &lock) const
{
    if (const LockState *state = find(lock))
        return m_settings.suspectsOf.matches(*state, m_now.mono);
    LockState named;
    named.name = lock;
    return m_settings.suspectsOf.matches(named, m_now.mono);
}

void Analyst::lookAtLocks()
{
    if (m_lookAtAllFrom && *m_lookAtAllFrom <= m_now.mono) {
        m_lookAtAllFrom.reset();
        std::fill(m_lookAt.begin(), m_lookAt.end(), MonoTime());
    }
    std::size_t rechecks = 0;
    const std::size_t first = m_nextRecheck < m_lookAt.size() ? m_nextRecheck : 0;
    m_nextRecheck = 0;
    for (std::size_t i = 0; i < m_lookAt.size(); ++i) {
        const std::size_t number = (first + i) % m_lookAt.size();
        auto &lookAt = m_lookAt[number];
        if (lookAt > m_now.mono)
            continue;
        const bool isChanged = lookAt == MonoTime{};
        if (!isChanged && ++rechecks > m_settings.rechecks) {
            if (m_nextRecheck == 0)
                m_nextRecheck = number;
            continue;
        }
        lookAt = examine(*m_locks[number]);
    }
}

/// When to look again.
MonoTime Analyst::examine(const LockState &lock)
{
    bool found = false;
    MonoTime next = MonoTime::max();
    const auto examinePart = [&](const LockState &part) {
        found = examineOne(part) || found;
        next = std::min(next, nextLookAt(part, m_now.mono).value_or(MonoTime::max()));
    };
    if (lock.members.empty())
        examinePart(lock);
    for (const auto &member : lock.members) // each independent server has its own
        examinePart(*member);
    if (!lock.members.empty()) {
        auto findings = findingsOfAll(lock);
        found = found || !findings.empty();
        m_suspects.enter(placeOf(lock), std::move(findings), m_now.mono);
    }
    return found || m_lostHolds.concerns(lock.name) ? m_now.mono : next;
}

bool Analyst::examineOne(const LockState &lock)
{
    std::vector<Finding> findings;
    if (!isStale(lock)) {
        m_statistics.queueSeen(lock, m_now.mono);
        findings = findingsIn(lock);
    }
    const bool found = !findings.empty();
    m_suspects.enter(placeOf(lock), std::move(findings), m_now.mono);
    return found;
}

std::vector<Finding> Analyst::findingsIn(const LockState &lock) const
{
    auto findings = findingsOf({ lock, m_now, !m_silentNodes.contains(lock.node), m_statistics.of(lock.name),
        m_sharedNodes.contains(lock.node) });
    if (auto rival = m_lostHolds.rival(lock, m_now.mono))
        findings.push_back(std::move(*rival));
    if (auto back = m_tokens.setBack(lock))
        findings.push_back(std::move(*back));
    return findings;
}

std::vector<Finding> Analyst::findingsAt(const FindingPlace &place) const
{
    if (!place.channel.empty()) {
        const auto known = m_freeChannels.find(place);
        return known == m_freeChannels.end() ? std::vector<Finding>() : std::vector{ known->second.finding };
    }
    const LockState *lock = find(place.lock);
    if (lock == nullptr)
        return {};
    if (!lock->members.empty() && place.node == lock->node)
        return findingsOfAll(*lock);
    if (lock->members.empty())
        return lock->node == place.node ? findingsIn(*lock) : std::vector<Finding>();
    const auto member = std::ranges::find(lock->members, place.node, [](const Lock &each) { return each->node; });
    return member == lock->members.end() ? std::vector<Finding>() : findingsIn(**member);
}

void Analyst::lookAtChannels(const Snapshot &snapshot)
{
    std::map<FindingPlace, FreeChannel> free;
    const std::size_t number
        = snapshot.channels && m_allLive ? std::min(snapshot.channels->size(), m_settings.channels) : 0;
    for (std::size_t i = 0; i < number; ++i) {
        const auto &channel = (*snapshot.channels)[i];
        const auto names = locksOfChannel(channel.channel);
        const auto unseen = std::ranges::find_if(
            names, [this](const LockName &name) { return !matchesPattern(m_settings.keyPattern, name); });
        const bool isOneAlone = std::ranges::any_of(
            names, [this](const LockName &name) { return m_settings.keyPattern == exactPattern(name); });
        if (names.empty() || (unseen != names.end() && !isOneAlone))
            continue;
        std::vector<const LockState *> locks;
        for (const auto &name : names) {
            if (const auto *lock = find(name))
                locks.push_back(lock);
        }
        FindingPlace place{ names.front(), channel.node, channel.channel };
        const auto known = m_freeChannels.find(place);
        const auto since = known == m_freeChannels.end() ? m_now.mono : known->second.since;
        if (auto finding = findingOf(channel, locks, since, m_now.mono)) {
            const bool isCounted
                = std::ranges::any_of(locks, [](const LockState *lock) { return isCountedOften(*lock); });
            finding->holdOff = channelHoldOff(snapshot.channels->size());
            if (isCounted && !m_silentNodes.contains(channel.node))
                finding->holdOff = std::min(finding->holdOff, countHoldOff(m_locks.size()));
            finding->evidence.leavesTwinOut = unseen != names.end();
            finding->evidence.mayBeElsewhere = m_sharedNodes.contains(channel.node);
            m_suspects.enter(place, { *finding }, m_now.mono);
            free.emplace(std::move(place), FreeChannel{ since, std::move(*finding) });
        }
    }
    m_freeChannels = std::move(free);
    m_suspects.forgetIf(
        [this](const FindingPlace &place) { return !place.channel.empty() && !m_freeChannels.contains(place); });
}

/// Some of it is out of sight, and as far as anybody knows nothing of it has changed.
bool Analyst::stoodWhenLost(const WaitCycle &cycle) const
{
    bool isLost = false;
    for (const WaitEdge &edge : cycle) {
        const LockState *lock = find(edge.lock);
        if (lock == nullptr || !hasOwner(lock->holders, edge.holder))
            return false;
        const auto waiter = std::ranges::find(lock->waiters, edge.waiter, &Waiter::owner);
        if (waiter == lock->waiters.end() || isGhost(*waiter))
            return false;
        isLost = isLost || isStale(*lock);
    }
    return isLost;
}

/// A deadlock of which a server is lost stays as it was when it was last seen. What nobody can see makes no new one.
void Analyst::drawGraph()
{
    if (std::exchange(m_queuesChanged, false)) {
        std::vector<Lock> queues;
        for (const auto &lock : m_locks) {
            if (isQueue(*lock) && !isStale(*lock))
                queues.push_back(lock);
        }
        auto graph = waitGraph(queues);
        if (graph != *m_graphNow)
            m_graphNow = std::make_shared<const WaitGraph>(std::move(graph));
    }
    std::map<WaitCycle, MonoTime> cycles;
    std::vector<WaitCycle> lasting;
    for (const auto &cycle : m_graphNow->cycles) {
        const auto known = m_cycles.find(cycle);
        const auto since = known == m_cycles.end() ? m_now.mono : known->second;
        cycles.emplace(cycle, since);
        if (m_now.mono - since >= CycleLasts)
            lasting.push_back(cycle);
    }
    m_cycles = std::move(cycles);
    std::ranges::copy_if(
        m_graph->cycles, std::back_inserter(lasting), [this](const auto &cycle) { return stoodWhenLost(cycle); });
    if (lasting == m_graphNow->cycles)
        m_graph = m_graphNow;
    else if (lasting != m_graph->cycles || m_graphNow->edges != m_graph->edges)
        m_graph = std::make_shared<const WaitGraph>(WaitGraph{ m_graphNow->edges, std::move(lasting) });
}

} // namespace lockcore::monitor
