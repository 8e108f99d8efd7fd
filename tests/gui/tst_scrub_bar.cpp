// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "ui/support/theme.h"
#include "ui/views/scrub_bar.h"

#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::service;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(lockcore::WallTime)

namespace {

constexpr auto First = WallTime(Millis(1'763'700'000'000));

ReplayState replayOf(Millis length, Millis at)
{
    ReplayOverview overview{ First, First + length, First + length, 7, { 3, 0, 4 }, {} };
    return { QStringLiteral("it.lockrec"), std::make_shared<const ReplayOverview>(overview), First + at, First + at, 1,
        false };
}

} // namespace

class TestScrubBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isThereForARecordingOnly()
    {
        ScrubBar bar(m_theme);
        QVERIFY(!bar.isVisibleTo(nullptr));
        bar.setReplay(replayOf(1min, 0ms));
        QVERIFY(bar.isVisible());
        bar.setReplay(std::nullopt);
        QVERIFY(!bar.isVisible());
    }

    void movesByKeyAndMouseButNotByItself_data()
    {
        QTest::addColumn<qint64>("length");
        QTest::newRow("a minute") << qint64(60'000);
        QTest::newRow("two months") << qint64(60) * 86'400'000 + 5;
    }
    void movesByKeyAndMouseButNotByItself()
    {
        QFETCH(qint64, length);
        ScrubBar bar(m_theme);
        bar.resize(1'000, 46);
        bar.setReplay(replayOf(Millis(length), 10'000ms));
        bar.show();
        auto &track = *bar.findChild<ScrubTrack *>();
        std::vector<WallTime> wanted;
        connect(&bar, &ScrubBar::seekRequested, this, [&](WallTime moment) { wanted.push_back(moment); });
        bar.setReplay(replayOf(Millis(length), 20'000ms));
        QVERIFY(wanted.empty());
        QTest::keyClick(&track, Qt::Key_Right);
        QCOMPARE(wanted.size(), 1);
        QVERIFY(wanted[0] - (First + 21'000ms) <= 10ms && (First + 21'000ms) - wanted[0] <= 10ms);
        QTest::keyClick(&track, Qt::Key_Home);
        QCOMPARE(wanted.back(), First);
        QTest::keyClick(&track, Qt::Key_End);
        QCOMPARE(wanted.back(), First + Millis(length));
        QTest::keyClick(&track, Qt::Key_PageDown);
        QVERIFY(wanted.back() < First + Millis(length));
        QTest::mouseClick(&track, Qt::LeftButton, {}, track.rect().center());
        const double part = double((wanted.back() - First).count()) / double(length);
        QVERIFY2(part > 0.49 && part < 0.51, qPrintable(QString::number(part)));
    }

    /// A person who has pressed one of its buttons is still on the bar.
    void goesToBothEndsWhereverTheFocusIs()
    {
        ScrubBar bar(m_theme);
        bar.resize(1'000, 46);
        bar.setReplay(replayOf(1min, 10s));
        bar.show();
        QVERIFY(QTest::qWaitForWindowActive(&bar));
        std::vector<WallTime> wanted;
        connect(&bar, &ScrubBar::seekRequested, this, [&](WallTime moment) { wanted.push_back(moment); });
        for (const char *each : { "Play", "To the event before", "To the next event" }) {
            auto *button = test::named<QToolButton>(bar, QLatin1String(each));
            test::click(test::middleOf(*button));
            QVERIFY(button->hasFocus());
            wanted.clear();
            test::press(bar, Qt::Key_End);
            test::press(bar, Qt::Key_PageDown);
            test::press(bar, Qt::Key_Home);
            QCOMPARE(wanted.size(), 3);
            QCOMPARE(wanted[0], First + 1min);
            QVERIFY(wanted[1] < First + 1min && wanted[1] > First);
            QCOMPARE(wanted[2], First);
        }
    }

    void followsTheHandThatDragsItNotWhatIsPlayed()
    {
        ScrubBar bar(m_theme);
        bar.resize(1'000, 46);
        bar.setReplay(replayOf(1min, 10s));
        bar.show();
        QVERIFY(QTest::qWaitForWindowActive(&bar));
        auto &track = *bar.findChild<ScrubTrack *>();
        const test::Place quarter = test::placeIn(track, { track.width() / 4, track.height() / 2 });
        QTest::mousePress(quarter.window, Qt::LeftButton, {}, quarter.point);
        const int held = track.value();
        bar.setReplay(replayOf(1min, 55s));
        QCOMPARE(track.value(), held);
        QTest::mouseRelease(quarter.window, Qt::LeftButton, {}, quarter.point);
        QCOMPARE(track.value(), held);
        bar.setReplay(replayOf(1min, 56s));
        QCOMPARE(track.value(), 56'000);
    }

    void goesFromEventToEventByKeys()
    {
        ScrubBar bar(m_theme);
        bar.setReplay(replayOf(1min, 0ms));
        bar.show();
        QVERIFY(QTest::qWaitForWindowActive(&bar));
        QSignalSpy next(&bar, &ScrubBar::nextEventRequested);
        QSignalSpy previous(&bar, &ScrubBar::previousEventRequested);
        QTest::keyClick(bar.windowHandle(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(next.size(), 1);
        QTest::keyClick(bar.windowHandle(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(previous.size(), 1);
    }

    void playsAndPauses()
    {
        ScrubBar bar(m_theme);
        ReplayState replay = replayOf(1min, 0ms);
        bar.setReplay(replay);
        QSignalSpy plays(&bar, &ScrubBar::playRequested);
        QSignalSpy pauses(&bar, &ScrubBar::pauseRequested);
        const auto click = [&](const QString &name) { test::named<QToolButton>(bar, name)->click(); };
        click(QStringLiteral("Play"));
        QCOMPARE(plays.size(), 1);
        QCOMPARE(plays[0][0].toDouble(), 1.0);
        replay.playing = true;
        bar.setReplay(replay);
        click(QStringLiteral("Pause"));
        QCOMPARE(pauses.size(), 1);
        bar.show();
        QVERIFY(QTest::qWaitForWindowActive(&bar));
        QTest::keyClick(bar.windowHandle(), Qt::Key_P, Qt::ControlModifier);
        QCOMPARE(pauses.size(), 2);
    }

private:
    Theme m_theme{ *qApp };
};

QTEST_MAIN(TestScrubBar)
#include "tst_scrub_bar.moc"
