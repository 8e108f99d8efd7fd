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
const std::string Queue = "redisson_lock_queue:{job}";
const std::string Deadlines = "redisson_lock_timeout:{job}";
const WallTime Start{ Millis(1'795'000'000'000) };

const LockBehaviour &fair() { return *lockBehaviour(Kind::Fair, {}).value(); }

OwnerId owner(char thread) { return { "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10", std::string(1, thread) }; }

} // namespace

/// The arithmetic of the queue, whose deadlines go by the server's clock.
class FairScripts : public ScriptTest {
    Q_OBJECT

protected:
    void prepareNext() override
    {
        QVERIFY(tryTo('0', 100s, 1s).acquired);
        QVERIFY(!tryTo('1', 100s, 10s).acquired);
        m_redis.ask({ "ZADD", Deadlines, std::to_string((Start + 10s).time_since_epoch().count()),
            toString(owner('1')) }); // exactly, whatever the holder has left
        QVERIFY(!tryTo('2', 100s, 20s).acquired);
        QVERIFY(!tryTo('3', 100s, 40s).acquired);
    }

private Q_SLOTS:
    void addsEachWaitToTheDeadlineOfTheTail()
    {
        QCOMPARE(deadline('2'), Start + 30s);
        QCOMPARE(deadline('3'), Start + 70s);
        QVERIFY(!tryTo('2', 100s, 99s).acquired);
        QCOMPARE(deadline('2'), Start + 30s);
        QCOMPARE(m_redis.texts({ "LRANGE", Queue, "0", "-1" }),
            (Texts{ toString(owner('1')), toString(owner('2')), toString(owner('3')) }));
    }

    void givesTheTimeOfTheOneThatEntersToTheOthers()
    {
        m_redis.ask({ "DEL", Name });
        const auto refused = tryTo('2', 100s, 20s);
        QVERIFY2(!refused.acquired && *refused.pause == 10s, "not its turn before the head's time is over");
        QVERIFY(tryTo('1', 100s, 10s).acquired);
        QCOMPARE(deadline('2'), Start + 20s);
        QCOMPARE(deadline('3'), Start + 60s);
    }

    /// Redisson's asynchronous clients take 300 s from everybody, whatever was waited for.
    void givesTheTimeOfTheOneThatGivesUpToThoseBehindIt()
    {
        QCOMPARE(giveUp('2', 20s), 1);
        QCOMPARE(deadline('1'), Start + 10s);
        QCOMPARE(deadline('3'), Start + 50s);
        QCOMPARE(giveUp('2', 20s), 0);
        QCOMPARE(deadline('3'), Start + 50s);
    }

    void takesOffTheHeadOnlyThoseWhoseTimeIsOver()
    {
        m_redis.ask({ "DEL", Name });
        QVERIFY(!tryTo('3', 100s, 40s, Start + 29'999ms).acquired);
        QCOMPARE(m_redis.number({ "LLEN", Queue }), 2);
        QVERIFY(tryTo('3', 100s, 40s, Start + 30s).acquired);
        QCOMPARE(m_redis.keys(), (Texts{ Name }));
    }

    void letsAHeadWithoutADeadlineStand()
    {
        m_redis.ask({ "DEL", Name });
        m_redis.ask({ "ZREM", Deadlines, toString(owner('1')) });
        QVERIFY(!tryTo('2', 100s, 20s, Start + 1h).acquired);
        QCOMPARE(m_redis.texts({ "LRANGE", Queue, "0", "0" }), (Texts{ toString(owner('1')) }));
    }

private:
    TryReply tryTo(char thread, Millis lease, Millis wait, WallTime now = Start)
    {
        return m_redis.at(now).tryTo(fair().acquire({ Name, owner(thread), lease, wait, true, {} })).value();
    }
    std::int64_t giveUp(char thread, Millis wait)
    {
        ScriptCall call = fair().giveUp({ Name, owner(thread), 100s, wait, true, {}, {}, Told });
        call.keys.push_back(key_layout::unlockLatch(Name, std::string(32, 'a')));
        call.arguments.emplace_back();
        const auto reply = m_redis.run(call);
        return reply.integer() ? *reply.integer() : -1;
    }
    WallTime deadline(char thread)
    {
        return WallTime(Millis(std::stoll(m_redis.text({ "ZSCORE", Deadlines, toString(owner(thread)) }))));
    }
};

QTEST_GUILESS_MAIN(FairScripts)
#include "tst_fair_scripts.moc"
