// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/requests.h"
#include "app/lockctl/status_note.h"
#include "lockcore/service/monitor_service.h"

#include <QTimer>

namespace lockctl {

/// Watches for a moment, and says what looks wrong: what one look cannot tell.
class Diagnose : public Command {
    Q_OBJECT
public:
    Diagnose(DiagnoseRequest request, bool asJson);

    void start(const lockcore::Deployment &deployment) override;
    void interrupt() override { finish(); } // with what is known by then

private:
    void followConnection();
    void finishOrGoOn();
    void finish();

    const DiagnoseRequest m_request;
    const bool m_asJson;
    lockcore::MonitorService m_monitor;
    StatusNote m_note;
    QTimer m_end;
    std::optional<lockcore::MonoTime> m_watchedSince;
};

} // namespace lockctl
