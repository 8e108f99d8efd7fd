// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"

namespace lockctl {

/// Looks at the lock, then frees it if its holders are those that were named. The server compares, not we.
class ForceReleaseCommand : public Command {
    Q_OBJECT
public:
    ForceReleaseCommand(ForceReleaseRequest request, bool asJson);

    void start(const lockcore::Deployment &deployment) override { m_sweep.start(deployment); }

private:
    void submit(const lockcore::Snapshot &snapshot);
    void report(const lockcore::Result<lockcore::CommandOutcome> &outcome);
    std::string context() const;

    ForceReleaseRequest m_request;
    bool m_asJson;
    OneSweep m_sweep;
};

} // namespace lockctl
