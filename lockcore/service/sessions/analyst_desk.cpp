// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/analyst_desk.h"

#include "lockcore/transport/clock.h"

#include <utility>

namespace lockcore::service {

using namespace transport;
using namespace monitor;

namespace {

constexpr Millis LookEvery{ 1'000 };

/// A server that was seen once and cannot be reached now is not waited for.
bool hasSeenAll(const SourceStatus &status)
{
    return status.phase == SourcePhase::Live || (status.phase == SourcePhase::Stale && status.lastSweep);
}

} // namespace

AnalystDesk::AnalystDesk(AnalystSettings settings, MonitorSession::Sink sink)
    : m_settings(std::move(settings))
    , m_sink(std::move(sink))
    , m_analyst(std::make_shared<Analyst>(m_settings))
{
    connect(&m_timer, &QTimer::timeout, this, &AnalystDesk::look);
    m_thread.setObjectName(QStringLiteral("analyst"));
    m_there.moveToThread(&m_thread);
    m_thread.start();
}

AnalystDesk::~AnalystDesk()
{
    m_thread.quit();
    m_thread.wait();
}

MonitorSession::Sink AnalystDesk::sink()
{
    auto throughDesk = m_sink;
    throughDesk.publish = [this](std::shared_ptr<const Snapshot> snapshot) { take(std::move(snapshot)); };
    throughDesk.report = [this](const EventList &events) {
        heard(events);
        m_sink.report(events);
    };
    return throughDesk;
}

void AnalystDesk::restart()
{
    ++m_run;
    m_isLooking = false;
    m_timer.stop();
    m_analyst = std::make_shared<Analyst>(m_settings);
    m_snapshot.reset();
    m_analysis.reset();
    m_lookedAt.reset();
}

void AnalystDesk::heard(const EventList &events)
{
    QMetaObject::invokeMethod(
        &m_there, [analyst = m_analyst, events, now = monoNow()] { analyst->heard(*events, now); });
}

/// Who looks but once sees what follows, too: the first time that all has been seen waits for it.
void AnalystDesk::take(std::shared_ptr<const Snapshot> snapshot)
{
    m_snapshot = std::move(snapshot);
    const bool complete = hasSeenAll(m_snapshot->status);
    if (complete && (!m_analysis || monoNow() - *m_lookedAt >= LookEvery))
        look();
    if (complete && !m_timer.isActive())
        m_timer.start(LookEvery);
    if (!complete || m_analysis)
        passOn();
}

void AnalystDesk::look()
{
    if (std::exchange(m_isLooking, true))
        return;
    const Now now = readClocks();
    m_lookedAt = now.mono;
    QMetaObject::invokeMethod(&m_there, [this, analyst = m_analyst, snapshot = m_snapshot, now, run = m_run] {
        QMetaObject::invokeMethod(this, [this, analysis = analyst->look(*snapshot, now), run] {
            if (run == m_run)
                looked(analysis);
        });
    });
}

void AnalystDesk::looked(std::shared_ptr<const Analysis> analysis)
{
    m_isLooking = false;
    if (m_analysis == analysis)
        return;
    m_analysis = std::move(analysis);
    passOn();
}

void AnalystDesk::passOn()
{
    if (!m_analysis)
        return m_sink.publish(m_snapshot);
    auto snapshot = std::make_shared<Snapshot>(*m_snapshot);
    snapshot->analysis = m_analysis;
    m_sink.publish(std::move(snapshot));
}

} // namespace lockcore::service
