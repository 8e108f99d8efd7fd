// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"
#include "lockcore/synchronizers/admin_command.h"
#include "ui/text/json.h"

#include <string>

namespace lockctl {

lockui::JsonValue outcomeJson(const lockcore::synchronizers::AdminCommand &command,
    const lockcore::synchronizers::CommandOutcome &outcome, const std::string &server);

/// Acts on what others hold. Looks at the lock first, for its kind; it is the server that compares, and not we.
class Act : public Command {
public:
    Act(ActRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override;

private:
    void submit(const lockcore::monitor::LockState *lock);
    void report(const lockcore::Result<lockcore::synchronizers::CommandOutcome> &outcome);
    std::string context() const;
    lockcore::Error withLock(lockcore::Error error) const;

    ActRequest m_request;
    lockcore::transport::Deployment m_deployment;
    std::optional<lockcore::Error> m_notFound; // why there was no lock when it was looked for
    std::string m_server; // for people
    bool m_asJson;
    OneSweep m_sweep;
};

} // namespace lockctl
