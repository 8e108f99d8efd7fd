// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/client_parts.h"
#include "lockcore/client/permit_expirable_semaphore.h"
#include "lockcore/client/semaphore.h"
#include "lockcore/transport/clock.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_user.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/server_test.h"

#include <QDateTime>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int Hour = 3'600;

ClientTimes impatient(Millis answer)
{
    ClientTimes times;
    times.connect = times.answer = answer;
    times.reconnect = { 50ms, 50ms };
    times.grace = 50ms;
    return times;
}

std::vector<LockTarget> oneOfEachKind()
{
    using enum LockVariant;
    return { { "reentrant" }, { "spin", Kind::Reentrant, {}, Spin }, { "once", Kind::Reentrant, {}, NonReentrant },
        { "fair", Kind::Fair }, { "fair-once", Kind::Fair, {}, NonReentrant }, { "fenced", Kind::Fenced },
        { "read", Kind::ReadWrite, HoldMode::Read }, { "write", Kind::ReadWrite, HoldMode::Write },
        { "group", Kind::FasterMulti, {}, Standard, { "x", "y" } } };
}

/// What keeps all others out.
LockTarget toExclude(LockTarget target)
{
    if (target.mode)
        target.mode = HoldMode::Write;
    return target;
}

} // namespace

/// Something between a client and its server keeps a try back, and delivers it when nobody waits for it any more.
class LateTriesTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void takesNothingAfterItsLastMoment()
    {
        LossyProxy proxy(m_server.port());
        const Millis patience = 300ms;
        LockUser a(behind(proxy), { .times = impatient(patience) });
        LockUser other(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        PermitExpirableSemaphore permits(*a.client, "permits");
        QVERIFY(*answerTo<bool>([&](auto handler) { jobs.trySetPermits(3, {}, std::move(handler)); }));
        QVERIFY(*answerTo<bool>([&](auto handler) { permits.trySetPermits(3, std::move(handler)); }));
        const auto takeJobs = [&] {
            return startCall<AcquireOutcome>([&](auto handler) { jobs.acquire(2, 0ms, std::move(handler)); });
        };
        const auto takePermits = [&] {
            return startCall<PermitOutcome>([&](auto handler) { permits.acquire(2, {}, 0ms, std::move(handler)); });
        };
        QVERIFY(takeJobs()->awaited());
        const auto taken = takePermits()->awaited();
        QVERIFY(answerTo<void>([&](auto handler) { jobs.release(2, std::move(handler)); }));
        QVERIFY(*answerTo<bool>([&](auto handler) { permits.release(taken->permits, std::move(handler)); }));
        warmUp(a);
        QVERIFY(other.tryLock(Busy, "1", 600s));

        proxy.holdRequests(true);
        std::vector<LockUser::Acquired> tries = startAll(a, 0ms);
        tries.push_back(a.startAcquire({ Busy, "1", 600s, 100ms }));
        const auto job = takeJobs();
        const auto permit = takePermits();
        const MonoTime sent = monoNow();
        QTRY_VERIFY(proxy.isHolding());
        proxy.holdRequests(false);
        for (const auto &each : tries)
            QVERIFY2(!each->awaited(), "nobody knows what has become of it");
        QVERIFY(!job->awaited());
        QVERIFY(!permit->awaited());
        // All that puts it right from here is over too.
        QTRY_VERIFY(monoNow() > sent + patience + 2s);
        deliver(proxy, int(tries.size()) + 2);
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY2(!exists(target.name), target.name.c_str());
        QVERIFY(!exists("redisson_lock_queue:{busy}"));
        QCOMPARE(m_server.cli({ u"get"_s, u"jobs"_s }), "3");
        QCOMPARE(m_server.cli({ u"get"_s, u"permits"_s }), "3");
    }

    void whatItTakesBeforeThatIsGivenBack_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::newRow("the client goes on") << false;
        QTest::newRow("the client ends") << true;
    }
    void whatItTakesBeforeThatIsGivenBack()
    {
        QFETCH(const bool, closes);
        LossyProxy proxy(m_server.port());
        LockUser a(behind(proxy), { .times = impatient(4s) });
        LockUser other(m_server.endpoint());
        PermitExpirableSemaphore permits(*a.client, "permits");
        QVERIFY(*answerTo<bool>([&](auto handler) { permits.trySetPermits(3, std::move(handler)); }));
        const auto takePermits = [&] {
            return startCall<PermitOutcome>([&](auto handler) { permits.acquire(2, {}, 0ms, std::move(handler)); });
        };
        const auto taken = takePermits()->awaited();
        QVERIFY(*answerTo<bool>([&](auto handler) { permits.release(taken->permits, std::move(handler)); }));
        warmUp(a);
        QVERIFY(other.tryLock(Busy, "1", 600s));

        QSignalSpy closed(a.client.get(), &LockClient::closed);
        proxy.holdRequests(true);
        std::vector<LockUser::Acquired> tries = startAll(a, 0ms);
        tries.push_back(a.startAcquire({ Busy, "1", 600s, 100ms }));
        const auto permit = takePermits();
        QTRY_VERIFY(proxy.isHolding());
        proxy.holdRequests(false);
        proxy.leaveClientsOfHeld();
        for (const auto &each : tries)
            QVERIFY(!each->awaited());
        QVERIFY(!permit->awaited());
        QVERIFY(waitUntilGivenBack(a));
        if (closes)
            a.client->close();
        deliver(proxy, int(tries.size()) + 1);
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY2(exists(target.name), target.name.c_str());
        QVERIFY(exists("redisson_lock_queue:{busy}"));
        QCOMPARE(m_server.cli({ u"get"_s, u"permits"_s }), "1");
        for (const LockTarget &target : oneOfEachKind())
            QTRY_VERIFY2_WITH_TIMEOUT(!exists(target.name), target.name.c_str(), GenerousMs);
        QTRY_VERIFY_WITH_TIMEOUT(!exists("redisson_lock_queue:{busy}"), GenerousMs);
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({ u"get"_s, u"permits"_s }), "3", GenerousMs);
        QTRY_COMPARE(closed.count(), closes ? 1 : 0);
    }

    /// It was sent again, and got: what it took the second time is given back too.
    void takesNothingFromWhoHasReleasedIt()
    {
        LossyProxy proxy(m_server.port());
        LockUser a(behind(proxy), { .times = impatient(4s) });
        warmUp(a);
        QVERIFY(a.tryLock({ "kept" }, "1"));
        LockUser other(m_server.endpoint());
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY(other.tryLock(toExclude(target), "1", 600s));
        // Of a wait, since one try is over with its answer: all have been refused, and try again.
        std::vector<LockUser::Acquired> tries = startAll(a, 60s);
        QTRY_VERIFY(subscribers() >= int(tries.size()) - 1); // a spin lock's asks again and again
        proxy.holdRequests(true);
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY(other.release(toExclude(target)));
        QTRY_VERIFY(proxy.isHolding());
        QTRY_VERIFY(proxy.heldTimes("EVALSHA") >= int(tries.size()));
        proxy.holdRequests(false);
        proxy.leaveClientsOfHeld();
        for (std::size_t i = 0; i < tries.size(); ++i)
            QVERIFY2(tries[i]->awaited()->acquired, oneOfEachKind()[i].name.c_str());
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY2(a.release(target), target.name.c_str());
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY2(!exists(target.name), target.name.c_str());
        deliver(proxy, int(tries.size()));
        for (const LockTarget &target : oneOfEachKind())
            QVERIFY2(exists(target.name), target.name.c_str());
        for (const LockTarget &target : oneOfEachKind())
            QTRY_VERIFY2_WITH_TIMEOUT(!exists(target.name), target.name.c_str(), GenerousMs);
        QCOMPARE(m_server.cli({ u"hlen"_s, u"kept"_s }), "1");
        QCOMPARE(a.release({ "kept" }), Result<ReleaseOutcome>(ReleaseOutcome::Released));
    }

    void locksAreTakenThoughTheServersClockIsSet_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::newRow("ahead") << Hour;
        QTest::newRow("back") << -Hour;
    }
    void locksAreTakenThoughTheServersClockIsSet()
    {
        QFETCH(const int, seconds);
        const QTemporaryDir folder;
        const QString clock = folder.filePath(u"clock"_s);
        const auto set = [&](int ahead) {
            QFile file(clock);
            return file.open(QIODevice::WriteOnly) && file.write(QByteArray::number(ahead)) > 0;
        };
        QVERIFY(set(seconds)); // another one than here from the start
        RedisServer server;
        qputenv("STEPPED_CLOCK", clock.toUtf8());
        qputenv("LD_PRELOAD", STEPPED_CLOCK_LIBRARY);
        const bool isUp = server.start();
        qunsetenv("LD_PRELOAD");
        QVERIFY(isUp);
        LockUser a(server.endpoint(), { .times = impatient(2s) });
        Semaphore jobs(*a.client, "jobs");
        QVERIFY(*answerTo<bool>([&](auto handler) { jobs.trySetPermits(3, {}, std::move(handler)); }));
        const auto takesAll = [&] {
            for (const LockTarget &target : oneOfEachKind()) {
                if (!a.tryLock(target) || !a.release(target))
                    return false;
            }
            return answerTo<AcquireOutcome>([&](auto handler) { jobs.acquire(1, 0ms, std::move(handler)); })->acquired;
        };
        QVERIFY(takesAll());
        for (const int ahead : { 2 * seconds, 3 * seconds }) { // and while it is connected
            QVERIFY(set(ahead));
            const qint64 there = server.cli({ u"time"_s }).split('\n').value(0).toLongLong();
            QVERIFY2(std::abs(there - QDateTime::currentSecsSinceEpoch() - ahead) < 60, "its clock was not set");
            QVERIFY(takesAll());
        }
    }

    void whoMayNotAskForTheTimeGoesOnWithoutIt()
    {
        m_server.cli(
            { u"acl"_s, u"setuser"_s, u"timeless"_s, u"on"_s, u">secret"_s, u"~*"_s, u"&*"_s, u"+@all"_s, u"-time"_s });
        Endpoint endpoint = m_server.endpoint();
        endpoint.user = "timeless";
        endpoint.password = "secret";
        LockUser a(endpoint);
        for (const LockTarget &target : { LockTarget{ "reentrant" }, LockTarget{ "fenced", Kind::Fenced },
                 LockTarget{ "read", Kind::ReadWrite, HoldMode::Read } }) {
            QVERIFY(a.tryLock(target));
            QVERIFY(a.release(target));
        }
        m_server.cli({ u"acl"_s, u"deluser"_s, u"timeless"_s });
    }

    void aRightTakenWhileConnectedHindersNobody()
    {
        m_server.cli({ u"acl"_s, u"setuser"_s, u"timely"_s, u"on"_s, u">secret"_s, u"~*"_s, u"&*"_s, u"+@all"_s });
        Endpoint endpoint = m_server.endpoint();
        endpoint.user = "timely";
        endpoint.password = "secret";
        LockUser a(endpoint);
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.release(Job));
        m_server.cli({ u"acl"_s, u"setuser"_s, u"timely"_s, u"-time"_s });
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.release(Job));
        m_server.cli({ u"acl"_s, u"deluser"_s, u"timely"_s });
    }

