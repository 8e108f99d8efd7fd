// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"
#include "ui/text/lock_json.h"

#include <memory>
#include <optional>

namespace lockctl {

class Show : public Command {
public:
    Show(ShowRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override;

private:
    void seen(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot);
    void lookWider();
    void print(const lockcore::monitor::Snapshot &snapshot, lockui::Deadlocks deadlocks = lockui::Deadlocks::LookedFor);

    ShowRequest m_request;
    bool m_asJson;
    lockcore::transport::Deployment m_deployment;
    OneSweep m_sweep; // of this lock alone
    std::optional<OneSweep> m_wideSweep; // of all, where those who wait for it and hold it may wait for each other
    std::shared_ptr<const lockcore::monitor::Snapshot> m_seen; // by the first
};

} // namespace lockctl
