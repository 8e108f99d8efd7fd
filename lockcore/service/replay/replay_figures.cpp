// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/replay_figures.h"

#include "lockcore/monitor/listeners.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace monitor;

void ReplayFigures::setRecording(std::vector<recording::RecordedSpan> sessions, Recorded recorded)
{
    m_sessions = std::move(sessions);
    m_ends.clear();
    m_sums.reset();
    m_recordedAt = std::move(recorded);
}

void ReplayFigures::restart(MonoTime since)
{
    m_store = std::make_unique<StatisticsStore>(StatisticsLimits(), WaitsKnown::AsTold);
    m_at = {};
    m_since = since;
    m_taken.reset();
    const bool isBeginning = std::ranges::any_of(m_sessions, [since](const auto &session) {
        return since <= session.first && session.first - since < std::chrono::seconds(1);
    });
    m_ratesSince.reset(); // where older events are only left out, they were counted
    if (isBeginning)
        countRatesFrom(since);
}

void ReplayFigures::countRatesFrom(MonoTime moment)
{
    m_rates.start(moment);
    m_ratesSince = moment;
}

/// Those of earlier sessions, each without what it began with, and what the one of that moment began with.
void ReplayFigures::sumUp(MonoTime at)
{
    const auto next = std::ranges::upper_bound(m_sessions, at, {}, &recording::RecordedSpan::first);
    const auto session = static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - m_sessions.begin(), 1) - 1);
    if (m_sums && m_sums->since == m_since && m_sums->session == session)
        return;
    m_taken.reset();
    m_sums = Sums{ m_since, session, {} };
    std::map<LockName, MonoTime> counted;
    for (std::size_t i = 0; i <= session && i < m_sessions.size(); ++i) {
        if (m_sessions[i].last < m_since)
            continue;
        const auto begin = waitsAt(std::max(m_sessions[i].first, m_since));
        const auto end = i == session ? std::optional(Waits()) : waitsAt(m_sessions[i].last);
        if (i == session)
            m_sums->isReadable = begin.has_value();
        if (!begin || !end)
            continue;
        for (const auto &[lock, waited] : *begin)
            m_sums->waited[lock] -= waited.before(counted.try_emplace(lock, MonoTime::min()).first->second);
        for (const auto &[lock, waited] : *end) {
            m_sums->waited[lock] += waited.blocked;
            counted[lock] = waited.until;
        }
    }
}

/// What had been waited until then, without what those had waited who wait still; what they had until `counted` is
/// counted already.
Millis ReplayFigures::Waited::before(MonoTime counted) const
{
    Millis others = blocked;
    for (const MonoTime began : since)
        others -= std::chrono::floor<Millis>(std::max(until - std::max(began, counted), MonoTime::duration{}));
    return std::max(others, Millis{ 0 });
}

std::optional<ReplayFigures::Waits> ReplayFigures::waitsAt(MonoTime moment)
{
    if (const auto known = m_ends.find(moment); known != m_ends.end())
        return known->second;
    const auto snapshot = m_recordedAt(moment);
    if (!snapshot)
        return std::nullopt;
    Waits waits;
    if (snapshot->analysis)
        for (const auto &each : *snapshot->analysis->statistics)
            if (each->blocked > Millis{ 0 })
                waits[each->lock]
                    = { each->blocked, std::min(each->blockedUntil.value_or(snapshot->analysis->at), moment), {} };
    for (auto &[name, waited] : waits) {
        const auto lock = snapshot->locks.find(name);
        for (const Waiter &waiter : lock ? lock->waiters : std::vector<Waiter>()) {
            if (listens(waiter) && !hasOwner(lock->holders, waiter.owner))
                waited.since.push_back(waiter.since.at);
        }
    }
    const auto isEnd
        = [moment](const recording::RecordedSpan &each) { return each.first == moment || each.last == moment; };
    if (std::ranges::any_of(m_sessions, isEnd))
        m_ends.emplace(moment, waits);
    return waits;
}

/// A figure falls where the monitor found that it had counted on while its server was lost already.
void ReplayFigures::takeWaits(const std::shared_ptr<const StatisticsList> &recorded)
{
    if (m_taken == recorded || !m_sums->isReadable)
        return;
    m_taken = recorded;
    auto waited = m_sums->waited;
    std::map<LockName, std::optional<MonoTime>> until;
    for (const auto &each : *recorded) {
        if (each->blocked == Millis{ 0 })
            continue;
        waited[each->lock] += each->blocked;
        until[each->lock] = each->blockedUntil;
    }
    for (const auto &[lock, time] : waited)
        m_store->setBlocked(lock, std::max(time, Millis{ 0 }), until[lock], m_at);
}

/// Events are told in the order in which they were heard, which is not quite that of their times.
void ReplayFigures::heard(const Event &event, MonoTime at)
{
    m_at = std::max(m_at, at);
    m_store->heard(event, m_at);
    if (event.kind == EventKind::Gap && event.node.empty()) // another session: what was before it nobody recorded
        countRatesFrom(m_at);
    m_rates.count(event.kind, event.certainty, m_at);
}

std::shared_ptr<const Snapshot> ReplayFigures::in(std::shared_ptr<const Snapshot> recorded, MonoTime at)
{
    constexpr std::chrono::seconds Counted{ 11 }; // all that is recorded as a rate
    m_at = std::max(m_at, at);
    if (m_ratesSince && m_at - *m_ratesSince < Counted) {
        auto own = std::make_shared<Snapshot>(*recorded);
        own->status.rates = m_rates.rates(m_at);
        recorded = std::move(own);
    }
    if (!recorded->analysis)
        return recorded;
    sumUp(at);
    takeWaits(recorded->analysis->statistics);
    const auto counted = m_store->list(m_at);
    const bool isSame = m_shown && m_recorded == recorded->analysis && m_shown->statistics == counted;
    if (!isSame) {
        auto analysis = std::make_shared<Analysis>(*recorded->analysis);
        analysis->statistics = counted;
        m_recorded = recorded->analysis;
        m_shown = std::move(analysis);
    }
    auto shown = std::make_shared<Snapshot>(*recorded);
    shown->analysis = m_shown;
    return shown;
}

} // namespace lockcore::service
