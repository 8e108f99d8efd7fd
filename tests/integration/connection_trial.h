// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/rights/connection_test.h"

#include <QSignalSpy>

namespace testsupport {

/// What a test of the connection to a deployment says.
inline lockcore::Result<lockcore::ConnectionReport> tried(const lockcore::Deployment &deployment, int limitMs = 20'000)
{
    lockcore::ConnectionTest test;
    QSignalSpy finished(&test, &lockcore::ConnectionTest::finished);
    test.start(deployment);
    if (!finished.wait(limitMs))
        return lockcore::failure(lockcore::ErrorCode::ReplyTimeout, "the test waited in vain");
    return finished.first().first().value<lockcore::Result<lockcore::ConnectionReport>>();
}

} // namespace testsupport
