// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/one_sweep.h"

#include <algorithm>

namespace lockctl {

using lockcore::MonitorService;
using lockcore::SourcePhase;

OneSweep::OneSweep(lockcore::MonitorOptions options, QObject *parent)
    : QObject(parent)
    , m_monitor(std::move(options))
{
    connect(&m_monitor, &MonitorService::snapshotReady, this, &OneSweep::look);
}

void OneSweep::start(const lockcore::Endpoint &endpoint) { m_monitor.open(endpoint); }

void OneSweep::look()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::SourceStatus &status = snapshot->status;
    const bool broken = status.phase == SourcePhase::Failed || status.phase == SourcePhase::Stale;
    const bool complete = status.phase == SourcePhase::Live && status.lastSweep;
    if (m_over || (!broken && !complete))
        return;
    m_over = true;
    if (complete)
        Q_EMIT done(snapshot);
    else
        Q_EMIT failed(status.error.value_or(
            lockcore::Error{ lockcore::ErrorCode::ConnectionClosed, "the connection was lost", "reading the locks" }));
}

const lockcore::LockState *findLock(const lockcore::Snapshot &snapshot, const lockcore::LockName &name)
{
    const auto place = std::lower_bound(snapshot.locks.begin(), snapshot.locks.end(), name,
        [](const auto &lock, const lockcore::LockName &wanted) { return lock->name < wanted; });
    return place != snapshot.locks.end() && (*place)->name == name ? place->get() : nullptr;
}

} // namespace lockctl
