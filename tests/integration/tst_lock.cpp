// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/client_parts.h"
#include "lockcore/transport/clock.h"
#include "tests/support/lock_user.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/server_test.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class LockTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void isHeldByOneOnlyAndTellsTheOtherTheTimeLeft()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        const auto got = a.acquire({ Job, "1", {}, 0ms });
        QVERIFY2(got && got->acquired, got ? "" : toString(got.error()).c_str());
        const auto refused = b.acquire({ Job, "1", {}, 0ms });
        QVERIFY(refused && !refused->acquired);
        QVERIFY(*refused->holderTtl > 20s && *refused->holderTtl <= 30s);
        QVERIFY2(!a.tryLock(Job, "2"), "another thread of the same client");
        QCOMPARE(m_server.cli({ u"hgetall"_s, u"job"_s }), a.owner().toLatin1() + "\n1");
        QCOMPARE(m_server.cli({ u"keys"_s, u"*"_s }), "job");
    }

    void countsReentryAndFollowsTheNewestLease()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Job, "1", 60s));
        QVERIFY(a.tryLock(Job, "1", 5s));
        QVERIFY(ttl() <= 5'000);
        QVERIFY(a.tryLock(Job, "1", 40s));
        QVERIFY(ttl() > 30'000);
        QCOMPARE(count(a), 3);
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(count(a), 2);
        QVERIFY2(ttl() > 30'000 && ttl() <= 40'000, "set anew to the lease used last");
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::Released);
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"*"_s }), QByteArray()); // the latches go too
    }

    void refusesAStrangersRelease()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto refused = b.release(Job);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::NotHeld);
        QVERIFY2(refused.error().message.find(a.owner().toStdString()) != std::string::npos,
            refused.error().message.c_str());
        QCOMPARE(count(a), 1);
        const auto free = b.release({ "free" });
        QCOMPARE(free.error().code, ErrorCode::NotHeld);
    }

    void isWokenByTheRelease()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = b.startAcquire({ Job, "1", {}, {} });
        QVERIFY(waitForSubscribers(1));
        a.startRelease(Job);
        QVERIFY(waiting->wait(5'000)); // the lease would let it wait for 30 s
        QVERIFY(waiting->result->value().acquired);
        QTRY_COMPARE(subscribers(), 0);
    }

    void sharesOneSubscriptionAndWakesAllWaitersInTurn()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        std::vector<LockUser::Acquired> waiting;
        for (int thread = 1; thread <= 20; ++thread)
            waiting.push_back(b.startAcquire({ Job, std::to_string(thread), {}, {} }));
        QVERIFY(waitForSubscribers(1));
        QVERIFY(a.release(Job));
        for (int done = 1; done <= 20; ++done) {
            const auto arrived = [&] {
                return std::count_if(waiting.begin(), waiting.end(), [](const auto &each) { return each->isHere(); });
            };
            QTRY_COMPARE_WITH_TIMEOUT(arrived(), done, 5'000);
            QByteArray field = m_server.cli({ u"hkeys"_s, u"job"_s });
            QVERIFY(b.release(Job, field.mid(37).toStdString()));
        }
    }

    void doesNotPollWhileItWaits()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = startWaiting(b, 2'000ms);
        m_server.cli({ u"config"_s, u"resetstat"_s });
        QVERIFY(waiting->wait());
        QVERIFY(!waiting->result->value().acquired);
        QCOMPARE(calls("evalsha"), 0);
    }

    void givesUpOnTime()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto outcome = b.acquire({ Job, "1", {}, 300ms });
        QVERIFY(outcome && !outcome->acquired);
        QVERIFY(outcome->waited >= 300ms);
        QVERIFY(outcome->holderTtl.has_value());
        QTRY_COMPARE(subscribers(), 0);
    }

    void getsALockWhoseHolderDied()
    {
        auto a = std::make_unique<LockUser>(m_server.endpoint(), LockClientOptions{ .watchdogTimeout = 600ms });
        LockUser b(m_server.endpoint());
        QVERIFY(a->tryLock(Job));
        const auto waiting = b.startAcquire({ Job, "1", {}, {} });
        QVERIFY(waitForSubscribers(1));
        a.reset();
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void runsOutWithItsLease()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 300ms });
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job, "1", 1'000ms));
        const auto waiting = b.startAcquire({ Job, "9", {}, {} });
        QVERIFY(waiting->wait(10'000));
        QVERIFY2(waiting->result->value().waited >= 900ms, "no watchdog shortens or prolongs it");
        const auto late = a.release(Job);
        QCOMPARE(late.error().code, ErrorCode::NotHeld);
        QVERIFY(late.error().message.find(b.owner(u"9"_s).toStdString()) != std::string::npos);
    }

    void isRenewedByTheWatchdogWhileHeld()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        QSignalSpy renewed(a.client.get(), &LockClient::renewed);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock({ "fixed" }, "1", 60s));
        QTRY_VERIFY(renewed.count() >= 6); // twice as long as the time-out
        QCOMPARE(count(a), 1);
        for (const auto &signal : renewed)
            QCOMPARE(signal.at(0).value<LockTarget>().name, Job.name);
        QVERIFY(ttl("fixed") > 30'000);
        QVERIFY(a.release(Job));
        renewed.clear();
        QVERIFY2(!renewed.wait(700), "released");
    }

    void tellsWhenTheWatchdogFindsALockGone()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 600ms });
        QSignalSpy lost(a.client.get(), &LockClient::lockLost);
        QVERIFY(a.tryLock(Job, "7"));
        QVERIFY(a.tryLock({ "other" }, "7"));
        m_server.cli({ u"del"_s, u"job"_s });
        QTRY_COMPARE(lost.count(), 1);
        QCOMPARE(lost.first().at(0).value<LockTarget>(), Job);
        QCOMPARE(lost.first().at(1).value<std::string>(), std::string("7"));
        QVERIFY2(!lost.wait(500), "once");
    }

    void setsTheTimeToLiveOfItsOwnLockOnly()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.renew(Job, "1", 90s));
        QVERIFY(ttl() > 80'000);
        QCOMPARE(b.renew(Job, "1", 5s).error().code, ErrorCode::NotHeld);
        QVERIFY(ttl() > 80'000);
    }

    void deletesTheLatchesOfManyReleasesTogether()
    {
        constexpr int Locks = 50;
        LockUser a(m_server.endpoint());
        const auto target = [](int i) { return LockTarget{ "job:" + std::to_string(i) }; };
        for (int i = 0; i < Locks; ++i)
            QVERIFY(a.tryLock(target(i)));
        m_server.cli({ u"config"_s, u"resetstat"_s });
        std::vector<LockUser::Released> released;
        for (int i = 0; i < Locks; ++i)
            released.push_back(a.startRelease(target(i)));
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"*"_s }), QByteArray());
        const QByteArray statistics = m_server.cli({ u"info"_s, u"commandstats"_s });
        const QRegularExpression deletions(u"cmdstat_del:calls=(\\d+)"_s);
        const int calls = deletions.match(QString::fromUtf8(statistics)).captured(1).toInt();
        QVERIFY2(calls >= Locks && calls < Locks + 10, "the unlock scripts delete a lock each");
    }

    void releasesOnceThoughTheAnswerIsLost()
    {
        LossyProxy proxy(m_server.port());
        LockUser a(behind(proxy));
        for (int i = 0; i < 3; ++i)
            QVERIFY(a.tryLock(Job));
        QVERIFY2(a.release(Job), "the server knows the script from now on");
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"redisson_unlock_latch:*"_s }), QByteArray());
        QVERIFY(a.tryLock({ "barrier" })); // that the latch is deleted has been answered too
        proxy.loseNextAnswer();
        const auto again = a.release(Job);
        QVERIFY2(again, again ? "" : toString(again.error()).c_str());
        QVERIFY(proxy.hasLost());
        QCOMPARE(*again, ReleaseOutcome::StillHeld);
        QCOMPARE(count(a), 1);
    }

    void aLateCopyOfAReleaseLeavesTheNextHoldAlone_data()
    {
        QTest::addColumn<LockTarget>("target");
        QTest::newRow("reentrant") << LockTarget{ "job" };
        QTest::newRow("spin") << LockTarget{ "job", Kind::Reentrant, {}, LockVariant::Spin };
        QTest::newRow("fair") << LockTarget{ "job", Kind::Fair };
        QTest::newRow("fenced") << LockTarget{ "job", Kind::Fenced };
        QTest::newRow("read") << LockTarget{ "job", Kind::ReadWrite, HoldMode::Read };
        QTest::newRow("write") << LockTarget{ "job", Kind::ReadWrite, HoldMode::Write };
        QTest::newRow("group") << LockTarget{ "job", Kind::FasterMulti, {}, LockVariant::Standard, { "x" } };
    }
    void aLateCopyOfAReleaseLeavesTheNextHoldAlone()
    {
        QFETCH(const LockTarget, target);
        LossyProxy proxy(m_server.port());
        LockUser a(behind(proxy), { .times = impatient() });
        QVERIFY(a.tryLock(target));
        QVERIFY2(a.release(target), "the server knows the script from now on");
        QVERIFY(a.tryLock(target));
        proxy.holdRequests(true);
        const auto released = a.startRelease(target);
        QTRY_VERIFY(proxy.isHolding());
        proxy.holdRequests(false);
        QVERIFY(released->wait());
        QCOMPARE(*released->result, Result<ReleaseOutcome>(ReleaseOutcome::Released));
        QVERIFY(a.tryLock(target));
        // The latches of releases that were answered are deleted, together.
        QVERIFY(a.tryLock({ "barrier" }));
        QVERIFY(a.release({ "barrier" }));
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"redisson_unlock_latch:*barrier*"_s }), QByteArray());
        const int before = calls("evalsha");
        proxy.deliverHeld();
        QTRY_VERIFY(calls("evalsha") > before);
        const auto state = answerTo<LockReading>([&](auto handler) { a.client->state(target, std::move(handler)); });
        QVERIFY(state);
        QCOMPARE(state->holders.size(), 1U);
        QCOMPARE(a.release(target), Result<ReleaseOutcome>(ReleaseOutcome::Released));
    }

    void aReleaseThatWasGivenUpLeavesTheNextHoldAlone()
    {
        LossyProxy proxy(m_server.port());
        LockUser a(behind(proxy), { .times = impatient() });
        QVERIFY(a.tryLock(Job));
        QVERIFY2(a.release(Job), "the server knows the script from now on");
        QVERIFY(a.tryLock(Job, "1", 400ms));
        proxy.holdRequests(true);
        const auto released = a.release(Job);
        QVERIFY(proxy.isHolding());
        QVERIFY(!released);
        QVERIFY2(released.error().message.starts_with("the answer was lost"), released.error().message.c_str());
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), QByteArray("0"));
        proxy.holdRequests(false);
        QVERIFY(a.waitReady());
        QVERIFY(a.tryLock(Job));
        const int before = calls("evalsha");
        proxy.deliverHeld();
        QTRY_VERIFY(calls("evalsha") > before);
        QCOMPARE(count(a), 1);
        QCOMPARE(a.release(Job), Result<ReleaseOutcome>(ReleaseOutcome::Released));
    }

    void aLateCopyOfARenewalLeavesTheNextLeaseAlone_data() { aLateCopyOfAReleaseLeavesTheNextHoldAlone_data(); }
    void aLateCopyOfARenewalLeavesTheNextLeaseAlone()
    {
        QFETCH(const LockTarget, target);
        LossyProxy proxy(m_server.port());
        LockUser a(behind(proxy), { .times = impatient() });
        QVERIFY(a.tryLock(target));
        QVERIFY2(a.renew(target, "1", 50s), "the server knows the script from now on");
        proxy.holdRequests(true);
        const auto renewed
            = startCall<void>([&](auto handler) { a.client->renew(target, "1", 20s, std::move(handler)); });
        QTRY_VERIFY(proxy.isHolding());
        proxy.holdRequests(false);
        QVERIFY(renewed->wait());
        QVERIFY(!*renewed->result);
        QVERIFY2(renewed->result->error().message.starts_with("the answer was lost"),
            renewed->result->error().message.c_str());
        QVERIFY(a.waitReady());
        QVERIFY(a.renew(target, "1", 60s));
        const int before = calls("evalsha");
        proxy.deliverHeld();
        QTRY_VERIFY(calls("evalsha") > before);
        QVERIFY(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 50'000);
        QVERIFY(a.client->parts().core.holds.find({ target, "1" })->second.sureUntil() > monoNow() + 30s);
    }

    void isAcquiredOnceThoughTheAnswerIsLost()
    {
        LossyProxy proxy(m_server.port());
        LockUser holder(m_server.endpoint());
        LockUser a(behind(proxy));
        QVERIFY(holder.tryLock(Job, "1", 2'000ms));
        const auto waiting = startWaiting(a);
        proxy.loseNextAnswer(); // to the try when the lease is over: until then nothing is said
        QVERIFY(waiting->wait());
        QVERIFY(waiting->result->value().acquired);
        QVERIFY(proxy.hasLost());
        QCOMPARE(count(a), 1);
    }

    void keepsWaitingWhileTheServerRestarts()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = b.startAcquire({ Job, "1", {}, {} });
        QVERIFY(waitForSubscribers(1));
        QVERIFY(m_server.restart());
        QVERIFY(waiting->wait());
        QVERIFY(waiting->result->value().acquired);
        QCOMPARE(count(b), 1);
    }

    void wakesUpAfterAMessageMissedWhileSubscriptionsWereGone()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = startWaiting(b);
        m_server.cli({ u"client"_s, u"kill"_s, u"type"_s, u"pubsub"_s });
        m_server.cli({ u"del"_s, u"job"_s });
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void worksAfterTheScriptsWereFlushed()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"script"_s, u"flush"_s });
        QVERIFY(a.tryLock(Job));
        m_server.cli({ u"script"_s, u"flush"_s });
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::StillHeld);
    }

    void waitsForServersAsLongAsItIsTold()
    {
        ClientTimes times;
        times.answer = 200ms;
        times.call = times.release = times.latch = 600ms;
        times.reconnect = { 50ms, 50ms };
        LockUser a(m_server.endpoint(), { .times = times });
        QVERIFY(a.tryLock(Job));
        m_server.pause();
        QElapsedTimer elapsed;
        elapsed.start();
        const auto read = answerTo<LockReading>([&](auto handler) { a.client->state(Job, std::move(handler)); });
        const auto released = a.release(Job);
        const qint64 took = elapsed.elapsed();
        m_server.resume();
        QVERIFY(!read);
        QVERIFY(!released);
        QVERIFY2(took >= 400 && took < 9'000, "the defaults would take ten seconds and more");
    }

    /// One value of the group ran out, so that the group is not held any more; the other one lasts.
    void leavesNothingOfAGroupThatIsNotHeldAnyMore()
    {
        using enum LockVariant;
        const LockTarget both{ "group", Kind::FasterMulti, {}, Standard, { "a", "c" } };
        const LockTarget one{ "group", Kind::FasterMulti, {}, Standard, { "a" } };
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(both, "1", 300ms));
        QVERIFY(a.tryLock(one, "1", 60s));
        QTRY_VERIFY(b.tryLock({ "group", Kind::FasterMulti, {}, Standard, { "c" } }));
        QCOMPARE(a.release(one).value(), ReleaseOutcome::Released);
        QCOMPARE(a.release(both).error().code, ErrorCode::NotHeld);
        QTRY_VERIFY(b.tryLock(one));
    }

    void changesNothingByAReleaseThatIsRefused_data()
    {
        QTest::addColumn<LockTarget>("target");
        QTest::newRow("reentrant") << Job;
        QTest::newRow("fair") << LockTarget{ "job", Kind::Fair };
        QTest::newRow("read") << LockTarget{ "job", Kind::ReadWrite, HoldMode::Read };
        QTest::newRow("write") << LockTarget{ "job", Kind::ReadWrite, HoldMode::Write };
        QTest::newRow("faster") << LockTarget{ "job", Kind::FasterMulti, {}, {}, { "a", "b" } };
    }
    /// A script that is refused half-way leaves what it has done.
    void changesNothingByAReleaseThatIsRefused()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(target, "1", 60s));
        const QByteArray before = m_server.cli({ u"hgetall"_s, u"job"_s });
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"-set"_s });
        const auto refused = a.release(target);
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"+set"_s });
        QVERIFY(!refused);
        QCOMPARE(m_server.cli({ u"hgetall"_s, u"job"_s }), before);
        QCOMPARE(a.release(target).value(), ReleaseOutcome::Released);
        QCOMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void takesNothingByAnAcquireThatIsRefused()
    {
        const LockTarget reading{ "job", Kind::ReadWrite, HoldMode::Read };
        LockUser a(m_server.endpoint());
        QVERIFY(a.waitReady());
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"-set"_s });
        const auto refused = a.acquire({ reading, "1", 60s, 0ms });
        m_server.cli({ u"acl"_s, u"setuser"_s, u"default"_s, u"+set"_s });
        QVERIFY(!refused);
        QCOMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
        QVERIFY(a.tryLock(reading));
        QVERIFY(a.release(reading));
    }

    void takesAnyBytesAsName_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("braces") << QByteArray("a{b}c");
        QTest::newRow("open brace") << QByteArray("a{b");
        QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\r\n\0x", 6);
        QTest::newRow("markup") << QByteArray("<b>'\"$1</b>");
    }
    void takesAnyBytesAsName()
    {
        QFETCH(QByteArray, name);
        for (const LockTarget &target : { LockTarget{ name.toStdString() }, { name.toStdString(), Kind::Fair },
                 { name.toStdString(), Kind::ReadWrite, HoldMode::Read },
                 { name.toStdString(), Kind::ReadWrite, HoldMode::Write } }) {
            LockUser a(m_server.endpoint());
            LockUser b(m_server.endpoint());
            QVERIFY(a.tryLock(target));
            const auto waiting = b.startAcquire({ target, "2", {}, 10s });
            QVERIFY(a.release(target));
            QVERIFY(waiting->wait(9'000));
            QVERIFY(waiting->result->value().acquired);
            QCOMPARE(b.release(target, "2").value(), ReleaseOutcome::Released);
        }
        QTRY_COMPARE(m_server.cli({ u"dbsize"_s }), "0");
    }

    void cancelsAWait()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = b.startAcquire({ Job, "1", {}, {} });
        QVERIFY(waitForSubscribers(1));
        b.client->cancel(b.lastAcquire);
        QVERIFY(!waiting->isHere()); // never from inside the call
        QVERIFY(waiting->wait());
        QCOMPARE(waiting->result->error().code, ErrorCode::Cancelled);
        QVERIFY(a.release(Job));
        QTRY_COMPARE(subscribers(), 0);
        QVERIFY(a.tryLock(Job));
    }

    void releasesWhatItGetsWhileItIsCancelled()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.waitReady());
        const auto cancelled = a.startAcquire({ Job, "1", {}, {} });
        a.client->cancel(a.lastAcquire);
        QVERIFY(cancelled->wait());
        QCOMPARE(cancelled->result->error().code, ErrorCode::Cancelled);
        QVERIFY(a.tryLock({ "barrier" }));
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void refusesNonsense()
    {
        LockUser a(m_server.endpoint());
        const auto code = [&](AcquireRequest request) { return a.acquire(std::move(request)).error().code; };
        QCOMPARE(code({ { "" }, "1", {}, 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ Job, "main", {}, 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ Job, "9223372036854775808", {}, 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ Job, "1", 0ms, 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ Job, "1", Millis::max(), 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ Job, "1", {}, -1ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ { "job", Kind::ReadWrite, {} }, "1", {}, 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ { "job", Kind::Reentrant, HoldMode::Read }, "1", {}, 0ms }), ErrorCode::InvalidArgument);
        QCOMPARE(code({ { "job", Kind::Semaphore, {} }, "1", {}, 0ms }), ErrorCode::NotSupported);
        m_server.cli({ u"set"_s, u"text"_s, u"x"_s });
        QCOMPARE(code({ { "text" }, "1", {}, 0ms }), ErrorCode::WrongType);
        QVERIFY(a.tryLock(Job, "-9223372036854775808"));
    }

    void saysThatThereIsNoServer()
    {
        Endpoint nowhere = m_server.endpoint();
        nowhere.socketPath = "/nonexistent/redis.sock";
        LockUser a(nowhere);
        const auto failed = a.acquire({ Job, "1", {}, {} });
        QVERIFY(!failed);
        QVERIFY(failed.error().code != ErrorCode::ReplyTimeout);
    }

    void canBeDeletedByAHandler()
    {
        auto client = std::make_unique<LockClient>(m_server.endpoint());
        client->open();
        int calls = 0;
        const auto handler = [&](const Result<AcquireOutcome> &) {
            ++calls;
            client.reset();
        };
        client->acquire({ Job, "1", {}, {} }, handler);
        client->acquire({ Job, "1", {}, {} }, handler);
        QTRY_VERIFY(!client);
        QVERIFY(QTest::qWaitFor([this] { return m_server.cli({ u"exists"_s, u"job"_s }) == "1"; }));
        QCOMPARE(calls, 1);
    }

    void endsWaitsWhenClosedAndLeavesWhatIsHeld()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto waiting = a.startAcquire({ Job, "2", {}, {} });
        QVERIFY(waitForSubscribers(1));
        a.client->close();
        QVERIFY(waiting->wait());
        QCOMPARE(waiting->result->error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(subscribers(), 0);
        QCOMPARE(count(a), 1);
    }

    void waitsAThousandTimesAtOnce()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        std::vector<LockUser::Acquired> waiting;
        for (int i = 0; i < 1'000; ++i)
            QVERIFY(a.startAcquire({ { "many" + std::to_string(i) }, "1", {}, 0ms }));
        QVERIFY(a.tryLock({ "barrier" }));
        for (int i = 0; i < 1'000; ++i)
            waiting.push_back(b.startAcquire({ { "many" + std::to_string(i) }, "1", {}, {} }));
        QVERIFY(b.tryLock({ "barrier of b" }));
        for (int i = 0; i < 1'000; ++i)
            a.startRelease({ "many" + std::to_string(i) });
        for (const auto &each : waiting) {
            QVERIFY(each->wait());
            QVERIFY(each->result->value().acquired);
        }
    }

private:
    int ttl(const char *name = "job") const { return m_server.cli({ u"pttl"_s, QLatin1String(name) }).toInt(); }
    int count(const LockUser &user) const { return m_server.cli({ u"hget"_s, u"job"_s, user.owner() }).toInt(); }
    int subscribers() const
    {
        return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_lock__channel:{job}"_s }).split('\n').last().toInt();
    }
    bool waitForSubscribers(int number) const
    {
        return QTest::qWaitFor([this, number] { return subscribers() == number; }, GenerousMs);
    }
    /// Until both tries are made: only a message or the time helps then.
    LockUser::Acquired startWaiting(LockUser &user, std::optional<Millis> limit = std::nullopt)
    {
        user.waitReady();
        m_server.cli({ u"config"_s, u"resetstat"_s });
        auto waiting = user.startAcquire({ Job, "1", {}, limit });
        [&] { QTRY_COMPARE(calls("evalsha"), 2); }();
        return waiting;
    }
    int calls(const char *command) const
    {
        const QByteArray key = QByteArray("cmdstat_") + command + ":calls=";
        const QByteArray stats = m_server.cli({ u"info"_s, u"commandstats"_s });
        const auto at = stats.indexOf(key);
        return at < 0 ? 0 : stats.mid(at + key.size()).split(',').first().toInt();
    }
    static ClientTimes impatient()
    {
        ClientTimes times;
        times.connect = times.answer = 300ms;
        times.release = 1'000ms;
        times.reconnect = { 50ms, 50ms };
        return times;
    }
    Endpoint behind(const LossyProxy &proxy) const
    {
        Endpoint endpoint = m_server.endpoint();
        endpoint.port = proxy.port();
        return endpoint;
    }

    const LockTarget Job{ "job" };
};

QTEST_GUILESS_MAIN(LockTest)
#include "tst_lock.moc"
