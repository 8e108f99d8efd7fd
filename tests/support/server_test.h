// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <QObject>

namespace testsupport {

/// A test whose functions each find the same server: running, empty, and with its commands not yet counted.
class ServerTest : public QObject {
    Q_OBJECT

protected:
    virtual void prepareNext() { } // for the next function

    RedisServer m_server;

private Q_SLOTS:
    void initTestCase();
    void init();
};

} // namespace testsupport
