// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/server_test.h"

namespace testsupport {

/// A test with a user of the server, `lockmon`, who may only look, and whose rights it changes.
class RightsTest : public ServerTest {
protected:
    inline static const QString Everything
        = QStringLiteral("on >secret ~* &redisson_* &__redis__:invalidate -@all +@read +@connection -@dangerous "
                         "+subscribe +psubscribe +unsubscribe +punsubscribe +pubsub +info +time +eval_ro +evalsha_ro");

    void prepareNext() override { m_server.cli(words("ACL DELUSER lockmon")); }

    lockcore::transport::Endpoint user() const
    {
        auto endpoint = m_server.endpoint();
        endpoint.user = "lockmon";
        endpoint.password = "secret";
        return endpoint;
    }
};

} // namespace testsupport
