// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/multi_acquire_fsm.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using Fsm = MultiAcquireFsm;
using Indexes = std::vector<std::size_t>;

namespace {

const MonoTime T0{ 1'000s };
const Error Down{ ErrorCode::ConnectionClosed, "gone", {} };
const Error Wrong{ ErrorCode::WrongType, "a string", {} };

Fsm::Settings multi(std::size_t members, std::optional<Millis> lease, std::optional<Millis> wait)
{
    Fsm::Settings settings;
    settings.members = members;
    settings.required = members;
    settings.lease = lease;
    settings.wait = wait;
    return settings;
}

Fsm::Settings red(std::size_t members, std::optional<Millis> lease, std::optional<Millis> wait)
{
    Fsm::Settings settings = multi(members, lease, wait);
    settings.required = members / 2 + 1;
    return settings;
}

/// A machine at a time that a test sets.
struct Play {
    explicit Play(Fsm::Settings settings)
        : fsm(settings)
    {
        feed(Fsm::Start{});
    }

    const Fsm::Actions &feed(const Fsm::Input &input)
    {
        actions = fsm.handle(input, now);
        if (const auto *timer = last<Fsm::ArmTimer>())
            timerAt = timer->at;
        return actions;
    }

    /// Up to the time that was asked for.
    void fireTimer()
    {
        now = timerAt;
        feed(Fsm::TimerFired{});
    }

    template <typename Action>
    const Action *last() const
    {
        const Action *found = nullptr;
        for (const auto &action : actions) {
            if (const auto *one = std::get_if<Action>(&action))
                found = one;
        }
        return found;
    }

    template <typename Action>
    Indexes members() const
    {
        Indexes found;
        for (const auto &action : actions) {
            if (const auto *one = std::get_if<Action>(&action))
                found.push_back(one->member);
        }
        return found;
    }

    Fsm fsm;
    Fsm::Actions actions;
    MonoTime now = T0;
    MonoTime timerAt = MonoTime::max();
};

} // namespace

class MultiAcquireFsmTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesAllInTheOrderGiven()
    {
        Play play(multi(3, {}, {}));
        for (std::size_t member = 0; member < 3; ++member) {
            QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ member });
            QVERIFY2(!play.last<Fsm::AcquireMember>()->lease, "the watchdogs renew");
            play.feed(Fsm::MemberAcquired{ member });
        }
        QVERIFY(play.last<Fsm::Finish>()->acquired);
        QCOMPARE(play.last<Fsm::Finish>()->held, (Indexes{ 0, 1, 2 }));
        QVERIFY(!play.last<Fsm::Finish>()->validUntil);
        QVERIFY(play.fsm.isOver());
    }

    void waitsForTheFirstWithoutLimitSinceNothingIsHeldYet()
    {
        Play play(multi(2, {}, {}));
        QVERIFY(!play.last<Fsm::AcquireMember>()->wait);
        play.now += 1h;
        play.feed(Fsm::MemberAcquired{ 0 });
        const auto second = play.last<Fsm::AcquireMember>();
        QVERIFY(second->wait >= 1'500ms && second->wait <= 3s);
    }

    void givesBackWhatItGotBeforeItTriesAgain()
    {
        Play play(multi(3, {}, {}));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::MemberAcquired{ 1 });
        play.feed(Fsm::MemberRefused{ 2 });
        QCOMPARE(play.members<Fsm::ReleaseMember>(), (Indexes{ 0, 1 }));
        play.feed(Fsm::MemberReleased{ 0 });
        QVERIFY(play.actions.empty());
        play.feed(Fsm::MemberReleased{ 1 });
        QVERIFY2(play.timerAt > play.now && play.timerAt <= play.now + 410ms, "pauses");
        play.fireTimer();
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 0 });
    }

    void pausesForTimesThatDiffer()
    {
        std::vector<MonoTime> times;
        for (std::uint32_t seed = 1; seed <= 10; ++seed) {
            Fsm::Settings settings = multi(2, {}, {});
            settings.seed = seed;
            Play play(settings);
            play.feed(Fsm::MemberAcquired{ 0 });
            times.push_back(play.timerAt); // when the second is given up
        }
        std::sort(times.begin(), times.end());
        QVERIFY(times.front() + 300ms < times.back());
    }

    void collectsUnderALeaseForTheRoundAndSetsTheRealOneAtTheEnd()
    {
        Play play(multi(2, 60s, 1s));
        QCOMPARE(play.last<Fsm::AcquireMember>()->lease, std::optional(Millis(2 * 1s + 2s)));
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(Millis(1s)));
        play.now += 400ms;
        play.feed(Fsm::MemberAcquired{ 0 });
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(600ms));
        play.feed(Fsm::MemberAcquired{ 1 });
        QCOMPARE(play.members<Fsm::SetMemberLease>(), (Indexes{ 0, 1 }));
        QCOMPARE(play.last<Fsm::SetMemberLease>()->lease, Millis(60s));
        const MonoTime sent = play.now;
        play.now += 50ms;
        play.feed(Fsm::LeaseSet{ 1 });
        QVERIFY(!play.last<Fsm::Finish>());
        play.feed(Fsm::LeaseSet{ 0 });
        QCOMPARE(play.last<Fsm::Finish>()->validUntil, std::optional(sent + 60s - 600ms - 2ms));
        QCOMPARE(play.last<Fsm::Finish>()->waited, 450ms);
    }

    void isNotAcquiredWhenNoTimeIsLeftOfTheLease()
    {
        Play play(multi(1, 100ms, {}));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.now += 97ms; // 100 less 1 per cent less 2
        play.feed(Fsm::LeaseSet{ 0 });
        QVERIFY(!play.last<Fsm::Finish>());
        QCOMPARE(play.members<Fsm::ReleaseMember>(), Indexes{ 0 });
        play.feed(Fsm::MemberReleased{ 0 });
        play.fireTimer();
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 0 });
    }

    void isNotAcquiredWhenAMemberRanOutMeanwhile()
    {
        Play play(multi(2, 10s, 0ms));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::MemberAcquired{ 1 });
        play.feed(Fsm::LeaseFailed{ 0, { ErrorCode::NotHeld, "gone", {} } });
        play.feed(Fsm::LeaseSet{ 1 });
        QCOMPARE(play.members<Fsm::ReleaseMember>(), Indexes{ 1 });
        play.feed(Fsm::MemberReleased{ 1 });
        QVERIFY(!play.last<Fsm::Finish>()->acquired);
        QVERIFY2(!play.last<Fsm::Finish>()->error, "just not acquired");
    }

    void triesEachOnceWithoutAWait()
    {
        Play play(multi(2, 10s, 0ms));
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(0ms));
        QCOMPARE(play.last<Fsm::AcquireMember>()->lease, std::optional(Millis(10s)));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::MemberRefused{ 1 });
        play.feed(Fsm::MemberReleased{ 0 });
        QVERIFY(play.last<Fsm::Finish>() && !play.last<Fsm::Finish>()->acquired);
        QVERIFY(play.fsm.isOver());
    }

    void givesUpWhenTheWaitIsOver()
    {
        Play play(multi(2, {}, 500ms));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.now += 500ms;
        play.feed(Fsm::MemberRefused{ 1 });
        play.feed(Fsm::MemberReleased{ 0 });
        QVERIFY(play.last<Fsm::Finish>() && !play.last<Fsm::Finish>()->acquired);
    }

    void isAcquiredByAQuorumAndTriesTheOthersOnceAllTogether()
    {
        Play play(red(5, {}, 10s));
        for (std::size_t member = 0; member < 3; ++member)
            play.feed(Fsm::MemberAcquired{ member });
        QCOMPARE(play.members<Fsm::AcquireMember>(), (Indexes{ 3, 4 }));
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(0ms));
        play.feed(Fsm::MemberAcquired{ 4 });
        play.feed(Fsm::MemberRefused{ 3 });
        QCOMPARE(play.last<Fsm::Finish>()->held, (Indexes{ 0, 1, 2, 4 }));
    }

    void sharesTheWaitAmongTheMembersOfAQuorum()
    {
        Play play(red(3, {}, 900ms));
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(300ms));
        play.now += 300ms;
        play.feed(Fsm::MemberRefused{ 0 });
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(200ms));
        play.now += 900ms;
        play.feed(Fsm::MemberAcquired{ 1 });
        QCOMPARE(play.last<Fsm::AcquireMember>()->wait, std::optional(1ms));
    }

    void endsARoundAsSoonAsAQuorumIsOutOfReach()
    {
        Play play(red(3, {}, {}));
        play.feed(Fsm::MemberRefused{ 0 });
        play.feed(Fsm::MemberAcquired{ 1 });
        play.feed(Fsm::MemberRefused{ 2 });
        QCOMPARE(play.members<Fsm::ReleaseMember>(), Indexes{ 1 });
    }

    void doesNotWaitForAMemberThatDoesNotAnswer()
    {
        Play play(red(3, {}, {}));
        play.feed(Fsm::MemberAcquired{ 0 });
        const Millis wait = *play.last<Fsm::AcquireMember>()->wait;
        QCOMPARE(play.timerAt, play.now + wait + 1s);
        play.fireTimer();
        QCOMPARE(play.members<Fsm::CancelMember>(), Indexes{ 1 });
        QCOMPARE(play.last<Fsm::ReleaseMember>()->speculative, true);
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 2 });
        play.feed(Fsm::MemberAcquired{ 2 });
        QCOMPARE(play.last<Fsm::Finish>()->held, (Indexes{ 0, 2 }));
    }

    void releasesWhatMayHaveBeenGot_data()
    {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<bool>("uncertain");
        QTest::newRow("answer lost") << ErrorCode::ConnectionClosed << true;
        QTest::newRow("no answer") << ErrorCode::ReplyTimeout << true;
        QTest::newRow("refused by the server") << ErrorCode::WrongType << false;
    }
    void releasesWhatMayHaveBeenGot()
    {
        QFETCH(ErrorCode, code);
        QFETCH(bool, uncertain);
        Play play(red(3, {}, {}));
        play.feed(Fsm::MemberFailed{ 0, { code, "x", {} } });
        QCOMPARE(play.members<Fsm::ReleaseMember>(), uncertain ? Indexes{ 0 } : Indexes{});
    }

    void doesNotTryAMemberAgainBeforeItsReleaseIsConfirmed()
    {
        Play play(red(3, {}, {}));
        play.feed(Fsm::MemberFailed{ 0, Down });
        play.feed(Fsm::MemberRefused{ 1 });
        play.fireTimer();
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 1 });
        play.feed(Fsm::MemberReleased{ 0 }); // in the middle of a round: too late for this one
        play.feed(Fsm::MemberRefused{ 1 });
        play.fireTimer();
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 0 });
    }

    void waitsForTheCleanUpOnlySoLong()
    {
        Play play(multi(2, {}, 0ms));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::MemberRefused{ 1 });
        QVERIFY(!play.last<Fsm::Finish>());
        QCOMPARE(play.timerAt, play.now + 1s);
        play.fireTimer();
        QVERIFY(play.last<Fsm::Finish>());
    }

    void tellsTheErrorWhenTooManyFail()
    {
        Play play(red(3, {}, 10s));
        play.feed(Fsm::MemberFailed{ 0, Down });
        QVERIFY(!play.last<Fsm::Finish>());
        play.feed(Fsm::MemberFailed{ 1, Down });
        QCOMPARE(play.last<Fsm::Finish>()->error, std::optional(Down));
    }

    void goesOnThroughAFailureOfServersItHadReached()
    {
        Play play(red(3, {}, 10s));
        play.feed(Fsm::MemberRefused{ 0 });
        play.feed(Fsm::MemberRefused{ 1 });
        play.fireTimer();
        play.feed(Fsm::MemberFailed{ 0, Down });
        play.feed(Fsm::MemberFailed{ 1, Down });
        QVERIFY(!play.last<Fsm::Finish>());
        play.feed(Fsm::MemberReleased{ 0 });
        play.feed(Fsm::MemberReleased{ 1 });
        play.fireTimer();
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 0 });
        play.now = T0 + 10s;
        play.feed(Fsm::MemberFailed{ 0, Down });
        play.feed(Fsm::MemberFailed{ 1, Down });
        QCOMPARE(play.last<Fsm::Finish>()->error, std::optional(Down));
    }

    void triesNothingWhileAllAreOutOfReachButKeepsTheTime()
    {
        Play play(red(3, {}, 2s));
        play.feed(Fsm::MemberRefused{ 0 });
        play.feed(Fsm::MemberRefused{ 1 });
        play.fireTimer();
        play.feed(Fsm::MemberFailed{ 0, Down });
        play.feed(Fsm::MemberFailed{ 1, Down });
        for (int rounds = 0; rounds < 1'000 && !play.fsm.isOver(); ++rounds) {
            play.fireTimer();
            QVERIFY(play.members<Fsm::AcquireMember>().empty());
        }
        QCOMPARE(play.now, T0 + 2s);
        QCOMPARE(play.last<Fsm::Finish>()->error, std::optional(Down));
    }

    void doesNotRepeatWhatCannotSucceed()
    {
        Play play(multi(2, {}, {}));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::MemberFailed{ 1, Wrong });
        QCOMPARE(play.members<Fsm::ReleaseMember>(), Indexes{ 0 });
        play.feed(Fsm::MemberReleased{ 0 });
        QCOMPARE(play.last<Fsm::Finish>()->error, std::optional(Wrong));
    }

    void cleansUpWhenCancelled()
    {
        Play play(multi(3, {}, {}));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::Cancel{});
        QCOMPARE(play.members<Fsm::CancelMember>(), Indexes{ 1 });
        QCOMPARE(play.members<Fsm::ReleaseMember>(), (Indexes{ 0, 1 }));
        QVERIFY(!play.last<Fsm::Finish>());
        play.feed(Fsm::MemberAcquired{ 1 }); // on its way already: its release is too
        play.feed(Fsm::MemberReleased{ 0 });
        QCOMPARE(play.last<Fsm::Finish>()->error->code, ErrorCode::Cancelled);
        QVERIFY(play.feed(Fsm::MemberReleased{ 1 }).empty());
    }

    void canBeCancelledBetweenRounds()
    {
        Play play(multi(1, {}, 10s));
        play.feed(Fsm::MemberRefused{ 0 });
        play.feed(Fsm::Cancel{});
        QCOMPARE(play.last<Fsm::Finish>()->error->code, ErrorCode::Cancelled);
    }

    void startsAgainWhenAMemberIsLostOnTheWay()
    {
        Play play(multi(2, {}, {}));
        play.feed(Fsm::MemberAcquired{ 0 });
        play.feed(Fsm::MemberLost{ 0 });
        QCOMPARE(play.members<Fsm::CancelMember>(), Indexes{ 1 });
        play.feed(Fsm::MemberReleased{ 1 });
        play.fireTimer();
        QCOMPARE(play.members<Fsm::AcquireMember>(), Indexes{ 0 });
    }

    void ignoresATimerOfEarlier()
    {
        Play play(multi(2, {}, 10s));
        play.now += 1s;
        QVERIFY(play.feed(Fsm::TimerFired{}).empty());
        play.feed(Fsm::MemberAcquired{ 0 });
        QVERIFY(play.feed(Fsm::TimerFired{}).empty());
    }
};

QTEST_APPLESS_MAIN(MultiAcquireFsmTest)
#include "tst_multi_acquire_fsm.moc"
