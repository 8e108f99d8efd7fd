// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/charts/event_density.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/event_table.h"
#include "ui/views/event_taking.h"
#include "ui/views/events_page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

constexpr int Limit = 20'000;
const QDeadlineTimer AtOnce(0); // a few events, and no more
const OwnerId Owner{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };

EventChoice chosen(std::string_view filter) { return { .filter = LockFilter::parse(filter).value(), .kinds = {} }; }

/// Events of which each is of another lock, one a millisecond: every other of an order, the others of a cart.
struct ManyEvents {
    Now begun = currentNow();
    ViewClock clock{ [this] { return begun.mono; } };
    EventStore store;

    explicit ManyEvents(int count, EventStore::Limits limits = {})
        : store(limits)
    {
        clock.setReference(begun);
        store.heardFrom(begun.wall - 1h);
        hear(count);
    }

    static std::string nameOf(int number) { return (number % 2 == 0 ? "order:" : "cart:") + std::to_string(number); }
    void hear(int count)
    {
        std::vector<Event> events;
        for (; count > 0; --count, ++told)
            events.push_back(event(EventKind::Acquired, nameOf(told)));
        store.add(events);
    }
    void hear(EventKind kind, const LockName &lock)
    {
        store.add({ event(kind, lock) });
        ++told;
    }
    Event event(EventKind kind, const LockName &lock) const
    {
        Event event;
        event.at = begun.wall - 1h + Millis(told);
        event.kind = kind;
        event.lock = lock;
        event.lockKind = synchronizers::Kind::Reentrant;
        event.owner = Owner;
        return event;
    }

    /// Of those that are chosen: the newest first, as far as they are not folded.
    std::vector<LockName> truth(const EventChoice &choice) const
    {
        EventMatcher matcher(store, choice);
        std::vector<LockName> names;
        for (EventStore::Place place = store.end(); place > store.first(); --place)
            if (store.record(place - 1).nextOfRun == 0 && matcher.matches(place - 1))
                names.push_back(store.lockName(store.record(place - 1)));
        return names;
    }

    int told = 0;
};

std::vector<LockName> rowsOf(const EventModel &model)
{
    std::vector<LockName> names;
    for (int row = 0; row < model.rowCount(); ++row)
        names.push_back(model.lockAt(row).value_or("-"));
    return names;
}

