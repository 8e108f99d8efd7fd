// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/analyst.h"

#include "lockcore/monitor/channel_rules.h"
#include "lockcore/monitor/suspect_rules.h"
#include "lockcore/monitor/wait_graph.h"
#include "lockcore/synchronizers/lock_reader.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockcore {

namespace {

constexpr Millis CycleLasts{ 1'000 }; // two queues are not read at the same moment

bool isBefore(const LockState &a, const LockState &b) { return std::tie(a.name, a.node) < std::tie(b.name, b.node); }

bool isAnnounced(Feed feed) { return feed == Feed::ClientTracking || feed == Feed::KeyspaceNotifications; }

bool isQueue(const LockState &lock) { return !lock.waiters.empty() && !lock.holders.empty(); }

TroublePlace placeOf(const LockState &lock) { return { lock.name, lock.node }; }

} // namespace

Analyst::Analyst(AnalystSettings settings)
    : m_settings(std::move(settings))
    , m_graph(std::make_shared<const WaitGraph>())
{
}

void Analyst::heard(const std::vector<Event> &events, MonoTime now)
{
    for (const auto &event : events) {
        m_statistics.heard(event, now);
        m_suspects.heard(event);
        m_lostHolds.heard(event, now);
    }
}

std::shared_ptr<const Analysis> Analyst::look(const Snapshot &snapshot, Now now)
{
    m_now = now;
    lookAtNodes(snapshot);
    follow(snapshot);
    lookAtLocks();
    lookAtChannels(snapshot);
    drawGraph();
    m_lostHolds.looked(now.mono);

    Analysis next;
    const auto ripe = m_suspects.ripe(now.mono);
    next.at = now.mono;
    next.suspects = m_suspects.suspects(now.mono, m_settings.suspects);
    next.moreSuspects = static_cast<std::int64_t>(ripe - next.suspects.size());
    next.pending = static_cast<std::int64_t>(m_suspects.soonRipe(now.mono) + m_cycles.size() - m_graph->cycles.size());
    next.graph = m_graph;
    next.statistics = m_statistics.list(now.mono);
    if (m_last && m_last->suspects == next.suspects && m_last->pending == next.pending && m_last->graph == next.graph
        && m_last->moreSuspects == next.moreSuspects && m_last->statistics == next.statistics)
        return m_last;
    m_last = std::make_shared<const Analysis>(std::move(next));
    return m_last;
}

/// What nobody can see is not suspected; when it is seen again, everything starts anew.
void Analyst::lookAtNodes(const Snapshot &snapshot)
{
    std::set<std::string> stale;
    m_silentNodes.clear();
    m_allLive = snapshot.status.phase == SourcePhase::Live;
    m_allStale = snapshot.nodes.empty() && snapshot.status.staleSince.has_value();
    for (const auto &node : snapshot.nodes) {
        m_allLive = m_allLive && node.status.phase == SourcePhase::Live;
        if (node.status.staleSince)
            stale.insert(node.node);
        if (!isAnnounced(node.status.feed))
            m_silentNodes.insert(node.node);
    }
    if (stale == m_staleNodes)
        return;
    m_staleNodes = std::move(stale);
    m_queuesChanged = true;
    m_suspects.forgetIf([this](const TroublePlace &place) { return isStale(place.node); });
    for (auto &known : m_known)
        known.lookAt = {};
}

bool Analyst::isStale(const std::string &node) const { return m_allStale || m_staleNodes.contains(node); }

/// Most locks are the same objects as at the last run.
void Analyst::follow(const Snapshot &snapshot)
{
    std::vector<Known> next;
    next.reserve(snapshot.locks.size());
    bool someGone = false;
    auto old = m_known.begin();
    const auto drop = [&] {
        someGone = someGone || old->suspected;
        m_queuesChanged = m_queuesChanged || isQueue(*old->lock);
        m_lostHolds.vanished(*old->lock, m_now.mono);
        ++old;
    };
    for (const auto &lock : snapshot.locks) {
        while (
            old != m_known.end() && old->lock != lock && isBefore(*old->lock, *lock) && old->lock->name != lock->name)
            drop();
        if (old == m_known.end() || (old->lock != lock && old->lock->name != lock->name)) {
            m_queuesChanged = m_queuesChanged || isQueue(*lock);
            next.push_back({ lock, {} });
            continue;
        }
        if (old->lock == lock) {
            next.push_back(std::move(*old));
        } else {
            replaced(*old->lock, *lock);
            next.push_back({ lock, {}, old->suspected });
        }
        ++old;
    }
    while (old != m_known.end())
        drop();
    m_known = std::move(next);
    if (someGone)
        m_suspects.forgetIf([this](const TroublePlace &place) { return place.channel.empty() && !find(place.lock); });
}

void Analyst::replaced(const LockState &before, const LockState &after)
{
    m_queuesChanged = m_queuesChanged || isQueue(before) || isQueue(after);
    if (before.node == after.node)
        return;
    m_lostHolds.vanished(before, m_now.mono);
    m_suspects.enter(placeOf(before), {}, m_now.mono);
}

const LockState *Analyst::find(const LockName &lock) const
{
    const auto place = std::lower_bound(m_known.begin(), m_known.end(), lock,
        [](const Known &known, const LockName &name) { return known.lock->name < name; });
    return place != m_known.end() && place->lock->name == lock ? place->lock.get() : nullptr;
}

void Analyst::lookAtLocks()
{
    std::size_t rechecks = 0;
    const std::size_t first = m_nextRecheck < m_known.size() ? m_nextRecheck : 0;
    m_nextRecheck = 0;
    for (std::size_t i = 0; i < m_known.size(); ++i) {
        const std::size_t place = (first + i) % m_known.size();
        auto &known = m_known[place];
        if (known.lookAt > m_now.mono)
            continue;
        const bool isChanged = known.lookAt == MonoTime{};
        if (!isChanged && ++rechecks > m_settings.rechecks) {
            if (m_nextRecheck == 0)
                m_nextRecheck = place;
            continue;
        }
        examine(known, twinOf(place));
    }
}

/// The same name on another server of the cluster: it can be read on both while its slot moves.
const LockState *Analyst::twinOf(std::size_t place) const
{
    const auto &lock = *m_known[place].lock;
    for (const auto other : { place - 1, place + 1 }) {
        if (other < m_known.size() && m_known[other].lock->name == lock.name && !isStale(m_known[other].lock->node))
            return m_known[other].lock.get();
    }
    return nullptr;
}

void Analyst::examine(Known &known, const LockState *twin)
{
    const auto &lock = *known.lock;
    std::size_t found = 0;
    if (lock.members.empty()) {
        found = examineOne(lock, twin);
        known.lookAt = nextLookAt(lock, m_now.mono).value_or(MonoTime::max());
    } else {
        known.lookAt = MonoTime::max();
        for (const auto &member : lock.members) { // each independent server has its own
            found += examineOne(*member, nullptr);
            known.lookAt = std::min(known.lookAt, nextLookAt(*member, m_now.mono).value_or(MonoTime::max()));
        }
    }
    known.suspected = found > 0;
    if (found > 0 || m_lostHolds.concerns(lock.name))
        known.lookAt = m_now.mono;
}

std::size_t Analyst::examineOne(const LockState &lock, const LockState *twin)
{
    if (isStale(lock.node)) {
        m_suspects.enter(placeOf(lock), {}, m_now.mono);
        return 0;
    }
    auto findings = findingsOf({ lock, m_now, !m_silentNodes.contains(lock.node), m_statistics.of(lock.name) });
    if (auto rival = m_lostHolds.rival(lock, m_now.mono))
        findings.push_back(std::move(*rival));
    if (twin != nullptr) {
        if (auto rival = findingOf(lock, *twin))
            findings.push_back(std::move(*rival));
    }
    const auto number = findings.size();
    m_suspects.enter(placeOf(lock), std::move(findings), m_now.mono);
    return number;
}

void Analyst::lookAtChannels(const Snapshot &snapshot)
{
    std::map<TroublePlace, MonoTime> free;
    const std::size_t number
        = snapshot.channels && m_allLive ? std::min(snapshot.channels->size(), m_settings.channels) : 0;
    for (std::size_t i = 0; i < number; ++i) {
        const auto &channel = (*snapshot.channels)[i];
        const auto names = waitedForOn(channel.channel);
        if (names.empty() || !std::all_of(names.begin(), names.end(), [this](const auto &name) {
                return matchesPattern(m_settings.keyPattern, name);
            }))
            continue;
        std::vector<const LockState *> locks;
        for (const auto &name : names) {
            if (const auto *lock = find(name))
                locks.push_back(lock);
        }
        TroublePlace place{ names.front(), channel.node, channel.channel };
        const auto known = m_freeSince.find(place);
        const auto since = known == m_freeSince.end() ? m_now.mono : known->second;
        if (auto finding = findingOf(channel, locks, since, m_now.mono)) {
            finding->holdOff = channelHoldOff(snapshot.channels->size());
            m_suspects.enter(place, { std::move(*finding) }, m_now.mono);
            free.emplace(std::move(place), since);
        }
    }
    m_freeSince = std::move(free);
    m_suspects.forgetIf(
        [this](const TroublePlace &place) { return !place.channel.empty() && !m_freeSince.contains(place); });
}

void Analyst::drawGraph()
{
    if (std::exchange(m_queuesChanged, false)) {
        std::vector<Lock> queues;
        for (const auto &known : m_known) {
            if (isQueue(*known.lock) && !isStale(known.lock->node))
                queues.push_back(known.lock);
        }
        m_graphNow = waitGraph(queues);
    }
    std::map<WaitCycle, MonoTime> cycles;
    WaitGraph lasting{ m_graphNow.edges, {} };
    for (const auto &cycle : m_graphNow.cycles) {
        const auto known = m_cycles.find(cycle);
        const auto since = known == m_cycles.end() ? m_now.mono : known->second;
        cycles.emplace(cycle, since);
        if (m_now.mono - since >= CycleLasts)
            lasting.cycles.push_back(cycle);
    }
    m_cycles = std::move(cycles);
    if (lasting != *m_graph)
        m_graph = std::make_shared<const WaitGraph>(std::move(lasting));
}

} // namespace lockcore