private:
    Endpoint behind(const LossyProxy &proxy) const
    {
        Endpoint endpoint = m_server.endpoint();
        endpoint.port = proxy.port();
        return endpoint;
    }
    /// Connected, and the server knows the scripts: what is delivered then is carried out as it is.
    void warmUp(LockUser &user)
    {
        QVERIFY(user.waitReady());
        for (const LockTarget &target : oneOfEachKind()) {
            QVERIFY(user.tryLock(target));
            QVERIFY(user.release(target));
        }
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"redisson_unlock_latch:*"_s }), QByteArray());
    }
    static std::vector<LockUser::Acquired> startAll(LockUser &user, Millis wait)
    {
        std::vector<LockUser::Acquired> tries;
        for (const LockTarget &target : oneOfEachKind())
            tries.push_back(user.startAcquire({ target, "1", 600s, wait }));
        return tries;
    }
    static bool waitUntilGivenBack(LockUser &user)
    {
        return user.waitReady() && QTest::qWaitFor([&] {
            const HoldTurns &turns = user.client->parts().core.turns;
            return std::ranges::none_of(oneOfEachKind(), [&turns](const LockTarget &target) {
                return turns.isTaken(placeOf({ target, "1" }));
            });
        });
    }
    void deliver(LossyProxy &proxy, int scripts)
    {
        const int before = commandCalls(m_server, "evalsha");
        proxy.deliverHeld();
        QTRY_VERIFY(commandCalls(m_server, "evalsha") >= before + scripts);
    }
    int subscribers() const
    {
        return int(m_server.cli({ u"pubsub"_s, u"channels"_s, u"redisson_*"_s }).split('\n').size());
    }
    bool exists(const std::string &key) const
    {
        return m_server.cli({ u"exists"_s, QString::fromStdString(key) }) == "1";
    }

    const LockTarget Job{ "job" };
    const LockTarget Busy{ "busy", Kind::Fair };
};

QTEST_GUILESS_MAIN(LateTriesTest)
#include "tst_late_tries.moc"
