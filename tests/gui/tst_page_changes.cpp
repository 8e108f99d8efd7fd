// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_names.h"
#include "tests/gui/waiting_locks.h"
#include "ui/charts/timeline_view.h"
#include "ui/charts/wait_graph_view.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/views/event_table.h"
#include "ui/views/events_page.h"
#include "ui/views/graph_page.h"
#include "ui/views/timeline_page.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

struct Desk : TestNames {
    Theme theme{ *qApp };
    Now begun = currentNow();
    ViewClock clock{ [this] { return begun.mono; } };
    EventStore store;

    Desk() { clock.setReference(begun); }

    void hear()
    {
        Event event;
        event.at = begun.wall;
        event.kind = EventKind::Acquired;
        event.lock = "it";
        event.owner = ownerOf("a");
        store.add({ event });
    }
};

} // namespace

/// Pages of which each is told at another time what there is to show.
class PageChangesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Another server may have a lock of the same name.
    void nothingIsChosenOnAnotherConnection()
    {
        Desk desk;
        EventsPage events(desk.theme, desk.clock, desk.names, desk.store);
        TimelinePage timeline(desk.theme, desk.clock, desk.names, desk.store);
        const auto isStrong = [&] {
            const EventModel &model = events.events();
            return model.data(model.index(0, EventModel::Lock), StrongRole).toBool();
        };
        const auto *view = timeline.findChild<TimelineView *>();
        for (Page *page : { static_cast<Page *>(&events), static_cast<Page *>(&timeline) })
            page->setConnected(true);
        desk.hear();
        events.setFilter(*LockFilter::parse("it"), QStringLiteral("it"));
        events.choose("it");
        timeline.choose("it");
        QVERIFY(isStrong());
        QCOMPARE(view->chosen(), LockName("it"));
        desk.store.clear();
        for (Page *page : { static_cast<Page *>(&events), static_cast<Page *>(&timeline) })
            page->setConnected(true);
        desk.hear();
        events.setFilter({}, {});
        QVERIFY(!isStrong());
        QVERIFY(!view->chosen());
    }

    /// Where nothing happens any more, no other snapshot comes for seconds; of a recording that stands none at all.
    void theListOfPagesCountsTheChainsOfTheLastSnapshot()
    {
        Desk desk;
        GraphPage page(desk.theme, desk.clock, desk.names);
        page.setConnected(true);
        const auto at = [&](Millis after) { return Now{ desk.begun.mono + after, desk.begun.wall + after }; };
        const auto waiting = fairLock("it", "a", { "b" }, desk.begun.mono);
        const auto free = fairLock("it", "a", {}, desk.begun.mono);
        bool isOfTheLast = false;
        for (int i = 0; i < 100 && !isOfTheLast; ++i) { // on a busy machine it may take long to count, and so be rare
            QCOMPARE(page.figure(*makeSnapshot(at(i * 2s), { waiting })), QStringLiteral("1"));
            isOfTheLast = page.figure(*makeSnapshot(at(i * 2s + 500ms), { free })).isEmpty();
        }
        QVERIFY(isOfTheLast);
    }

    /// It is drawn where there is room, and nothing moves for it: what is gravest may be out of sight.
    void leadsToADeadlockThatBeginsOutOfSight()
    {
        Desk desk;
        GraphPage page(desk.theme, desk.clock, desk.names);
        page.resize(1'000, 700);
        page.setConnected(true);
        page.show();
        std::vector<std::shared_ptr<const LockState>> locks;
        for (int i = 0; i < 20; ++i)
            locks.push_back(fairLock("l" + std::to_string(i), "h" + std::to_string(i), { "w" + std::to_string(i) },
                desk.begun.mono, Millis(60'000)));
        const auto show = [&](std::vector<WaitCycle> cycles) {
            auto snapshot = makeSnapshot(desk.begun, locks);
            snapshot->status.phase = SourcePhase::Live;
            snapshot->analysis = analysisWith(std::move(cycles), desk.begun.mono);
            page.setSnapshot(snapshot);
        };
        show({});
        const auto &view = *page.findChild<WaitGraphView *>();
        QTRY_COMPARE(view.chains().chains.size(), std::size_t(20));
        const auto lead = [&] { return saying<QPushButton>(page, QStringLiteral("Show the deadlock")); };
        QVERIFY(!lead());
        page.hide(); // as after a while on another page: what was seen stays where it is
        page.show();
        const auto before = view.frameOf(0).top();
        locks.push_back(fairLock("x", "a", { "b" }, desk.begun.mono));
        locks.push_back(fairLock("y", "b", { "a" }, desk.begun.mono));
        const WaitCycle circle{ { ownerOf("b"), "x", ownerOf("a") }, { ownerOf("a"), "y", ownerOf("b") } };
        QTRY_VERIFY_WITH_TIMEOUT((show({ circle }), view.chains().deadlocks == 1), 5'000);
        QVERIFY(view.chains().chains.front().isDeadlock());
        QCOMPARE(view.frameOf(1).top(), before); // nothing has moved
        QVERIFY(!QRectF(view.viewport()->rect()).intersects(view.frameOf(0)));
        QVERIFY(lead());
        click(middleOf(*lead()));
        QVERIFY(QRectF(view.viewport()->rect()).contains(view.frameOf(0)));
        QVERIFY(!lead());
    }

    void theTimelineSaysWhatWasSeen()
    {
        Desk desk;
        TimelinePage page(desk.theme, desk.clock, desk.names, desk.store);
        page.setConnected(true);
        page.show();
        auto snapshot = makeSnapshot(desk.begun, { makeLock("it", desk.begun.mono) });
        snapshot->status.phase = SourcePhase::Live;
        page.setSnapshot(snapshot);
        click(middleOf(*button(page, QStringLiteral("Only contended"))));
        QVERIFY(saying<QLabel>(page, QStringLiteral("Nobody was seen to wait")));
        page.setFilter(*LockFilter::parse("nosuch"), QStringLiteral("nosuch"));
        QVERIFY(saying<QLabel>(page, QStringLiteral("Nothing matches the filter")));
    }

    void saysOfTheOnlyChainThatItDoesNotMatch()
    {
        Desk desk;
        GraphPage page(desk.theme, desk.clock, desk.names);
        page.setConnected(true);
        page.show();
        page.setSnapshot(makeSnapshot(desk.begun, { fairLock("it", "a", { "b" }, desk.begun.mono) }));
        page.setFilter(*LockFilter::parse("nosuch"), QStringLiteral("nosuch"));
        QVERIFY(saying<QLabel>(page, QStringLiteral("The one chain that is there has no lock that matches “nosuch”.")));
    }
};

QTEST_MAIN(PageChangesTest)
#include "tst_page_changes.moc"
