// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "ui/charts/ttl_curve.h"

#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;

namespace {

const MonoTime At{ std::chrono::hours(100) };
constexpr Millis Window{ 90'000 };

std::shared_ptr<LockState> withHistory(std::vector<TtlCorner> corners)
{
    for (TtlCorner &corner : corners)
        corner.renewal = corner.before > Millis(0);
    auto lock = makeLock("a", At);
    lock->ttlHistory = std::move(corners);
    return lock;
}

} // namespace

class TtlCurveTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drawsTwoPointsARenewal()
    {
        const auto lock = withHistory({ { At - Millis(20'000), Millis(0), Millis(30'000) },
            { At - Millis(10'000), Millis(20'000), Millis(30'000) }, { At, Millis(20'000), Millis(30'000) } });
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        const std::vector<TtlCurve::Point> expected{ { -20, 30 }, { -10, 20 }, { -10, 30 }, { 0, 20 }, { 0, 30 },
            { 0, 30 } };
        QCOMPARE(curve.points, expected);
        QCOMPARE(curve.renewals.size(), std::size_t(2));
        QVERIFY(curve.late.empty());
        QCOMPARE(curve.seenFrom, std::optional<double>(-20.0));
    }

    /// Since it was first seen it was held by another one; when that one's lease was set before is not known.
    void measuresNoGapFromTheFirstLookAtAHolderBefore()
    {
        auto lock = withHistory({ { At - Millis(20'000), Millis(0), Millis(25'000) },
            { At - Millis(16'000), Millis(21'000), Millis(30'000) } });
        lock->ttlHistory.push_back({ At - Millis(9'000), Millis(23'000), Millis(0) });
        lock->ttlHistory.push_back({ At - Millis(8'000), Millis(0), Millis(30'000) });
        lock->holders.front().since = { At - Millis(8'000), true };
        QVERIFY(!ttlCurve(*lock, At, Window).medianGap);
        lock->ttlHistory.erase(lock->ttlHistory.begin() + 2, lock->ttlHistory.end());
        lock->holders.front().since = { At - Millis(20'000), true };
        QCOMPARE(ttlCurve(*lock, At, Window).medianGap, std::optional<double>(4.0));
    }

    void endsBetweenTwoHolds()
    {
        auto lock = makeLock("a", At);
        lock->ttlHistory = std::vector<TtlCorner>({ { At - Millis(20'000), Millis(0), Millis(30'000) },
            { At - Millis(15'000), Millis(25'000), Millis(0) }, { At - Millis(12'000), Millis(0), Millis(30'000) },
            { At - Millis(2'000), Millis(20'000), Millis(0) } });
        lock->holders.clear();
        lock->expiresAt.reset();
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        const std::vector<TtlCurve::Point> expected{ { -20, 30 }, { -15, 25 }, { -12, 30, true }, { -2, 20 } };
        QCOMPARE(curve.points, expected);
    }

    void runsToZeroWhereItRanOut()
    {
        auto lock = makeLock("a", At);
        lock->ttlHistory = std::vector<TtlCorner>(
            { { At - Millis(20'000), Millis(0), Millis(10'000) }, { At - Millis(10'000), Millis(0), Millis(0) } });
        lock->holders.clear();
        lock->expiresAt.reset();
        QCOMPARE(ttlCurve(*lock, At, Window).points, (std::vector<TtlCurve::Point>{ { -20, 10 }, { -10, 0 } }));
    }

    void marksNoRenewalWhereAnotherHoldBegan()
    {
        auto lock = withHistory({});
        lock->ttlHistory = std::vector<TtlCorner>({ { At - Millis(20'000), Millis(20'000), Millis(30'000), true },
            { At - Millis(14'000), Millis(24'000), Millis(30'000), false },
            { At - Millis(4'000), Millis(20'000), Millis(30'000), true } });
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        QCOMPARE(curve.renewals.size(), std::size_t(2));
        QCOMPARE(curve.worstGap, std::optional<double>(10.0));
    }

    void leavesOutWhatWasNotSeen()
    {
        auto lock = withHistory({});
        lock->ttlHistory = std::vector<TtlCorner>({ { At - Millis(40'000), Millis(0), Millis(30'000) },
            { At - Millis(35'000), Millis(25'000), TtlCorner::NotSeen },
            { At - Millis(10'000), Millis(0), Millis(27'000) },
            { At - Millis(3'000), Millis(20'000), Millis(30'000), true } });
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        const std::vector<TtlCurve::Point> expected{ { -40, 30 }, { -35, 25 }, { -10, 27, true }, { -3, 20 },
            { -3, 30 }, { 0, 30 } };
        QCOMPARE(curve.points, expected);
        QCOMPARE(curve.unseen, (std::vector<TtlCurve::Span>{ { -35, -10 } }));
        QVERIFY(!curve.medianGap); // when it was renewed before is not known
    }

    void infersTheLineWhereItHadTheSameEndAfterAGap()
    {
        auto lock = withHistory({ { At - Millis(40'000), Millis(0), Millis(100'000) } });
        lock->expiresAt = At + Millis(60'000);
        const TtlCurve curve = ttlCurve(*lock, At, Window, { { At - Millis(30'000), At - Millis(10'000) } });
        const std::vector<TtlCurve::Point> expected{ { -40, 100 }, { -30, 90 }, { -10, 70, false, true }, { 0, 60 } };
        QCOMPARE(curve.points, expected);
        QCOMPARE(curve.unseen, (std::vector<TtlCurve::Span>{ { -30, -10 } }));
    }

    /// As it was last seen, looked at long after its end: a second falls in a second.
    void endsWhereItRanOutThoughThatWasNoticedLater()
    {
        const auto lock = withHistory({ { At - Millis(20'000), Millis(0), Millis(8'000) } });
        lock->expiresAt = At - Millis(12'000);
        QCOMPARE(ttlCurve(*lock, At, Window).points, (std::vector<TtlCurve::Point>{ { -20, 8 }, { -12, 0 } }));
        // It may as well have been renewed, or given back.
        const TtlCurve curve = ttlCurve(*lock, At, Window, { { At - Millis(15'000), At } });
        QCOMPARE(curve.points, (std::vector<TtlCurve::Point>{ { -20, 8 }, { -15, 3 } }));
    }

    void knowsALockWithoutTimeToLive()
    {
        auto lock = makeLock("a", At);
        lock->ttlHistory.clear();
        lock->expiresAt.reset();
        lock->holders.front().since = { At - Millis(200'000), false };
        TtlCurve curve = ttlCurve(*lock, At, Window);
        QVERIFY(curve.points.empty() && !curve.seenFrom);
        QCOMPARE(curve.endlessFrom, std::optional<double>(-200.0));
        lock->holders.front().since = { At - Millis(20'000), true };
        curve = ttlCurve(*lock, At, Window);
        QCOMPARE(curve.seenFrom, std::optional<double>(-20.0));
        QVERIFY(curve.beginsWithHold); // it was taken then: that it was not watched before is not said
    }

    void entersTheWindowInMidFall()
    {
        const auto lock = withHistory({ { At - Millis(100'000), Millis(0), Millis(120'000) } });
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        QCOMPARE(curve.points.front(), (TtlCurve::Point{ -90, 110 }));
        QVERIFY(!curve.seenFrom);
    }

    void marksARenewalThatCameLate()
    {
        const auto lock = withHistory({ { At - Millis(40'000), Millis(20'000), Millis(30'000) },
            { At - Millis(20'000), Millis(10'000), Millis(30'000) },
            { At - Millis(10'000), Millis(20'000), Millis(30'000) }, { At, Millis(20'000), Millis(30'000) } });
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        QCOMPARE(curve.late, (std::vector<TtlCurve::LateSpan>{ { -30, -20, 20 } }));
        QCOMPARE(curve.medianGap, std::optional<double>(10.0));
        QCOMPARE(curve.worstGap, std::optional<double>(20.0));
        lock->lease = Lease::Unknown;
        QVERIFY(ttlCurve(*lock, At, Window).late.empty());
    }

    /// Whether a renewal came then nobody saw.
    void callsNoRenewalLateThatMayHaveComeOutOfSight()
    {
        const auto lock = withHistory({ { At - Millis(40'000), Millis(20'000), Millis(30'000) },
            { At - Millis(20'000), Millis(10'000), Millis(30'000) } });
        const std::vector<UnseenTime> within{ { At - Millis(35'000), At - Millis(25'000) } };
        QVERIFY(!ttlCurve(*lock, At - Millis(10'000), Window).late.empty());
        const TtlCurve curve = ttlCurve(*lock, At - Millis(10'000), Window, within);
        QVERIFY(curve.late.empty());
        QVERIFY(!curve.worstGap);
    }

    /// What was passed over up to the end was seen, but for the gap in it.
    void tellsWhatWasPassedOverFromWhatWasNotSeen()
    {
        const auto lock = withHistory({ { At - Millis(60'000), Millis(0), Millis(30'000) } });
        lock->expiresAt = At - Millis(30'000);
        const UnseenTime passedOver{ At - Millis(50'000), At };
        const TtlCurve whole = ttlCurve(*lock, At, Window, {}, passedOver);
        QVERIFY(whole.unseen.empty());
        QCOMPARE(whole.passedOver, (std::vector<TtlCurve::Span>{ { -50, 0 } }));
        QCOMPARE(whole.points.back().x, -50.0); // nothing is known of how it went on
        const std::vector<UnseenTime> gaps{ { At - Millis(55'000), At - Millis(45'000) },
            { At - Millis(20'000), At - Millis(10'000) } };
        const TtlCurve curve = ttlCurve(*lock, At, Window, gaps, passedOver);
        QCOMPARE(curve.unseen, (std::vector<TtlCurve::Span>{ { -55, -45 }, { -20, -10 } }));
        QCOMPARE(curve.passedOver, (std::vector<TtlCurve::Span>{ { -45, -20 }, { -10, 0 } }));
        QVERIFY(curve.late.empty());
    }

    /// Two gaps, of which the second begins where the first ends, up to the look that found it gone.
    void drawsNoLineToAnEndThatWasNotSeen()
    {
        const auto lock = withHistory({ { At - Millis(14'000), Millis(20'000), Millis(30'000) } });
        lock->expiresAt = At + Millis(16'000);
        QVERIFY(!ttlCurve(*lock, At, Window).late.empty());
        const TtlCurve curve = ttlCurve(
            *lock, At, Window, { { At - Millis(4'300), At - Millis(20) }, { At - Millis(20), At + Millis(20) } });
        QVERIFY(curve.late.empty());
        QCOMPARE(curve.unseen, (std::vector<TtlCurve::Span>{ { -4.3, 0 } }));
        QCOMPARE(curve.points.back().x, -4.3);
        QVERIFY(!curve.points.back().inferred);
    }

    void measuresNoGapsBetweenReaders()
    {
        auto lock = withHistory({ { At - Millis(900), Millis(20'000), Millis(30'000) },
            { At - Millis(400), Millis(29'500), Millis(30'000) } });
        QVERIFY(ttlCurve(*lock, At, Window).medianGap);
        lock->kind = Kind::ReadWrite;
        QVERIFY(!ttlCurve(*lock, At, Window).medianGap);
    }

    void measuresNoGapFromWhenItFirstLooked()
    {
        const auto lock = withHistory(
            { { At - Millis(4'000), Millis(0), Millis(24'000) }, { At, Millis(20'000), Millis(30'000) } });
        lock->holders.front().since = { At - Millis(4'000), false };
        QVERIFY(!ttlCurve(*lock, At, Window).medianGap);
        lock->holders.front().since.exact = true;
        QCOMPARE(ttlCurve(*lock, At, Window).medianGap, std::optional<double>(4.0));
    }

    void drawsNothingThatWasNotSeen()
    {
        auto lock = makeLock("a", At);
        lock->ttlHistory.clear();
        lock->holders.clear();
        QVERIFY(ttlCurve(*lock, At, Window).points.empty());
    }

    void beginsWithTheHoldWhereNothingElseHappened()
    {
        auto lock = makeLock("a", At);
        lock->ttlHistory.clear();
        lock->expiresAt = At + Millis(20'000);
        lock->holders.front().since = { At - Millis(10'000), false };
        const TtlCurve curve = ttlCurve(*lock, At, Window);
        QCOMPARE(curve.points, (std::vector<TtlCurve::Point>{ { -10, 30 }, { 0, 20 } }));
        QCOMPARE(curve.seenFrom, std::optional<double>(-10.0));
        QVERIFY(curve.renewals.empty());
    }
};

QTEST_APPLESS_MAIN(TtlCurveTest)
#include "tst_ttl_curve.moc"
