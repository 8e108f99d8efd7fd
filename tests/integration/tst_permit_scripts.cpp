// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/permit_expirable_semaphore.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;
namespace permits = lockcore::synchronizers::permit_expirable_semaphore;

namespace {

const LockName Name = "pool";
const std::string Deadlines = "{pool}:timeout";
const std::string Channel = "redisson_sc:{pool}";
const std::string NoLease = "922337203685477";
const WallTime Start{ Millis(1'795'000'000'000) };

std::string id(int number)
{
    const std::string digits = std::to_string(number);
    return "00ff" + std::string(28 - digits.size(), 'a') + digits;
}

std::string bytes(const std::string &permit)
{
    return QByteArray::fromHex(QByteArray::fromStdString(permit)).toStdString();
}

std::string millis(WallTime time) { return std::to_string(time.time_since_epoch().count()); }

} // namespace

class PermitScripts : public ScriptTest {
    Q_OBJECT

private Q_SLOTS:
    void writesIdsAsBytesWithTheirDeadlines()
    {
        set(3);
        QVERIFY(acquire({ 1, 2 }, 30s));
        QVERIFY(acquire({ 3 }, {}));
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, bytes(id(1)) }), millis(Start + 30s));
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, bytes(id(2)) }), millis(Start + 30s));
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, bytes(id(3)) }), NoLease);
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("0"));
        QCOMPARE(m_redis.pttl(Deadlines), -1);
    }

    void takesNothingTwiceWhenAnAnswerWasLost()
    {
        set(3);
        QVERIFY(acquire({ 1, 2 }, 30s));
        QVERIFY(acquire({ 1, 2 }, 30s, Start + 1s));
        QCOMPARE(free(Start), 1);
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, bytes(id(1)) }), millis(Start + 31s));
        QVERIFY2(acquire({ 1, 2 }, 30s, Start + 1h), "they ran out meanwhile");
        QCOMPARE(free(Start + 1h), 1);
        QCOMPARE(held(Start + 1h), 2);
    }

    void takesAnewWhatOthersTookBackBeforeTheRetry()
    {
        set(2);
        QVERIFY(acquire({ 1, 2 }, 1s));
        QVERIFY2(acquire({ 3 }, 1h, Start + 2s), "takes one of the two back, for itself");
        QVERIFY2(!acquire({ 1, 2 }, 1h, Start + 3s), "there is one left for two");
        QVERIFY(m_redis.at(Start + 4s).says(permits::release(Name, ids({ 3 }), Told)));
        QVERIFY(acquire({ 1, 2 }, 1h, Start + 5s));
        QCOMPARE(free(Start + 5s), 0);
        QCOMPARE(held(Start + 5s), 2);
    }

    void saysWhenToAskAgain()
    {
        set(2);
        QVERIFY(acquire({ 1 }, {}));
        QVERIFY(acquire({ 2 }, 30s));
        auto refused = tryAcquire({ 3 }, 1s, Start + 10s);
        QCOMPARE(*refused.pause, 20s);
        QVERIFY(m_redis.at(Start).says(permits::updateLease(Name, id(2), {}, Told)));
        refused = tryAcquire({ 3 }, 1s, Start + 10s);
        QVERIFY2(!refused.acquired && !refused.pause, "none of them runs out");
        m_redis.ask({ "FLUSHALL" });
        QVERIFY2(!tryAcquire({ 3 }, 1s, Start).pause, "there is no semaphore");
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void takesBackWhatRanOutAndTellsOfTheRest()
    {
        set(3);
        QVERIFY(acquire({ 1, 2, 3 }, 1s));
        m_redis.told(Channel);
        QVERIFY(acquire({ 4, 5 }, 1h, Start + 1s));
        QCOMPARE(m_redis.number({ "ZCARD", Deadlines }), 3);
        QCOMPARE(m_redis.told(Channel), Texts{});
        QVERIFY(m_redis.at(Start + 1s).says(permits::updateLease(Name, id(4), 1h, Told)));
        QCOMPARE(m_redis.told(Channel), (Texts{ "1" }));
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("1"));
    }

    void tellsOthersOfWhatItTookBackButCannotUse()
    {
        set(3);
        QVERIFY(acquire({ 1, 2, 3 }, 1s));
        QVERIFY(m_redis.says(permits::addPermits(Name, -1, Told)));
        QVERIFY2(!acquire({ 4, 5 }, 1h, Start + 1s), "two came back, of which one was owed");
        QCOMPARE(m_redis.told(Channel), (Texts{ "1" }));
        QVERIFY(acquire({ 6 }, 1h, Start + 1s));
        QCOMPARE(m_redis.told(Channel), (Texts{ "1" }));
    }

    void releasesAllOrNone()
    {
        set(4);
        QVERIFY(acquire({ 1, 2 }, 1h));
        QVERIFY(acquire({ 3 }, 1s));
        const auto before = m_redis.everything();
        QVERIFY2(!m_redis.at(Start).says(permits::release(Name, ids({ 1, 9 }), Told)), "one that nobody holds");
        QVERIFY2(!m_redis.at(Start + 1s).says(permits::release(Name, ids({ 1, 3 }), Told)), "one that ran out");
        QCOMPARE(m_redis.everything(), before);
        m_redis.told(Channel);
        QVERIFY2(m_redis.at(Start + 1s).says(permits::release(Name, ids({ 1, 2, 1 }), Told)), "one named twice");
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("4"));
        QCOMPARE(m_redis.told(Channel), (Texts{ "4" }));
        QCOMPARE(m_redis.keys(), (Texts{ Name }));
    }

    void givesOneBackAloneThoughItRanOut()
    {
        set(2);
        QVERIFY(acquire({ 1, 2 }, 1s));
        QVERIFY(!m_redis.at(Start + 1s).says(permits::release(Name, ids({ 1 }), Told)));
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("1"));
        QVERIFY(!m_redis.at(Start + 1s).says(permits::release(Name, ids({ 1 }), Told)));
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("1"));
        QVERIFY(m_redis.at(Start + 999ms).says(permits::release(Name, ids({ 2 }), Told)));
    }

    void findsIdsThatOldClientsWroteAsText()
    {
        set(1);
        for (const int number : { 1, 2, 3 })
            m_redis.ask({ "ZADD", Deadlines, millis(Start + 10s), id(number) });
        QCOMPARE(leaseOf(1, Start)->value(), 10s);
        QVERIFY(m_redis.at(Start).says(permits::updateLease(Name, id(1), 20s, Told)));
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, id(1) }), millis(Start + 20s));
        QVERIFY(m_redis.at(Start).says(permits::release(Name, ids({ 1 }), Told)));
        QVERIFY(m_redis.at(Start).says(permits::release(Name, ids({ 2, 3 }), Told)));
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("4"));
        QCOMPARE(m_redis.keys(), (Texts{ Name, Channel }));
    }

    void tellsAndChangesALease()
    {
        set(2);
        QVERIFY(acquire({ 1 }, {}));
        QVERIFY(acquire({ 2 }, 10s));
        QVERIFY(!leaseOf(1, Start + 1h)->has_value());
        QCOMPARE(leaseOf(2, Start + 9'999ms)->value(), 1ms);
        QCOMPARE(leaseOf(2, Start + 10s).error().code, ErrorCode::NotHeld);
        QCOMPARE(leaseOf(9, Start).error().code, ErrorCode::NotHeld);
        QVERIFY(m_redis.at(Start + 1s).says(permits::updateLease(Name, id(2), 60s, Told)));
        QCOMPARE(leaseOf(2, Start + 1s)->value(), 60s);
        QVERIFY(!m_redis.at(Start + 61s).says(permits::updateLease(Name, id(2), 60s, Told)));
        QVERIFY(!m_redis.at(Start).says(permits::updateLease(Name, id(9), 60s, Told)));
        QCOMPARE(m_redis.number({ "ZCARD", Deadlines }), 1);
    }

    /// Redisson's reads take back what ran out, and publish.
    void readsWithoutWriting()
    {
        set(5);
        QVERIFY(acquire({ 1, 2 }, 1s));
        QVERIFY(acquire({ 3 }, {}));
        const auto before = m_redis.everything();
        for (const WallTime now : { Start, Start + 999ms, Start + 1s, Start + 1h }) {
            const bool over = now >= Start + 1s;
            QCOMPARE(free(now), over ? 4 : 2);
            QCOMPARE(held(now), over ? 1 : 3);
            QCOMPARE(m_redis.counts(permits::permits(Name)), 5);
        }
        QCOMPARE(m_redis.everything(), before);
    }

    void setsFreeAndHeldTogether()
    {
        QVERIFY(m_redis.says(permits::setPermits(Name, 3, Told)));
        QVERIFY(acquire({ 1, 2 }, 1h));
        QVERIFY(m_redis.says(permits::setPermits(Name, 10, Told)));
        QCOMPARE(free(Start), 8);
        QVERIFY(m_redis.says(permits::setPermits(Name, 1, Told)));
        QCOMPARE(free(Start), -1);
        QVERIFY(m_redis.says(permits::addPermits(Name, 2, Told)));
        QCOMPARE(free(Start), 1);
        QCOMPARE(m_redis.counts(permits::permits(Name)), 3);
        QCOMPARE(m_redis.told(Channel), (Texts{ "3", "8", "1" }));
        QVERIFY(!m_redis.says(permits::trySetPermits(Name, 7, Told)));
        m_redis.ask({ "DEL", Name });
        QVERIFY(m_redis.says(permits::setPermits(Name, 7, Told)));
        QCOMPARE(free(Start), 7);
    }

    void givesTheDeadlinesTheSemaphoresTimeToLive()
    {
        set(2);
        m_redis.ask({ "PEXPIRE", Name, "50000" });
        QVERIFY(acquire({ 1 }, 1h));
        QVERIFY(m_redis.pttl(Deadlines) > 40'000 && m_redis.pttl(Deadlines) <= 50'000);
        QVERIFY(m_redis.pttl(Name) > 40'000);
    }

    /// More than a script of Redisson can unpack.
    void staysUsableWithVeryManyThatRanOut_data()
    {
        QTest::addColumn<int>("operation");
        QTest::newRow("acquire") << 0;
        QTest::newRow("release") << 1;
        QTest::newRow("update") << 2;
        QTest::newRow("a great many at once") << 3;
    }
    void staysUsableWithVeryManyThatRanOut()
    {
        constexpr int Over = 25'000;
        QFETCH(int, operation);
        set(2);
        m_redis.ask({ "EVAL", "for i = 1, " + std::to_string(Over) + " do redis.call('ZADD', KEYS[1], i, i) end", "1",
            Deadlines });
        QCOMPARE(free(Start), Over + 2);
        QVERIFY(acquire({ 1, 2 }, 1h));
        std::vector<std::string> many;
        for (int i = 0; i < 9'000; ++i)
            many.push_back(id(100 + i));
        if (operation == 0)
            QVERIFY(acquire({ 3 }, 1h));
        if (operation == 1)
            QVERIFY(m_redis.at(Start).says(permits::release(Name, ids({ 1, 2 }), Told)));
        if (operation == 2)
            QVERIFY(m_redis.at(Start).says(permits::updateLease(Name, id(1), 2h, Told)));
        if (operation == 3) {
            QVERIFY(m_redis.at(Start).acquires(permits::acquire({ Name, many, 1h, Told })));
            QVERIFY(m_redis.at(Start).says(permits::release(Name, many, Told)));
        }
        QCOMPARE(m_redis.counts(permits::permits(Name)), Over + 2);
        const auto left = m_redis.number({ "ZCOUNT", Deadlines, "0", millis(Start) });
        QVERIFY2(left >= Over - 20'000, "one call must not keep the server busy for long");
    }

    void doesNotReviveAPermitAmongVeryManyThatRanOut()
    {
        set(1);
        QVERIFY(acquire({ 1 }, 1s));
        m_redis.ask({ "EVAL", "for i = 1, 12000 do redis.call('ZADD', KEYS[1], i, i) end", "1", Deadlines });
        QVERIFY(!m_redis.at(Start + 1s).says(permits::updateLease(Name, id(1), 1h, Told)));
        QVERIFY2(m_redis.number({ "ZCARD", Deadlines }) > 0, "not all are taken back at once");
        QCOMPARE(leaseOf(1, Start + 1s).error().code, ErrorCode::NotHeld);
    }

    void removesBothKeys()
    {
        set(2);
        QVERIFY(acquire({ 1 }, 1h));
        QVERIFY(m_redis.says(permits::remove(Name)));
        QCOMPARE(m_redis.keys(), Texts{});
        QVERIFY(!m_redis.says(permits::remove(Name)));
    }

    void leavesKeysOfAnotherTypeAlone_data()
    {
        QTest::addColumn<Texts>("command");
        QTest::newRow("a hash for the semaphore") << Texts{ "HSET", Name, "mode", "read" };
        QTest::newRow("a list for the semaphore") << Texts{ "RPUSH", Name, "1" };
        QTest::newRow("no number") << Texts{ "SET", Name, "many" };
        QTest::newRow("a string for the deadlines") << Texts{ "SET", Deadlines, "1" };
        QTest::newRow("a list for the deadlines") << Texts{ "RPUSH", Deadlines, id(1) };
    }
    void leavesKeysOfAnotherTypeAlone()
    {
        QFETCH(Texts, command);
        m_redis.ask(command);
        const bool deadlines = command[1] == Deadlines;
        if (deadlines)
            m_redis.ask({ "SET", Name, "5" });
        const auto before = m_redis.everything();
        const auto one = ids({ 1 });
        const auto two = ids({ 1, 2 });
        std::vector<ScriptCall> calls{ permits::acquire({ Name, one, 1s, Told }), permits::release(Name, one, Told),
            permits::release(Name, two, Told), permits::updateLease(Name, id(1), 1s, Told),
            permits::setPermits(Name, 3, Told), permits::availablePermits(Name), permits::acquiredPermits(Name),
            permits::permits(Name), permits::remove(Name) };
        if (deadlines) {
            calls.push_back(permits::lease(Name, id(1)));
        } else {
            calls.push_back(permits::trySetPermits(Name, 3, Told));
            calls.push_back(permits::addPermits(Name, 3, Told));
        }
        for (std::size_t i = 0; i < calls.size(); ++i)
            QVERIFY2(m_redis.refusal(calls[i]) == ErrorCode::WrongType, std::to_string(i).c_str());
        QCOMPARE(m_redis.everything(), before);
    }

private:
    static Texts ids(std::initializer_list<int> numbers)
    {
        Texts result;
        for (const int number : numbers)
            result.push_back(id(number));
        return result;
    }

    void set(std::int64_t count) { m_redis.ask({ "SET", Name, std::to_string(count) }); }

    TryReply tryAcquire(std::initializer_list<int> numbers, std::optional<Millis> lease, WallTime now)
    {
        const auto permitIds = ids(numbers);
        return m_redis.at(now).tryTo(permits::acquire({ Name, permitIds, lease, Told })).value();
    }
    bool acquire(std::initializer_list<int> numbers, std::optional<Millis> lease, WallTime now = Start)
    {
        return tryAcquire(numbers, lease, now).acquired;
    }
    std::int64_t free(WallTime now) { return m_redis.at(now).counts(permits::availablePermits(Name)); }
    std::int64_t held(WallTime now) { return m_redis.at(now).counts(permits::acquiredPermits(Name)); }
    Result<std::optional<Millis>> leaseOf(int number, WallTime now)
    {
        return parsePermitLease(m_redis.at(now).run(permits::lease(Name, id(number))));
    }
};

QTEST_GUILESS_MAIN(PermitScripts)
#include "tst_permit_scripts.moc"
