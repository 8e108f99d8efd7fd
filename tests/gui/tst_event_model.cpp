// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/event_model.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/text/event_text.h"
#include "ui/views/event_taking.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

const OwnerId A{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId B{ "5d0e77c1-9f88-4222-8f55-4c5a1096439f", "112" };

Event makeEvent(EventKind kind, Millis at, const LockName &lock, const OwnerId &owner = A)
{
    Event event;
    event.at = WallTime(at);
    event.kind = kind;
    event.lock = lock;
    event.lockKind = synchronizers::Kind::Reentrant;
    event.owner = owner;
    event.ttl = 30s;
    return event;
}

Event makeGap(Millis at, Millis length)
{
    Event gap;
    gap.at = WallTime(at);
    gap.kind = EventKind::Gap;
    gap.ttl = length;
    return gap;
}

struct Fixture {
    MonoTime now{ 1h };
    EventStore store;
    ViewClock clock{ [this] { return now; } };
    EventModel model{ store, clock };
    std::optional<QAbstractItemModelTester> tester;

    explicit Fixture(bool isTested = true)
    {
        clock.setReference({ now, WallTime(1h) });
        if (isTested)
            tester.emplace(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    }

    void hear(const std::vector<Event> &events)
    {
        store.add(events);
        model.advance();
    }
    QString cell(int row, EventModel::Column column) { return model.index(row, column).data().toString(); }
    QByteArray locks() // a dash for a gap
    {
        QByteArrayList names;
        for (int row = 0; row < model.rowCount(); ++row)
            names << QByteArray::fromStdString(model.lockAt(row).value_or("-"));
        return names.join(' ');
    }
    void choose(std::initializer_list<EventKind> kinds, std::string_view filter = {})
    {
        EventChoice choice;
        for (const EventKind kind : kinds)
            choice.kinds.set(static_cast<std::size_t>(kind));
        choice.filter = LockFilter::parse(filter).value();
        model.setChoice(choice);
    }
};

} // namespace

class TestEventModel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// An empty name is a name; what has no lock has none.
    void knowsTheLockWhoseNameIsEmpty()
    {
        Fixture f(false);
        Event gap = makeEvent(EventKind::Gap, 1ms, {});
        gap.owner.reset();
        f.hear({ makeEvent(EventKind::Acquired, 0ms, {}), gap });
        QVERIFY(!f.model.lockAt(0));
        QVERIFY(f.model.lockAt(1) == LockName());
        QCOMPARE(f.model.newestRowOf({}), 1);
        QCOMPARE(eventTarget(f.model, { 1 }, {}).locks.size(), 1U);
        QCOMPARE(eventTarget(f.model, { 0 }, {}).locks.size(), 0U);
        QVERIFY(!f.model.index(1, EventModel::Lock).data(StrongRole).toBool());
        f.model.setChosenLock(LockName());
        QVERIFY(f.model.index(1, EventModel::Lock).data(StrongRole).toBool());
        QVERIFY(!f.model.index(0, EventModel::Lock).data(StrongRole).toBool());
        EventModel ofLock(f.store, f.clock);
        ofLock.setLock({}, {}, 50);
        QCOMPARE(ofLock.rowCount(), 2); // with the gap
    }

    /// The table may say that the lock was first seen long before a recording began; of what was seen first later, in a
    /// recording or live, it says that it was first seen then.
    void saysOfTheBeginningOfARecordingAloneThatItWasThereAlready()
    {
        Event atBeginning = makeEvent(EventKind::Appeared, 1s, "a");
        atBeginning.since = KnownSince{ WallTime(1s), false };
        Fixture recorded;
        recorded.hear({ atBeginning, makeEvent(EventKind::Appeared, 5s, "b") });
        QCOMPARE(recorded.cell(1, EventModel::What), QStringLiteral("there already"));
        QCOMPARE(recorded.cell(0, EventModel::What), QStringLiteral("first seen"));
        Fixture live; // not all servers have been seen yet
        live.hear({ makeEvent(EventKind::Appeared, 1s, "a") });
        QCOMPARE(live.cell(0, EventModel::What), QStringLiteral("first seen"));
    }

    void hasTheNewestFirstWhateverCameLate()
    {
        Fixture f;
        f.hear({ makeEvent(EventKind::Acquired, 1s, "a"), makeEvent(EventKind::Acquired, 3s, "c") });
        f.hear({ makeEvent(EventKind::Acquired, 4s, "d"), makeEvent(EventKind::Acquired, 2s, "b") });
        QCOMPARE(f.locks(), QByteArray("d c b a"));
        f.model.restart();
        QCOMPARE(f.locks(), QByteArray("d c b a"));
        QCOMPARE(f.model.rowAt(WallTime(2'500ms)), 2);
        QCOMPARE(f.model.rowAt(WallTime(1ms)), -1);
    }

    void saysWhatItMeans()
    {
        Fixture f;
        Event inferred = makeEvent(EventKind::Expired, 60s, "b", B);
        inferred.certainty = Certainty::Inferred;
        f.hear({ makeEvent(EventKind::Acquired, 0s, "a"), makeEvent(EventKind::Expired, 60s, "a"), inferred,
            makeGap(70s, 6s) });
        QCOMPARE(f.cell(0, EventModel::What), QStringLiteral("not seen"));
        QCOMPARE(f.cell(0, EventModel::Meaning), QStringLiteral("for 6.0 s; what else happened is not known"));
        const QString when = f.cell(0, EventModel::Time);
        QVERIFY(
            f.model.index(0, EventModel::Time).data(Qt::ToolTipRole).toString().contains(when)); // where it has no room
        Event named = makeGap(80s, 6s);
        named.node = "127.0.0.1:7100";
        QCOMPARE(
            eventMeaning(named, {}), QStringLiteral("for 6.0 s on 127.0.0.1:7100; what else happened is not known"));
        QVERIFY(f.model.index(0, 0).data(UnseenRole).toBool());
        QVERIFY(f.cell(0, EventModel::Time).contains(QStringLiteral(" – ")));
        QCOMPARE(f.cell(1, EventModel::What), QStringLiteral("probably expired"));
        QCOMPARE(f.cell(1, EventModel::Meaning),
            QStringLiteral("ran out unreleased after ≥ 1 m 00 s, it seems; if so, its unlock will fail"));
        QVERIFY(f.model.index(1, EventModel::What).data(ItalicRole).toBool());
        QCOMPARE(f.cell(2, EventModel::What), QStringLiteral("expired"));
        QCOMPARE(
            f.cell(2, EventModel::Meaning), QStringLiteral("ran out unreleased after 1 m 00 s; its unlock will fail"));
        QVERIFY(!f.model.index(2, EventModel::What).data(ItalicRole).toBool());
    }

    /// The row that stands for them goes to the top with each, and opens into all of them.
    void foldsRenewals()
    {
        Fixture f;
        f.hear({ makeEvent(EventKind::Acquired, 0s, "a"), makeEvent(EventKind::Renewed, 10s, "a") });
        QCOMPARE(f.cell(0, EventModel::What), QStringLiteral("renewed"));
        QVERIFY(!f.model.isFold(0));
        f.hear({ makeEvent(EventKind::Renewed, 11s, "b", B), makeEvent(EventKind::Renewed, 20s, "a"),
            makeEvent(EventKind::Renewed, 21s, "b", B) });
        QCOMPARE(f.locks(), QByteArray("b a a"));
        QCOMPARE(f.cell(1, EventModel::What), QStringLiteral("renewed ×2"));
        QVERIFY(f.cell(1, EventModel::Meaning).startsWith(QStringLiteral("over 10.0 s")));
        f.model.setOpen(1, true);
        QCOMPARE(f.locks(), QByteArray("b a a a"));
        QCOMPARE(f.cell(2, EventModel::What), QStringLiteral("renewed"));
        QCOMPARE(f.model.foldOf(2), 1);
        f.hear({ makeEvent(EventKind::Renewed, 30s, "a") });
        QCOMPARE(f.locks(), QByteArray("a a a b a"));
        QCOMPARE(f.cell(0, EventModel::What), QStringLiteral("renewed ×3"));
        f.model.restart();
        QCOMPARE(f.locks(), QByteArray("a a a b a"));
        f.model.setOpen(0, false);
        QCOMPARE(f.locks(), QByteArray("a b a"));
    }

    void showsChosenKindsAndAllGaps()
    {
        Fixture f;
        f.hear({ makeEvent(EventKind::Acquired, 1s, "a"), makeEvent(EventKind::Released, 2s, "a"), makeGap(3s, 1s) });
        f.choose({ EventKind::Released });
        QCOMPARE(f.locks(), QByteArray("- a"));
        f.hear({ makeEvent(EventKind::Acquired, 4s, "b"), makeEvent(EventKind::Released, 5s, "c") });
        QCOMPARE(f.locks(), QByteArray("c - a"));
    }

    void filtersByWhatAnEventTells()
    {
        Fixture f;
        f.hear({ makeEvent(EventKind::Acquired, 1s, "order:1"), makeEvent(EventKind::Acquired, 2s, "cart:1", B) });
        f.choose({}, "name:order");
        QCOMPARE(f.locks(), QByteArray("order:1"));
        f.choose({}, "holder:5d0e");
        QCOMPARE(f.locks(), QByteArray("cart:1"));
        f.choose({}, "-order kind:reentrant");
        QCOMPARE(f.locks(), QByteArray("cart:1"));
        f.choose({}, "kind:fair");
        QCOMPARE(f.locks(), QByteArray());
        f.choose({}, "waiters:>3 ttl:<5s");
        QCOMPARE(f.model.rowCount(), 2);
        QCOMPARE(f.model.choice().filter.stateWords().size(), std::size_t{ 2 });
    }

    void standsStillWhileAMomentIsHeld()
    {
        Fixture f;
        f.hear({ makeEvent(EventKind::Acquired, 1h, "a"), makeEvent(EventKind::Renewed, 1h, "a") });
        f.store.hold(true);
        f.store.add({ makeEvent(EventKind::Renewed, 1h + 5s, "a"), makeEvent(EventKind::Released, 1h + 6s, "a") });
        f.model.restart(); // the page was looked at only then
        QCOMPARE(f.locks(), QByteArray("a a"));
        QCOMPARE(f.cell(0, EventModel::What), QStringLiteral("renewed"));
        f.store.hold(false);
        f.model.restart();
        QCOMPARE(f.model.rowCount(), 3);
        QCOMPARE(f.cell(1, EventModel::What), QStringLiteral("renewed ×2"));
    }

    /// The clock stands still since a server was last heard of, and what that told may be of a moment later.
    void showsWhatAServerThatIsLostToldLast()
    {
        Fixture f;
        f.clock.freezeAt(f.now);
        f.hear({ makeEvent(EventKind::Acquired, 1h + 5ms, "a") });
        QCOMPARE(f.locks(), QByteArray("a"));
        f.model.restart();
        QCOMPARE(f.locks(), QByteArray("a"));
    }

    void showsOneLockWithItsGaps()
    {
        Fixture f;
        f.hear({ makeGap(1s, 1s), makeEvent(EventKind::Acquired, 2s, "a"), makeEvent(EventKind::Acquired, 3s, "b"),
            makeGap(4s, 1s), makeEvent(EventKind::Released, 5s, "a") });
        f.model.setLock("a", "one", 50);
        QCOMPARE(f.locks(), QByteArray("a - a")); // it came after the first gap
        f.model.setLock("b", "one", 50);
        QCOMPARE(f.locks(), QByteArray("- b"));
    }

    /// It was there, and what happened to it in a gap is missing, whether anything else was heard of it or not.
    void showsTheGapsOfALockThatWasThereBefore()
    {
        Fixture f;
        Event elsewhere = makeGap(2s, 1s);
        elsewhere.node = "another";
        f.hear({ makeGap(1s, 1s), elsewhere, makeEvent(EventKind::Renewed, 3s, "a"),
            makeEvent(EventKind::Reentered, 4s, "a") });
        f.model.setLock("quiet", "one", 50);
        QCOMPARE(f.locks(), QByteArray("-"));
        f.model.setLock("quiet", "another", 50);
        QCOMPARE(f.locks(), QByteArray("- -"));
        f.model.setLock("a", "one", 50);
        QCOMPARE(f.locks(), QByteArray("a a -"));
        f.model.setLock("a", "one", 1); // there are others between
        QCOMPARE(f.locks(), QByteArray("a"));
    }

    void fetchesOlderOnesOnDemand()
    {
        Fixture f;
        std::vector<Event> events;
        for (int i = 0; i < 30'000; ++i)
            events.push_back(makeEvent(EventKind::Acquired, i * 10ms, "lock:" + std::to_string(i)));
        const auto lookOn = [&] { // a step takes so much as has time in it
            while (!f.model.look()) { }
        };
        f.hear(events);
        lookOn();
        QCOMPARE(f.model.rowCount(), 5'000);
        QVERIFY(f.model.canFetchMore({}));
        f.model.fetchMore({});
        lookOn();
        QCOMPARE(f.model.rowCount(), 10'000);
        f.model.fetchBack(WallTime(30s));
        lookOn();
        QVERIFY(!f.model.isFetchingBack());
        const int row = f.model.rowAt(WallTime(30s));
        QCOMPARE(f.cell(row, EventModel::Lock), QStringLiteral("lock:3000"));
        f.hear({ makeEvent(EventKind::Acquired, 301s, "last") });
        lookOn();
        QCOMPARE(f.model.rowCount(), 5'000); // who follows needs no more
        QVERIFY(f.model.lockAt(0) == LockName("last"));
    }

    /// What is no longer kept goes, and another recording begins with nothing.
    void forgetsWithTheStore()
    {
        Fixture f;
        f.hear({ makeEvent(EventKind::Acquired, 1s, "a"), makeEvent(EventKind::Renewed, 2s, "a"),
            makeEvent(EventKind::Renewed, 3s, "a") });
        f.model.setOpen(0, true);
        f.store.clear();
        QVERIFY(f.cell(0, EventModel::Lock).isEmpty() && !f.model.lockAt(0));
        QVERIFY(f.model.hasGone(0));
        f.model.dropGone();
        QCOMPARE(f.model.rowCount(), 0);
    }
};

QTEST_GUILESS_MAIN(TestEventModel)

#include "tst_event_model.moc"
