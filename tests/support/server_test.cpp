// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/server_test.h"

#include "tests/support/command_calls.h"

namespace testsupport {

void ServerTest::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
}

void ServerTest::init()
{
    m_server.resume();
    if (m_server.cli({ QStringLiteral("FLUSHALL") }) != "OK")
        QVERIFY(m_server.restart());
    forgetCalls(m_server);
    prepareNext();
}

} // namespace testsupport
