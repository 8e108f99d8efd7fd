// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"
#include "app/lockctl/outages.h"
#include "app/lockctl/requests.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/text/json.h"

#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockctl {

/// What looks wrong with the locks that were watched.
struct Diagnosis {
    std::shared_ptr<const lockcore::monitor::Analysis> analysis; // never null
    std::vector<lockcore::LockName> suspected; // the gravest first, and each once
    std::optional<std::vector<lockcore::monitor::WaitCycle>> deadlocks; // absent: not looked for
    std::int64_t locks = 0;
    bool isFiltered = false;
    lockcore::Millis watched{ 0 };
    bool isComplete = false; // all servers were watched all the time, and deadlocks looked for
};

bool isFine(const Diagnosis &diagnosis);
void printText(const Diagnosis &diagnosis);
lockui::JsonValue diagnosisJson(const Diagnosis &diagnosis);

/// Watches for a moment, and says what looks wrong: what one look cannot tell. One lock is watched alone, and all of
/// them beside it for deadlocks once there is who waits for its holder.
class Diagnose : public Command {
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
