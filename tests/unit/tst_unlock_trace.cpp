// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/unlock_trace.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using Names = std::vector<LockName>;

class TestUnlockTrace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsTheLocksOfAChannel()
    {
        const std::string owner = ":7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7";
        QCOMPARE(locksOfChannel("redisson_lock__channel:{a}"), (Names{ "a", "{a}" }));
        QCOMPARE(locksOfChannel("redisson_rwlock:{a}"), (Names{ "a", "{a}" }));
        QCOMPARE(locksOfChannel("redisson_lock__channel:x{a}y"), (Names{ "x{a}y" }));
        QCOMPARE(locksOfChannel("redisson_sc:{a}"), (Names{ "a", "{a}" }));
        QCOMPARE(locksOfChannel("redisson_countdownlatch__channel__{{a}}"), (Names{ "{a}" }));
        QCOMPARE(locksOfChannel("redisson_countdownlatch__channel__{a}"), (Names{ "a" }));
        QVERIFY(locksOfChannel("redisson_sc:redisson_bqs:{a}").empty());
        QVERIFY(locksOfChannel("redisson_topic:{a}").empty());
        QCOMPARE(locksOfChannel("redisson_sc:{a}b}"), (Names{ "a}b", "{a}b}" }));
        // What is said of the channel is said of the first: that is the fair lock for which its waiter listens.
        QCOMPARE(locksOfChannel("redisson_lock__channel:{a}" + owner), (Names{ "a", "{a}", "{a}" + owner }));
        const std::string noOwner = ":7f21aa09-41c2-1e0b-9f55-0c5d1be0a7d2:7";
        QCOMPARE(locksOfChannel("redisson_lock__channel:{a}" + noOwner).front(), "{a}" + noOwner);
    }

    void findsTheLocksOfALatch()
    {
        const std::string id(32, '0');
        QCOMPARE(locksOfUnlockLatch("redisson_unlock_latch:{a:b}:" + id), (Names{ "a:b", "{a:b}" }));
        QVERIFY(locksOfUnlockLatch("redisson_unlock_latch:{a}").empty());
        QVERIFY(locksOfUnlockLatch("redisson_unlock_latch:").empty());
        QVERIFY(locksOfUnlockLatch("a").empty());
    }
};

QTEST_APPLESS_MAIN(TestUnlockTrace)
#include "tst_unlock_trace.moc"
