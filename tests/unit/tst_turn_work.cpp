// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/turn_work.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>
#include <memory>

using lockcore::transport::TurnWork;

class TurnWorkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void doesOnceWhatWasAskedForTwice()
    {
        int done = 0;
        TurnWork work(TurnWork::Order::Send, [&] { ++done; });
        TurnWork::takeInput([&] {
            work.ask();
            work.ask();
            QCOMPARE(done, 0);
        });
        QCOMPARE(done, 1);
    }

    void deliversFirstAndSendsWhatThatAskedFor()
    {
        QByteArray order;
        TurnWork send(TurnWork::Order::Send, [&] { order += 's'; });
        TurnWork deliver(TurnWork::Order::Deliver, [&] {
            order += 'd';
            send.ask();
        });
        TurnWork::takeInput([&] {
            send.ask();
            deliver.ask();
        });
        QCOMPARE(order, QByteArray("ds"));
    }

    void doesWithoutInputWhatWasAskedFor()
    {
        int done = 0;
        TurnWork work(TurnWork::Order::Send, [&] { ++done; });
        work.ask();
        QCOMPARE(done, 0);
        QTRY_COMPARE(done, 1);
    }

    void doesInTheEventLoopOfAHandlerWhatItAskedForBefore()
    {
        QEventLoop loop;
        TurnWork send(TurnWork::Order::Send, [&] { loop.quit(); });
        bool inTime = true;
        TurnWork handler(TurnWork::Order::Deliver, [&] {
            send.ask();
            QTimer::singleShot(20'000, &loop, [&] {
                inTime = false;
                loop.quit();
            });
            loop.exec();
        });
        TurnWork::takeInput([&] { handler.ask(); });
        QVERIFY(inTime);
    }

    void doesNothingForTheDestroyed()
    {
        int done = 0;
        auto work = std::make_unique<TurnWork>(TurnWork::Order::Send, [&] { ++done; });
        TurnWork other(TurnWork::Order::Deliver, [&] { work.reset(); });
        TurnWork::takeInput([&] {
            work->ask();
            other.ask();
        });
        QVERIFY(!work);
        QCOMPARE(done, 0);
    }

    void endsEvenIfItIsDeletedByItself()
    {
        std::unique_ptr<TurnWork> work;
        work = std::make_unique<TurnWork>(TurnWork::Order::Deliver, [&] { work.reset(); });
        TurnWork::takeInput([&] { work->ask(); });
        QVERIFY(!work);
    }

    void leavesTheEventLoopTimeForOthers()
    {
        bool other = false;
        TurnWork restless(TurnWork::Order::Deliver, [&] {
            if (!other)
                restless.ask();
        });
        QTimer::singleShot(0, this, [&] { other = true; });
        restless.ask();
        QTRY_VERIFY(other);
    }
};

QTEST_GUILESS_MAIN(TurnWorkTest)
#include "tst_turn_work.moc"
