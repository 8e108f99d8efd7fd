// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"
#include "app/lockctl/one_sweep.h"

namespace lockctl {

/// What `ls` prints of the locks that match, as they are at `now`.
void printLocks(const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockFilter &filter,
    const lockcore::Now &now, bool asJson);

class Ls : public Command {
public:
    Ls(LsRequest request, const Globals &globals);

    void start(const lockcore::transport::Deployment &deployment) override { m_sweep.start(deployment); }

private:
    void print(const lockcore::monitor::Snapshot &snapshot);

    LsRequest m_request;
    bool m_asJson;
    OneSweep m_sweep;
};

} // namespace lockctl
