// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/painted.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/charts/timeline_view.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"

#include <QApplication>
#include <QTest>

#include <set>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

const WallTime Start{ Millis(1'790'000'000'000) };
const MonoTime StartMono{ std::chrono::hours(1) };
const OwnerId A{ "a", "1" };

/// Lanes as they are at a second after the start, on two servers of which one may be lost.
struct View : TestNames {
    Theme theme{ *qApp };
    MonoTime now = StartMono;
    ViewClock clock{ [this] { return now; } };
    Timeline timeline;
    TimelineView view{ theme, clock, names, timeline };

    View()
    {
        clock.setReference({ StartMono, Start });
        view.resize(1'000, 200);
    }

    static Event event(
        Millis at, EventKind kind, const std::optional<OwnerId> &owner, std::optional<std::int64_t> count)
    {
        Event event;
        event.at = Start + at;
        event.kind = kind;
        event.lock = "it";
        event.owner = owner;
        event.count = count;
        event.node = "n1";
        return event;
    }

    void hear(const Event &event)
    {
        timeline.add(event);
        view.setLanes({ 0 }, {});
    }
    void hear(Millis at, EventKind kind, const std::optional<OwnerId> &owner, std::optional<std::int64_t> count)
    {
        hear(event(at, kind, owner, count));
    }

    /// The server with the lock was lost then, the other one is still seen.
    void lose(Millis at)
    {
        auto snapshot = makeSnapshot({ StartMono + at, Start + at }, {});
        snapshot->nodes.resize(2);
        snapshot->nodes[0].node = "n1";
        snapshot->nodes[0].status.phase = SourcePhase::Stale;
        snapshot->nodes[0].status.staleSince = StartMono + at;
        snapshot->nodes[1].node = "n2";
        snapshot->nodes[1].status.phase = SourcePhase::Live;
        timeline.observe(*snapshot);
    }

    void find(Millis at)
    {
        auto snapshot = makeSnapshot({ StartMono + at, Start + at }, {});
        snapshot->status.phase = SourcePhase::Live;
        timeline.observe(*snapshot);
    }

    void showAt(Millis at)
    {
        now = StartMono + at;
        view.setFollowing(true);
        view.refresh();
    }

    QPoint placeAt(Millis at, int below) { return { view.xOf(Start + at), view.laneRect(0).top() + below }; }
    QString holdAt(Millis at) { return view.textAt(placeAt(at, LaneShape::HoldsTop + 10)); }
    QString waitAt(Millis at) { return view.textAt(placeAt(at, LaneShape::WaitsTop + 1)); }
    bool hasColor(Millis from, Millis to, const QColor &color)
    {
        const QImage image = view.viewport()->grab().toImage();
        for (int x = placeAt(from, 0).x(); x < placeAt(to, 0).x(); ++x)
            for (int y = 0; y < LaneShape::Height; ++y)
                if (image.pixelColor(QPoint(x, placeAt(from, y).y())) == color)
                    return true;
        return false;
    }
    bool isHatched(Millis from, int below)
    {
        const QImage image = view.viewport()->grab().toImage();
        std::set<QRgb> colors;
        for (int x = 0; x < 8; ++x)
            colors.insert(image.pixel(placeAt(from, below) + QPoint(x, 0)));
        return colors.size() > 1;
    }
};

} // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// At rest as well: the chosen lane is marked for the keys.
    void theFocusIsSeenAtOnce()
    {
        View f;
        f.clock.rest(true);
        f.view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&f.view));
        f.view.clearFocus();
        Painted painted(*f.view.viewport());
        painted.take();
        f.view.setFocus();
        QCOMPARE(painted.take().boundingRect(), f.view.viewport()->rect());
        f.view.clearFocus();
        QCOMPARE(painted.take().boundingRect(), f.view.viewport()->rect());
    }

    void tellsOfAHoldOutOfSightWhatWasSeenOfIt()
    {
        View f;
        f.hear(1s, EventKind::Acquired, A, 1);
        f.showAt(3s);
        QVERIFY2(f.holdAt(2s).contains(QStringLiteral("held 2.0 s")), qPrintable(f.holdAt(2s)));
        QVERIFY(f.holdAt(2s).contains(QStringLiteral("goes on")));
        f.lose(3s);
        f.showAt(9s);
        QVERIFY2(f.holdAt(2s).contains(QStringLiteral("held ≥ 2.0 s")), qPrintable(f.holdAt(2s)));
        QVERIFY2(f.holdAt(2s).contains(QStringLiteral("out of sight")), qPrintable(f.holdAt(2s)));
        QVERIFY2(f.holdAt(6s).contains(QStringLiteral("not seen from")), qPrintable(f.holdAt(6s)));
    }

    /// A straight end would have been seen.
    void endsRaggedWhereItsServerIsLost()
    {
        View f;
        f.hear(1s, EventKind::Acquired, A, 1);
        f.lose(3s);
        f.showAt(9s);
        const QImage image = f.view.viewport()->grab().toImage();
        const QPoint end = f.placeAt(3s, LaneShape::HoldsTop);
        const QColor bar = image.pixelColor(end + QPoint(-20, LaneShape::HoldsHeight / 2));
        int filled = 0;
        for (int y = 0; y < LaneShape::HoldsHeight; ++y)
            filled += image.pixelColor(end + QPoint(-2, y)) == bar ? 1 : 0;
        QVERIFY2(filled < LaneShape::HoldsHeight - 4, qPrintable(QString::number(filled)));
    }

    void lightsHoldsUntilEscAndNotByAZoom()
    {
        View f;
        f.hear(1s, EventKind::Acquired, A, 1);
        f.showAt(3s);
        f.view.show();
        const auto place = [&] { return f.placeAt(2s, LaneShape::HoldsTop + 10); };
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, place());
        QCOMPARE(f.view.litOwner(), std::optional(A));
        QTest::keyClick(&f.view, Qt::Key_Plus);
        const auto zoomed = f.view.range().from;
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QVERIFY(!f.view.litOwner());
        QCOMPARE(f.view.range().from, zoomed); // no step back yet
        QTest::keyClick(&f.view, Qt::Key_Escape);
        QVERIFY(f.view.range().from != zoomed);
        const QPoint bar = place();
        QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, bar);
        QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {}, bar);
        QVERIFY(!f.view.litOwner());
    }

    /// A recording tells what its monitor knew.
    void tellsSinceWhenWhatStoodWhenARecordingBegan()
    {
        View f;
        const auto stood = [&](EventKind kind, const char *owner, KnownSince since) {
            Event event = f.event(1s, kind, OwnerId{ owner, "1" }, 1);
            event.since = since;
            f.hear(event);
        };
        stood(EventKind::Appeared, "a", { Start - 30s, true });
        stood(EventKind::FoundQueued, "b", { Start - 20s, false });
        f.showAt(3s);
        const WallTime now = Start + 3s;
        const QString hold = f.holdAt(2s);
        QVERIFY2(hold.contains(QStringLiteral("held 33.0 s")), qPrintable(hold));
        QVERIFY2(hold.contains(QStringLiteral("acquired at ") + clockText(Start - 30s, now)), qPrintable(hold));
        const QString wait = f.waitAt(2s);
        QVERIFY2(wait.contains(QStringLiteral("waited ≥ 23.0 s")), qPrintable(wait));
        QVERIFY2(wait.contains(QStringLiteral("seen to wait from ") + clockText(Start - 20s, now)), qPrintable(wait));
        f.hear(4s, EventKind::Released, OwnerId{ "a", "1" }, {});
        f.showAt(5s);
        QVERIFY2(f.holdAt(2s).contains(QStringLiteral("held 34.0 s")), qPrintable(f.holdAt(2s)));
    }

    /// As on all pages: what may no longer be true is grey.
    void isGreyWhereItIsOutOfSight()
    {
        View f;
        f.hear(1s, EventKind::Acquired, A, 1);
        f.hear(1s, EventKind::Queued, OwnerId{ "b", "1" }, {});
        f.hear(2s, EventKind::Expired, A, {});
        f.hear(2s, EventKind::Acquired, A, 1);
        f.showAt(4s);
        const QColor bar = clientColors(f.theme.colors().dark)[f.timeline.clientColor(1)];
        const std::vector<QColor> live{ bar, f.theme.color(Tone::Waiting), f.theme.color(Tone::Warning) };
        for (const QColor &color : live)
            QVERIFY2(f.hasColor(1s, 4s, color), qPrintable(color.name()));
        f.lose(4s);
        f.showAt(5s);
        for (const QColor &color : live)
            QVERIFY2(!f.hasColor(1s, 4s, color), qPrintable(color.name()));
        f.find(6s);
        f.showAt(6s);
        for (const QColor &color : live)
            QVERIFY2(f.hasColor(1s, 4s, color), qPrintable(color.name()));
    }

    /// Of a recording, and of very much: what happened is known for longer than how many waited.
    void tellsSinceWhenWaitsAreCounted()
    {
        View f;
        f.timeline.restart(Start, Start + 3s);
        f.hear(1s, EventKind::Acquired, A, 1);
        f.timeline.countWaits({ "it", 2, Start + 4s });
        f.showAt(6s);
        QVERIFY2(f.waitAt(2s).contains(QStringLiteral("How many waited before")), qPrintable(f.waitAt(2s)));
        QVERIFY2(!f.waitAt(3'500ms).contains(QStringLiteral("waited")), qPrintable(f.waitAt(3'500ms)));
        QVERIFY(f.waitAt(5s).contains(QStringLiteral("≥ 2 waiting")));
        QVERIFY(f.holdAt(2s).contains(QStringLiteral("held")));
        const int belowWaits = LaneShape::Height - 4;
        QVERIFY(f.isHatched(2'200ms, belowWaits));
        QVERIFY(!f.isHatched(3'500ms, belowWaits));
        QVERIFY(!f.isHatched(2'200ms, LaneShape::HoldsTop - 3));

        auto fair = std::make_shared<LockState>(); // its queue tells who waits
        fair->name = "it";
        fair->kind = synchronizers::Kind::Fair;
        f.timeline.tellState(*fair);
        QVERIFY(!f.isHatched(2'200ms, belowWaits));
        QVERIFY(!f.waitAt(2s).contains(QStringLiteral("waited")));
    }

    /// It is nobody's bar: dotted, and the tip says what is known.
    void drawsACountOfWaitsAsACount()
    {
        View f;
        f.hear(1s, EventKind::Acquired, A, 1);
        f.timeline.countWaits({ "it", 2, Start + 2s });
        f.timeline.countWaits({ "it", 0, Start + 4s });
        f.showAt(6s);
        QVERIFY2(f.waitAt(3s).contains(QStringLiteral("≥ 2 waiting, as counted from")), qPrintable(f.waitAt(3s)));
        Snapshot shared;
        shared.takenAt.wall = Start + 6s;
        shared.status.phase = SourcePhase::Live;
        shared.status.channelsShared = true;
        f.timeline.observe(shared);
        QVERIFY2(f.waitAt(3s).contains(QStringLiteral("2? waiting, as counted from")), qPrintable(f.waitAt(3s)));
        QVERIFY(f.waitAt(3s).contains(QStringLiteral("in another database")));
        QVERIFY2(!f.waitAt(5s).contains(QStringLiteral("waiting")), qPrintable(f.waitAt(5s)));
        QVERIFY(f.holdAt(3s).contains(QStringLiteral("held")));
        const QColor waiting = f.theme.color(Tone::Waiting);
        QVERIFY(f.hasColor(2'100ms, 3'900ms, waiting));
        QVERIFY(!f.hasColor(4'100ms, 5'900ms, waiting));
    }

    void tellsOfAWaitOutOfSightWhatWasSeenOfIt()
    {
        View f;
        f.hear(1s, EventKind::Queued, A, {});
        f.lose(3s);
        f.showAt(9s);
        QVERIFY2(f.waitAt(2s).contains(QStringLiteral("waited ≥ 2.0 s")), qPrintable(f.waitAt(2s)));
        QVERIFY2(f.waitAt(2s).contains(QStringLiteral("out of sight")), qPrintable(f.waitAt(2s)));
    }

    /// Of independent servers others are seen: what they told of goes on.
    void endsAtOnceWhatOnlyTheLostServerTold()
    {
        View f;
        const auto hear = [&](const char *owner, EventKind kind, const char *node) {
            Event event = f.event(1s, kind, OwnerId{ owner, "1" }, 1);
            event.node = node;
            f.hear(event);
        };
        hear("a", EventKind::Acquired, "n1");
        hear("b", EventKind::Acquired, "n2");
        hear("c", EventKind::Acquired, "n1");
        hear("c", EventKind::Acquired, "n2");
        hear("d", EventKind::Queued, "n1");
        hear("e", EventKind::Queued, "n2");
        f.showAt(3s);
        f.lose(3s);
        f.showAt(9s);
        const auto inRow = [&](Millis at, std::size_t row, bool isWait) {
            const QRectF line
                = isWait ? LaneShape::waitRow(row, 0) : LaneShape::holdRow(f.timeline.lane(0), row, Start + 1s, 0);
            return f.view.textAt(f.placeAt(at, int(line.center().y())));
        };
        for (const bool isWait : { false, true }) {
            const QString lost = inRow(2s, 0, isWait);
            QVERIFY2(lost.contains(QStringLiteral("≥ 2.0 s")), qPrintable(lost));
            QVERIFY2(lost.contains(QStringLiteral("out of sight")), qPrintable(lost));
            QVERIFY2(!inRow(6s, 0, isWait).contains(QStringLiteral("out of sight")), qPrintable(inRow(6s, 0, isWait)));
            QVERIFY2(inRow(6s, 1, isWait).contains(QStringLiteral("goes on")), qPrintable(inRow(6s, 1, isWait)));
        }
        QVERIFY2(inRow(6s, 2, false).contains(QStringLiteral("goes on")), qPrintable(inRow(6s, 2, false)));
        const QString strip = f.view.textAt(f.placeAt(6s, 2));
        QVERIFY2(strip.contains(QStringLiteral("not seen from")), qPrintable(strip));
        QVERIFY2(strip.contains(QStringLiteral("n1")), qPrintable(strip));

        const auto colorOf
            = [&](std::uint32_t owner) { return clientColors(f.theme.colors().dark)[f.timeline.clientColor(owner)]; };
        QVERIFY(f.hasColor(2s, 2'900ms, colorOf(1)));
        QVERIFY(!f.hasColor(4s, 8s, colorOf(1)));
        QVERIFY(f.hasColor(4s, 8s, colorOf(2)) && f.hasColor(4s, 8s, colorOf(3)));
        QVERIFY(f.isHatched(6'200ms, 2));
        QVERIFY(!f.isHatched(2'200ms, 2));
    }

    void drawsNoPermitsThroughATimeThatIsNotSeen()
    {
        View f;
        f.hear(1s, EventKind::Appeared, {}, 5);
        f.hear(2s, EventKind::PermitsChanged, {}, 3);
        f.showAt(4s);
        QVERIFY(f.hasColor(2s, 4s, f.theme.color(Tone::Accent)));
        f.lose(4s);
        f.showAt(9s);
        const QColor line = blend(f.theme.colors().surface, f.theme.colors().muted, 0.5); // as all out of sight
        QVERIFY(f.hasColor(2s, 4s, line));
        QVERIFY(!f.hasColor(5s, 8s, line));
    }
};

QTEST_MAIN(TimelineViewTest)
#include "tst_timeline_view.moc"
