// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/permit_expirable_semaphore.h"
#include "tests/integration/script_test.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;

namespace {

const std::string A = "0f7e1c52-8d3b-4a6f-9b1e-2c4d6e8fa0b2";
const std::string B = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
const std::string C = "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f";
const std::string Queue = "redisson_lock_queue:{job}";
const std::string Deadlines = "redisson_lock_timeout:{job}";
const std::string Channel = "redisson_lock__channel:{job}";
const WallTime Start{ Millis(1'800'000'000'000) };
const std::string PermitId = "00ff10203040506070800a0b0c0d0e0f";

OwnerId thread1(const std::string &client) { return { client, "1" }; }
ExpectedHolder holder(const std::string &client) { return { thread1(client), {} }; }
ExpectedHolder reader(const std::string &client) { return { thread1(client), HoldMode::Read }; }
ExpectedHolder writer(const std::string &client) { return { thread1(client), HoldMode::Write }; }
std::string field(const std::string &client) { return client + ":1"; }
std::string timeout(const std::string &client, int hold = 1)
{
    return "{job}:" + field(client) + ":rwlock_timeout:" + std::to_string(hold);
}
std::string score(Millis fromStart) { return std::to_string((Start + fromStart).time_since_epoch().count()); }

} // namespace

/// What administrators' scripts leave behind, and when they leave everything as it was.
class AdminScripts : public ScriptTest {
    Q_OBJECT

protected:
    void prepareNext() override
    {
        m_lastMoment = Start + Millis(10'000);
        m_redis.at(Start);
    }

private Q_SLOTS:
    void setsTheTimeOfWhatIsHeldAsSeen()
    {
        m_redis.ask({ "HSET", "job", field(A), "2" });
        m_redis.ask({ "PEXPIRE", "job", "90000" });
        const auto outcome = act(SetTtl{ "job", Kind::Reentrant, { holder(A) }, Millis(5'000), "why" });
        QVERIFY(outcome.done);
        QCOMPARE(outcome.found.size(), std::size_t(1));
        QCOMPARE(outcome.found[0].count, 2);
        QVERIFY(m_redis.pttl("job") > 3'000);
        QVERIFY(m_redis.pttl("job") <= 5'000);
        QCOMPARE(m_redis.text({ "HGET", "job", field(A) }), "2");
    }

    void setsTheTimeOfEachReadHoldButRevivesNone()
    {
        m_redis.ask({ "HSET", "job", "mode", "read", field(A), "2", field(B), "1" });
        m_redis.ask({ "PEXPIRE", "job", "1000" });
        m_redis.ask({ "SET", timeout(A, 1), "1", "PX", "1000" });
        m_redis.ask({ "SET", timeout(A, 2), "1", "PX", "1000" });
        QVERIFY(act(SetTtl{ "job", Kind::ReadWrite, { reader(A), reader(B) }, Millis(60'000), "why" }).done);
        for (const std::string &key : { std::string("job"), timeout(A, 1), timeout(A, 2) })
            QVERIFY2(m_redis.pttl(key) > 50'000, key.c_str());
        QCOMPARE(m_redis.pttl(timeout(B)), -2);
    }

    void setsTheTimeOfTheValuesThatAreStillLocked()
    {
        const std::string live(22, 'a');
        const std::string over(22, 'b');
        for (const auto &[hash, left] : { std::pair(live, Millis(1'000)), std::pair(over, Millis(-1)) }) {
            m_redis.ask({ "HSET", "job", hash, field(A), hash + ":" + field(A) + ":expire_time", score(left),
                hash + ":" + field(A) + ":lock_count", "1" });
        }
        QVERIFY(act(SetTtl{ "job", Kind::FasterMulti, { holder(A) }, Millis(60'000), "why" }).done);
        QCOMPARE(m_redis.text({ "HGET", "job", live + ":" + field(A) + ":expire_time" }), score(Millis(60'000)));
        QCOMPARE(m_redis.text({ "HGET", "job", over + ":" + field(A) + ":expire_time" }), score(Millis(-1)));
        QVERIFY(m_redis.pttl("job") > 50'000);
        changesNothing(SetTtl{ "job", Kind::FasterMulti, { holder(B) }, Millis(1), "why" });
    }

    void leavesTheTimeOfWhatChangedHands()
    {
        m_redis.ask({ "HSET", "job", field(B), "1" });
        changesNothing(SetTtl{ "job", Kind::Reentrant, { holder(A) }, Millis(1), "why" });
        changesNothing(SetTtl{ "job", Kind::Reentrant, { holder(A), holder(B) }, Millis(1), "why" });
        changesNothing(SetTtl{ "job", Kind::ReadWrite, { reader(B) }, Millis(1), "why" });
        changesNothing(SetTtl{ "nothing", Kind::Reentrant, { holder(A) }, Millis(1), "why" });
        m_redis.ask({ "DEL", "job" });
        m_redis.ask({ "HSET", "job", "mode", "read", field(A), "1", field(B), "1" });
        changesNothing(SetTtl{ "job", Kind::ReadWrite, { reader(A) }, Millis(1), "why" });
        changesNothing(SetTtl{ "job", Kind::ReadWrite, { writer(A), reader(B) }, Millis(1), "why" });
    }

    /// One hold of an owner is told from the next by its end alone.
    void actsWhileTheLockEndsAsSeen_data()
    {
        QTest::addColumn<int>("leftMs"); // -1: it never ends
        QTest::addColumn<int>("seenMs");
        QTest::addColumn<bool>("hasWatchdog");
        QTest::addColumn<bool>("isDone");
        QTest::newRow("as seen") << 60'000 << 60'000 << false << true;
        QTest::newRow("later") << 90'000 << 60'000 << false << false;
        QTest::newRow("renewed by its watchdog") << 80'000 << 60'000 << true << true;
        QTest::newRow("several times") << 120'000 << 60'000 << true << true;
        QTest::newRow("later, when its watchdog was not due") << 70'000 << 60'000 << true << false;
        QTest::newRow("earlier") << 30'000 << 60'000 << false << false;
        QTest::newRow("earlier, which no watchdog does") << 30'000 << 60'000 << true << false;
        QTest::newRow("never, as seen") << -1 << -1 << false << true;
        QTest::newRow("never by now") << -1 << 60'000 << true << false;
        QTest::newRow("no longer never") << 60'000 << -1 << false << false;
    }
    void actsWhileTheLockEndsAsSeen()
    {
        QFETCH(const int, leftMs);
        QFETCH(const int, seenMs);
        QFETCH(const bool, hasWatchdog);
        QFETCH(const bool, isDone);
        constexpr MonoTime Here(std::chrono::hours(1)); // at the last moment, in ten seconds
        const auto lasts = [&](const protocol::Command &lock) {
            m_redis.ask({ "DEL", "job" });
            m_redis.ask(lock);
            if (leftMs >= 0)
                m_redis.ask({ "PEXPIRE", "job", std::to_string(leftMs) });
        };
        const SeenEnd end{ seenMs < 0 ? std::nullopt : std::optional(Here + Millis(seenMs) - Millis(10'000)),
            hasWatchdog ? std::optional(Millis(20'000)) : std::nullopt };
        const auto acts = [&](const AdminCommand &command) {
            const auto call = prepare(command, m_lastMoment, Told, Here);
            const auto outcome = decodeOutcome(m_redis.run(call.value()));
            return outcome && outcome->done == isDone && outcome->isAnew == !isDone && outcome->found.size() == 1
                && outcome->endsAt.has_value() == (!isDone && leftMs >= 0);
        };
        const protocol::Command plain{ "HSET", "job", field(A), "1" };
        const protocol::Command written{ "HSET", "job", "mode", "write", field(A) + ":write", "1" };
        const protocol::Command token{ "SET", "job", "token" };
        const std::tuple<Kind, protocol::Command, ExpectedHolder> locks[]{ { Kind::Reentrant, plain, holder(A) },
            { Kind::Fair, plain, holder(A) }, { Kind::ReadWrite, written, writer(A) },
            { Kind::Token, token, { { "token", "" }, {} } } };
        for (const auto &[kind, lock, owner] : locks) {
            lasts(lock);
            QVERIFY(acts(SetTtl{ "job", kind, { owner }, Millis(seenMs < 0 ? 60'000 : seenMs), "why", end }));
            lasts(lock);
            ForceRelease release{ "job", kind, { owner }, "why" };
            release.end = end;
            QVERIFY(acts(release));
            QCOMPARE(m_redis.number({ "EXISTS", "job" }), isDone ? 0 : 1);
        }
    }

    void releasesOneReaderAndLeavesTheOthersTheirTime()
    {
        m_redis.ask({ "HSET", "job", "mode", "read", field(A), "2", field(B), "1" });
        m_redis.ask({ "PEXPIRE", "job", "3600000" });
        m_redis.ask({ "SET", timeout(A, 1), "1", "PX", "3600000" });
        m_redis.ask({ "SET", timeout(A, 2), "1", "PX", "3600000" });
        m_redis.ask({ "SET", timeout(B), "1", "PX", "30000" });
        const auto outcome = act(onlyReaders({ reader(A) }));
        QVERIFY(outcome.done);
        QVERIFY(!outcome.published); // a writer still waits for the other reader
        QCOMPARE(m_redis.keys(), (Texts{ "job", timeout(B) }));
        QCOMPARE(m_redis.hash("job").size(), std::size_t(2));
        QVERIFY(m_redis.pttl("job") <= 30'000);
        QVERIFY(m_redis.pttl("job") > 20'000);

        const auto last = act(onlyReaders({ reader(B) }));
        QVERIFY(last.done && last.published);
        QCOMPARE(m_redis.told("redisson_rwlock:{job}"), Texts{ "0" });
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void releasesTheReadHoldOfAWriterAlone()
    {
        m_redis.ask({ "HSET", "job", "mode", "write", field(A) + ":write", "1", field(A), "1" });
        m_redis.ask({ "PEXPIRE", "job", "60000" });
        m_redis.ask({ "SET", timeout(A), "1", "PX", "60000" });
        QVERIFY(act(onlyReaders({ reader(A) })).done);
        QCOMPARE(m_redis.hash("job"),
            (std::map<std::string, std::string>{ { "mode", "write" }, { field(A) + ":write", "1" } }));
        QVERIFY(m_redis.pttl("job") > 50'000);
    }

    void releasesNoReaderThatIsNotThere()
    {
        m_redis.ask({ "HSET", "job", "mode", "read", field(A), "1", field(B), "1" });
        m_redis.ask({ "SET", timeout(A), "1" });
        changesNothing(onlyReaders({ reader(A), reader(C) }));
        m_redis.ask({ "DEL", "job" });
        m_redis.ask({ "HSET", "job", field(A), "1" });
        changesNothing(onlyReaders({ reader(A) }));
        QCOMPARE(prepare(onlyReaders({ writer(A) }), Start, Told).error().code, ErrorCode::InvalidArgument);
    }

    /// Who saw all that another program wrote into a lock may free it, and is told all of it.
    void freesWhatAnotherProgramWroteInto()
    {
        const Texts strange{ "junk", "x:", "a:b:c:", "mode", B + ":2:write" };
        std::vector<ExpectedHolder> seen{ holder(A) };
        m_redis.ask({ "HSET", "job", field(A), "1" });
        for (const std::string &each : strange) {
            m_redis.ask({ "HSET", "job", each, "seven" });
            seen.push_back({ { each, {} }, {} });
        }
        changesNothing(ForceRelease{ "job", Kind::Reentrant, { holder(A) }, "why" });
        const auto outcome = act(ForceRelease{ "job", Kind::Reentrant, seen, "why" });
        QVERIFY(outcome.done);
        Texts told;
        for (const HolderReading &found : outcome.found) {
            QVERIFY(!found.fromPort && !found.mode);
            told.push_back(toString(found.owner));
        }
        for (const std::string &each : strange)
            QVERIFY2(std::ranges::find(told, each) != told.end(), each.c_str());
        QCOMPARE(told.size(), strange.size() + 1);
        QCOMPARE(m_redis.keys(), Texts{ "redisson_lock__channel:{job}" });
    }

    void freesAGroupWithAFieldOfAnotherProgramOnlyAsSeen()
    {
        const std::string live(22, 'a');
        m_redis.ask({ "HSET", "job", live, field(A), live + ":" + field(A) + ":expire_time", score(Millis(60'000)),
            live + ":" + field(A) + ":lock_count", "1", "colour", "red" });
        changesNothing(ForceRelease{ "job", Kind::FasterMulti, { holder(A) }, "why" });
        QVERIFY(act(ForceRelease{ "job", Kind::FasterMulti, { holder(A), { { "colour", {} }, {} } }, "why" }).done);
        QCOMPARE(m_redis.number({ "EXISTS", "job" }), std::int64_t(0));
    }

    void refusesAnOrdinaryHash()
    {
        m_redis.ask({ "HSET", "job", field(A), "alice", field(B), "bob" });
        const auto before = m_redis.everything();
        QCOMPARE(
            refusal(ForceRelease{ "job", Kind::Reentrant, { holder(A), holder(B) }, "why" }), ErrorCode::HolderChanged);
        QCOMPARE(refusal(SetTtl{ "job", Kind::Reentrant, { holder(A), holder(B) }, Millis(1), "why" }),
            ErrorCode::HolderChanged);
        QCOMPARE(m_redis.everything(), before);
    }

    void freesALockWhoseHashHasShrunk()
    {
        shareAmong(600);
        m_redis.ask({ "CONFIG", "SET", "rdb-key-save-delay", "60000000" });
        m_redis.ask({ "BGSAVE" });
        Texts leave{ "HDEL", "job" };
        for (int i = 2; i <= 600; ++i)
            leave.push_back(A + ":" + std::to_string(i));
        QCOMPARE(m_redis.number(leave), std::int64_t(599));
        QVERIFY(m_redis.number({ "MEMORY", "USAGE", "job", "SAMPLES", "0" }) > 4'000);
        QVERIFY(act(ForceRelease{ "job", Kind::ReadWrite, { reader(A) }, "why" }).done);
    }

    void saysThatAKeyIsTooLargeToBeALock()
    {
        shareAmong(1'200);
        const auto outcome = ask(ForceRelease{ "job", Kind::ReadWrite, { reader(A) }, "why" });
        QVERIFY2(!outcome && outcome.error().message.find("too large") != std::string::npos, "");
        QCOMPARE(m_redis.number({ "HLEN", "job" }), std::int64_t(1'201));
    }

    void dropsAWaiterAndGivesItsTimeToThoseBehind()
    {
        queueUp({ { A, Millis(60'000) }, { B, Millis(90'000) }, { C, Millis(100'000) } });
        m_redis.ask({ "HSET", "job", field("d"), "1" });
        const auto outcome = act(DropWaiter{ "job", thread1(B), "why" });
        QVERIFY(outcome.done && !outcome.published);
        QCOMPARE(m_redis.texts({ "LRANGE", Queue, "0", "-1" }), (Texts{ field(A), field(C) }));
        QCOMPARE(m_redis.texts({ "ZRANGE", Deadlines, "0", "-1", "WITHSCORES" }),
            (Texts{ field(A), score(Millis(60'000)), field(C), score(Millis(70'000)) }));
        QCOMPARE(outcome.waiting.size(), std::size_t(3));
        QVERIFY(outcome.waiting[1].owner == thread1(B));
        QVERIFY(outcome.waiting[1].deadline == Start + Millis(90'000));
    }

    void wakesTheNextWhenTheHeadOfAFreeLockIsDropped()
    {
        queueUp({ { A, Millis(300'000) }, { B, Millis(400'000) } });
        QVERIFY(act(DropWaiter{ "job", thread1(A), "why" }).published);
        QCOMPARE(m_redis.told(Channel + ":" + field(B)), Texts{ "0" });
        // As if it had come to a free lock just now.
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, field(B) }), score(Millis(100'000)));
        QVERIFY(act(DropWaiter{ "job", thread1(B), "why" }).done);
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void dropsAHeadThatHasNoDeadline()
    {
        queueUp({ { A, Millis(0) }, { B, Millis(400'000) } });
        m_redis.ask({ "ZREM", Deadlines, field(A) });
        const auto outcome = act(DropWaiter{ "job", thread1(A), "why" });
        QVERIFY(outcome.done && outcome.published);
        QVERIFY(!outcome.waiting[0].deadline);
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, field(B) }), score(Millis(400'000)));
    }

    void shortensNobodysTimeForAHeadThatIsOverdue()
    {
        queueUp({ { A, Millis(-5'000) }, { B, Millis(20'000) } });
        QVERIFY(act(DropWaiter{ "job", thread1(A), "why" }).done);
        QCOMPARE(m_redis.text({ "ZSCORE", Deadlines, field(B) }), score(Millis(20'000)));
    }

    void dropsAWaiterOnlyWhereItWasSeen_data()
    {
        QTest::addColumn<qint64>("ahead");
        QTest::addColumn<std::optional<Millis>>("deadline"); // from the start
        QTest::addColumn<bool>("isDone");
        constexpr Millis Waits(90'000); // behind one other
        QTest::newRow("as seen") << qint64(1) << std::optional(Waits) << true;
        QTest::newRow("moved up") << qint64(2) << std::optional(Waits + Millis(1)) << true;
        QTest::newRow("moved up behind one that was thrown out") << qint64(3) << std::optional(Waits) << true;
        QTest::newRow("lined up later") << qint64(1) << std::optional(Waits - Millis(1)) << false;
        QTest::newRow("lined up earlier") << qint64(1) << std::optional(Waits + Millis(1)) << false;
        QTest::newRow("moved up, and later") << qint64(2) << std::optional(Waits - Millis(1)) << false;
        QTest::newRow("further behind") << qint64(0) << std::optional(Waits) << false;
        QTest::newRow("had no deadline") << qint64(1) << std::optional<Millis>() << false;
    }
    void dropsAWaiterOnlyWhereItWasSeen()
    {
        QFETCH(const qint64, ahead);
        QFETCH(const std::optional<Millis>, deadline);
        QFETCH(const bool, isDone);
        queueUp({ { A, Millis(60'000) }, { B, Millis(90'000) } });
        DropWaiter drop{ "job", thread1(B), "why" };
        drop.seen = SeenPlace{ ahead, deadline ? std::optional((Start + *deadline).time_since_epoch()) : std::nullopt };
        const auto outcome = decodeOutcome(m_redis.run(prepare(drop, m_lastMoment, Told, {}).value())).value();
        QCOMPARE(outcome.done, isDone);
        QCOMPARE(outcome.isAnew, !isDone);
        QCOMPARE(outcome.waiting.size(), std::size_t(2));
        QCOMPARE(m_redis.number({ "LLEN", Queue }), std::int64_t(isDone ? 1 : 2));
    }

    /// One that lined up anew may stand nearer to the head, and with an earlier deadline, than it did.
    void dropsNoGhostThatIsListenedFor()
    {
        queueUp({ { A, Millis(60'000) } });
        DropWaiter drop{ "job", thread1(A), "why" };
        drop.seen = SeenPlace{ 2, (Start + Millis(90'000)).time_since_epoch(), true };
        BlockingClient client(m_redis.socketPath());
        client.run({ "SUBSCRIBE", Channel + ":" + field(A) });
        const auto outcome = act(drop);
        QVERIFY(!outcome.done && outcome.isAnew);
        QCOMPARE(m_redis.number({ "LLEN", Queue }), std::int64_t(1));
        drop.seen->isGhost = false; // it was seen to live
        QVERIFY(act(drop).done);
    }

    /// Of one that stands there twice the first place is seen.
    void dropsAWaiterThatStandsThereTwice()
    {
        queueUp({ { A, Millis(60'000) }, { B, Millis(90'000) }, { A, Millis(60'000) } });
        DropWaiter drop{ "job", thread1(A), "why" };
        drop.seen = SeenPlace{ 0, (Start + Millis(60'000)).time_since_epoch() };
        QVERIFY(act(drop).done);
        QCOMPARE(m_redis.number({ "LLEN", Queue }), std::int64_t(1));
    }

    void dropsAWaiterWithoutADeadlineWhereItWasSeen()
    {
        queueUp({ { A, Millis(60'000) } });
        m_redis.ask({ "ZREM", Deadlines, field(A) });
        DropWaiter drop{ "job", thread1(A), "why" };
        drop.seen = SeenPlace{ 0, {} };
        QVERIFY(act(drop).done);
    }

    void dropsNobodyWhoDoesNotWait()
    {
        queueUp({ { A, Millis(60'000) } });
        changesNothing(DropWaiter{ "job", thread1(B), "why" });
        changesNothing(DropWaiter{ "job", { A, "2" }, "why" });
        changesNothing(DropWaiter{ "other", thread1(A), "why" });
        m_redis.ask({ "FLUSHALL" });
        m_redis.ask({ "SET", Queue, "no list" });
        QCOMPARE(refusal(DropWaiter{ "job", thread1(A), "why" }), ErrorCode::HolderChanged);
    }

    void givesOnePermitBackAndTellsHowManyAreFree()
    {
        m_redis.ask({ "SET", "pool", "2" });
        const Texts ids{ PermitId };
        QVERIFY(m_redis.acquires(permit_expirable_semaphore::acquire({ "pool", ids, Millis(60'000), Told })));
        QCOMPARE(m_redis.text({ "GET", "pool" }), "1");
        changesNothing(ReturnPermit{ "pool", std::string(32, 'e'), "why" });
        const auto outcome = act(ReturnPermit{ "pool", PermitId, "why" });
        QVERIFY(outcome.done && outcome.published);
        QCOMPARE(m_redis.text({ "GET", "pool" }), "2");
        QCOMPARE(m_redis.told("redisson_sc:{pool}"), Texts{ "2" });
        changesNothing(ReturnPermit{ "pool", PermitId, "why" });
        QCOMPARE(refusal(ReturnPermit{ "nothing", PermitId, "why" }), ErrorCode::NotHeld);
        QCOMPARE(prepare(ReturnPermit{ "pool", "x", "why" }, Start, Told).error().code, ErrorCode::InvalidArgument);
    }

    /// Between look and act its holder may set the lease anew, give it back, or lose it to who comes next.
    void givesAPermitBackOnlyWhileItsLeaseIsAsItWasSeen()
    {
        const Texts ids{ PermitId };
        const SeenLease minute{ Start + Millis(60'000) };
        const auto give = [](std::optional<SeenLease> seen) { return ReturnPermit{ "pool", PermitId, "why", seen }; };
        m_redis.ask({ "SET", "pool", "1" });
        QVERIFY(m_redis.acquires(permit_expirable_semaphore::acquire({ "pool", ids, Millis(60'000), Told })));
        changesNothing(give(SeenLease{ Start + Millis(59'999) }));
        changesNothing(give(SeenLease{}));
        m_redis.run(permit_expirable_semaphore::updateLease("pool", PermitId, Millis(90'000), Told));
        changesNothing(give(minute));
        m_redis.run(permit_expirable_semaphore::updateLease("pool", PermitId, std::nullopt, Told));
        changesNothing(give(minute));
        QVERIFY(act(give(SeenLease{})).done);
        QCOMPARE(m_redis.text({ "GET", "pool" }), "1");

        const Texts others{ std::string(32, 'e') };
        QVERIFY(m_redis.acquires(permit_expirable_semaphore::acquire({ "pool", ids, Millis(60'000), Told })));
        m_redis.at(Start + Millis(60'001));
        m_lastMoment = Start + Millis(70'000);
        QVERIFY(m_redis.acquires(permit_expirable_semaphore::acquire({ "pool", others, Millis(60'000), Told })));
        changesNothing(give(minute)); // it ran out, and another one was taken in its place
        QVERIFY(act(ReturnPermit{ "pool", others.front(), "why", SeenLease{ Start + Millis(120'001) } }).done);
    }

    /// A copy that lay on its way while its answer was given up: the owner may hold the lock anew by then.
    void doesNothingAfterTheLastMoment()
    {
        const std::string live(22, 'a');
        m_redis.ask({ "HSET", "job", field(A), "1" });
        m_redis.ask({ "HSET", "shared", "mode", "read", field(A), "1", field(B), "1" });
        m_redis.ask({ "HSET", "group", live, field(A), live + ":" + field(A) + ":expire_time", score(Millis(60'000)),
            live + ":" + field(A) + ":lock_count", "1" });
        queueUp({ { A, Millis(-1'000) }, { B, Millis(60'000) } });
        m_redis.ask({ "SET", "pool", "2" });
        const Texts ids{ PermitId };
        QVERIFY(m_redis.acquires(permit_expirable_semaphore::acquire({ "pool", ids, Millis(60'000), Told })));
        const std::vector<AdminCommand> all{ ForceRelease{ "job", Kind::Reentrant, { holder(A) }, "why" },
            ForceRelease{ "shared", Kind::ReadWrite, { reader(A), reader(B) }, "why" },
            ForceRelease{ "shared", Kind::ReadWrite, { reader(A) }, "why", true },
            ForceRelease{ "group", Kind::FasterMulti, { holder(A) }, "why" },
            SetTtl{ "job", Kind::Reentrant, { holder(A) }, Millis(1'000), "why" },
            SetTtl{ "shared", Kind::ReadWrite, { reader(A), reader(B) }, Millis(1'000), "why" },
            SetTtl{ "group", Kind::FasterMulti, { holder(A) }, Millis(1'000), "why" },
            DropWaiter{ "job", thread1(B), "why" }, ReturnPermit{ "pool", PermitId, "why" } };
        const auto before = m_redis.everything();
        m_redis.at(m_lastMoment + Millis(1));
        for (const AdminCommand &command : all) {
            QCOMPARE(refusal(command), ErrorCode::Cancelled);
            QCOMPARE(m_redis.everything(), before);
        }
        m_redis.at(m_lastMoment);
        QVERIFY(act(all.front()).done);
    }

    void asksForWhatWasSeen()
    {
        const auto code = [](const AdminCommand &command) { return prepare(command, Start, Told).error().code; };
        QCOMPARE(code(SetTtl{ "job", Kind::Reentrant, {}, Millis(1), "why" }), ErrorCode::InvalidArgument);
        QCOMPARE(code(SetTtl{ "job", Kind::Reentrant, { holder(A) }, Millis(0), "why" }), ErrorCode::InvalidArgument);
        QCOMPARE(code(SetTtl{ "job", Kind::ReadWrite, { holder(A) }, Millis(1), "why" }), ErrorCode::InvalidArgument);
        QCOMPARE(code(SetTtl{ "", Kind::Reentrant, { holder(A) }, Millis(1), "why" }), ErrorCode::InvalidArgument);
        QCOMPARE(code(SetTtl{ "job", Kind::Semaphore, { holder(A) }, Millis(1), "why" }), ErrorCode::NotSupported);
        QCOMPARE(code(DropWaiter{ "job", { A, "" }, "why" }), ErrorCode::InvalidArgument);
    }

private:
    static ForceRelease onlyReaders(std::vector<ExpectedHolder> expected)
    {
        return { "job", Kind::ReadWrite, std::move(expected), "why", true };
    }

    Result<CommandOutcome> ask(const AdminCommand &command)
    {
        return prepare(command, m_lastMoment, Told).and_then([&](const ScriptCall &call) {
            const auto reply = m_redis.run(call);
            return reply.isError() ? tl::unexpected(protocol::toError(reply, {})) : decodeOutcome(reply);
        });
    }
    CommandOutcome act(const AdminCommand &command)
    {
        const auto outcome = ask(command);
        if (!outcome)
            qWarning("%s", toString(outcome.error()).c_str());
        return outcome.value_or(CommandOutcome());
    }
    ErrorCode refusal(const AdminCommand &command)
    {
        const auto outcome = ask(command);
        return outcome ? ErrorCode() : outcome.error().code;
    }
    void changesNothing(const AdminCommand &command)
    {
        const auto before = m_redis.everything();
        const auto outcome = ask(command);
        QVERIFY(outcome);
        QVERIFY(!outcome->done && !outcome->published);
        QCOMPARE(m_redis.everything(), before);
    }

    WallTime m_lastMoment;

    void shareAmong(int readers)
    {
        Texts share{ "HSET", "job", "mode", "read" };
        for (int i = 1; i <= readers; ++i)
            share.insert(share.end(), { A + ":" + std::to_string(i), "1" });
        m_redis.ask(share);
    }

    void queueUp(const std::vector<std::pair<std::string, Millis>> &waiters)
    {
        for (const auto &[client, deadline] : waiters) {
            m_redis.ask({ "RPUSH", Queue, field(client) });
            m_redis.ask({ "ZADD", Deadlines, score(deadline), field(client) });
        }
    }
};

QTEST_GUILESS_MAIN(AdminScripts)
#include "tst_admin_scripts.moc"