bool isBeginOf(const std::vector<LockName> &part, const std::vector<LockName> &whole)
{
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

struct Fixture : ManyEvents {
    using ManyEvents::ManyEvents;

    EventModel model{ store, clock };
    QAbstractItemModelTester tester{ &model, QAbstractItemModelTester::FailureReportingMode::Fatal };
};

/// The page that shows them.
struct Desk : TestNames, ManyEvents {
    Theme theme{ *qApp };
    EventsPage page{ theme, clock, names, store };

    explicit Desk(int count)
        : ManyEvents(count)
    {
        page.resize(1'440, 900);
        page.setConnected(true);
        page.show();
    }
    void type(const char *text) { page.setFilter(chosen(text).filter, QString::fromLatin1(text)); }
    bool says(const char *text) { return saying<ElidedLabel>(page, QString::fromUtf8(text)) != nullptr; }
    bool isWhole() { return page.events().tally().isWhole(); }
    EventTable &table() { return *page.findChild<EventTable *>(); }
    EventDensity &strip() { return *page.findChild<EventDensity *>(); }
};

} // namespace

/// What is chosen among so many events that it takes more than a frame to find it.
class TestManyEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsTheNewestFirst()
    {
        Fixture f(8'000);
        const auto truth = f.truth(chosen("order"));
        const QSignalSpy removed(&f.model, &QAbstractItemModel::rowsRemoved);
        f.model.setChoice(chosen("order"), AtOnce);
        QVERIFY(f.model.rowCount() > 0 && f.model.rowCount() < 1'000);
        const QSignalSpy reset(&f.model, &QAbstractItemModel::modelReset);
        int steps = 0;
        for (bool isAll = false; !isAll; ++steps) {
            QVERIFY(isBeginOf(rowsOf(f.model), truth));
            QCOMPARE(f.model.tally().isWhole(), false);
            QCOMPARE(f.model.tally().chosen(), std::size_t(f.model.rowCount()));
            QVERIFY(!f.model.canFetchMore({})); // it comes by itself
            isAll = f.model.look(AtOnce);
        }
        QVERIFY(steps > 3);
        QVERIFY(rowsOf(f.model) == truth);
        QVERIFY(f.model.tally().isWhole());
        QVERIFY(reset.isEmpty() && removed.isEmpty());
    }

    void findsWhatIsFarBackAlone()
    {
        Fixture f(5'000);
        const EventChoice choice = chosen("name:order:20");
        f.model.setChoice(choice, AtOnce);
        QCOMPARE(f.model.rowCount(), 0);
        while (!f.model.look(AtOnce)) { }
        QVERIFY(f.model.rowCount() > 0 && rowsOf(f.model) == f.truth(choice));
    }

    void beginsAnewWhileItLooks()
    {
        Fixture f(8'000);
        f.model.setChoice(chosen("order"), AtOnce);
        f.model.look(AtOnce);
        f.model.setChoice(chosen("cart"), AtOnce);
        QVERIFY(f.model.rowCount() > 0 && isBeginOf(rowsOf(f.model), f.truth(chosen("cart"))));
        while (!f.model.look(AtOnce)) { }
        QVERIFY(rowsOf(f.model) == f.truth(chosen("cart")));
    }

    /// Also a renewal that takes the place of one that is a row already, and of one that is still to be looked at.
    void takesInWhatComesWhileItLooks()
    {
        Fixture f(4'000);
        f.hear(EventKind::Renewed, "order:old");
        f.hear(3'000);
        f.hear(EventKind::Renewed, "order:new");
        f.hear(1'000);
        f.model.setChoice(chosen("order"), AtOnce);
        for (int i = 0; i < 3; ++i)
            f.model.look(AtOnce);
        QVERIFY(!f.model.tally().isWhole());
        const int before = f.model.rowCount();
        f.hear(EventKind::Renewed, "order:new");
        f.hear(EventKind::Renewed, "order:old");
        f.hear(EventKind::Acquired, "cart:late");
        f.model.advance(AtOnce);
        QCOMPARE(f.model.rowCount(), before + 1); // of the one, the row came to the top
        QVERIFY(isBeginOf(rowsOf(f.model), f.truth(chosen("order"))));
        while (!f.model.look(AtOnce)) { }
        QVERIFY(rowsOf(f.model) == f.truth(chosen("order")));
    }

    void followsWhatTurnsOutToBeSomethingElse()
    {
        Fixture f(4'000);
        EventChoice choice = chosen("order");
        choice.kinds.set(static_cast<std::size_t>(EventKind::ForceReleased));
        f.model.setChoice(choice, AtOnce);
        f.model.look(AtOnce);
        QCOMPARE(f.model.rowCount(), 0);
        for (const int place : { 2, 3'998 }) // to be looked at, and looked at
            f.store.correct(f.store.first() + place, EventKind::ForceReleased, Certainty::Recorded);
        f.model.advance(AtOnce);
        QCOMPARE(f.model.rowCount(), 1);
        QVERIFY(f.model.lockAt(0) == LockName("order:3998"));
        while (!f.model.look(AtOnce)) { }
        QVERIFY(rowsOf(f.model) == f.truth(choice));
        f.store.correct(f.store.first() + 2, EventKind::Released, Certainty::Seen);
        f.model.advance(AtOnce);
        QVERIFY(rowsOf(f.model) == std::vector<LockName>{ "order:3998" });
    }

    /// The oldest go while it looks for them.
    void endsWhereTheStoreBegins()
    {
        Fixture f(4'000, { .events = 4'000, .bytes = std::size_t{ 192 } << 20U });
        f.model.setChoice(chosen("order"), AtOnce);
        while (!f.model.look(AtOnce)) {
            f.hear(300);
            f.model.advance(AtOnce);
            QVERIFY(isBeginOf(rowsOf(f.model), f.truth(chosen("order"))));
        }
        QVERIFY(rowsOf(f.model) == f.truth(chosen("order")));
        f.store.clear();
        f.model.look(AtOnce);
        f.model.dropGone();
        QCOMPARE(f.model.rowCount(), 0);
        QVERIFY(f.model.look(AtOnce));
    }

    void goesBackStepByStep()
    {
        Fixture f(30'000);
        f.model.restart(AtOnce);
        while (!f.model.look(AtOnce)) { }
        QCOMPARE(f.model.rowCount(), 5'000);
        const WallTime moment = f.begun.wall - 1h + 3s;
        f.model.fetchBack(moment);
        QVERIFY(f.model.isFetchingBack() && !f.model.canFetchMore({}));
        const EventChoice all;
        int steps = 0;
        for (; f.model.isFetchingBack(); ++steps)
            f.model.look(AtOnce);
        QVERIFY(steps > 3);
        const auto rows = rowsOf(f.model);
        QVERIFY(isBeginOf(rows, f.truth(all)));
        QVERIFY(f.model.timeAt(f.model.rowAt(moment)) == moment && f.model.canFetchMore({}));
        f.model.fetchMore({});
        while (!f.model.look(AtOnce)) { }
        QVERIFY(rowsOf(f.model).size() > rows.size() && isBeginOf(rowsOf(f.model), f.truth(all)));
    }

    /// After more than is looked at in order, the newest come first again.
    void showsTheNewestOfVeryManyThatCame()
    {
        Fixture f(1'000);
        f.model.setChoice(chosen("order"));
        while (!f.model.look(AtOnce)) { }
        f.hear(120'000);
        f.model.advance(AtOnce);
        QVERIFY(f.model.rowCount() > 0 && isBeginOf(rowsOf(f.model), f.truth(chosen("order"))));
        QVERIFY(!f.model.isBehind());
    }

    void saysHowFarItIs()
    {
        Desk desk(120'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.isWhole(), Limit);
        QVERIFY(!desk.says("looking for older ones"));
        desk.type("order");
        QVERIFY(!desk.isWhole());
        QVERIFY(isBeginOf(rowsOf(desk.page.events()), desk.truth(chosen("order"))));
        QVERIFY(desk.page.events().rowCount() > 0); // in the first frame
        QVERIFY(desk.says("looking for older ones") && desk.says("≥ "));
        QVERIFY(desk.strip().accessibleDescription().startsWith(QStringLiteral("counted back to ")));
        QTRY_VERIFY_WITH_TIMEOUT(desk.isWhole(), Limit);
        QVERIFY(desk.says((countText(60'000) + QStringLiteral(" of ") + countText(120'000)).toUtf8().constData()));
        QVERIFY(!desk.says("looking for older ones") && !desk.says("≥ "));
        QVERIFY(!desk.strip().accessibleDescription().contains(QStringLiteral("by now")));
    }

    /// Before all were looked at, nobody knows that.
    void saysThatThereIsNoneWhenAllWereLookedAt()
    {
        Desk desk(120'000);
        const auto none
            = [&] { return saying<QLabel>(desk.page, QStringLiteral("Nothing matches the filter")) != nullptr; };
        desk.type("nothing-of-that-name");
        QVERIFY(!desk.isWhole() && !none());
        while (!desk.isWhole()) {
            QVERIFY(!none());
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        QTRY_VERIFY_WITH_TIMEOUT(none(), Limit);
        QVERIFY(
            saying<QLabel>(desk.page, QStringLiteral(" events matches “nothing-of-that-name”."))); // no kind is chosen
    }

    void keepsWhatIsChosen()
    {
        Desk desk(120'000);
        const LockName far = ManyEvents::nameOf(119'000);
        desk.page.choose(far);
        desk.type("order");
        const auto selected = [&] {
            const QModelIndexList rows = desk.table().selectionModel()->selectedRows();
            return rows.isEmpty() ? std::nullopt : desk.page.events().lockAt(rows.front().row());
        };
        const QSignalSpy changed(desk.table().selectionModel(), &QItemSelectionModel::selectionChanged);
        QTRY_VERIFY_WITH_TIMEOUT(selected() == far, Limit);
        const int row = desk.table().selectionModel()->selectedRows().front().row();
        QTRY_VERIFY_WITH_TIMEOUT(desk.isWhole(), Limit);
        QVERIFY(selected() == far && changed.size() <= 1);
        QCOMPARE(desk.table().selectionModel()->selectedRows().front().row(), row);
        QCOMPARE(desk.table().verticalScrollBar()->value(), 0);
        desk.type("nothing-of-that-name");
        desk.type("name:order");
        QTRY_VERIFY_WITH_TIMEOUT(selected() == far, Limit);
    }

    void goesToATimeWhenItHasComeThere()
    {
        Desk desk(120'000);
        desk.type("order");
        QVERIFY(!desk.isWhole());
        Q_EMIT desk.strip().timeChosen(desk.begun.wall - 1h + 100s);
        QVERIFY(!desk.page.isFollowing());
        const auto top = [&] { return desk.page.events().lockAt(desk.table().rowAt(0)); };
        QTRY_VERIFY_WITH_TIMEOUT(top() == LockName("order:100000"), Limit);
        // Whoever makes another choice stays at the top.
        Q_EMIT desk.strip().timeChosen(desk.begun.wall - 1h + 1s);
        QVERIFY(desk.page.events().isFetchingBack());
        desk.type("cart");
        QTRY_VERIFY_WITH_TIMEOUT(desk.isWhole(), Limit);
        QCOMPARE(desk.table().verticalScrollBar()->value(), 0);
    }

    /// It does not wait for the rows.
    void exportsAllWhileItLooks()
    {
        Desk desk(100'000);
        desk.type("order");
        const ExportTable table
            = eventsExport(desk.store, desk.page.events().choice(), desk.page.events().end(), desk.names, {});
        QCOMPARE(table.rows.size(), std::size_t{ 50'000 });
    }
};

QTEST_MAIN(TestManyEvents)
#include "tst_many_events.moc"
