// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/command.h"
#include "lockcore/synchronizers/fair_lock.h"
#include "lockcore/synchronizers/faster_multi_lock.h"
#include "lockcore/synchronizers/fenced_lock.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/permit_expirable_semaphore.h"
#include "lockcore/synchronizers/read_write_lock.h"
#include "lockcore/synchronizers/semaphore.h"
#include "tests/integration/script_test.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;

namespace {

constexpr WallTime LastMoment{ Millis(1'700'000'000'000) };
const OwnerId A{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "1" };
const Texts Permits{ std::string(32, 'a') };

/// Each of what takes something.
std::map<std::string, ScriptCall> tries()
{
    TryCall call{ "job", A, Millis(60'000), Millis(5'000), true };
    std::map<std::string, ScriptCall> all{ { "reentrant", reentrantLock().acquire(call) },
        { "non-reentrant", nonReentrantLock().acquire(call) }, { "fair", fairLock().acquire(call) },
        { "fair non-reentrant", nonReentrantFairLock().acquire(call) }, { "fenced", fencedLock().acquire(call) },
        { "read", readLock().acquire(call) }, { "write", writeLock().acquire(call) },
        { "permits", semaphore::acquire("permits", 1) },
        { "permits with ids", permit_expirable_semaphore::acquire({ "permits", Permits, {}, Told }) } };
    call.values = { "x", "y" };
    all.emplace("group", fasterMultiLock().acquire(call));
    return all;
}

} // namespace

class LastMomentTest : public ScriptTest {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsTakenAfterIt_data()
    {
        QTest::addColumn<QByteArray>("what");
        for (const auto &[what, call] : tries())
            QTest::newRow(what.c_str()) << QByteArray(what.c_str());
    }
    void nothingIsTakenAfterIt()
    {
        QFETCH(const QByteArray, what);
        ScriptCall call = tries().at(what.toStdString());
        QVERIFY(call.script->hasLastMoment);
        QCOMPARE(call.arguments.front(), std::string(protocol::AnyTime));
        m_redis.ask({ "SET", "permits", "2" });
        const auto before = m_redis.everything();
        call.arguments.front() = epochMilliseconds(LastMoment);

        const auto reply = m_redis.at(LastMoment + Millis(1)).run(call);
        QVERIFY(protocol::cameLateAt(reply) == LastMoment + Millis(1));
        QCOMPARE(parseTryReply(reply).error().code, ErrorCode::ReplyTimeout);
        QVERIFY(m_redis.everything() == before);

        QVERIFY2(m_redis.at(LastMoment).acquires(call), "at the last moment");
        QVERIFY(m_redis.everything() != before);
    }

    void nobodyLinesUpAfterIt()
    {
        m_redis.ask({ "HSET", "job", "8a0c4f5e-0000-4e0b-9f55-0c5d1be0a7d2:1", "1" });
        const auto before = m_redis.everything();
        ScriptCall call = tries().at("fair");
        call.arguments.front() = epochMilliseconds(LastMoment);
        QVERIFY(protocol::cameLateAt(m_redis.at(LastMoment + Millis(1)).run(call)));
        QVERIFY(m_redis.everything() == before);
    }
};

QTEST_GUILESS_MAIN(LastMomentTest)
#include "tst_last_moment.moc"
