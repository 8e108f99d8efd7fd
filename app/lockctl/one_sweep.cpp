// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/one_sweep.h"

#include "app/lockctl/lock_json.h"

#include <algorithm>

namespace lockctl {

using lockcore::MonitorService;
using lockcore::SourcePhase;

namespace {

using namespace std::chrono_literals;

/// For the number of waiting clients, which is asked for when all locks are known, and may be refused.
constexpr auto Patience = 500ms;

bool knowsWaiting(const lockcore::Snapshot &snapshot)
{
    return std::all_of(snapshot.locks.begin(), snapshot.locks.end(),
        [](const auto &lock) { return subscribedClients(*lock).has_value(); });
}

} // namespace

OneSweep::OneSweep(lockcore::MonitorOptions options, QObject *parent)
    : QObject(parent)
    , m_monitor(std::move(options))
{
    m_patience.setSingleShot(true);
    connect(&m_monitor, &MonitorService::snapshotReady, this, &OneSweep::look);
    connect(&m_patience, &QTimer::timeout, this, &OneSweep::finish);
}

void OneSweep::start(const lockcore::Deployment &deployment) { m_monitor.open(deployment); }

void OneSweep::look()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::SourceStatus &status = snapshot->status;
    const bool broken = status.phase == SourcePhase::Failed || status.phase == SourcePhase::Stale;
    const bool complete = status.phase == SourcePhase::Live && status.lastSweep;
    if (m_over || (!broken && !complete))
        return;
    if (broken) {
        m_over = true;
        m_patience.stop();
        Q_EMIT failed(status.error.value_or(
            lockcore::Error{ lockcore::ErrorCode::ConnectionClosed, "the connection was lost", "reading the locks" }));
    } else if (knowsWaiting(*snapshot)) {
        finish();
    } else if (!m_patience.isActive()) {
        m_patience.start(Patience);
    }
}

void OneSweep::finish()
{
    m_over = true;
    m_patience.stop();
    Q_EMIT done(m_monitor.latest());
}

const lockcore::LockState *findLock(const lockcore::Snapshot &snapshot, const lockcore::LockName &name)
{
    const auto place = std::lower_bound(snapshot.locks.begin(), snapshot.locks.end(), name,
        [](const auto &lock, const lockcore::LockName &wanted) { return lock->name < wanted; });
    return place != snapshot.locks.end() && (*place)->name == name ? place->get() : nullptr;
}

} // namespace lockctl
