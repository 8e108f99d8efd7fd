// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "ui/charts/ttl_chart.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

#include <QChart>
#include <QDateTime>
#include <QHelpEvent>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockui::test;
using namespace std::chrono_literals;

namespace {

const MonoTime At{ 100h };

QString list(const std::vector<TtlChart::Label> &labels)
{
    QStringList texts;
    for (const TtlChart::Label &label : labels)
        texts << label.text + QDebug::toString(label.place);
    return texts.join(QStringLiteral(" | "));
}

} // namespace

/// What stands in the chart of the time to live can be read.
class TtlChartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        m_clock.rest(true);
        m_clock.setReference({ At, currentNow().wall });
    }

    void labelsLieOnNothingElse_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<int>>("secondsAgo");
        QTest::addColumn<QString>("end");
        const QString id = QStringLiteral("f768a041…:6");
        const QString longName = id + QStringLiteral(" (stock-service/pod-3 in the second of the two data centres)");
        for (const int width : { 330, 700 }) {
            const auto row = [&](const char *what, const QString &name, const QList<int> &ago, const QString &end) {
                QTest::addRow("%s, %d px", what, width) << width << name << ago << end;
            };
            row("now and then", id, { 80, 60, 30 }, {});
            row("in quick succession", id, { 50, 46, 44, 43, 42, 10, 9, 8, 2 }, {});
            row("just now", id, { 60, 1 }, {});
            row("long names", longName, { 80, 60, 30, 3 }, {});
            row("it ended", longName, { 40, 5 }, QStringLiteral("probably force-released"));
        }
    }

    void labelsLieOnNothingElse()
    {
        QFETCH(const int, width);
        QFETCH(const QString, name);
        QFETCH(const QList<int>, secondsAgo);
        QFETCH(const QString, end);
        TtlChart chart(m_theme, m_clock);
        chart.resize(width, 120);
        auto lock = makeLock("a", At, 20s); // late
        lock->ttlHistory.erase(lock->ttlHistory.begin(), lock->ttlHistory.end() - 5); // not watched before
        chart.setLock(lock);
        std::vector<TtlChart::HandOver> handOvers;
        for (const int seconds : secondsAgo)
            handOvers.push_back({ At - std::chrono::seconds(seconds), name });
        chart.setHandOvers(handOvers);
        if (!end.isEmpty())
            chart.setLock(lock, At, end);
        show(chart);
        const auto labels = chart.labels();
        const QRectF plot = chart.chart()->plotArea();
        const auto said = [&](const QString &text) {
            return std::ranges::any_of(labels, [&](const auto &label) { return label.text.contains(text); });
        };
        QVERIFY2(said(QStringLiteral("renewal late")), qPrintable(list(labels)));
        QVERIFY2(said(end.isEmpty() ? QStringLiteral(":6") : end), qPrintable(list(labels))); // at least one name
        for (const TtlChart::Label &label : labels) {
            QVERIFY2(plot.contains(label.place), qPrintable(list(labels)));
            QVERIFY2(label.text.count(QChar(0x2026)) <= 1, qPrintable(label.text));
            for (const TtlChart::Label &other : labels)
                QVERIFY2(&label == &other || !label.place.intersects(other.place), qPrintable(list(labels)));
            for (const QRectF &foot : chart.feet())
                QVERIFY2(!label.place.intersects(foot), qPrintable(list(labels) + QDebug::toString(foot)));
        }
        for (const TtlChart::HandOver &handOver : handOvers)
            QVERIFY(chart.toolTip().contains(handOver.to.left(4))); // whole, whatever there is room for
    }

    /// As all axes that end now, or where all ended.
    void namesTheTimesAsOtherChartsDo()
    {
        TtlChart chart(m_theme, m_clock);
        chart.resize(700, 120);
        const auto lock = makeLock("a", At, 20s);
        chart.setLock(lock);
        show(chart);
        const auto times = [&chart] {
            QStringList texts;
            double before = 0;
            for (const TtlChart::Label &moment : chart.moments()) {
                const bool isWhole = QRectF(chart.viewport()->rect()).contains(moment.place);
                texts << (isWhole && moment.place.left() > before ? moment.text : QStringLiteral("cut"));
                before = moment.place.right();
            }
            return texts;
        };
        const QString minus(QChar(0x2212));
        QCOMPARE(times().value(0), minus + QStringLiteral("90 s"));
        QCOMPARE(times().value(5), minus + QStringLiteral("15 s"));
        QCOMPARE(times().value(6), QStringLiteral("now"));
        QCOMPARE(times().size(), 7);
        chart.setLock(lock, At - 5s, QStringLiteral("released"));
        QCOMPARE(times().value(6), clockText(m_clock.wallAt(At - 5s), m_clock.wallAt(At)));
        QCOMPARE(times().size(), 7);
        chart.setLock(lock);
        QCOMPARE(times().value(6), QStringLiteral("now"));
        chart.setStale(true, At - 20s); // of its server nothing is seen now, of others all is
        QCOMPARE(times().value(6), clockText(m_clock.wallAt(At - 20s), m_clock.wallAt(At)));
        chart.setStale(false, {});
        QCOMPARE(times().value(6), QStringLiteral("now"));
        m_clock.freezeAt(At - 35s);
        QCOMPARE(times().value(6), clockText(m_clock.wallAt(At - 35s), m_clock.wallAt(At)));
        QCOMPARE(times().size(), 7);
        m_clock.freezeAt(std::nullopt);
    }

    /// What is not seen any more stands still, whole: with other servers' the clock goes on.
    void marksStandStillWithTheCourseTheyAreOf()
    {
        auto lock = makeLock("a", At, 30s);
        lock->ttlHistory.erase(lock->ttlHistory.begin(), lock->ttlHistory.end() - 2);
        const auto look = [&](TtlChart &chart) {
            chart.resize(700, 120);
            chart.setLock(lock);
            chart.setHandOvers({ { At - 40s, QStringLiteral("f768a041…:6") } });
            chart.setFreeSince(At - 60s);
            show(chart);
        };
        TtlChart lost(m_theme, m_clock);
        look(lost);
        lost.setStale(true, At - 20s);
        m_clock.freezeAt(At - 20s);
        TtlChart then(m_theme, m_clock);
        look(then);
        const auto feet = then.feet();
        const QString labels = list(then.labels());
        m_clock.freezeAt(std::nullopt);
        QVERIFY(!feet.empty());
        QCOMPARE(lost.feet(), feet);
        QCOMPARE(list(lost.labels()), labels);
    }

    /// It may have been watched before the recording began, and was free where nothing is kept of it after that.
    void saysOfARecordingWhyNothingIsKnown()
    {
        TtlChart chart(m_theme, m_clock);
        chart.resize(700, 90);
        auto lock = makeLock("it", At);
        lock->ttlHistory.clear();
        lock->holders.front().since = { At - 20s, false };
        chart.setLock(lock);
        show(chart);
        const auto isSaid = [&](const char *text) {
            return std::ranges::any_of(
                chart.labels(), [&](const auto &label) { return label.text == QLatin1String(text); });
        };
        QVERIFY(isSaid("not watched yet"));
        chart.setRecordedSince(At - 20s);
        QVERIFY(isSaid("not known"));
        chart.setRecordedSince(At - 500s);
        QVERIFY(isSaid("no course kept from before"));
        lock = std::make_shared<monitor::LockState>(*lock);
        lock->holders.front().since.exact = true;
        chart.setLock(lock);
        chart.refresh();
        QVERIFY(isSaid("before this hold"));
        chart.setWatchedSince({});
        lock = std::make_shared<monitor::LockState>(*lock);
        lock->holders.front().since.exact = false;
        chart.setLock(lock);
        chart.refresh();
        QVERIFY(isSaid("not watched yet"));
    }

    /// Hatched is what nobody saw; before it was taken it was seen that nobody held it.
    void leavesTheTimeBlankInWhichNobodyHeldIt()
    {
        TtlChart chart(m_theme, m_clock);
        chart.resize(700, 90);
        auto lock = makeLock("it", At);
        lock->ttlHistory = { { At - 20s, Millis(0), 30s, false } };
        lock->holders.front().since = { At - 20s, true };
        chart.setLock(lock);
        chart.setWatchedSince(At - 500s);
        show(chart);
        const auto isSaid = [&](const char *text) {
            return std::ranges::any_of(
                chart.labels(), [&](const auto &label) { return label.text == QLatin1String(text); });
        };
        // Where no label lies, and a line of the grid alone is few pixels.
        const auto isHatched = [&](double secondsAgo) {
            const QImage picture = chart.grab().toImage();
            const QRectF plot = chart.chart()->plotArea();
            const int left = int(plot.right() - plot.width() * secondsAgo / 90);
            int colored = 0;
            for (int y = int(plot.top()) + 2; y < int(plot.bottom()) - 2; ++y)
                for (int x = left; x < left + 8; ++x)
                    colored += picture.pixelColor(x, y) != m_theme.colors().window ? 1 : 0;
            return colored > int(plot.height());
        };
        QVERIFY(isHatched(62) && isHatched(25));
        QVERIFY(isSaid("before this hold"));
        chart.setFreeSince(At - 500s);
        QVERIFY(!isHatched(62) && !isHatched(25));
        QVERIFY(isSaid("nobody held it") && !isSaid("before this hold"));
        chart.setFreeSince(At - 55s); // another held it until then
        QVERIFY(isHatched(62) && !isHatched(25));
        QVERIFY(isSaid("nobody held it") && isSaid("no course kept from before"));
        chart.setWatchedSince(At - 55s);
        QVERIFY(isSaid("not watched yet"));
    }

    void neverExpiringAndNotWatchedAreBothSaid()
    {
        TtlChart chart(m_theme, m_clock);
        chart.resize(700, 90);
        auto endless = makeLock("maintenance:switch", At);
        endless->expiresAt.reset();
        endless->holders.front().expiresAt.reset();
        endless->holders.front().since = { At - 20s, false };
        endless->ttlHistory.clear();
        chart.setLock(endless);
        show(chart);
        const auto labels = chart.labels();
        QVERIFY2(labels.size() == 2, qPrintable(list(labels)));
        QVERIFY2(!labels[0].place.intersects(labels[1].place), qPrintable(list(labels)));
    }

    /// Of the time before, nobody knows how often it was renewed.
    void countsRenewalsOfTheTimeThatIsKnown()
    {
        TtlChart chart(m_theme, m_clock);
        chart.resize(700, 90);
        auto lock = makeLock("a", At);
        chart.setLock(lock);
        show(chart);
        QVERIFY2(chart.accessibleDescription().contains(u"in the last 90 seconds"), qPrintable(chart.toolTip()));
        lock = makeLock("b", At);
        lock->ttlHistory.erase(lock->ttlHistory.begin(), lock->ttlHistory.end() - 1);
        lock->ttlHistory.front().at = At - 12s;
        chart.setLock(lock);
        const QString since = QDateTime::fromMSecsSinceEpoch((m_clock.wallAt(At - 12s)).time_since_epoch().count())
                                  .toString(QStringLiteral("HH:mm:ss.zzz"));
        QVERIFY2(chart.accessibleDescription().contains(QStringLiteral("renewals since %1: 1").arg(since)),
            qPrintable(chart.toolTip()));
    }

    /// Renewals fall out of the last 90 seconds while nothing happens, and one that is late grows later.
    void countsForItsTipAsItIsShown()
    {
        MonoTime now = At;
        ViewClock clock([&now] { return now; });
        TtlChart chart(m_theme, clock);
        chart.resize(700, 90);
        chart.setLock(makeLock("a", At, 20s)); // late
        show(chart);
        QVERIFY2(chart.toolTip().contains(u"renewal late: 20.0 s"), qPrintable(chart.toolTip()));
        now += 1s; // the oldest renewal is none of these 90 seconds any more
        chart.refresh();
        now += 1s;
        chart.refresh();
        QHelpEvent asked(QEvent::ToolTip, { 100, 40 }, chart.mapToGlobal(QPoint(100, 40)));
        QApplication::sendEvent(chart.viewport(), &asked);
        QVERIFY2(chart.toolTip().contains(u"renewal late: 22.0 s"), qPrintable(chart.toolTip()));
    }

    void saysWhyItIsEmpty()
    {
        TtlChart chart(m_theme, m_clock);
        chart.resize(700, 90);
        auto free = makeLock("ghostq", At);
        free->expiresAt.reset();
        free->holders.clear();
        free->ttlHistory.clear();
        chart.setLock(free);
        show(chart);
        const QString why = QStringLiteral("nobody holds it: there is no time to live");
        const auto labels = chart.labels();
        QVERIFY2(std::ranges::find(labels, why, &TtlChart::Label::text) != labels.end(), qPrintable(list(labels)));
        QVERIFY(chart.accessibleDescription().contains(why));
        chart.setLock(makeLock("held", At));
        QVERIFY(!chart.accessibleDescription().contains(why));
    }

private:
    static void show(TtlChart &chart)
    {
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QTRY_VERIFY(chart.chart()->plotArea().width() > 100);
        chart.refresh();
    }

    Theme m_theme{ *qApp };
    ViewClock m_clock{ [] { return At; } };
};

QTEST_MAIN(TtlChartTest)
#include "tst_ttl_chart.moc"
