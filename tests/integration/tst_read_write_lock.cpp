// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_user.h"
#include "tests/support/server_test.h"

#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class ReadWriteLockTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void isSharedByReadersAndShutToWriters()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Read));
        QVERIFY(b.tryLock(Read));
        QVERIFY2(!a.tryLock(Write), "not even to one of the readers");
        QCOMPARE(m_server.cli({ u"hget"_s, u"doc"_s, u"mode"_s }), "read");
        QCOMPARE(a.release(Read).value(), ReleaseOutcome::Released);
        QVERIFY(!a.tryLock(Write));
        QCOMPARE(a.release(Read).error().code, ErrorCode::NotHeld);
        QCOMPARE(b.release(Read).value(), ReleaseOutcome::Released);
        QVERIFY(a.tryLock(Write));
        QVERIFY(!b.tryLock(Read));
        QVERIFY(!b.tryLock(Write));
        QVERIFY(!a.tryLock(Read, "2"));
    }

    void keepsATimeoutKeyForEachReadHold()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Read, "1", 60s));
        QVERIFY(a.tryLock(Read, "1", 5s));
        QVERIFY(ttl(timeoutKey(a, 1)) > 50'000);
        QVERIFY(ttl(timeoutKey(a, 2)) > 0 && ttl(timeoutKey(a, 2)) <= 5'000);
        QVERIFY2(ttl(u"doc"_s) > 50'000, "the longest counts");
        QCOMPARE(a.release(Read).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(ttl(timeoutKey(a, 2)), -2);
        QCOMPARE(a.release(Read).value(), ReleaseOutcome::Released);
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"*"_s }), QByteArray());
    }

    void shortensTheLockToTheReadersThatRemain()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Read, "1", 5s));
        QVERIFY(b.tryLock(Read, "1", 60s));
        QCOMPARE(b.release(Read).value(), ReleaseOutcome::Released);
        QVERIFY(ttl(u"doc"_s) > 0 && ttl(u"doc"_s) <= 5'000);
    }

    void addsTheLeasesOfAWriterThatEntersAgain()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Write, "1", 30s));
        QVERIFY(a.tryLock(Write, "1", 30s));
        QVERIFY(ttl(u"doc"_s) > 55'000 && ttl(u"doc"_s) <= 60'000);
        QCOMPARE(a.release(Write).value(), ReleaseOutcome::StillHeld);
        QVERIFY(ttl(u"doc"_s) <= 30'000);
    }

    void goesOnAsReaderAndLetsOtherReadersIn()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Write));
        QVERIFY(a.tryLock(Read));
        const auto reader = b.startAcquire({ Read, "1", {}, {} });
        QTRY_COMPARE(subscribers(), 1);
        QCOMPARE(a.release(Write).value(), ReleaseOutcome::Released);
        QCOMPARE(m_server.cli({ u"hget"_s, u"doc"_s, u"mode"_s }), "read");
        QVERIFY(reader->wait(5'000));
        QVERIFY(!b.tryLock(Write));
    }

    void keepsTheWritersLeaseWhenItStopsReading()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Write, "1", 60s));
        QVERIFY(a.tryLock(Read, "1", 5s));
        QVERIFY(a.tryLock(Read, "1", 5s));
        QCOMPARE(a.release(Read).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(a.release(Read).value(), ReleaseOutcome::Released);
        QVERIFY(ttl(u"doc"_s) > 50'000);
    }

    void wakesAllReadersWhenTheWriterLeaves()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Write));
        std::vector<LockUser::Acquired> readers;
        for (int thread = 1; thread <= 10; ++thread)
            readers.push_back(b.startAcquire({ Read, std::to_string(thread), {}, {} }));
        QTRY_COMPARE(subscribers(), 1);
        QVERIFY(a.release(Write));
        for (const auto &reader : readers)
            QVERIFY(reader->wait(5'000));
    }

    void letsTheWriterInAfterTheLastReader()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Read, "1"));
        QVERIFY(a.tryLock(Read, "2"));
        const auto writer = b.startAcquire({ Write, "1", {}, {} });
        QTRY_COMPARE(subscribers(), 1);
        QVERIFY(a.release(Read, "1"));
        QVERIFY(!writer->isHere());
        QVERIFY(a.release(Read, "2"));
        QVERIFY(writer->wait(5'000));
    }

    void renewsReadHoldsWithTheirTimeoutKeys()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        LockUser b(m_server.endpoint());
        QSignalSpy renewed(a.client.get(), &LockClient::renewed);
        QVERIFY(a.tryLock(Read));
        QVERIFY(a.tryLock(Read));
        QVERIFY(b.tryLock(Read, "1", 60s));
        QTRY_VERIFY(renewed.count() >= 6);
        QVERIFY(ttl(timeoutKey(a, 1)) > 0);
        QVERIFY(ttl(timeoutKey(a, 2)) > 0);
        QVERIFY2(ttl(u"doc"_s) > 50'000, "another's longer lease stays");
    }

    void renewsAWriterThatReadBetween()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        QSignalSpy renewed(a.client.get(), &LockClient::renewed);
        QVERIFY(a.tryLock(Write));
        QVERIFY(a.tryLock(Read));
        QVERIFY(a.release(Read));
        renewed.clear();
        QTRY_VERIFY(renewed.count() >= 6);
        QCOMPARE(a.release(Write).value(), ReleaseOutcome::Released);
    }

    void setsTheLeaseOfOneReaderAlsoToLess()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Read, "1", 60s));
        QVERIFY(b.tryLock(Read, "1", 20s));
        QVERIFY(a.renew(Read, "1", 5s));
        QVERIFY(ttl(timeoutKey(a, 1)) <= 5'000);
        QVERIFY2(ttl(u"doc"_s) > 10'000 && ttl(u"doc"_s) <= 20'000, "as long as the other reader");
    }

    void doesNotTakeALockOfAnotherKind()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock({ "doc" }));
        QVERIFY(!a.tryLock(Read));
        QVERIFY(!a.tryLock(Write));
        QCOMPARE(a.release(Read).error().code, ErrorCode::NotHeld);
        QCOMPARE(m_server.cli({ u"hlen"_s, u"doc"_s }), "1");
    }

private:
    int ttl(const QString &key) const { return m_server.cli({ u"pttl"_s, key }).toInt(); }
    static QString timeoutKey(const LockUser &user, int hold)
    {
        return u"{doc}:%1:rwlock_timeout:%2"_s.arg(user.owner()).arg(hold);
    }
    int subscribers() const
    {
        return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_rwlock:{doc}"_s }).split('\n').last().toInt();
    }

    const LockTarget Read{ "doc", Kind::ReadWrite, HoldMode::Read };
    const LockTarget Write{ "doc", Kind::ReadWrite, HoldMode::Write };
};

QTEST_GUILESS_MAIN(ReadWriteLockTest)
#include "tst_read_write_lock.moc"
