// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "lockcore/service/monitor.h"

#include <QTimer>

namespace lockctl {

/// Draws the newest snapshot over and over on the terminal's second screen; puts everything back at the end.
class LiveTable {
public:
    LiveTable(lockcore::service::Monitor &monitor, lockcore::monitor::LockFilter filter);
    ~LiveTable();
    LiveTable(const LiveTable &) = delete;
    LiveTable &operator=(const LiveTable &) = delete;

private:
    void draw() const;

    lockcore::service::Monitor &m_monitor;
    lockcore::monitor::LockFilter m_filter;
    QTimer m_timer;
};

} // namespace lockctl
