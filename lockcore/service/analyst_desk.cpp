// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/analyst_desk.h"

#include "lockcore/client/clock.h"

#include <utility>

namespace lockcore {

namespace {

constexpr Millis LookEvery{ 1'000 };

} // namespace

AnalystDesk::AnalystDesk(AnalystSettings settings, MonitorSession::Outlet outlet)
    : m_settings(std::move(settings))
    , m_outlet(std::move(outlet))
    , m_analyst(std::make_unique<Analyst>(m_settings))
{
    connect(&m_timer, &QTimer::timeout, this, [this] {
        const auto before = m_analysis;
        look();
        if (m_analysis != before)
            passOn();
    });
}

MonitorSession::Outlet AnalystDesk::inlet()
{
    auto inlet = m_outlet;
    inlet.publish = [this](std::shared_ptr<const Snapshot> snapshot) { take(std::move(snapshot)); };
    inlet.report = [this](const EventList &events) {
        m_analyst->heard(*events, monoNow());
        m_outlet.report(events);
    };
    return inlet;
}

void AnalystDesk::restart()
{
    m_timer.stop();
    m_analyst = std::make_unique<Analyst>(m_settings);
    m_snapshot.reset();
    m_analysis.reset();
    m_lookedAt.reset();
}

void AnalystDesk::take(std::shared_ptr<const Snapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    const bool complete = m_snapshot->status.phase == SourcePhase::Live;
    // At once when everything has been seen for the first time: somebody may look but once.
    if (complete && (!m_analysis || monoNow() - *m_lookedAt >= LookEvery))
        look();
    if (complete && !m_timer.isActive())
        m_timer.start(LookEvery);
    passOn();
}

void AnalystDesk::look()
{
    const Now now = readClocks();
    m_lookedAt = now.mono;
    m_analysis = m_analyst->look(*m_snapshot, now);
}

void AnalystDesk::passOn()
{
    if (!m_analysis)
        return m_outlet.publish(m_snapshot);
    auto snapshot = std::make_shared<Snapshot>(*m_snapshot);
    snapshot->analysis = m_analysis;
    m_outlet.publish(std::move(snapshot));
}

} // namespace lockcore
