// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/output.h"
#include "app/lockctl/status_note.h"
#include "lockcore/monitor/lock_filter.h"
#include "lockcore/service/monitor.h"

#include <QTimer>
#include <optional>
#include <string>

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

/// A line of `watch` where there is no terminal. `areCopies`: each of its servers, which are independent, has one of a
/// lock.
std::string eventText(const lockcore::monitor::Event &event, bool areCopies);

/// A live table on a terminal, else a line an event, until it is interrupted or nobody reads.
class Watch : public Command {
public:
    Watch(WatchRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override;
    void interrupt() override { Q_EMIT finished(app::Done); }

private:
    void report(const lockcore::monitor::Event &event);
    bool isWanted(const lockcore::monitor::Event &event) const;
    void followConnection();

    WatchRequest m_request;
    bool m_asJson;
    bool m_areCopies = false; // of a lock, on independent servers
    lockcore::service::Monitor m_monitor;
    StatusNote m_note;
    std::optional<LiveTable> m_table;
    ReaderWatch m_reader;
};

} // namespace lockctl
