// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"
#include "app/lockctl/outages.h"
#include "app/lockctl/requests.h"
#include "lockcore/monitor/analysis.h"

#include <QTimer>
#include <optional>
#include <vector>

namespace lockctl {

/// Watches for a moment, and says what looks wrong: what one look cannot tell. One lock is watched alone, and all of
/// them beside it for deadlocks once there is who waits for its holder.
class Diagnose : public Command {
    Q_OBJECT
public:
    Diagnose(DiagnoseRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override;
    void interrupt() override;
    void abandon() override;

private:
    void begin();
    void follow();
    void lookWider();
    bool isOpen() const;
    void finishOrGoOn();
    void finish();
    std::optional<std::vector<lockcore::monitor::WaitCycle>> deadlocks() const;
    QString whyNoDeadlocks() const;

    const DiagnoseRequest m_request;
    const bool m_asJson;
    lockcore::transport::Deployment m_deployment;
    OneSweep m_sweep; // goes on being watched
    std::optional<OneSweep> m_wide; // likewise
    bool m_wideIsSeen = false;
    std::optional<lockcore::Error> m_wideError;
    Outages m_outages;
    QTimer m_end;
    std::optional<lockcore::MonoTime> m_watchedSince;
    bool m_wasThere = false; // the one lock
    bool m_over = false;
};

} // namespace lockctl
