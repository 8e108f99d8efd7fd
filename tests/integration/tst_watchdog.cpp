// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/client_parts.h"
#include "lockcore/transport/clock.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/server_test.h"

#include <QSignalSpy>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

/// What the watchdog of one client told.
struct Told {
    explicit Told(const LockUser &user)
        : renewed(user.client.get(), &LockClient::renewed)
        , lost(user.client.get(), &LockClient::lockLost)
        , unconfirmed(user.client.get(), &LockClient::lockUnconfirmed)
    {
    }

    static std::string name(const QSignalSpy &spy, int index) { return spy.at(index).at(0).value<LockTarget>().name; }

    int renewals(const std::string &of) const
    {
        return int(std::count_if(renewed.begin(), renewed.end(),
            [&](const auto &signal) { return signal.at(0).template value<LockTarget>().name == of; }));
    }

    QSignalSpy renewed;
    QSignalSpy lost;
    QSignalSpy unconfirmed;
};

} // namespace

class WatchdogTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void renewsAHundredWithOneScript()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 9s });
        Told told(a);
        std::vector<LockUser::Acquired> answers;
        for (int i = 0; i < 250; ++i)
            answers.push_back(a.startAcquire({ { "job" + std::to_string(i) }, "1", {}, 0ms }));
        QTRY_VERIFY(std::ranges::all_of(answers, [](const auto &answer) { return answer->isHere(); }));
        m_server.cli({ u"config"_s, u"resetstat"_s });
        QTRY_COMPARE(told.renewed.count(), 250);
        QVERIFY2(calls("evalsha") <= 4, QByteArray::number(calls("evalsha")).constData());
        QCOMPARE(told.lost.count(), 0);
    }

    void keepsWhatCannotBeRenewedForAWhile()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 6s });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"replicaof"_s, u"127.0.0.1"_s, u"1"_s }); // read-only from now on
        QVERIFY2(!told.renewed.wait(3'000), "refused");
        m_server.cli({ u"replicaof"_s, u"no"_s, u"one"_s });
        QVERIFY2(told.renewed.wait(1'500), "tried again soon");
        QCOMPARE(told.lost.count(), 0);
        QCOMPARE(told.unconfirmed.count(), 0);
    }

    void tellsWhenItCouldNotRenewForAWholeLease()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 1s });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        m_server.pause();
        QVERIFY(told.unconfirmed.wait(3'000));
        QCOMPARE(told.lost.count(), 0);
        QVERIFY2(!told.unconfirmed.wait(2'000), "once");
        m_server.resume();
        QTRY_COMPARE(told.lost.count(), 1); // it ran out meanwhile
        QCOMPARE(a.client->holdsKnown(Job, "1"), 0);
    }

    void goesOnWithWhatIsFoundHeldAfterAll()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 1s });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"pexpire"_s, u"job"_s, u"60000"_s });
        m_server.pause();
        QVERIFY(told.unconfirmed.wait(3'000));
        told.renewed.clear();
        m_server.resume();
        QTRY_VERIFY(told.renewed.count() >= 2);
        QCOMPARE(told.lost.count(), 0);
    }

    void findsAtOnceWhatARestartedServerHasLost()
    {
        LockUser a(m_server.endpoint());
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(m_server.restart());
        QTRY_COMPARE_WITH_TIMEOUT(told.lost.count(), 1, 8'000); // the next renewal is due in ten seconds
    }

    void renewsTheOthersWhenOneLockIsSpoilt_data()
    {
        QTest::addColumn<bool>("isForbidden");
        QTest::newRow("something else stands there") << false;
        QTest::newRow("it may no longer be touched") << true;
    }
    void renewsTheOthersWhenOneLockIsSpoilt()
    {
        QFETCH(bool, isForbidden);
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 1'500ms });
        Told told(a);
        for (const char *name : { "one", "spoilt", "other" })
            QVERIFY(a.tryLock({ name }));
        if (isForbidden) {
            m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"resetkeys"_s, u"~o*"_s, u"~redisson_*"_s });
        } else {
            m_server.cli({ u"del"_s, u"spoilt"_s });
            m_server.cli({ u"set"_s, u"spoilt"_s, u"text"_s });
        }
        auto &end = isForbidden ? told.unconfirmed : told.lost;
        QTRY_COMPARE(end.count(), 1);
        QCOMPARE(Told::name(end, 0), std::string("spoilt"));
        told.renewed.clear();
        QTRY_VERIFY(told.renewals("one") >= 3 && told.renewals("other") >= 3);
        QCOMPARE(told.lost.count(), isForbidden ? 0 : 1);
        QCOMPARE(m_server.cli({ u"exists"_s, u"one"_s, u"other"_s }), "2");
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"allkeys"_s });
    }

    void outlastsAShorterLeaseOfTheSameThread()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 6s });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job, "1", 900ms)); // the next renewal was due in two seconds
        QVERIFY(told.renewed.wait(1'000));
        QVERIFY(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 3'000);
        QCOMPARE(told.lost.count(), 0);
    }

    void outlastsARenewalToLess()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 60s });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.renew(Job, "1", 3s)); // the next renewal was due in twenty seconds
        QVERIFY(told.renewed.wait(3'000));
        QVERIFY(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 30'000);
        QCOMPARE(told.lost.count(), 0);
    }

    void keepsTheOuterHoldWhenAnInnerReleaseIsRefused()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"resetkeys"_s, u"~job"_s }); // not the latch
        const auto refused = a.release(Job);
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"allkeys"_s });
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::PermissionDenied);
        QCOMPARE(a.client->holdsKnown(Job, "1"), 1);
        told.renewed.clear();
        QTRY_VERIFY(told.renewed.count() >= 4);
        QVERIFY2(!LockUser(m_server.endpoint()).tryLock(Job), "it is held all the time");
        QCOMPARE(told.lost.count(), 0);
        QVERIFY(a.release(Job));
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0"); // what was refused has run out
    }

    void keepsTheOuterHoldWhenAnInnerReleaseGetsNoAnswer()
    {
        ClientTimes times;
        times.answer = times.connect = times.release = 300ms;
        times.reconnect = { 50ms, 50ms };
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms, .times = times });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"pexpire"_s, u"job"_s, u"60000"_s }); // however long the others keep us waiting here
        m_server.pause();
        const auto released = a.release(Job);
        m_server.resume();
        QVERIFY(!released);
        told.renewed.clear();
        QTRY_VERIFY(told.renewed.count() >= 2);
        QCOMPARE(told.lost.count(), 0);
        QCOMPARE(a.client->holdsKnown(Job, "1"), 1);
    }

    void renewsTheOuterHoldWhileAnInnerReleaseHasToWait()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"config"_s, u"set"_s, u"maxmemory"_s, u"1"_s }); // no counting, but times to live can be set
        const auto released = a.startRelease(Job);
        told.renewed.clear();
        QTRY_VERIFY(told.renewed.count() >= 4);
        QVERIFY(!released->isHere());
        m_server.cli({ u"config"_s, u"set"_s, u"maxmemory"_s, u"0"_s });
        QVERIFY(released->wait());
        QCOMPARE(*released->result, Result<ReleaseOutcome>(ReleaseOutcome::StillHeld));
        QCOMPARE(told.lost.count() + told.unconfirmed.count(), 0);
    }

    void tellsWhatAnInnerReleaseFindsLost()
    {
        LockUser a(m_server.endpoint());
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"del"_s, u"job"_s });
        const auto released = a.release(Job);
        QVERIFY(!released);
        QCOMPARE(released.error().code, ErrorCode::NotHeld);
        QTRY_COMPARE(told.lost.count(), 1); // the next renewal is due in ten seconds
        QCOMPARE(a.client->holdsKnown(Job, "1"), 0);
    }

    void isSureOfTheOuterHoldOnlyAsLongAsItLasts_data()
    {
        QTest::addColumn<LockTarget>("lock");
        QTest::addColumn<std::optional<Millis>>("innerLease");
        const LockTarget reads{ "job", Kind::ReadWrite, HoldMode::Read };
        QTest::newRow("reentrant") << Job << std::optional<Millis>(600s);
        QTest::newRow("fair") << LockTarget{ "job", Kind::Fair } << std::optional<Millis>(600s);
        QTest::newRow("write") << LockTarget{ "job", Kind::ReadWrite, HoldMode::Write } << std::optional<Millis>(600s);
        QTest::newRow("read") << reads << std::optional<Millis>(600s);
        QTest::newRow("read, both renewed") << reads << std::optional<Millis>();
    }
    void isSureOfTheOuterHoldOnlyAsLongAsItLasts()
    {
        QFETCH(LockTarget, lock);
        QFETCH(std::optional<Millis>, innerLease);
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 60s }); // the first renewal is far away
        const auto left = [this] { return Millis(m_server.cli({ u"pttl"_s, u"job"_s }).toInt()); };
        const auto sureUntil = [&] { return a.client->parts().core.holds.find({ lock, "1" })->second.sureUntil(); };
        QVERIFY(a.tryLock(lock));
        QTRY_VERIFY(left() < 59'800ms);
        QVERIFY(a.tryLock(lock, "1", innerLease));
        const MonoTime before = sureUntil();
        const auto released = a.startRelease(lock);
        const bool isSureForLessAtOnce = sureUntil() < before;
        QVERIFY(released->wait());
        QCOMPARE(*released->result, Result<ReleaseOutcome>(ReleaseOutcome::StillHeld));
        const Millis lasts = left();
        QVERIFY(sureUntil() <= monoNow() + lasts + 1ms); // the server drops fractions
        QVERIFY2(isSureForLessAtOnce, "the release may be carried out long before it is answered");
    }

    void tellsInTimeThatTheOuterHoldMayHaveRunOut()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 1'500ms });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job, "1", 600s));
        m_server.pause();
        const auto released = a.startRelease(Job); // when it goes on, it cuts the time to live at once
        QVERIFY(told.unconfirmed.wait(6'000));
        m_server.resume();
        QVERIFY(released->wait());
    }

    void neverShortensALongerLease()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"pexpire"_s, u"job"_s, u"60000"_s });
        told.renewed.clear();
        QTRY_VERIFY(told.renewed.count() >= 2);
        QVERIFY(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 30'000);
    }

    void renewsEachObjectOfAGroup()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        Told told(a);
        QVERIFY(a.tryLock({ "group", Kind::FasterMulti, {}, LockVariant::Standard, { "a", "b" } }));
        QVERIFY(a.tryLock({ "group", Kind::FasterMulti, {}, LockVariant::Standard, { "c" } }));
        QTRY_VERIFY(told.renewed.count() >= 12);
        QCOMPARE(told.lost.count(), 0);
    }

    void renewsNothingAfterTheRelease()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 600ms });
        Told told(a);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job));
        QTRY_VERIFY(told.renewed.count() >= 2);
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::StillHeld);
        told.renewed.clear();
        QTRY_VERIFY(told.renewed.count() >= 2);
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::Released);
        told.renewed.clear();
        m_server.cli({ u"config"_s, u"resetstat"_s });
        QVERIFY(!told.renewed.wait(800));
        QCOMPARE(calls("evalsha"), 0);
    }

    void isNotHeldUpByOneShardOfACluster()
    {
        RedisCluster cluster(0, { .config = { u"cluster-require-full-coverage no"_s } });
        QVERIFY(cluster.start());
        LockUser a(cluster.deployment(), { .watchdogTimeout = 1'500ms });
        QVERIFY(a.waitReady());
        Told told(a);
        std::vector<std::string> names;
        for (int i = 0; i < 60; ++i) {
            names.push_back(cluster.nameAt(i % RedisCluster::Masters, "job" + std::to_string(i) + '-'));
            QVERIFY(a.tryLock({ names.back() }));
        }
        cluster.node(0).pause();
        QTRY_COMPARE(told.unconfirmed.count(), 20);
        told.renewed.clear();
        QTRY_VERIFY(told.renewals(names[1]) >= 4 && told.renewals(names[59]) >= 4);
        QCOMPARE(told.unconfirmed.count(), 20);
        QCOMPARE(told.lost.count(), 0);
        cluster.node(0).resume();
    }

private:
    int calls(const char *command) const
    {
        const QByteArray key = QByteArray("cmdstat_") + command + ":calls=";
        const QByteArray stats = m_server.cli({ u"info"_s, u"commandstats"_s });
        const auto at = stats.indexOf(key);
        return at < 0 ? 0 : stats.mid(at + key.size()).split(',').first().toInt();
    }

    const LockTarget Job{ "job" };
};

QTEST_GUILESS_MAIN(WatchdogTest)
#include "tst_watchdog.moc"
