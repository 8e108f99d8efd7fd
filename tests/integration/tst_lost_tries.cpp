// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/client_parts.h"
#include "lockcore/client/permit_expirable_semaphore.h"
#include "lockcore/synchronizers/kryo5_string.h"
#include "lockcore/transport/clock.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_user.h"
#include "tests/support/multi_lock_user.h"
#include "tests/support/server_test.h"

#include <QSignalSpy>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(lockcore::client::LockTarget)

namespace {

/// For servers that stand still for a moment: the client leaves them soon, and comes back soon.
ClientTimes impatient()
{
    ClientTimes times;
    times.answer = 300ms;
    times.reconnect = { 20ms, 100ms };
    times.grace = 50ms;
    return times;
}

bool saysUnknown(const Error &error)
{
    return error.message.find("unknown whether it was acquired") != std::string::npos;
}

template <typename Outcome>
const char *textOf(const Result<Outcome> &outcome)
{
    static std::string text;
    text = outcome ? "no error" : toString(outcome.error());
    return text.c_str();
}

} // namespace

/// What becomes of a try whose answer nobody got: the server has carried it out, or will, or never does.
class LostTriesTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { m_server.resume(); }

    void isHeldOnceThoughAFailedTryRanLater_data() { addKinds(true); }
    void isHeldOnceThoughAFailedTryRanLater()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint(), { .times = impatient() });
        warmUp(a, target);
        m_server.pause();
        const auto failed = a.acquire({ target, "1", {}, 0ms });
        QVERIFY2(!failed && saysUnknown(failed.error()), textOf(failed));
        m_server.resume();
        QVERIFY(a.waitReady());
        QVERIFY2(a.tryLock(target), "the same thread again");
        QCOMPARE(count(a, target), 1);
        QCOMPARE(a.client->holdsKnown(target, "1"), 1);
        QCOMPARE(a.release(target).value(), ReleaseOutcome::Released);
        QTRY_COMPARE(count(a, target), 0);
    }

    void isGivenBackWhenTheWaitEndedFirst_data()
    {
        QTest::addColumn<LockTarget>("target");
        QTest::addColumn<bool>("cancelled");
        QTest::addColumn<bool>("connectionLost");
        for (const auto &[name, target] : kinds()) {
            QTest::addRow("%s, time is over", name) << target << false << false;
            QTest::addRow("%s, cancelled, the connection too", name) << target << true << true;
        }
    }
    void isGivenBackWhenTheWaitEndedFirst()
    {
        QFETCH(LockTarget, target);
        QFETCH(bool, cancelled);
        QFETCH(bool, connectionLost);
        ClientTimes times = impatient();
        if (!connectionLost)
            times.answer = 20s;
        LockUser a(m_server.endpoint(), { .times = times });
        warmUp(a, target);
        QSignalSpy lost(a.client.get(), &LockClient::lost);
        m_server.pause();
        const auto waiting = a.startAcquire({ target, "1", 600s, cancelled ? 60s : 100ms });
        if (cancelled)
            a.client->cancel(a.lastAcquire);
        QVERIFY(waiting->wait());
        QVERIFY2(!*waiting->result && saysUnknown(waiting->result->error()), textOf(*waiting->result));
        QCOMPARE(waiting->result->error().code, cancelled ? ErrorCode::Cancelled : ErrorCode::ReplyTimeout);
        QTRY_VERIFY(lost.count() > 0 || !connectionLost);
        m_server.resume();
        QTRY_VERIFY(haveRun());
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"redisson_lock_queue:{job}"_s }), "0");
    }

    void keepsWhatItKnowsOfWhenItGivesBack_data() { addKinds(false); }
    void keepsWhatItKnowsOfWhenItGivesBack()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint(), { .times = impatient() });
        QSignalSpy gone(a.client.get(), &LockClient::lockLost);
        warmUp(a, target);
        QVERIFY(a.tryLock(target));
        m_server.pause();
        QVERIFY(!a.acquire({ target, "1", 5s, 0ms }));
        m_server.resume();
        QVERIFY(a.waitReady());
        QTRY_VERIFY(!a.client->parts().core.turns.isTaken(placeOf({ target, "1" })));
        QCOMPARE(count(a, target), 1);
        QCOMPARE(a.client->holdsKnown(target, "1"), 1);
        QTRY_VERIFY2(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 20'000, "not the lease of what was given back");
        QCOMPARE(gone.count(), 0);
        QCOMPARE(a.release(target).value(), ReleaseOutcome::Released);
    }

    void tellsWhatALostTryTookAgainAfterItRanOut_data() { addKinds(false); }
    void tellsWhatALostTryTookAgainAfterItRanOut()
    {
        QFETCH(LockTarget, target);
        if (target.kind == Kind::FasterMulti)
            return; // giving back does not tell how much of a group is left; the next renewal tells that it is gone
        LockUser a(m_server.endpoint(), { .times = impatient() });
        QSignalSpy gone(a.client.get(), &LockClient::lockLost);
        warmUp(a, target);
        QVERIFY(a.tryLock(target));
        QVERIFY(a.tryLock(target));
        m_server.cli({ u"pexpire"_s, u"job"_s, u"100"_s });
        m_server.pause();
        QVERIFY(!a.acquire({ target, "1", 600s, 0ms })); // longer than it lasts
        m_server.resume();
        QTRY_COMPARE(gone.count(), 1);
        QCOMPARE(a.client->holdsKnown(target, "1"), 0);
        QTRY_COMPARE(count(a, target), 0);
    }

    void endsInOrderOnceItHasGivenBack()
    {
        LockUser a(m_server.endpoint(), { .times = impatient() });
        warmUp(a, Job);
        QSignalSpy closed(a.client.get(), &LockClient::closed);
        m_server.pause();
        QVERIFY(!a.acquire({ Job, "1", 600s, 100ms }));
        a.client->close();
        QVERIFY(!closed.wait(500)); // its connection is lost meanwhile
        m_server.resume();
        QTRY_COMPARE(closed.count(), 1);
        QCOMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void triesOfOneThreadAreCountedEach_data() { addKinds(false); }
    void triesOfOneThreadAreCountedEach()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint());
        std::vector<LockUser::Acquired> tries;
        for (int i = 0; i < 3; ++i)
            tries.push_back(a.startAcquire({ target, "1", {}, {} }));
        for (const auto &each : tries)
            QVERIFY(each->awaited()->acquired);
        QCOMPARE(count(a, target), 3);
        QCOMPARE(a.client->holdsKnown(target, "1"), 3);
    }

    void countsTheVariantsOfALockTogether()
    {
        const LockTarget spin{ "job", Kind::Reentrant, {}, LockVariant::Spin };
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(spin));
        QCOMPARE(count(a, Job), 2);
        QCOMPARE(a.release(spin).value(), ReleaseOutcome::Released);
        QCOMPARE(a.release(Job).value(), ReleaseOutcome::Released);
        QCOMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void countsEachObjectOfAGroupByItself()
    {
        LockUser a(m_server.endpoint(), { .times = impatient() });
        QVERIFY(a.tryLock(group({ "b" })));
        QVERIFY(a.tryLock(group({ "c" })));
        m_server.cli({ u"client"_s, u"pause"_s, u"20000"_s, u"write"_s });
        const auto failed = a.startAcquire({ group({ "b", "c" }), "1", {}, 0ms });
        QTRY_VERIFY(m_server.cli({ u"info"_s, u"clients"_s }).contains("blocked_clients:1"));
        m_server.cli({ u"client"_s, u"kill"_s, u"type"_s, u"normal"_s }); // what it asked for is never carried out
        m_server.cli({ u"client"_s, u"unpause"_s });
        QVERIFY(!failed->awaited());
        QVERIFY(a.waitReady());
        QVERIFY(a.tryLock(group({ "b", "c" })));
        QCOMPARE(count(a, group({ "b" })), 2);
        QCOMPARE(a.release(group({ "b", "c" })).value(), ReleaseOutcome::Released);
        QCOMPARE(count(a, group({ "b" })), 1);
        QVERIFY(a.release(group({ "b" })));
        QVERIFY(a.release(group({ "c" })));
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void givesBackWhatItFindsAtARelease_data() { addKinds(false); }
    void givesBackWhatItFindsAtARelease()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(target));
        QVERIFY(a.tryLock(target));
        a.client->parts().core.holds.released({ target, "1" }, 1); // the second one's answer was never told
        QCOMPARE(a.release(target).value(), ReleaseOutcome::Released);
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void lastsAsLongAsAskedForWhereMoreIsGivenBack_data() { addKinds(false); }
    void lastsAsLongAsAskedForWhereMoreIsGivenBack()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint());
        for (int i = 0; i < 3; ++i)
            QVERIFY(a.tryLock(target, "1", 60s));
        a.client->parts().core.holds.forget({ target, "1" }); // the answers were never told
        QVERIFY(a.tryLock(target, "1", 600s));
        QTRY_COMPARE(count(a, target), 1);
        QVERIFY(m_server.cli({ u"pttl"_s, u"job"_s }).toInt() > 500'000);
    }

    void countsATryBesideAReleaseThatIsNotAnswered_data() { addKinds(false); }
    void countsATryBesideAReleaseThatIsNotAnswered()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint());
        warmUp(a, target);
        QVERIFY(a.tryLock(target));
        QVERIFY(a.tryLock(target));
        const auto released = a.startRelease(target);
        QVERIFY(a.tryLock(target));
        QCOMPARE(released->awaited().value(), ReleaseOutcome::StillHeld);
        QCOMPARE(a.client->holdsKnown(target, "1"), 2);
        QCOMPARE(a.release(target).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "1");
        QCOMPARE(a.release(target).value(), ReleaseOutcome::Released);
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

    void forgetsLeasesThatRanOutWhenItTakesALockAgain_data() { addKinds(false); }
    void forgetsLeasesThatRanOutWhenItTakesALockAgain()
    {
        QFETCH(LockTarget, target);
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(target, "1", 60s));
        m_server.cli({ u"del"_s, u"job"_s });
        QVERIFY(a.tryLock(target));
        QCOMPARE(a.client->holdsKnown(target, "1"), 1);
    }

    void countsALeaseFromWhenItWasAskedFor()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 3s });
        warmUp(a, Job);
        QSignalSpy renewed(a.client.get(), &LockClient::renewed);
        m_server.pause();
        const auto waiting = a.startAcquire({ Job, "1", {}, {} });
        const MonoTime asked = monoNow();
        QTRY_VERIFY(monoNow() > asked + 1'100ms); // longer than a third of the lease
        m_server.resume();
        QVERIFY(waiting->awaited()->acquired);
        const HoldTable::Entry *hold = a.client->parts().core.holds.find(HoldKey{ Job, "1" });
        QVERIFY(hold->second.sureUntil() <= asked + 3s);
        QTRY_COMPARE(renewed.count(), 1);
        QVERIFY(hold->second.sureUntil() > asked + 3s);
    }

    void countsALeaseFromWhenItWasAskedForAlsoWhenItIsSet()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        const auto done = startCall<void>([&](auto handler) { a.client->renew(Job, "1", 5s, std::move(handler)); });
        const MonoTime asked = monoNow();
        const HoldTable::Entry *hold = a.client->parts().core.holds.find(HoldKey{ Job, "1" });
        QVERIFY2(hold->second.sureUntil() <= asked + 5s, "it may be set long before that is answered");
        QVERIFY(done->awaited());
        QVERIFY(hold->second.sureUntil() <= asked + 5s);
    }

    void givesPermitsBackWhenTheWaitEndedFirst_data()
    {
        QTest::addColumn<bool>("closed");
        QTest::newRow("later") << false;
        QTest::newRow("before it ends") << true;
    }
    void givesPermitsBackWhenTheWaitEndedFirst()
    {
        QFETCH(bool, closed);
        LockUser a(m_server.endpoint(), { .times = impatient() });
        PermitExpirableSemaphore permits(*a.client, "permits");
        QVERIFY(*answerTo<bool>([&](auto handler) { permits.trySetPermits(3, std::move(handler)); }));
        const auto take = [&](std::optional<Millis> wait) {
            return answerTo<PermitOutcome>([&](auto handler) { permits.acquire(2, {}, wait, std::move(handler)); });
        };
        const auto first = take(0ms);
        QVERIFY(*answerTo<bool>([&](auto handler) { permits.release(first->permits, std::move(handler)); }));
        QSignalSpy end(a.client.get(), &LockClient::closed);
        m_server.pause();
        const auto failed = take(100ms);
        QVERIFY2(!failed && saysUnknown(failed.error()), textOf(failed));
        if (closed)
            a.client->close();
        QTRY_VERIFY(!a.client->isReady());
        m_server.resume();
        QTRY_COMPARE(m_server.cli({ u"get"_s, u"permits"_s }), "3");
        QTRY_COMPARE(end.count(), closed ? 1 : 0);
        QCOMPARE(m_server.cli({ u"get"_s, u"permits"_s }), "3");
    }

    void severalAsOneAreGivenBackToo()
    {
        RedisServer other;
        QVERIFY(other.start());
        const LockClientOptions options{ .times = impatient() };
        MultiLockUser a({ m_server.endpoint(), other.endpoint() }, { Job, Job }, {}, options);
        QVERIFY(a.waitReady());
        QVERIFY(!a.tryLock(60s).empty());
        QVERIFY(a.release());
        other.pause();
        const auto failed = a.acquire(600s, 200ms);
        QVERIFY(!failed || !failed->acquired);
        other.resume();
        QTRY_VERIFY(a.users[1]->client->isReady());
        QTRY_VERIFY(!a.users[1]->client->parts().core.turns.isTaken(placeOf({ Job, "1" })));
        QTRY_COMPARE(other.cli({ u"exists"_s, u"job"_s }), "0");
        QTRY_COMPARE(m_server.cli({ u"exists"_s, u"job"_s }), "0");
    }

