// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity.h"
#include "ui/models/event_model.h"
#include "ui/models/timeline.h"
#include "ui/support/freshness.h"
#include "ui/support/recorded_releases.h"

#include <QSignalSpy>
#include <QTest>
#include <functional>
#include <memory>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace std::chrono_literals;

namespace {

const OwnerId A{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId B{ "5d0e77c1-9f88-4222-8f55-4c5a1096439f", "112" };
constexpr WallTime Start{ 1'800'000'000'000ms };
const std::string Server = "127.0.0.1:7002";

Event told(EventKind kind, Millis at, Certainty certainty = Certainty::Inferred, const OwnerId &owner = A)
{
    Event event;
    event.at = Start + at;
    event.kind = kind;
    event.lock = "job";
    event.lockKind = synchronizers::Kind::Reentrant;
    event.owner = owner;
    event.node = Server;
    event.certainty = certainty;
    return event;
}

EventList listOf(std::vector<Event> events) { return std::make_shared<const std::vector<Event>>(std::move(events)); }

/// As `lockctl force-release` leaves it: begun at 10 s, answered 20 ms later.
AuditEntry record(std::vector<OwnerId> owners = { A })
{
    AuditEntry entry;
    entry.id = "one";
    entry.begunAt = Start + 10s;
    entry.host = auditHost();
    entry.program = "lockctl";
    entry.action = nameOf(AuditAction::ForceRelease);
    entry.endpoint = Server;
    entry.lock = "job";
    for (const OwnerId &owner : owners)
        entry.expected.push_back({ owner, {} });
    entry.outcome.emplace();
    entry.outcome->at = Start + 10'020ms;
    entry.outcome->end = nameOf(AuditEnd::Done);
    return entry;
}

AuditNews newsOf(const AuditEntry &entry) { return { { std::make_shared<const AuditEntry>(entry) }, {} }; }

/// What the window does with both.
struct Desk {
    void hear(const std::vector<Event> &events) { store.add(*releases.told(listOf(events))); }
    std::vector<Event> read(const AuditEntry &entry) { return releases.take(newsOf(entry), store); }
    const EventStore::Record &last() const { return store.record(store.end() - 1); }

    EventStore store;
    RecordedReleases releases;
};

} // namespace

class TestRecordedReleases : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Its message was heard; of a recording nothing but the log says whose it was.
    void tellsInARecordingWhoseReleaseWasHeard()
    {
        for (const bool logIsFirst : { true, false }) {
            Desk desk;
            desk.releases.beginRecording();
            if (logIsFirst)
                desk.read(record());
            desk.hear({ told(EventKind::ForceReleased, 10'010ms, Certainty::Seen) });
            if (!logIsFirst)
                desk.read(record());
            QCOMPARE(desk.last().kind, EventKind::ForceReleased);
            QCOMPARE(desk.last().certainty, Certainty::Recorded);
        }
        Desk other;
        other.releases.beginRecording();
        other.read(record());
        other.hear({ told(EventKind::ForceReleased, 10'010ms, Certainty::Seen, B) });
        QCOMPARE(other.last().certainty, Certainty::Seen);
    }

    void tellsWhatItWasWhicheverComesFirst()
    {
        for (const bool logIsFirst : { true, false }) {
            for (const EventKind kind :
                { EventKind::Released, EventKind::Expired, EventKind::Deleted, EventKind::ForceReleased }) {
                Desk desk;
                desk.hear({ told(EventKind::Acquired, 0s, Certainty::Seen) });
                if (logIsFirst)
                    QVERIFY(desk.read(record()).empty());
                desk.hear({ told(kind, 10'015ms) });
                if (!logIsFirst)
                    QVERIFY(desk.read(record()) == std::vector{ told(kind, 10'015ms) });
                QVERIFY(desk.last().kind == EventKind::ForceReleased);
                QVERIFY(desk.last().certainty == Certainty::Recorded);
                QCOMPARE(desk.store.shownCountOf(EventKind::ForceReleased), std::size_t(1));
                QCOMPARE(desk.store.shownCountOf(EventKind::Released), std::size_t(0));
                QCOMPARE(eventMeaning(desk.store.event(desk.store.end() - 1)),
                    QStringLiteral(
                        "released by force, as the audit log of this computer records; its unlock will fail"));
            }
        }
    }

    void leavesWhatItMayNotBe_data()
    {
        QTest::addColumn<AuditEntry>("entry");
        QTest::addColumn<Event>("event");
        const auto entry = [](const std::function<void(AuditEntry &)> &change) {
            AuditEntry changed = record();
            change(changed);
            return changed;
        };
        const Event end = told(EventKind::Released, 10'015ms);
        QTest::newRow("another lock") << entry([](auto &it) { it.lock = "Job"; }) << end;
        QTest::newRow("another owner") << record({ B }) << end;
        QTest::newRow("another server") << entry([](auto &it) { it.endpoint = "127.0.0.1:7003"; }) << end;
        QTest::newRow("another database") << entry([](auto &it) { it.endpoint += "/3"; }) << end;
        QTest::newRow("answered by another server")
            << entry([](auto &it) { it.outcome->endpoint = "127.0.0.1:7003"; }) << end;
        QTest::newRow("another computer") << entry([](auto &it) { it.host = "elsewhere"; }) << end;
        QTest::newRow("another action") << entry([](auto &it) { it.action = nameOf(AuditAction::Renew); }) << end;
        QTest::newRow("refused") << entry([](auto &it) { it.outcome->end = nameOf(AuditEnd::Refused); }) << end;
        QTest::newRow("failed") << entry([](auto &it) { it.outcome->end = nameOf(AuditEnd::Failed); }) << end;
        QTest::newRow("no outcome") << entry([](auto &it) { it.outcome.reset(); }) << end;
        QTest::newRow("before it") << record() << told(EventKind::Released, 9'999ms);
        QTest::newRow("long after it") << record() << told(EventKind::Released, 12'021ms);
        QTest::newRow("seen") << record() << told(EventKind::Released, 10'015ms, Certainty::Seen);
        QTest::newRow("no end") << record() << told(EventKind::Renewed, 10'015ms);
    }

    void leavesWhatItMayNotBe()
    {
        QFETCH(const AuditEntry, entry);
        QFETCH(const Event, event);
        for (const bool logIsFirst : { true, false }) {
            Desk desk;
            if (logIsFirst)
                desk.read(entry);
            desk.hear({ event });
            if (!logIsFirst)
                QVERIFY(desk.read(entry).empty());
            QVERIFY(desk.store.event(desk.store.end() - 1) == event);
        }
    }

    void knowsTheDatabase()
    {
        for (const bool isThere : { true, false }) {
            Desk desk;
            desk.releases.begin(3);
            AuditEntry entry = record();
            entry.endpoint += isThere ? "/3" : "";
            desk.read(entry);
            desk.hear({ told(EventKind::Released, 10'015ms) });
            QCOMPARE(desk.last().kind == EventKind::ForceReleased, isThere);
        }
    }

    /// Each jump tells anew what happened until then.
    void correctsARecordingHoweverOftenItIsTold()
    {
        for (const char *database : { "", "/3", "?db=12", "1", "/3x" }) {
            Desk desk;
            desk.releases.beginRecording();
            AuditEntry entry = record();
            entry.endpoint += database;
            desk.read(entry);
            for (int jump = 0; jump < 3; ++jump) {
                desk.store.clear();
                desk.releases.restart();
                desk.hear({ told(EventKind::Released, 10'015ms), told(EventKind::Acquired, 15s, Certainty::Seen) });
                const bool isIt = desk.store.record(desk.store.first()).kind == EventKind::ForceReleased;
                QCOMPARE(isIt, std::string_view(database) != "1" && std::string_view(database) != "/3x");
            }
        }
    }

    void knowsThisComputerByEachOfItsNames()
    {
        for (const char *const name : { "localhost:7002", "[::1]:7002", "localhost:7003" }) {
            Desk desk;
            AuditEntry entry = record();
            entry.endpoint = name;
            desk.read(entry);
            desk.hear({ told(EventKind::Released, 10'015ms) });
            QCOMPARE(desk.last().kind == EventKind::ForceReleased, entry.endpoint.ends_with("7002"));
        }
    }

    /// Who takes it at once and gives it back was not released twice.
    void eachHolderIsReleasedOnce()
    {
        for (const bool logIsFirst : { true, false }) {
            Desk desk;
            const auto read = [&] { desk.read(record({ A, B })); };
            if (logIsFirst)
                read();
            desk.hear(
                { told(EventKind::Released, 10'015ms), told(EventKind::Released, 10'015ms, Certainty::Inferred, B),
                    told(EventKind::Acquired, 10'100ms), told(EventKind::Released, 10'200ms) });
            if (!logIsFirst)
                read();
            read(); // a log that is read anew
            const auto kind = [&](EventStore::Place back) { return desk.store.record(desk.store.end() - back).kind; };
            QVERIFY(kind(4) == EventKind::ForceReleased && kind(3) == EventKind::ForceReleased);
            QVERIFY(kind(1) == EventKind::Released);
        }
    }

    void correctsWhatIsShownAlready()
    {
        Desk desk;
        Timeline timeline;
        ViewClock clock([] { return MonoTime(1h); });
        EventModel model(desk.store, clock);
        EventModel ofLock(desk.store, clock);
        desk.hear({ told(EventKind::Acquired, 0s, Certainty::Seen), told(EventKind::Released, 10'015ms) });
        timeline.catchUp(desk.store);
        EventChoice choice;
        choice.kinds.set(static_cast<std::size_t>(EventKind::ForceReleased));
        model.setChoice(choice);
        ofLock.setLock("job", Server, 50);
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.isBehind() && !timeline.isBehind(desk.store));

        desk.read(record());
        QVERIFY(model.isBehind() && ofLock.isBehind() && timeline.isBehind(desk.store));
        const QSignalSpy drawnAnew(&ofLock, &QAbstractItemModel::dataChanged);
        timeline.catchUp(desk.store);
        model.advance();
        ofLock.setLock("job", Server, 50);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, EventModel::What).data().toString(), QStringLiteral("force-released"));
        QVERIFY(
            model.index(0, EventModel::What).data(Qt::ToolTipRole).toString().contains(QStringLiteral("audit log")));
        QCOMPARE(drawnAnew.size(), 1);
        QVERIFY(!model.isBehind() && !ofLock.isBehind() && !timeline.isBehind(desk.store));
        const TimelineLane &lane = timeline.lane(*timeline.laneOf("job"));
        QVERIFY(lane.holds.front().spans.front().end == TimelineSpan::End::ForceReleased);
        QVERIFY(lane.holds.front().spans.front().endCertainty == Certainty::Recorded);
        QCOMPARE(lane.marks.size(), std::size_t(1));
        QCOMPARE(lane.ends, std::int64_t(1));
    }

    /// On independent servers the same hold ends on each, and is counted once.
    void countsItAsForced()
    {
        Activity activity;
        activity.heardFrom(Start);
        activity.heard({ told(EventKind::Acquired, 0s, Certainty::Seen), told(EventKind::Released, 10'015ms) });
        activity.wasForced(told(EventKind::Released, 10'015ms));
        activity.wasForced(told(EventKind::Released, 10'015ms)); // of what was not counted
        const ActivityCounts sum = activity.sum(Start, Start + 60s);
        QCOMPARE(sum.forced, std::int64_t(1));
        QCOMPARE(sum.releases, std::int64_t(0));
    }
};

Q_DECLARE_METATYPE(AuditEntry)
Q_DECLARE_METATYPE(Event)

QTEST_MAIN(TestRecordedReleases)
#include "tst_recorded_releases.moc"
