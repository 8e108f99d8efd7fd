// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

const LockName Name = "job";
const OwnerId A{ "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10", "1" };
const OwnerId B{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "1" };
const std::string Token = "redisson_lock_token:{job}";
const std::string Channel = "redisson_lock__channel:{job}";

const LockBehaviour &fenced() { return *lockBehaviour(Kind::Fenced, {}).value(); }

} // namespace

class FencedLock : public ScriptTest {
    Q_OBJECT

private Q_SLOTS:
    void givesAGreaterTokenWithEachHold()
    {
        QCOMPARE(*acquire(A).token, 1);
        QVERIFY(!acquire(B).acquired);
        QCOMPARE(*acquire(A).token, 2);
        QCOMPARE(unlock(A, "1").value(), 1);
        QCOMPARE(unlock(A, "2").value(), 0);
        QCOMPARE(m_redis.told(Channel), (Texts{ "0" }));
        QCOMPARE(m_redis.keys(), (Texts{ Token }));
        QCOMPARE(m_redis.pttl(Token), -1);
        QCOMPARE(*acquire(B).token, 3);
    }

    void givesTheTokenOfTheHoldWhoseAnswerWasLost()
    {
        QCOMPARE(*acquire(A).token, 1);
        QCOMPARE(*acquire(A, 0).token, 1);
        QCOMPARE(m_redis.hash(Name)[toString(A)], std::string("1"));
        QCOMPARE(*acquire(A, 1).token, 2);
        QCOMPARE(*acquire(A, 1).token, 2);
        QCOMPARE(m_redis.hash(Name)[toString(A)], std::string("2"));
        QVERIFY(!acquire(B, 0).acquired);
    }

    void keepsTheTokenWhenItsLeaseIsSet()
    {
        QVERIFY(acquire(A).acquired);
        m_redis.run(fenced().setLease({ Name, A, 5s, std::string(32, 'a') }));
        QVERIFY(m_redis.pttl(Name) <= 5'000);
        QCOMPARE(m_redis.pttl(Token), -1);
    }

    void isReadWithItsToken()
    {
        QVERIFY(acquire(A).acquired && acquire(A).acquired);
        const std::vector<LockName> names{ Name };
        const auto reply = m_redis.ask({ "EVAL", std::string(readLocksScript().text), "1", Name });
        const auto readings = decodeReadLocks(names, reply);
        QVERIFY(readings && readings->size() == 1);
        QCOMPARE(readings->front().kind, Kind::Fenced);
        QCOMPARE(*readings->front().token, 2);
        QCOMPARE(readings->front().holders.at(0).count, 2);
        QCOMPARE(readings->front().keys, (Texts{ Name, Token }));
    }

    void leavesKeysOfAnotherTypeAlone()
    {
        m_redis.ask({ "RPUSH", Token, "1" });
        QCOMPARE(m_redis.refusal(call(A, {})), ErrorCode::WrongType);
        QCOMPARE(m_redis.keys(), (Texts{ Token }));
        m_redis.ask({ "DEL", Token });
        m_redis.ask({ "SET", Name, "1" });
        QCOMPARE(m_redis.refusal(call(A, {})), ErrorCode::WrongType);
        QCOMPARE(m_redis.keys(), (Texts{ Name }));
    }

private:
    static ScriptCall call(const OwnerId &owner, std::optional<std::int64_t> holdsKnown)
    {
        TryCall call{ Name, owner, 30s };
        call.holdsKnown = holdsKnown;
        return fenced().acquire(call);
    }
    TryReply acquire(const OwnerId &owner, std::optional<std::int64_t> holdsKnown = {})
    {
        return m_redis.tryTo(call(owner, holdsKnown)).value();
    }
    Result<std::int64_t> unlock(const OwnerId &owner, const std::string &requestId)
    {
        return parseUnlockReply(
            m_redis.run(fenced().unlock({ Name, owner, 30s, std::string(31, '0') + requestId, 10s, {}, Told })));
    }
};

QTEST_GUILESS_MAIN(FencedLock)
#include "tst_fenced_lock.moc"
