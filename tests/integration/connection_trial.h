// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/rights/connection_probe.h"

#include <QSignalSpy>

namespace testsupport {

/// What a probe of the connection to a deployment says.
inline lockcore::Result<lockcore::service::ConnectionReport> tried(
    const lockcore::transport::Deployment &deployment, int limitMs = 20'000)
{
    lockcore::service::ConnectionProbe probe;
    QSignalSpy finished(&probe, &lockcore::service::ConnectionProbe::finished);
    probe.start(deployment);
    if (!finished.wait(limitMs))
        return lockcore::failure(lockcore::ErrorCode::ReplyTimeout, "the probe waited in vain");
    return finished.first().first().value<lockcore::Result<lockcore::service::ConnectionReport>>();
}

} // namespace testsupport
