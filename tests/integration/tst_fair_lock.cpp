// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/command_calls.h"
#include "tests/support/lock_user.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/server_test.h"

#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class FairLockTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void isServedInTheOrderOfTheQueue()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        std::vector<std::unique_ptr<LockUser>> users;
        std::vector<LockUser::Acquired> waiting;
        for (int i = 0; i < 5; ++i) {
            users.push_back(std::make_unique<LockUser>(m_server.endpoint()));
            waiting.push_back(users.back()->startAcquire({ Job, "1", {}, {} }));
            QTRY_COMPARE(queue().size(), i + 1);
            QTRY_COMPARE(subscribers(*users.back()), 1);
        }
        QVERIFY(!holder.tryLock(Job, "2"));
        QCOMPARE(holder.release(Job).value(), ReleaseOutcome::Released);
        for (std::size_t i = 0; i < 5; ++i) {
            QVERIFY(waiting[i]->wait(5'000));
            QVERIFY(waiting[i]->result->value().acquired);
            for (std::size_t later = i + 1; later < 5; ++later)
                QVERIFY(!waiting[later]->isHere());
            QCOMPARE(users[i]->release(Job).value(), ReleaseOutcome::Released);
        }
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"*"_s }), QByteArray());
    }

    void keepsDeadlinesAsThePeersDo()
    {
        LockUser holder(m_server.endpoint());
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 60s));
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        const auto first = a.startAcquire({ Job, "1", {}, 100s });
        QTRY_COMPARE(queue().size(), 1);
        const auto second = b.startAcquire({ Job, "1", {}, 200s });
        QTRY_COMPARE(queue().size(), 2);
        const qint64 after = QDateTime::currentMSecsSinceEpoch();
        // The first: now, what the holder has left, its own wait; the second: its own wait after the first.
        QVERIFY(score(a) >= before + 159'000 && score(a) <= after + 160'000);
        QCOMPARE(score(b), score(a) + 200'000);
        const qint64 scoreBefore = score(b);
        a.client->cancel(a.lastAcquire);
        QVERIFY(first->wait());
        QTRY_COMPARE(queue().size(), 1);
        QCOMPARE(score(b), scoreBefore - 100'000);
    }

    void leavesTheQueueWhenItGivesUp_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("time is over") << 0;
        QTest::newRow("cancelled") << 1;
        QTest::newRow("closed") << 2;
        QTest::newRow("subscription refused") << 3;
    }
    void leavesTheQueueWhenItGivesUp()
    {
        QFETCH(int, way);
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        Endpoint endpoint = m_server.endpoint();
        if (way == 3) {
            m_server.cli(
                { u"acl"_s, u"setuser"_s, u"deaf"_s, u"on"_s, u"nopass"_s, u"~*"_s, u"resetchannels"_s, u"+@all"_s });
            endpoint.user = "deaf";
            endpoint.password = "any";
        }
        LockUser user(endpoint);
        QVERIFY(user.waitReady());
        const auto waiting
            = user.startAcquire({ Job, "1", {}, way == 0 ? std::optional<Millis>(400ms) : std::nullopt });
        if (way < 3) {
            QTRY_COMPARE(queue().size(), 1);
        }
        if (way == 1)
            user.client->cancel(user.lastAcquire);
        else if (way == 2)
            user.client->close();
        QVERIFY(waiting->wait());
        QVERIFY(!*waiting->result || !waiting->result->value().acquired);
        QTRY_COMPARE(queue().size(), 0);
        QCOMPARE(m_server.cli({ u"zcard"_s, u"redisson_lock_timeout:{job}"_s }), "0");
    }

    void leavesTheQueueThoughItsThreadWantedToComeAgain()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        ClientTimes times;
        times.connect = times.answer = times.keepAlive = 200ms;
        LockUser user(m_server.endpoint(), { .times = times });
        QSignalSpy lost(user.client.get(), &LockClient::lost);
        const auto waiting = user.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 1);
        m_server.pause();
        QVERIFY(lost.wait(GenerousMs));
        user.client->cancel(user.lastAcquire);
        QVERIFY(waiting->wait());
        const auto again = user.acquire({ Job, "1", {}, 300ms });
        QVERIFY2(!again, "there is no connection, so that this one never stands in the queue");
        m_server.resume();
        QTRY_COMPARE(queue().size(), 0);
    }

    void aLateCopyOfAGiveUpLeavesTheNextPlaceAlone()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        LossyProxy proxy(m_server.port());
        Endpoint endpoint = m_server.endpoint();
        endpoint.port = proxy.port();
        ClientTimes times;
        times.connect = times.answer = 300ms;
        times.reconnect = { 50ms, 50ms };
        times.cleanUpAgain = 50ms;
        LockUser user(endpoint, { .times = times });
        for (const bool comesLate : { false, true }) { // the server knows the scripts then
            user.startAcquire({ Job, "1", {}, {} });
            QTRY_COMPARE(queue().size(), 1);
            proxy.holdRequests(comesLate);
            user.client->cancel(user.lastAcquire);
            QTRY_COMPARE(proxy.isHolding(), comesLate);
            proxy.holdRequests(false);
            QTRY_COMPARE(queue().size(), 0);
        }
        const auto again = user.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 1);
        forgetCalls(m_server);
        proxy.deliverHeld();
        QTRY_VERIFY(commandCalls(m_server, "evalsha") > 0);
        QCOMPARE(queue().size(), 1);
        QVERIFY(!again->isHere());
    }

    void leavesTheQueueOnceTheServerHasItsReplicasAgain()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        ClientTimes times;
        times.cleanUpAgain = 50ms;
        LockUser user(m_server.endpoint(), { .times = times });
        const auto waiting = user.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 1);
        m_server.cli({ u"config"_s, u"set"_s, u"min-replicas-to-write"_s, u"1"_s });
        m_server.cli({ u"config"_s, u"resetstat"_s });
        user.client->cancel(user.lastAcquire);
        QVERIFY(waiting->wait());
        QTRY_VERIFY(m_server.cli({ u"info"_s, u"errorstats"_s }).contains("NOREPLICAS"));
        QCOMPARE(queue().size(), 1);
        m_server.cli({ u"config"_s, u"set"_s, u"min-replicas-to-write"_s, u"0"_s });
        QTRY_COMPARE(queue().size(), 0);
    }

    void saysThatItCouldNotLeaveTheQueueWhenClosed()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        ClientTimes times;
        times.close = 300ms;
        LockUser user(m_server.endpoint(), { .times = times });
        const auto waiting = user.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 1);
        QSignalSpy failed(user.client.get(), &LockClient::cleanUpFailed);
        QSignalSpy closed(user.client.get(), &LockClient::closed);
        QObject::connect(
            user.client.get(), &LockClient::closed, user.client.get(), [&] { QCOMPARE(failed.count(), 1); });
        m_server.pause();
        user.client->close();
        QVERIFY(closed.wait(GenerousMs));
        m_server.resume();
        QVERIFY(waiting->isHere());
        const Error error = failed.at(0).at(0).value<Error>();
        QVERIFY2(error.message.starts_with("the place in the queue"), error.message.c_str());
    }

    void neverStandsInTheQueueForOneTry()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto refused = b.acquire({ Job, "1", {}, 0ms });
        QVERIFY(refused && !refused->acquired);
        QVERIFY(*refused->holderTtl > 20s);
        QCOMPARE(queue().size(), 0);
    }

    void passesADeadWaiterWhenItsTimeIsOver()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        pushDead(QDateTime::currentMSecsSinceEpoch() + 1'500);
        LockUser user(m_server.endpoint());
        const auto waiting = user.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 2);
        QVERIFY(holder.release(Job));
        m_server.cli({ u"config"_s, u"resetstat"_s });
        QVERIFY2(!user.tryLock(Job, "2"), "the dead one's turn");
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
        QCOMPARE(queue().size(), 0);
        const QByteArray stats = m_server.cli({ u"info"_s, u"commandstats"_s });
        const auto at = stats.indexOf("cmdstat_evalsha:calls=") + 22;
        QVERIFY2(stats.mid(at).split(',').first().toInt() < 40, stats.mid(at, 20).constData());
    }

    void isServedThoughItWasThrownOutOfTheQueueForItsTime()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 700ms));
        LockUser user(m_server.endpoint(), { .fairWait = 1s });
        const auto waiting = user.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 1);
        const qint64 deadline = score(user);
        QVERIFY(holder.tryLock(Job, "1", 60s)); // from now on it knows of a minute
        QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > deadline + 10);
        LockUser other(m_server.endpoint());
        QVERIFY(!other.tryLock(Job));
        QCOMPARE(holder.release(Job).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(holder.release(Job).value(), ReleaseOutcome::Released);
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void tellsTheNextOneWhenTheHeadGivesUpOnAFreeLock()
    {
        LockUser holder(m_server.endpoint());
        LockUser head(m_server.endpoint());
        LockUser next(m_server.endpoint());
        QVERIFY(holder.tryLock(Job));
        const auto first = head.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(subscribers(head), 1);
        const auto second = next.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(subscribers(next), 1);
        m_server.cli({ u"del"_s, u"job"_s }); // nobody is told
        head.client->cancel(head.lastAcquire);
        QVERIFY(second->wait(5'000));
        QVERIFY(second->result->value().acquired);
    }

    void isReenteredByItsHolderThoughOthersQueue()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = b.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(queue().size(), 1);
        QVERIFY(a.tryLock(Job));
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::StillHeld);
        QVERIFY(!waiting->isHere());
        QCOMPARE(b.release(Job).error().code, ErrorCode::NotHeld);
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::Released);
        QVERIFY(waiting->wait(5'000));
    }

    void standsInTheQueueAgainAfterARestart()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = b.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(subscribers(b), 1);
        QVERIFY(m_server.restart());
        QVERIFY(waiting->wait());
        QVERIFY(waiting->result->value().acquired);
    }

private:
    static constexpr const char *Dead = "0f7e1c52-8d3b-4a6f-9b1e-2c4d6e8fa0b2:5";

    void pushDead(qint64 deadline)
    {
        m_server.cli({ u"rpush"_s, u"redisson_lock_queue:{job}"_s, QString::fromLatin1(Dead) });
        m_server.cli(
            { u"zadd"_s, u"redisson_lock_timeout:{job}"_s, QString::number(deadline), QString::fromLatin1(Dead) });
    }
    QList<QByteArray> queue() const
    {
        const QByteArray list
            = m_server.cli({ u"lrange"_s, u"redisson_lock_queue:{job}"_s, u"0"_s, u"-1"_s }).trimmed();
        return list.isEmpty() ? QList<QByteArray>() : list.split('\n');
    }
    qint64 score(const LockUser &user) const
    {
        return m_server.cli({ u"zscore"_s, u"redisson_lock_timeout:{job}"_s, user.owner() }).toLongLong();
    }
    int subscribers(const LockUser &user) const
    {
        return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_lock__channel:{job}:"_s + user.owner() })
            .split('\n')
            .last()
            .toInt();
    }

    const LockTarget Job{ "job", Kind::Fair };
};

QTEST_GUILESS_MAIN(FairLockTest)
#include "tst_fair_lock.moc"
