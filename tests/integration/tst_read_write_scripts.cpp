// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

const LockName Name = "data";
const OwnerId A{ "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10", "1" };
const OwnerId B{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "1" };
const OwnerId C{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "2" };
const std::string Channel = "redisson_rwlock:{data}";

const LockBehaviour &half(HoldMode mode) { return *lockBehaviour(Kind::ReadWrite, mode).value(); }

} // namespace

/// Where the scripts do better than Redisson's, and where they must not do worse.
class ReadWriteScripts : public ScriptTest {
    Q_OBJECT

protected:
    void prepareNext() override { m_unlocks = 0; }

private Q_SLOTS:
    void renewsWithoutTakingTimeFromAnotherReader()
    {
        QVERIFY(acquire(HoldMode::Read, A, 90s));
        QVERIFY(acquire(HoldMode::Read, B, 30s));
        QVERIFY(renew(B, 40s));
        QVERIFY(m_redis.pttl(Name) > 80'000);
        QVERIFY(m_redis.pttl(timeout(B, 1)) > 30'000);
    }

    void renewsWithoutTakingTimeFromAnotherHoldOfTheReader()
    {
        QVERIFY(acquire(HoldMode::Read, A, 90s));
        QVERIFY(acquire(HoldMode::Read, A, 30s));
        QVERIFY(renew(A, 40s));
        QVERIFY(m_redis.pttl(timeout(A, 1)) > 80'000);
        QVERIFY(m_redis.pttl(timeout(A, 2)) > 30'000);
    }

    void leavesAReaderItsTimeWhenItGivesBackOneOfItsWriteHolds()
    {
        QVERIFY(acquire(HoldMode::Write, A, 30s));
        QVERIFY(acquire(HoldMode::Write, A, 30s));
        QVERIFY(acquire(HoldMode::Read, A, 90s));
        QCOMPARE(unlock(HoldMode::Write, A), 1);
        QVERIFY(m_redis.pttl(Name) > 80'000);
    }

    void revivesAReadHoldThatRanOutWhileOthersRead()
    {
        QVERIFY(acquire(HoldMode::Read, A, 90s));
        QVERIFY(acquire(HoldMode::Read, B, 30s));
        m_redis.ask({ "DEL", timeout(B, 1) });
        QVERIFY(renew(B, 30s));
        QVERIFY(m_redis.pttl(timeout(B, 1)) > 20'000);
        QVERIFY(!renew(C, 30s));
        QCOMPARE(m_redis.number({ "EXISTS", timeout(C, 1) }), 0);
    }

    void tellsReadersThatAWriterGoesOnAsReader()
    {
        QVERIFY(acquire(HoldMode::Write, A, 30s));
        QVERIFY(acquire(HoldMode::Read, A, 30s));
        QVERIFY(!acquire(HoldMode::Read, B, 30s));
        QCOMPARE(unlock(HoldMode::Write, A), 0);
        QCOMPARE(m_redis.told(Channel), (Texts{ "1" }));
        QCOMPARE(m_redis.hash(Name)["mode"], std::string("read"));
        QVERIFY(acquire(HoldMode::Read, B, 30s));
        QCOMPARE(unlock(HoldMode::Read, A), 0);
        QCOMPARE(m_redis.told(Channel), Texts{});
        QCOMPARE(unlock(HoldMode::Read, B), 0);
        QCOMPARE(m_redis.told(Channel), (Texts{ "0" }));
        QCOMPARE(m_redis.keys(), Texts{});
    }

    /// The server would look for that many keys.
    void isNotKeptBusyByACountThatNobodyHas()
    {
        QVERIFY(acquire(HoldMode::Read, A, 30s));
        m_redis.ask({ "HSET", Name, toString(B), "9000000000000" });
        m_redis.ask({ "SET", timeout(B, 9'000'000'000'000), "1", "PX", "60000" });
        QVERIFY(renew(B, 50s));
        QCOMPARE(unlock(HoldMode::Read, A), 0);
        QVERIFY2(m_redis.pttl(Name) > 40'000, "the newest of its holds counts");
    }

private:
    static std::string timeout(const OwnerId &owner, std::int64_t index)
    {
        return key_layout::readTimeout(Name, owner, index);
    }
    bool acquire(HoldMode mode, const OwnerId &owner, Millis lease)
    {
        return m_redis.acquires(half(mode).acquire({ Name, owner, lease }));
    }
    bool renew(const OwnerId &owner, Millis lease)
    {
        const HoldName hold{ Name, owner };
        return parseRenewReply(m_redis.run(half(HoldMode::Read).renew({ &hold, 1 }, lease)), 1)->front();
    }
    std::int64_t unlock(HoldMode mode, const OwnerId &owner)
    {
        const std::string requestId(32, char('0' + m_unlocks++));
        return parseUnlockReply(m_redis.run(half(mode).unlock({ Name, owner, 30s, requestId, 10s, {}, Told }))).value();
    }

    int m_unlocks = 0;
};

QTEST_GUILESS_MAIN(ReadWriteScripts)
#include "tst_read_write_scripts.moc"
