// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/test_window.h"
#include "ui/views/data_table.h"
#include "ui/views/status_strip.h"

#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockui::test;

namespace {

/// All that a status line can have to say at once, with a lock whose name has no end.
std::shared_ptr<Snapshot> crowded(MonoTime readAt)
{
    const Now now = currentNow();
    std::vector<std::shared_ptr<const LockState>> locks;
    for (int i = 1000; i < 2300; ++i)
        locks.push_back(makeLock("lock:" + std::to_string(i), now.mono));
    auto wide = makeLock("a:" + std::string(200, 'n'), now.mono);
    wide->kind = Kind::ReadWrite;
    wide->mode = HoldMode::Read;
    while (wide->holders.size() < 14)
        wide->holders.push_back(Holder(wide->holders.front()));
    wide->node = "a-server-with-a-name.of.some.length.example.org:6379";
    wide->readAtMono = readAt;
    locks.push_back(wide);
    auto snapshot = makeSnapshot(now, std::move(locks));
    snapshot->status.feed = Feed::KeyspaceNotifications;
    snapshot->status.feedLimited = true;
    snapshot->status.missingRights = { { Right::Scan }, { Right::CountWaiters }, { Right::Tracking } };
    snapshot->status.lastSweep = SweepInfo{ 1'020'000, Millis(1'100), now.mono };
    snapshot->nodes.resize(12);
    for (NodeStatus &node : snapshot->nodes)
        node.status.phase = SourcePhase::Live;
    return snapshot;
}

/// As wide as its text, and inside of what it stands in.
bool isWhole(const QWidget &part, const QWidget &around)
{
    const QRect place(part.mapTo(&around, QPoint()), part.size());
    return part.isVisible() && part.width() >= part.sizeHint().width() && around.rect().contains(place);
}

struct Fixture : TestWindow {
    Fixture()
    {
        ConnectionProfile profile;
        profile.deployment.seeds.front().socketPath = folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        profile.environment = QStringLiteral("PRODUCTION-EUROPE");
        profile.readOnlyLocked = true;
        window.openConnection(profile);
        QObject::disconnect(&monitor, nullptr, &window, nullptr);
        window.resize(window.minimumSize());
        window.show();
    }

    void show(const std::shared_ptr<Snapshot> &snapshot)
    {
        window.showSnapshot(snapshot);
        QCoreApplication::sendPostedEvents();
    }
};

} // namespace

/// What a person must know stays whole in the smallest window; the rest is cut with an ellipsis.
class NarrowWindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsStateAndLimitsInTheStatusLine()
    {
        Fixture f;
        f.show(crowded(currentNow().mono));
        const auto *strip = f.window.findChild<StatusStrip *>();
        QCOMPARE(strip->width(), f.window.width());
        const auto *live = saying<QLabel>(*strip, QStringLiteral("live"));
        QVERIFY(live && isWhole(*live, *strip));
        for (const QString &text :
            { QStringLiteral("limited"), QStringLiteral("12 nodes"), QStringLiteral("3 rights") }) {
            const auto *part = saying<QToolButton>(*strip, text);
            QVERIFY2(part && isWhole(*part, *strip), qPrintable(text));
        }
        const auto *access = saying<QToolButton>(f.window, QStringLiteral("read-only"));
        QVERIFY(access && isWhole(*access, f.window));
    }

    void keepsTheAgeOfWhatIsShown()
    {
        Fixture f;
        f.show(crowded(currentNow().mono - std::chrono::hours(3) - std::chrono::minutes(25)));
        f.window.selectLock("a:" + std::string(200, 'n'));
        QCoreApplication::sendPostedEvents();
        const auto *read = saying<QLabel>(f.window, QStringLiteral("unchanged for 3 h"));
        QVERIFY(read);
        const auto *panel = f.window.findChild<DetailPanel *>();
        QVERIFY(isWhole(*read, *panel));
        for (const QString &text : { QStringLiteral("Copy"), QStringLiteral("Force release…") }) {
            const auto *action = button(f.window, text);
            QVERIFY(isWhole(*action, *panel));
            QVERIFY(action->mapTo(panel, QPoint()).x() >= read->mapTo(panel, QPoint(read->width(), 0)).x());
        }
    }

    /// Countdowns stand still at the moment of the loss; the age of what was read must not.
    void letsWhatWasReadGrowOldWhileStale()
    {
        Fixture f;
        const MonoTime lost = currentNow().mono - std::chrono::minutes(5);
        auto snapshot = crowded(lost - Millis(100));
        snapshot->nodes.clear();
        snapshot->status.phase = SourcePhase::Stale;
        snapshot->status.staleSince = lost;
        f.show(snapshot);
        f.window.selectLock("a:" + std::string(200, 'n'));
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("as it was 5 m")));
    }

    void showsAllColumnsWithoutScrolling()
    {
        Fixture f;
        f.show(crowded(currentNow().mono));
        const auto *table = named<DataTable>(f.window, QStringLiteral("Locks"));
        QVERIFY(table->verticalScrollBar()->isVisible());
        QVERIFY(!table->horizontalScrollBar()->isVisible());
    }
};

QTEST_MAIN(NarrowWindowTest)
#include "tst_narrow_window.moc"
