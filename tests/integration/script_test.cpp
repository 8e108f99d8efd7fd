// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/script_test.h"

#include <QTest>

namespace testsupport {

void ScriptTest::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_redis.start());
}

void ScriptTest::init()
{
    m_redis.ask({ "FLUSHALL" });
    prepareNext();
}

} // namespace testsupport
