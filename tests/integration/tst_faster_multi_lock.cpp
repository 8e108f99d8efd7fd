// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/kryo5_string.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/value_hash.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

const LockName Group = "group";
const OwnerId A{ "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10", "1" };
const OwnerId B{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "7" };
const std::string Channel = "redisson_lock__channel:{group}";
const WallTime Start{ Millis(1'795'000'000'000) };

const LockBehaviour &faster() { return *lockBehaviour(Kind::FasterMulti, {}).value(); }

std::string value(const char *text) { return *kryo5String(text); }

using Values = std::initializer_list<const char *>;

std::vector<std::string> encoded(Values values)
{
    std::vector<std::string> result;
    for (const char *text : values)
        result.push_back(value(text));
    return result;
}

std::string millis(WallTime time) { return std::to_string(time.time_since_epoch().count()); }

} // namespace

class FasterMultiLock : public ScriptTest {
    Q_OBJECT

protected:
    void prepareNext() override { m_unlocks = 0; }

private Q_SLOTS:
    /// The hashes are those that Redisson 4.7.0 wrote.
    void writesWhatRedissonWrites()
    {
        QVERIFY(acquire(A, { "a", "sku" }, 30s).acquired);
        QVERIFY(acquire(A, { "a" }, 10s, Start + 1s).acquired);
        const std::map<std::string, std::string> expected{
            { "Jon6GCcO+0QSJkhre5wXYA", toString(A) },
            { "Jon6GCcO+0QSJkhre5wXYA:" + toString(A) + ":expire_time", millis(Start + 30s) },
            { "Jon6GCcO+0QSJkhre5wXYA:" + toString(A) + ":lock_count", "2" },
            { "+5s9OlqwjdgDeRHyIGEMTQ", toString(A) },
            { "+5s9OlqwjdgDeRHyIGEMTQ:" + toString(A) + ":expire_time", millis(Start + 30s) },
            { "+5s9OlqwjdgDeRHyIGEMTQ:" + toString(A) + ":lock_count", "1" },
        };
        QCOMPARE(m_redis.hash(Group), expected);
        QVERIFY(m_redis.pttl(Group) > 20'000 && m_redis.pttl(Group) <= 30'000);
        QVERIFY(acquire(A, { "b" }, 60s).acquired);
        QVERIFY2(m_redis.pttl(Group) > 50'000, "the key lives as long as the longest hold");
    }

    void locksAllValuesOrNone()
    {
        QVERIFY(acquire(A, { "a" }, 30s).acquired);
        QVERIFY(acquire(B, { "b" }, 20s).acquired);
        const auto before = m_redis.everything();
        const OwnerId c{ B.client, "8" };
        const auto refused = acquire(c, { "c", "a", "b" }, 30s, Start + 1s);
        QVERIFY(!refused.acquired);
        QCOMPARE(*refused.pause, 29s);
        QCOMPARE(m_redis.everything(), before);
        QVERIFY2(acquire(c, { "c", "b" }, 30s, Start + 20s).acquired, "its lease is over, though the key lives");
    }

    void countsAValueNamedTwiceOnce()
    {
        QVERIFY(acquire(A, { "a", "a" }, 30s).acquired);
        QCOMPARE(unlock(A, { "a", "a" }).value(), 0);
        QCOMPARE(m_redis.keys(), (Texts{ Channel }));
    }

    void countsATryWhoseAnswerWasLostOnce()
    {
        QVERIFY(acquire(A, { "a", "b" }, 30s).acquired);
        QVERIFY(acquire(A, { "a", "b" }, 30s, Start + 1s, 0).acquired);
        QCOMPARE(count("a"), 1);
        QVERIFY(acquire(A, { "a", "b" }, 30s, Start + 1s, 1).acquired);
        QCOMPARE(count("a"), 2);
    }

    void countsWhatIsKnownOfEachValue()
    {
        QVERIFY(acquire(A, { "b" }, 30s).acquired);
        QVERIFY(acquire(A, { "c" }, 30s).acquired);
        HoldsKnown known;
        known.ofValues = { 1, 1 };
        QVERIFY(acquire(A, { "b", "c" }, 30s, Start + 1s, known).acquired); // the try before never ran
        QCOMPARE(count("b"), 2);
        QCOMPARE(count("c"), 2);
        QVERIFY(acquire(A, { "b", "c" }, 30s, Start + 1s, known).acquired);
        QCOMPARE(count("b"), 2);
        known.ofValues = { 0, 2 };
        QCOMPARE(acquire(A, { "b", "c" }, 30s, Start + 1s, known).unknownBefore, 2);
        QCOMPARE(count("b"), 2);
        QCOMPARE(count("c"), 3);
    }

    void tellsThatAKnownValueIsGone()
    {
        HoldsKnown known;
        known.ofValues = { 1, 0 };
        QCOMPARE(acquire(A, { "b", "c" }, 30s, Start, known).unknownBefore, -1);
        QCOMPARE(count("b"), 1);
    }

    void givesBackWhatIsHeldBeyondThoseToKeep()
    {
        for (int i = 0; i < 3; ++i)
            QVERIFY(acquire(A, { "a", "b" }, 30s).acquired);
        const std::string digits = "00000000000000000000000000000077";
        UnlockCall call{ Group, A, 30s, digits, 60s, encoded({ "a", "b" }), Told };
        call.keep = HoldsKnown();
        call.keep->ofValues = { 1, 0 };
        QCOMPARE(parseUnlockReply(m_redis.run(faster().unlock(call))).value(), 0);
        QCOMPARE(count("a"), 1);
        QVERIFY(!m_redis.hash(Group).contains(valueHash(value("b"))));
        QVERIFY(acquire(A, { "b" }, 30s).acquired);
        QCOMPARE(parseUnlockReply(m_redis.run(faster().unlock(call))).value(), 0);
        QVERIFY2(m_redis.hash(Group).contains(valueHash(value("b"))), "a late copy takes nothing");
    }

    void givesBackAllOrNone()
    {
        QVERIFY(acquire(A, { "a", "b" }, 30s).acquired);
        QVERIFY(acquire(B, { "c" }, 30s).acquired);
        const auto before = m_redis.everything();
        const auto refused = unlock(A, { "a", "c" });
        QCOMPARE(refused.error().code, ErrorCode::NotHeld);
        QVERIFY2(refused.error().message.find(toString(B)) != std::string::npos, refused.error().message.c_str());
        QCOMPARE(unlock(A, { "a", "b" }, Start + 31s).error().code, ErrorCode::NotHeld);
        QCOMPARE(unlock(A, { "a", "d" }).error().code, ErrorCode::NotHeld);
        QCOMPARE(m_redis.everything(), before);
        QCOMPARE(unlock(A, { "a", "b" }).value(), 0);
        QCOMPARE(m_redis.told(Channel), (Texts{ "0" }));
        QCOMPARE(m_redis.hash(Group).size(), 3);
    }

    void prolongsWhatIsStillHeldAfterAnUnlock()
    {
        QVERIFY(acquire(A, { "a", "b" }, 30s).acquired);
        QVERIFY(acquire(A, { "b" }, 30s).acquired);
        m_redis.ask({ "PEXPIRE", Group, "5000" });
        QCOMPARE(unlock(A, { "a", "b" }, Start + 10s, 30s).value(), 1);
        QCOMPARE(m_redis.hash(Group)[valueHash(value("b")) + ':' + toString(A) + ":expire_time"], millis(Start + 40s));
        QVERIFY(m_redis.pttl(Group) > 20'000);
        QVERIFY(!m_redis.hash(Group).contains(valueHash(value("a"))));
    }

    void answersARepeatedUnlockAlike()
    {
        QVERIFY(acquire(A, { "a" }, 30s).acquired);
        QVERIFY(acquire(A, { "a" }, 30s).acquired);
        QCOMPARE(unlock(A, { "a" }).value(), 1);
        --m_unlocks;
        QCOMPARE(unlock(A, { "a" }).value(), 1);
        QCOMPARE(unlock(A, { "a" }).value(), 0);
        --m_unlocks;
        QCOMPARE(unlock(A, { "a" }).value(), 0);
    }

    void renewsManyGroupsWithOneCall()
    {
        QVERIFY(acquire(A, { "a", "b" }, 30s).acquired);
        QVERIFY(acquire(B, { "c" }, 90s).acquired);
        TryCall other{ "other", B, 30s, {}, {}, {}, encoded({ "a" }) };
        QVERIFY(m_redis.acquires(faster().acquire(other)));
        const std::vector<HoldName> holds{ { Group, A, encoded({ "a", "b" }) }, { Group, A, encoded({ "a", "c" }) },
            { Group, B, encoded({ "c" }) }, { "other", B, encoded({ "a" }) }, { "other", A, encoded({ "a" }) },
            { "gone", A, encoded({ "a" }) } };
        const auto renewed = parseRenewReply(m_redis.at(Start + 10s).run(faster().renew(holds, 60s)), holds.size());
        QCOMPARE(renewed.value(), (std::vector<bool>{ true, false, true, true, false, false }));
        QCOMPARE(expiry("a", A), Start + 70s);
        QCOMPARE(expiry("b", A), Start + 70s);
        QVERIFY2(expiry("c", B) == Start + 90s, "never shortened");
        QVERIFY(m_redis.pttl(Group) > 80'000);
        QVERIFY(m_redis.pttl("other") > 50'000);
    }

    void setsALeaseAlsoToLess()
    {
        QVERIFY(acquire(A, { "a", "b" }, 90s).acquired);
        QVERIFY(acquire(B, { "c" }, 50s).acquired);
        const std::string id(32, 'a');
        const SetLeaseCall call{ Group, A, 10s, id, {}, encoded({ "a", "b" }) };
        QVERIFY(parseRenewReply(m_redis.run(faster().setLease(call)), 1)->front());
        QCOMPARE(expiry("b", A), Start + 10s);
        QVERIFY2(m_redis.pttl(Group) > 40'000 && m_redis.pttl(Group) <= 50'000, "the longest hold keeps the key");
        const SetLeaseCall stranger{ Group, B, 10s, id, {}, encoded({ "a", "c" }) };
        QVERIFY(!parseRenewReply(m_redis.run(faster().setLease(stranger)), 1)->front());
        QCOMPARE(expiry("c", B), Start + 50s);
    }

    void locksNothingWithoutValues()
    {
        QVERIFY(m_redis.run(faster().acquire({ Group, A, 30s })).isError());
        QCOMPARE(unlock(A, {}).error().code, ErrorCode::NotHeld);
        const HoldName hold{ Group, A, {} };
        QVERIFY(!parseRenewReply(m_redis.run(faster().renew({ &hold, 1 }, 30s)), 1)->front());
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void doesNotEnterALockOfAnotherKind()
    {
        for (const Kind kind : { Kind::Reentrant, Kind::ReadWrite }) {
            m_redis.ask({ "FLUSHALL" });
            const auto mode = kind == Kind::ReadWrite ? std::optional(HoldMode::Read) : std::nullopt;
            QVERIFY(m_redis.acquires(lockBehaviour(kind, mode).value()->acquire({ Group, A, 30s })));
            const auto before = m_redis.everything();
            QVERIFY(!acquire(A, { "a" }, 30s).acquired);
            QCOMPARE(m_redis.everything(), before);
        }
    }

    void prolongsAGroupInItsLastMillisecond()
    {
        const HoldName hold{ Group, A, encoded({ "a" }) };
        for (int i = 0; i < 30; ++i) {
            comeToTheLastMillisecond();
            const auto held = parseRenewReply(m_redis.at(Start).run(faster().renew({ &hold, 1 }, 30s)), 1);
            QVERIFY(!held->front() || m_redis.pttl(Group) > 20'000);
        }
    }

    void isHeldFromTheLastMillisecondOfTheLeaseBefore()
    {
        for (int i = 0; i < 30; ++i) {
            comeToTheLastMillisecond();
            QVERIFY(acquire(B, { "a" }, 30s, Start + 5ms).acquired);
            QVERIFY(m_redis.pttl(Group) > 20'000);
        }
    }

    void isReleasedByForceFromThoseSeen()
    {
        QVERIFY(acquire(A, { "a", "b" }, 30s).acquired);
        QVERIFY(acquire(A, { "b" }, 30s).acquired);
        QVERIFY(acquire(B, { "c" }, 30s).acquired);
        const std::vector<LockName> names{ Group };
        const auto readings
            = decodeReadLocks(names, m_redis.ask({ "EVAL", std::string(readLocksScript().text), "1", Group }));
        QVERIFY(readings && readings->size() == 1);
        QCOMPARE(readings->front().kind, Kind::FasterMulti);
        std::vector<ExpectedHolder> seen;
        for (const HolderReading &holder : readings->front().holders)
            seen.push_back({ holder.owner, {} });
        QCOMPARE(seen.size(), 2);

        const auto before = m_redis.everything();
        auto refused = forceRelease({ { A, {} } });
        QVERIFY(!refused.done && !refused.published);
        QCOMPARE(refused.found.size(), 2);
        QCOMPARE(refused.found[0].count + refused.found[1].count, 3);
        const OwnerId other{ A.client, "2" };
        QVERIFY(!forceRelease({ { A, {} }, { B, {} }, { other, {} } }).done);
        QVERIFY(!forceRelease({ { A, {} }, { other, {} } }).done);
        QCOMPARE(m_redis.everything(), before);
        QVERIFY(forceRelease(seen).done);
        QCOMPARE(m_redis.told(Channel), (Texts{ "0" }));
        QCOMPARE(m_redis.keys(), Texts{});
        QVERIFY(!forceRelease(seen).done);
    }

private:
    TryReply acquire(const OwnerId &owner, Values values, Millis lease, WallTime now = Start,
        std::optional<HoldsKnown> holdsKnown = {})
    {
        const TryCall call{ Group, owner, lease, {}, {}, holdsKnown, encoded(values) };
        return m_redis.at(now).tryTo(faster().acquire(call)).value();
    }
    Result<std::int64_t> unlock(const OwnerId &owner, Values values, WallTime now = Start, Millis lease = 30s)
    {
        const std::string digits = std::to_string(m_unlocks++);
        const std::string requestId = std::string(32 - digits.size(), '0') + digits;
        const UnlockCall call{ Group, owner, lease, requestId, 60s, encoded(values), Told };
        return parseUnlockReply(m_redis.at(now).run(faster().unlock(call)));
    }
    /// Of A's hold of "a"; most of the time, for it may be over a moment later.
    void comeToTheLastMillisecond()
    {
        m_redis.ask({ "FLUSHALL" });
        QVERIFY(acquire(A, { "a" }, 5ms).acquired);
        while (m_redis.pttl(Group) > 0) { }
    }
    CommandOutcome forceRelease(std::vector<ExpectedHolder> expected)
    {
        const auto call = prepare(ForceRelease{ Group, Kind::FasterMulti, std::move(expected), "test" }, Start, Told);
        return decodeOutcome(m_redis.run(call.value())).value();
    }
    int count(const char *text)
    {
        return std::stoi(m_redis.hash(Group)[valueHash(value(text)) + ':' + toString(A) + ":lock_count"]);
    }
    WallTime expiry(const char *text, const OwnerId &owner)
    {
        const auto field = valueHash(value(text)) + ':' + toString(owner) + ":expire_time";
        return WallTime(Millis(std::stoll(m_redis.hash(Group)[field])));
    }

    int m_unlocks = 0;
};

QTEST_GUILESS_MAIN(FasterMultiLock)
#include "tst_faster_multi_lock.moc"
