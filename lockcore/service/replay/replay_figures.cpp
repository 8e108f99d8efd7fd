// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/replay/replay_figures.h"

#include <algorithm>
#include <utility>

namespace lockcore::service {

using namespace monitor;

void ReplayFigures::setRecording(std::vector<recording::RecordedSpan> sessions, Recorded recorded)
{
    m_sessions = std::move(sessions);
    m_recordedAt = std::move(recorded);
}

void ReplayFigures::restart(MonoTime since)
{
    m_store = std::make_unique<StatisticsStore>(StatisticsLimits{ .addsUpWaits = false });
    m_at = {};
    m_since = since;
    m_taken.reset();
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
    for (std::size_t i = 0; i <= session && i < m_sessions.size(); ++i) {
        if (m_sessions[i].last < m_since)
            continue;
        const bool isBegun = add(std::max(m_sessions[i].first, m_since), -1);
        if (i == session)
            m_sums->isReadable = isBegun;
        else if (isBegun)
            add(m_sessions[i].last, 1);
    }
}

bool ReplayFigures::add(MonoTime moment, int times)
{
    const auto snapshot = m_recordedAt(moment);
    if (snapshot && snapshot->analysis)
        for (const auto &each : *snapshot->analysis->statistics)
            if (each->blocked > Millis{ 0 })
                m_sums->waited[each->lock] += each->blocked * times;
    return snapshot != nullptr;
}

/// A figure falls where the monitor found that it had counted on while its server was lost already.
void ReplayFigures::takeWaits(const std::shared_ptr<const StatisticsList> &recorded)
{
    if (m_taken == recorded || !m_sums->isReadable)
        return;
    m_taken = recorded;
    std::map<LockName, Millis> waited = m_sums->waited;
    for (const auto &each : *recorded)
        if (each->blocked > Millis{ 0 })
            waited[each->lock] += each->blocked;
    for (const auto &[lock, time] : waited)
        m_store->setBlocked(lock, std::max(time, Millis{ 0 }), m_at);
}

/// Events are told in the order in which they were heard, which is not quite that of their times.
void ReplayFigures::heard(const Event &event, MonoTime at)
{
    m_at = std::max(m_at, at);
    m_store->heard(event, m_at);
}

std::shared_ptr<const Snapshot> ReplayFigures::in(std::shared_ptr<const Snapshot> recorded, MonoTime at)
{
    m_at = std::max(m_at, at);
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
