// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

const LockName Name = "job";
const OwnerId A{ "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10", "1" };
const OwnerId B{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "1" };
const std::string Channel = "redisson_lock__channel:{job}";
const WallTime Start{ Millis(1'795'000'000'000) };

const LockBehaviour &behaviour(Kind kind, LockVariant variant) { return *lockBehaviour(kind, {}, variant).value(); }

UnlockCall unlockCall(const OwnerId &owner, char digit)
{
    return { Name, owner, 30s, std::string(32, digit), 10s, {}, Told };
}

} // namespace

class LockVariantsTest : public ScriptTest {
    Q_OBJECT

private Q_SLOTS:
    void goesOnlyWithKindsThatHaveIt()
    {
        using enum LockVariant;
        for (const Kind kind : { Kind::Fair, Kind::Fenced, Kind::FasterMulti, Kind::Semaphore })
            QCOMPARE(lockBehaviour(kind, {}, Spin).error().code, ErrorCode::InvalidArgument);
        for (const Kind kind : { Kind::Fenced, Kind::FasterMulti, Kind::CountDownLatch })
            QCOMPARE(lockBehaviour(kind, {}, NonReentrant).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(lockBehaviour(Kind::ReadWrite, HoldMode::Read, Spin).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(lockBehaviour(Kind::PermitExpirableSemaphore, {}).error().code, ErrorCode::NotSupported);
    }

    void spinsWithoutTellingAnybody()
    {
        const LockBehaviour &spin = behaviour(Kind::Reentrant, LockVariant::Spin);
        QVERIFY(!spin.channel);
        QVERIFY(m_redis.acquires(spin.acquire({ Name, A, 30s })));
        QVERIFY(m_redis.acquires(spin.acquire({ Name, A, 30s })));
        QVERIFY(!m_redis.acquires(spin.acquire({ Name, B, 30s })));
        QCOMPARE(parseUnlockReply(m_redis.run(spin.unlock(unlockCall(A, '1')))).value(), 1);
        QCOMPARE(parseUnlockReply(m_redis.run(spin.unlock(unlockCall(A, '1')))).value(), 1);
        QCOMPARE(parseUnlockReply(m_redis.run(spin.unlock(unlockCall(B, '2')))).error().code, ErrorCode::NotHeld);
        QCOMPARE(parseUnlockReply(m_redis.run(spin.unlock(unlockCall(A, '3')))).value(), 0);
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void refusesASecondHold_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::newRow("reentrant") << Kind::Reentrant;
        QTest::newRow("fair") << Kind::Fair;
    }
    void refusesASecondHold()
    {
        QFETCH(Kind, kind);
        const LockBehaviour &once = behaviour(kind, LockVariant::NonReentrant);
        TryCall call{ Name, A, 30s, 5s, true, {}, {}, Told };
        QVERIFY(m_redis.acquires(once.acquire(call)));
        m_redis.ask({ "PEXPIRE", Name, "1000" });
        QCOMPARE(m_redis.tryTo(once.acquire(call)).error().code, ErrorCode::AlreadyHeld);
        QVERIFY(m_redis.pttl(Name) <= 1'000);
        call.holdsKnown = 1;
        QCOMPARE(m_redis.tryTo(once.acquire(call)).error().code, ErrorCode::AlreadyHeld);
        call.holdsKnown = 0;
        QVERIFY2(m_redis.acquires(once.acquire(call)), "the answer to the first try was lost");
        QCOMPARE(m_redis.hash(Name)[toString(A)], std::string("1"));
        call.owner = B;
        QVERIFY2(!m_redis.tryTo(once.acquire(call)).value().acquired, "others are refused as ever");
        QCOMPARE(parseUnlockReply(m_redis.run(once.unlock(unlockCall(A, '1')))).value(), 0);
        const std::string channel = once.channel(Name, B);
        QCOMPARE(m_redis.told(channel), (Texts{ "0" }));
        QVERIFY(m_redis.acquires(once.acquire(call)));
    }

    void publishesWithTheCommandGiven_data()
    {
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<int>("mode"); // -1: none
        QTest::newRow("reentrant") << Kind::Reentrant << -1;
        QTest::newRow("fenced") << Kind::Fenced << -1;
        QTest::newRow("read") << Kind::ReadWrite << int(HoldMode::Read);
        QTest::newRow("write") << Kind::ReadWrite << int(HoldMode::Write);
    }
    void publishesWithTheCommandGiven()
    {
        QFETCH(Kind, kind);
        QFETCH(int, mode);
        const auto half = mode < 0 ? std::optional<HoldMode>() : HoldMode(mode);
        const LockBehaviour &lock = *lockBehaviour(kind, half).value();
        QVERIFY(m_redis.acquires(lock.acquire({ Name, A, 30s })));
        QCOMPARE(parseUnlockReply(m_redis.run(lock.unlock(unlockCall(A, '1')))).value(), 0);
        QCOMPARE(m_redis.told(lock.channel(Name, A)).size(), 1);
    }

    void leavesKeysOfAnotherTypeAlone_data()
    {
        QTest::addColumn<const LockBehaviour *>("lock");
        const auto add = [](const char *name, Kind kind, std::optional<HoldMode> mode, LockVariant variant) {
            QTest::newRow(name) << lockBehaviour(kind, mode, variant).value();
        };
        using enum LockVariant;
        add("reentrant", Kind::Reentrant, {}, Standard);
        add("spin", Kind::Reentrant, {}, Spin);
        add("non-reentrant", Kind::Reentrant, {}, NonReentrant);
        add("fair", Kind::Fair, {}, Standard);
        add("non-reentrant fair", Kind::Fair, {}, NonReentrant);
        add("read", Kind::ReadWrite, HoldMode::Read, Standard);
        add("write", Kind::ReadWrite, HoldMode::Write, Standard);
        add("fenced", Kind::Fenced, {}, Standard);
        add("faster multi", Kind::FasterMulti, {}, Standard);
    }
    void leavesKeysOfAnotherTypeAlone()
    {
        QFETCH(const LockBehaviour *, lock);
        for (const Texts &command : { Texts{ "SET", Name, "1" }, Texts{ "RPUSH", Name, "1" } }) {
            m_redis.ask({ "FLUSHALL" });
            m_redis.ask(command);
            const auto before = m_redis.everything();
            const std::vector<std::string> values{ "a", "b" };
            const TryCall tryCall{ Name, A, 30s, 5s, true, {}, values, Told };
            UnlockCall unlock = unlockCall(A, '1');
            unlock.values = values;
            const HoldName hold{ Name, A, values };
            QCOMPARE(m_redis.refusal(lock->acquire(tryCall)), ErrorCode::WrongType);
            QCOMPARE(m_redis.refusal(lock->unlock(unlock)), ErrorCode::WrongType);
            QCOMPARE(m_redis.refusal(lock->renew({ &hold, 1 }, 30s)), ErrorCode::WrongType);
            QCOMPARE(m_redis.refusal(lock->setLease({ Name, A, 30s, std::string(32, 'a'), {}, values })),
                ErrorCode::WrongType);
            QCOMPARE(m_redis.everything(), before);
        }
    }

private:
};

QTEST_GUILESS_MAIN(LockVariantsTest)
#include "tst_lock_variants.moc"
