// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/painted.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/support/freshness.h"
#include "ui/views/data_table.h"
#include "ui/views/row_glow.h"

#include <QProxyStyle>
#include <QTest>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using testsupport::OwnerA;
using testsupport::RedisServer;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

/// A system on which nothing is to move.
class CalmStyle : public QProxyStyle {
public:
    using QProxyStyle::QProxyStyle;

    int styleHint(
        StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *answer) const override
    {
        return hint == SH_Widget_Animation_Duration ? 0 : QProxyStyle::styleHint(hint, option, widget, answer);
    }
};

Event eventOf(const LockName &lock, EventKind kind)
{
    Event event;
    event.lock = lock;
    event.kind = kind;
    return event;
}

/// Shows what it is given, with a clock that stands.
struct Fixture : TestWindow {
    Fixture()
    {
        connectToNobody();
        showAt({ 1'200, 700 });
        clock().rest(true);
        const Now now = currentNow();
        window.showSnapshot(makeSnapshot(now, { makeLock("a", now.mono), makeLock("b", now.mono) }));
        QCoreApplication::processEvents();
    }

    ViewClock &clock() { return *window.findChild<ViewClock *>(); }
    DataTable &table() { return *named<DataTable>(window, QStringLiteral("Locks")); }
    QModelIndex rowOf(const QString &name)
    {
        return table()
            .model()
            ->match(table().model()->index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchExactly)
            .value(0);
    }
    double glowOf(const char *name)
    {
        return window.findChild<RowGlow *>()->strengthOf(rowOf(QString::fromLatin1(name)));
    }
    void hear(const LockName &lock, EventKind kind) { page().heard({ eventOf(lock, kind) }); }
    void tick(int times = 1)
    {
        for (int i = 0; i < times; ++i)
            Q_EMIT clock().tick();
    }
    /// Of the row, where nothing is written.
    QColor groundOf(const char *name)
    {
        const QRect cell = table().visualRect(rowOf(QString::fromLatin1(name)));
        return table().viewport()->grab().toImage().pixelColor(cell.left() + 2, cell.top() + 2);
    }
};

} // namespace

class RowGlowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void aRowThatChangedHandsGlowsOnceAndFades()
    {
        for (const EventKind kind :
            { EventKind::Acquired, EventKind::Released, EventKind::Expired, EventKind::ForceReleased }) {
            Fixture f;
            QVERIFY(QTest::qWaitForWindowExposed(&f.window));
            const QColor before = f.groundOf("b");
            f.hear("b", kind);
            QVERIFY(f.groundOf("b") != before);
            QCOMPARE(f.glowOf("a"), 0.0);
            double last = 2;
            for (int i = 0; i < RowGlow::Ticks; ++i) {
                QVERIFY(f.glowOf("b") > 0 && f.glowOf("b") < last);
                last = f.glowOf("b");
                f.tick();
            }
            QCOMPARE(f.glowOf("b"), 0.0);
            QCOMPARE(f.groundOf("b"), before);
        }
    }

    void figuresAloneDoNotGlow()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        for (const EventKind kind : { EventKind::Appeared, EventKind::Renewed, EventKind::Reentered, EventKind::Queued,
                 EventKind::Dequeued, EventKind::Gap })
            f.hear("b", kind);
        QCOMPARE(f.glowOf("b"), 0.0);
    }

    void aSecondChangeGlowsAnew()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.hear("b", EventKind::Acquired);
        f.tick(RowGlow::Ticks - 2);
        f.hear("b", EventKind::Released);
        QCOMPARE(f.glowOf("b"), 1.0);
        f.tick(4);
        QVERIFY(f.glowOf("b") > 0); // the end of the first is not that of the second
        f.tick(RowGlow::Ticks);
        QCOMPARE(f.glowOf("b"), 0.0);
    }

    void onlyRowsThatGlowArePainted()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.table().setTickingColumns({});
        Painted painted(*f.table().viewport());
        f.tick();
        painted.take();
        f.tick();
        QVERIFY(painted.take().isEmpty()); // at rest
        f.hear("b", EventKind::Acquired);
        const QRect row = f.table().visualRect(f.rowOf(QStringLiteral("b")));
        for (int i = 0; i < RowGlow::Ticks; ++i) {
            f.tick();
            const QRect region = painted.take().boundingRect();
            QCOMPARE(region.top(), row.top());
            QCOMPARE(region.bottom(), row.bottom());
        }
        f.tick();
        QVERIFY(painted.take().isEmpty());
    }

    void aPictureThatStandsDoesNotGlow()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.window.setPaused(true);
        f.hear("b", EventKind::Acquired);
        QCOMPARE(f.glowOf("b"), 0.0);
        f.window.setPaused(false);
        f.hear("b", EventKind::Acquired);
        QCOMPARE(f.glowOf("b"), 1.0);
        f.window.setPaused(true);
        f.tick();
        QCOMPARE(f.glowOf("b"), 0.0);
    }

    void whatIsNotSeenDoesNotGlow()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.hear("b", EventKind::Acquired);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        f.tick();
        f.hear("a", EventKind::Acquired);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(f.glowOf("a"), 0.0);
        QCOMPARE(f.glowOf("b"), 0.0);
    }

    void nothingGlowsWhereNothingIsToMove()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        CalmStyle calm;
        f.table().setStyle(&calm);
        f.hear("b", EventKind::Acquired);
        QCOMPARE(f.glowOf("b"), 0.0);
        f.table().setStyle(nullptr);
        f.hear("b", EventKind::Acquired);
        QCOMPARE(f.glowOf("b"), 1.0);
    }

    void anotherMomentIsNoChange()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.hear("a", EventKind::Acquired);
        f.page().restart(currentNow().wall);
        f.hear("b", EventKind::Acquired); // led to it
        QCOMPARE(f.glowOf("a"), 0.0);
        QCOMPARE(f.glowOf("b"), 0.0);
        f.tick();
        f.hear("b", EventKind::Acquired);
        QCOMPARE(f.glowOf("b"), 1.0);
    }

    void glowsForWhatTheServerDid()
    {
        take(m_server, QStringLiteral("before"), OwnerA, 30'000);
        TestWindow program;
        ConnectionProfile profile;
        profile.deployment = m_server.endpoint();
        program.window.openConnection(profile);
        program.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        auto *table = named<DataTable>(program.window, QStringLiteral("Locks"));
        const auto *glow = program.window.findChild<RowGlow *>();
        QStringList glowed; // at any moment
        connect(program.window.findChild<ViewClock *>(), &ViewClock::tick, this, [&] {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (glow->strengthOf(table->model()->index(row, 0)) > 0)
                    glowed << table->model()->index(row, 0).data().toString();
        });
        QTRY_COMPARE_WITH_TIMEOUT(program.page().locks().rowCount(), 1, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(program.monitor.latest()->status.phase == SourcePhase::Live, Limit);
        take(m_server, QStringLiteral("after"), OwnerA, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(glowed.contains(QStringLiteral("after")), Limit);
        const auto glowsStill = [&] {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (glow->strengthOf(table->model()->index(row, 0)) > 0)
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!glowsStill(), Limit);
        QVERIFY(!glowed.contains(QStringLiteral("before"))); // it was there at the first look
    }

private:
    RedisServer m_server;
};

QTEST_MAIN(RowGlowTest)
#include "tst_row_glow.moc"