private:
    using Kinds = std::vector<std::pair<const char *, LockTarget>>;

    static LockTarget group(const std::vector<const char *> &values)
    {
        LockTarget target{ "job", Kind::FasterMulti };
        for (const char *text : values)
            target.values.push_back(*kryo5String(text));
        return target;
    }
    static Kinds kinds()
    {
        using enum LockVariant;
        return { { "reentrant", { "job" } }, { "spin", { "job", Kind::Reentrant, {}, Spin } },
            { "non-reentrant", { "job", Kind::Reentrant, {}, NonReentrant } }, { "fair", { "job", Kind::Fair } },
            { "fenced", { "job", Kind::Fenced } }, { "read", { "job", Kind::ReadWrite, HoldMode::Read } },
            { "write", { "job", Kind::ReadWrite, HoldMode::Write } }, { "faster multi", group({ "a", "b" }) } };
    }
    static void addKinds(bool alsoOnce)
    {
        QTest::addColumn<LockTarget>("target");
        for (const auto &[name, target] : kinds()) {
            if (alsoOnce || target.variant != LockVariant::NonReentrant)
                QTest::newRow(name) << target;
        }
    }

    /// Connected, and the server knows the scripts: what is sent then is carried out as it is.
    void warmUp(LockUser &user, const LockTarget &target)
    {
        QVERIFY(user.waitReady());
        QVERIFY(user.tryLock(target, "99"));
        QVERIFY(user.release(target, "99"));
        QTRY_COMPARE(m_server.cli({ u"keys"_s, u"redisson_unlock_latch:*"_s }), QByteArray());
        m_server.cli({ u"config"_s, u"resetstat"_s });
    }
    bool haveRun() const { return commandCalls(m_server, "evalsha") >= 2; } // the try, and what gives it back
    /// How often the thread holds it; of a group the object that it holds most often.
    int count(LockUser &user, const LockTarget &target)
    {
        const auto reading
            = answerTo<LockReading>([&](auto handler) { user.client->state(target, std::move(handler)); });
        int holds = 0;
        for (const HolderReading &holder : reading.value().holders)
            holds += holder.owner.thread == "1" ? int(holder.count) : 0;
        return holds;
    }

    const LockTarget Job{ "job" };
};

QTEST_GUILESS_MAIN(LostTriesTest)
#include "tst_lost_tries.moc"
