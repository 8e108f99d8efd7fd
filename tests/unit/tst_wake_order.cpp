// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/channel_waiters.h"

#include <QTest>

using namespace lockcore::client;
using Readiness = WakeOrder::Readiness;
using Message = WakeOrder::Message;
using Waiters = std::vector<WakeOrder::Waiter>;

namespace {

WakeOrder asleep(Message message, const std::vector<std::int64_t> &wants)
{
    WakeOrder order(message);
    for (std::size_t i = 0; i < wants.size(); ++i)
        order.set(i + 1, { {}, wants[i] }, Readiness::Asleep);
    return order;
}

} // namespace

class WakeOrderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wakesOneOrAllThatWaitForALock()
    {
        WakeOrder order = asleep(Message::Lock, { 1, 1, 1 });
        QCOMPARE(order.wokenBy("0"), (Waiters{ 1 }));
        QCOMPARE(order.wokenBy("1"), (Waiters{ 1, 2, 3 }));
    }

    void wakesNoMoreThanThereArePermitsFor_data()
    {
        QTest::addColumn<QByteArray>("payload");
        QTest::addColumn<int>("woken");
        QTest::newRow("one") << QByteArray("1") << 1;
        QTest::newRow("the second would want one of those left") << QByteArray("3") << 2;
        QTest::newRow("two") << QByteArray("4") << 2;
        QTest::newRow("more than all want") << QByteArray("100") << 3;
        QTest::newRow("none") << QByteArray("0") << 0;
        QTest::newRow("negative") << QByteArray("-5") << 0;
        QTest::newRow("not a number") << QByteArray("many") << 1;
    }
    void wakesNoMoreThanThereArePermitsFor()
    {
        QFETCH(QByteArray, payload);
        QFETCH(int, woken);
        WakeOrder order = asleep(Message::Permits, { 2, 2, 2 });
        QCOMPARE(order.wokenBy(payload.toStdString()).size(), std::size_t(woken));
    }

    void wakesOneOfEachGroup()
    {
        WakeOrder order(Message::Lock);
        order.set(1, { "a", 1 }, Readiness::Asleep);
        order.set(2, { "a", 1 }, Readiness::Asleep);
        order.set(3, { "b", 1 }, Readiness::Asleep);
        QCOMPARE(order.wokenBy("0"), (Waiters{ 1, 3 }));
        QCOMPARE(order.insteadOf({ "b", 1 }), std::optional<WakeOrder::Waiter>(3));
    }

    void prefersWhoSleepsToWhoIsTrying()
    {
        WakeOrder order = asleep(Message::Lock, { 1, 1 });
        order.set(1, {}, Readiness::Trying);
        QCOMPARE(order.wokenBy("0"), (Waiters{ 2 }));
        order.set(2, {}, Readiness::Unfit);
        QCOMPARE(order.wokenBy("0"), (Waiters{ 1 }));
        order.set(1, {}, Readiness::Unfit);
        QVERIFY(order.wokenBy("1").empty());
        QVERIFY(order.isEmpty());
    }

    void offersWhatWasNotEnoughToWhoWantsLess()
    {
        WakeOrder order = asleep(Message::Permits, { 5, 5, 2, 1, 2 });
        QCOMPARE(order.contentWithLess({ {}, 5 }), std::optional<WakeOrder::Waiter>(3));
        QCOMPARE(order.contentWithLess({ {}, 2 }), std::optional<WakeOrder::Waiter>(4));
        QVERIFY(!order.contentWithLess({ {}, 1 }));
    }

    void wakesTheNextWaiterInsteadOfTheMessage()
    {
        WakeOrder order = asleep(Message::Lock, { 1, 1 });
        QCOMPARE(order.nextWaiter(), std::optional<WakeOrder::Waiter>(1));
        order.set(1, {}, Readiness::Unfit);
        QCOMPARE(order.wokenBy("0"), (Waiters{}));
        QCOMPARE(order.wokenBy("0"), (Waiters{ 2 }));
    }

    void letsOtherClientsHaveTheirTurn()
    {
        WakeOrder order = asleep(Message::Lock, { 1 });
        int nextWaiters = 0;
        while (order.nextWaiter())
            ++nextWaiters;
        QVERIFY(nextWaiters > 0 && nextWaiters < 10);
        for (int i = 0; i < nextWaiters; ++i)
            QCOMPARE(order.wokenBy("0"), (Waiters{}));
        QVERIFY(!order.nextWaiter());
        QCOMPARE(order.wokenBy("0"), (Waiters{ 1 }));
        QVERIFY(order.nextWaiter());
    }

    void wakesByTheNextMessageWhenTheOneOfTheNextWaiterDoesNotCome()
    {
        WakeOrder order = asleep(Message::Lock, { 1 });
        order.nextWaiter();
        order.noMessage();
        QCOMPARE(order.wokenBy("0"), (Waiters{ 1 }));
        order.nextWaiter();
        order.messagesMissed();
        QCOMPARE(order.wokenBy("0"), (Waiters{ 1 }));
    }

    void hasNoNextWaiterOfWhatSeveralCanHave()
    {
        WakeOrder order(Message::Lock);
        order.set(1, { "one", 1 }, Readiness::Asleep);
        order.set(2, { "two", 1 }, Readiness::Asleep);
        QVERIFY(!order.nextWaiter());
        QVERIFY(!asleep(Message::Permits, { 1 }).nextWaiter());
    }
};

QTEST_GUILESS_MAIN(WakeOrderTest)
#include "tst_wake_order.moc"
