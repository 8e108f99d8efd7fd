// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/charts/event_density.h"
#include "ui/charts/timeline_view.h"
#include "ui/support/freshness.h"
#include "ui/views/events_page.h"
#include "ui/views/timeline_page.h"

#include <QApplication>
#include <QHelpEvent>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

constexpr int Limit = 20'000;
const OwnerId A{ "a", "1" };
const OwnerId B{ "b", "1" };

/// What pages look at, without a window. Times count from the first look.
struct Desk : TestNames {
    Theme theme{ *qApp };
    Now begun = currentNow();
    MonoTime now = begun.mono;
    ViewClock clock{ [this] { return now; } };
    EventStore store;

    Desk()
    {
        clock.setReference(begun);
        store.heardFrom(begun.wall);
    }

    void hear(Millis at, EventKind kind, const OwnerId &owner)
    {
        Event event;
        event.at = begun.wall + at;
        event.kind = kind;
        event.lock = "it";
        event.owner = owner;
        event.count = 1;
        event.node = "n1";
        store.add({ event });
    }

    std::shared_ptr<Snapshot> snapshotAt(Millis at, SourcePhase phase = SourcePhase::Live) const
    {
        auto snapshot = makeSnapshot({ begun.mono + at, begun.wall + at }, {});
        snapshot->status.phase = phase;
        snapshot->status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = begun.mono };
        return snapshot;
    }

    /// A pause, or the loss of the connection.
    void standAt(Millis at)
    {
        now = begun.mono + at;
        clock.freezeAt(now, now);
        store.hold(true);
    }

    void goOn()
    {
        clock.freezeAt(std::nullopt);
        store.hold(false);
    }
};

} // namespace

/// A page that was hidden, and is shown when nothing goes on any more.
class PagesAtRestTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTimelineTellsWhatHappenedWhileItWasHidden()
    {
        Desk desk;
        TimelinePage page(desk.theme, desk.clock, desk.names, desk.store);
        page.setConnected(true);
        desk.hear(1s, EventKind::Acquired, A);
        page.setSnapshot(desk.snapshotAt(2s)); // then another page is shown
        desk.hear(3s, EventKind::Released, A);
        desk.hear(4s, EventKind::Acquired, B);
        desk.standAt(5s);
        desk.hear(6s, EventKind::Released, B);
        page.setSnapshot(desk.snapshotAt(5s, SourcePhase::Stale));
        const TimelineLane &lane = page.timeline().lane(*page.timeline().laneOf("it"));
        const auto &spans = lane.holds.front().spans;
        QCOMPARE(spans.size(), std::size_t(2));
        QCOMPARE(spans[0].to, desk.begun.wall + 3s);
        QCOMPARE(spans[1].to, TimelineSpan::Open); // at the moment that is shown
        desk.goOn();
        page.setSnapshot(desk.snapshotAt(7s));
        QCOMPARE(spans[1].to, desk.begun.wall + 6s);
    }

    void theEventsTellWhatHappenedWhileTheyWereHidden()
    {
        Desk desk;
        EventsPage page(desk.theme, desk.clock, desk.names, desk.store);
        page.setConnected(true);
        page.show();
        desk.hear(1s, EventKind::Acquired, A);
        QTRY_COMPARE_WITH_TIMEOUT(page.events().rowCount(), 1, Limit);
        page.hide();
        desk.hear(3s, EventKind::Released, A);
        desk.standAt(5s);
        desk.hear(6s, EventKind::Acquired, B);
        page.show();
        QCOMPARE(page.events().rowCount(), 2);
        desk.goOn();
        QTRY_COMPARE_WITH_TIMEOUT(page.events().rowCount(), 3, Limit);
    }

    /// A server that is lost: until when it was seen, and from then on up to now nothing.
    void theTimeGoesOnWhileNothingIsSeen()
    {
        Desk desk;
        TimelinePage timeline(desk.theme, desk.clock, desk.names, desk.store);
        EventsPage events(desk.theme, desk.clock, desk.names, desk.store);
        timeline.setConnected(true);
        events.setConnected(true);
        desk.hear(1s, EventKind::Acquired, A);
        timeline.setSnapshot(desk.snapshotAt(4s));
        desk.now = desk.begun.mono + 20s;
        desk.clock.freezeAt(desk.begun.mono + 5s);
        const auto stale = desk.snapshotAt(20s, SourcePhase::Stale);
        stale->status.staleSince = desk.begun.mono + 5s;
        timeline.resize(1'000, 300);
        events.resize(1'000, 300);
        timeline.show();
        events.show();
        timeline.setSnapshot(stale);
        events.setSnapshot(stale);
        const auto &view = *timeline.findChild<TimelineView *>();
        const auto tip = [&](Millis at) {
            const int place = view.laneRect(0).top() + LaneShape::HoldsTop + 10;
            return view.textAt({ view.xOf(desk.begun.wall + at), place });
        };
        QTRY_VERIFY_WITH_TIMEOUT(view.range().to >= desk.begun.wall + 20s, Limit);
        QVERIFY2(tip(3s).contains(QStringLiteral("held ≥ 4.0 s")), qPrintable(tip(3s)));
        QVERIFY2(tip(19s).contains(QStringLiteral("not seen from")), qPrintable(tip(19s)));
        auto &strip = *events.findChild<EventDensity *>();
        const auto newest = [&] {
            const QPoint place(strip.width() - 18, strip.height() / 2);
            QHelpEvent help(QEvent::ToolTip, place, strip.mapToGlobal(place));
            QApplication::sendEvent(&strip, &help);
            return QToolTip::text();
        };
        QTRY_VERIFY2_WITH_TIMEOUT(newest().contains(QStringLiteral("not all was seen")), qPrintable(newest()), Limit);
        desk.clock.freezeAt(desk.begun.mono + 5s, desk.begun.mono + 21s); // a pause meanwhile
        desk.now = desk.begun.mono + 60s;
        timeline.setSnapshot(stale);
        QVERIFY(view.range().to >= desk.begun.wall + 21s);
        QVERIFY(view.range().to < desk.begun.wall + 30s);
        QToolTip::hideText();
    }

    /// Where there are no rows, none of them moves under the eyes of a person.
    void theEventsDoNotSayThatNothingHappenedWhenSomethingDid()
    {
        Desk desk;
        EventsPage page(desk.theme, desk.clock, desk.names, desk.store);
        page.setConnected(true);
        page.show();
        for (auto *button : page.findChildren<QToolButton *>())
            if (button->text() == QStringLiteral("Follow"))
                button->click();
        QVERIFY(!page.isFollowing());
        desk.hear(1s, EventKind::Acquired, A);
        QTRY_COMPARE_WITH_TIMEOUT(page.events().rowCount(), 1, Limit);
    }
};

QTEST_MAIN(PagesAtRestTest)
#include "tst_pages_at_rest.moc"
