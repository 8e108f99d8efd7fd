// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/acquire_fsm.h"

#include <QTest>
#include <array>

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using Fsm = AcquireFsm;

namespace {

const MonoTime T0{ 1'000s };
const Error Lost{ ErrorCode::ConnectionClosed, "gone", {} };

Fsm::Settings waiting(std::optional<Millis> wait = std::nullopt)
{
    Fsm::Settings settings;
    settings.wait = wait;
    return settings;
}

Fsm::Settings inQueue(std::optional<Millis> wait = std::nullopt)
{
    Fsm::Settings settings = waiting(wait);
    settings.leavesQueue = true;
    return settings;
}

Fsm::Replied acquired() { return { { true, {}, {}, {} } }; }
Fsm::Replied refused(std::optional<Millis> left) { return { { false, left, left, {} } }; }

template <typename Action>
const Action *find(const Fsm::Actions &actions)
{
    for (const auto &action : actions) {
        if (const auto *found = std::get_if<Action>(&action))
            return found;
    }
    return nullptr;
}

/// A machine that was refused, subscribed and refused again.
Fsm waitingMachine(Fsm::Settings settings, std::optional<Millis> left)
{
    Fsm fsm(settings);
    fsm.handle(Fsm::Start{}, T0);
    fsm.handle(refused(left), T0);
    fsm.handle(Fsm::Subscribed{}, T0);
    fsm.handle(refused(left), T0);
    return fsm;
}

} // namespace

class AcquireFsmTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesAFreeLockWithOneTry()
    {
        Fsm fsm(waiting());
        QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::Start{}, T0)));
        const auto actions = fsm.handle(acquired(), T0 + 3ms);
        QCOMPARE(actions.size(), std::size_t(1));
        QVERIFY(find<Fsm::Finish>(actions)->acquired);
        QCOMPARE(find<Fsm::Finish>(actions)->waited, Millis(3));
        QVERIFY(fsm.isOver());
    }

    void neverSubscribesForOneTry()
    {
        Fsm fsm(inQueue(0ms));
        fsm.handle(Fsm::Start{}, T0);
        const auto actions = fsm.handle(refused(700ms), T0);
        QVERIFY(!find<Fsm::Subscribe>(actions));
        QCOMPARE(find<Fsm::Finish>(actions)->holderTtl, std::optional(700ms));
        QVERIFY(!find<Fsm::Finish>(actions)->acquired);
    }

    void triesAgainAtOnceWhenSubscribed()
    {
        Fsm fsm(waiting());
        fsm.handle(Fsm::Start{}, T0);
        QVERIFY(find<Fsm::Subscribe>(fsm.handle(refused(30s), T0)));
        QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::Subscribed{}, T0 + 1ms)));
        QVERIFY(!find<Fsm::Subscribe>(fsm.handle(refused(30s), T0 + 2ms)));
        QVERIFY(fsm.isWaiting());
    }

    void waitsForTheHoldersTimeAndNoLonger()
    {
        Fsm fsm(waiting());
        fsm.handle(Fsm::Start{}, T0);
        const auto actions = fsm.handle(refused(30s), T0);
        QCOMPARE(find<Fsm::ArmTimer>(actions)->at, MonoTime(T0 + 30'001ms));
        QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::TimerFired{}, T0 + 30'001ms)));
    }

    void neverSpins_data()
    {
        QTest::addColumn<int>("left");
        QTest::addColumn<int>("shortest");
        QTest::newRow("another's turn") << 0 << 50;
        QTest::newRow("about to expire") << 1 << 10;
    }
    void neverSpins()
    {
        QFETCH(int, left);
        QFETCH(int, shortest);
        Fsm fsm(waiting());
        fsm.handle(Fsm::Start{}, T0);
        const auto actions = fsm.handle(refused(Millis(left)), T0);
        QVERIFY(find<Fsm::ArmTimer>(actions)->at >= T0 + Millis(shortest));
        QVERIFY(!find<Fsm::SendTry>(actions));
    }

    void waitsForMessagesWhenTheHolderNeverExpires()
    {
        Fsm fsm(waiting());
        fsm.handle(Fsm::Start{}, T0);
        QVERIFY(find<Fsm::ArmTimer>(fsm.handle(refused({}), T0))->at >= T0 + 30s);
        QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::Woken{}, T0 + 1s)));
    }

    void givesUpOnTime()
    {
        Fsm fsm = waitingMachine(inQueue(2s), 30s);
        const auto actions = fsm.handle(Fsm::TimerFired{}, T0 + 2s);
        QVERIFY(find<Fsm::GiveUp>(actions));
        QVERIFY(!find<Fsm::Finish>(actions)->acquired);
        QCOMPARE(find<Fsm::Finish>(actions)->waited, 2'000ms);
        QVERIFY(fsm.isOver());
    }

    void leavesTheQueueOnEveryWayOut_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("cancelled") << 0;
        QTest::newRow("server error") << 1;
        QTest::newRow("subscription refused") << 2;
        QTest::newRow("cancelled without connection") << 3;
        QTest::newRow("cancelled while trying") << 4;
        QTest::newRow("cancelled, then the answer is lost") << 5;
        QTest::newRow("timed out while trying") << 6;
    }
    void leavesTheQueueOnEveryWayOut()
    {
        QFETCH(int, way);
        Fsm fsm = waitingMachine(inQueue(2s), 30s);
        Fsm::Actions actions;
        const auto then = [&](const Fsm::Input &input, MonoTime now = T0 + 1s) {
            const auto more = fsm.handle(input, now);
            actions.insert(actions.end(), more.begin(), more.end());
        };
        if (way != 0 && way != 2)
            then(Fsm::Woken{});
        switch (way) {
        case 1:
            then(Fsm::Refused{ { ErrorCode::WrongType, "WRONGTYPE", {} } });
            break;
        case 2:
            then(Fsm::SubscribeFailed{ { ErrorCode::PermissionDenied, "NOPERM", {} } });
            break;
        case 3:
            then(Fsm::Unanswered{ Lost });
            then(Fsm::Cancel{});
            break;
        case 4:
            then(Fsm::Cancel{});
            then(refused(30s));
            break;
        case 5:
            then(Fsm::Cancel{});
            then(Fsm::Unanswered{ Lost });
            break;
        case 6:
            then(Fsm::TimerFired{}, T0 + 3s);
            then(refused(30s), T0 + 3s);
            break;
        default:
            then(Fsm::Cancel{});
        }
        QVERIFY(find<Fsm::Finish>(actions));
        QVERIFY(!find<Fsm::Finish>(actions)->acquired);
        QVERIFY(find<Fsm::GiveUp>(actions));
        QVERIFY(fsm.isOver());
    }

    void releasesALockGotWhenCancelled()
    {
        Fsm fsm(waiting());
        fsm.handle(Fsm::Start{}, T0);
        QCOMPARE(find<Fsm::Finish>(fsm.handle(Fsm::Cancel{}, T0))->error->code, ErrorCode::Cancelled);
        QVERIFY(!fsm.isOver());
        const auto actions = fsm.handle(acquired(), T0);
        QVERIFY(find<Fsm::ReleaseHold>(actions));
        QVERIFY(!find<Fsm::Finish>(actions));
        QVERIFY(fsm.isOver());
    }

    void losesNoWakeUpThatComesDuringATry()
    {
        Fsm fsm = waitingMachine(waiting(), 30s);
        fsm.handle(Fsm::TimerFired{}, T0 + 30s); // its try may be answered before the release
        fsm.handle(Fsm::Woken{}, T0 + 30s);
        QVERIFY(find<Fsm::SendTry>(fsm.handle(refused(30s), T0 + 30s)));
        QVERIFY(fsm.hasUnusedWakeUp());
        QVERIFY(!find<Fsm::SendTry>(fsm.handle(refused(30s), T0 + 30s)));
        QVERIFY(!fsm.hasUnusedWakeUp());
    }

    void handsAnUnusedWakeUpOn()
    {
        Fsm fsm = waitingMachine(waiting(), 30s);
        fsm.handle(Fsm::Woken{}, T0);
        fsm.handle(Fsm::Cancel{}, T0);
        QVERIFY(fsm.hasUnusedWakeUp());
    }

    void keepsWaitingThroughAReconnect()
    {
        Fsm fsm = waitingMachine(waiting(60s), 10s);
        fsm.handle(Fsm::TimerFired{}, T0 + 10s);
        const auto lost = fsm.handle(Fsm::Unanswered{ Lost }, T0 + 11s);
        QVERIFY(!find<Fsm::Finish>(lost));
        const auto again = fsm.handle(Fsm::Connected{}, T0 + 12s);
        QVERIFY(find<Fsm::SendTry>(again));
        QVERIFY(find<Fsm::Finish>(fsm.handle(acquired(), T0 + 12s))->acquired);
    }

    void saysOnTimeThatThereIsNoConnection()
    {
        Fsm fsm = waitingMachine(waiting(60s), 10s);
        fsm.handle(Fsm::TimerFired{}, T0 + 10s);
        fsm.handle(Fsm::Unanswered{ Lost, false }, T0 + 11s);
        QVERIFY2(!find<Fsm::SendTry>(fsm.handle(Fsm::Disconnected{ Lost }, T0 + 12s)), "somebody may come back");
        const auto actions = fsm.handle(Fsm::TimerFired{}, T0 + 60s);
        QCOMPARE(find<Fsm::Finish>(actions)->error, std::optional(Lost));
        QVERIFY(fsm.isOver());
    }

    void asksByItselfNowAndThenWithoutConnection()
    {
        Fsm fsm = waitingMachine(waiting(), 10s);
        fsm.handle(Fsm::TimerFired{}, T0 + 10s);
        const auto lost = fsm.handle(Fsm::Unanswered{ Lost, false }, T0 + 10s);
        QVERIFY(find<Fsm::ArmTimer>(lost)->at <= T0 + 20s);
        QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::TimerFired{}, T0 + 20s)));
    }

    void failsWhenTheFirstConnectionFails()
    {
        Fsm fsm(waiting());
        QVERIFY(!find<Fsm::SendTry>(fsm.handle(Fsm::Start{ false }, T0)));
        QCOMPARE(find<Fsm::Finish>(fsm.handle(Fsm::Disconnected{ Lost }, T0))->error, std::optional(Lost));
    }

    void triesWhenTheFirstConnectionIsReady()
    {
        Fsm fsm(waiting());
        fsm.handle(Fsm::Start{ false }, T0);
        QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::Connected{}, T0 + 1s)));
        QCOMPARE(find<Fsm::Finish>(fsm.handle(acquired(), T0 + 2s))->waited, 2'000ms);
    }

    void endsWhenAnAnswerIsLostThatMayNotComeTwice()
    {
        Fsm::Settings settings = waiting();
        settings.repeatable = false;
        Fsm fsm = waitingMachine(settings, {});
        fsm.handle(Fsm::Woken{}, T0);
        QVERIFY2(!find<Fsm::Finish>(fsm.handle(Fsm::Unanswered{ Lost, false }, T0)), "it was not sent");
        fsm.handle(Fsm::Connected{}, T0);
        const auto actions = fsm.handle(Fsm::Unanswered{ Lost }, T0);
        QCOMPARE(find<Fsm::Finish>(actions)->error->code, Lost.code);
        QVERIFY(find<Fsm::Finish>(actions)->error->message.find("may have succeeded") != std::string::npos);
        QVERIFY(fsm.isOver());
    }

    void givesBackUnseenWhatALostAnswerMayHaveGranted_data()
    {
        QTest::addColumn<bool>("cancelledFirst");
        QTest::newRow("lost, then cancelled") << false;
        QTest::newRow("cancelled, then lost") << true;
    }
    void givesBackUnseenWhatALostAnswerMayHaveGranted()
    {
        QFETCH(bool, cancelledFirst);
        Fsm fsm = waitingMachine(waiting(), {});
        fsm.handle(Fsm::Woken{}, T0);
        const std::array<Fsm::Input, 2> inputs{ Fsm::Unanswered{ Lost }, Fsm::Cancel{} };
        QVERIFY(!find<Fsm::ReleaseHold>(fsm.handle(inputs.at(cancelledFirst ? 1 : 0), T0)));
        QVERIFY(find<Fsm::ReleaseHold>(fsm.handle(inputs.at(cancelledFirst ? 0 : 1), T0)));
        QVERIFY(fsm.isOver());
    }

    void pollsMoreAndMoreSeldomAndNeverSubscribes()
    {
        Fsm::Settings settings = waiting();
        settings.polls = true;
        Fsm fsm(settings);
        fsm.handle(Fsm::Start{}, T0);
        std::vector<Millis> pauses;
        for (int i = 0; i < 10; ++i) {
            const auto actions = fsm.handle(refused(30s), T0);
            QVERIFY(!find<Fsm::Subscribe>(actions));
            pauses.push_back(std::chrono::duration_cast<Millis>(find<Fsm::ArmTimer>(actions)->at - T0));
            QVERIFY(find<Fsm::SendTry>(fsm.handle(Fsm::TimerFired{}, T0)));
        }
        QCOMPARE(pauses, (std::vector<Millis>{ 1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 128ms, 128ms }));
        const auto shortened = fsm.handle(Fsm::Replied{ { false, 30s, 30s, {} }, 1.0 }, T0);
        QCOMPARE(find<Fsm::ArmTimer>(shortened)->at, MonoTime(T0 + 64ms));
    }

    void outlastsAServerThatIsReadOnlyForAWhile()
    {
        const Error readOnly{ ErrorCode::ReadOnlyReplica, "READONLY", {} };
        Fsm first(waiting(9s));
        first.handle(Fsm::Start{}, T0);
        QVERIFY2(find<Fsm::Finish>(first.handle(Fsm::Refused{ readOnly }, T0)), "who has just come can go elsewhere");

        Fsm fsm = waitingMachine(waiting(9s), 5s);
        fsm.handle(Fsm::TimerFired{}, T0 + 5s);
        QVERIFY(!find<Fsm::Finish>(fsm.handle(Fsm::Refused{ readOnly }, T0 + 5s)));
        Fsm inTime = fsm;
        QVERIFY(find<Fsm::SendTry>(inTime.handle(Fsm::TimerFired{}, T0 + 6s)));
        QVERIFY(find<Fsm::Finish>(inTime.handle(acquired(), T0 + 6s))->acquired);
        QCOMPARE(find<Fsm::Finish>(fsm.handle(Fsm::TimerFired{}, T0 + 9s))->error, std::optional(readOnly));
    }

    void triesAgainWhenThatCanHelp_data()
    {
        QTest::addColumn<ErrorCode>("code");
        QTest::newRow("the server loads") << ErrorCode::Loading;
        QTest::newRow("a try came too late") << ErrorCode::ReplyTimeout;
    }
    void triesAgainWhenThatCanHelp()
    {
        QFETCH(const ErrorCode, code);
        Fsm fsm = waitingMachine(waiting(), 30s);
        fsm.handle(Fsm::Woken{}, T0);
        const auto actions = fsm.handle(Fsm::Refused{ { code, "not now", {} } }, T0);
        QVERIFY(!find<Fsm::Finish>(actions));
        QVERIFY(find<Fsm::ArmTimer>(actions)->at < T0 + 1s);
    }
};

QTEST_GUILESS_MAIN(AcquireFsmTest)
#include "tst_acquire_fsm.moc"
