// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/base/error.h"
#include "ui/lab/lanes.h"
#include "ui/lab/scenario_reader.h"

#include <QTest>
#include <algorithm>

using namespace lockui::lab;
using namespace std::chrono_literals;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::monitor::Certainty;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;

namespace {

const MonoTime Start{ 1'000s };

/// A play, told line by line: times are since its start.
class Told {
public:
    Told(const char *clients, const char *steps)
    {
        const auto scenario = readScenario(QStringLiteral(
            "{ \"name\": \"n\", \"title\": \"t\", \"watchdog\": \"3s\", \"clients\": %1, \"steps\": %2 }")
                                               .arg(QLatin1String(clients), QLatin1String(steps))
                                               .toStdString());
        if (!scenario)
            qFatal("%s", qPrintable(scenario.error().message));
        record.scenario = *scenario;
        record.progress.resize(record.scenario.steps.size());
        record.start = lockcore::Now{ Start, lockcore::WallTime(1'700'000'000'000ms) };
        for (const ScenarioClient &client : record.scenario.clients)
            record.clientIds[client.name] = { "id-" + client.name };
    }

    Told &began(std::size_t step, Millis at)
    {
        record.progress[step].beganAt = Start + at;
        record.progress[step].state = StepState::Running;
        return *this;
    }

    Told &ended(std::size_t step, Millis at, std::optional<Outcome> outcome = {}, const char *said = "")
    {
        record.progress[step].endedAt = Start + at;
        record.progress[step].state = StepState::Passed;
        record.progress[step].outcome = outcome;
        record.progress[step].said = QString::fromLatin1(said);
        return *this;
    }

    Told &saw(EventKind kind, Millis at, const char *lock, const char *owner, Certainty certainty = Certainty::Seen)
    {
        record.events.push_back({ .at = record.start->wall + at,
            .kind = kind,
            .lock = lock,
            .lockKind = lockcore::synchronizers::Kind::Reentrant,
            .owner = lockcore::OwnerId{ owner, "1" },
            .count = 1,
            .ttl = {},
            .node = {},
            .certainty = certainty });
        return *this;
    }

    Lanes at(Millis now) const { return lanesOf(record, Start + now); }

    PlayRecord record;
};

Millis since(MonoTime at) { return std::chrono::duration_cast<Millis>(at - Start); }

bool hasMark(const ClientLane &lane, LaneMark::What what, Millis at)
{
    return std::ranges::any_of(
        lane.marks, [&](const LaneMark &mark) { return mark.what == what && since(mark.at) == at; });
}

} // namespace

class TestLabLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPlayThatHasNotBegunHasNothingOnItsLanes()
    {
        Told told("[\"A\", \"B\"]", "[{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" }]");
        told.record.start.reset();
        const Lanes lanes = told.at(5s);
        QCOMPARE(lanes.clients.size(), 2U);
        QCOMPARE(lanes.clients[1].client, std::string("B"));
        QVERIFY(lanes.clients[0].rows.empty() && lanes.from == lanes.to);
    }

    /// Holds and waits are measured where a client answered; re-entry is depth.
    void showsHoldsWaitsAndDepth()
    {
        Told told("[\"A\", \"B\"]", R"([
            { "do": "lock", "client": "A", "lock": "x" }, { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "meanwhile": true },
            { "do": "unlock", "client": "A", "lock": "x" }, { "do": "unlock", "client": "A", "lock": "x" } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).began(1, 20ms).ended(1, 30ms, Outcome::Acquired);
        told.began(2, 40ms).began(3, 100ms).ended(3, 110ms, Outcome::StillHeld);
        told.saw(EventKind::Acquired, 8ms, "x", "id-A").saw(EventKind::Reentered, 29ms, "x", "id-A");
        Lanes lanes = told.at(150ms);
        QCOMPARE(lanes.clients[0].rows.size(), 1U);
        LaneHold hold = lanes.clients[0].rows[0].holds.front();
        QCOMPARE(since(hold.from), 10ms);
        QVERIFY(hold.end == SpanEnd::None && since(hold.to) == 150ms);
        QVERIFY(
            (hold.depths == std::vector<LaneDepth>{ { Start + 10ms, 1 }, { Start + 30ms, 2 }, { Start + 110ms, 1 } }));
        QVERIFY(lanes.clients[1].rows[0].waits.front().end == SpanEnd::None);

        told.began(4, 200ms).ended(4, 210ms, Outcome::Released).ended(2, 212ms, Outcome::Acquired);
        told.saw(EventKind::Released, 208ms, "x", "id-A").saw(EventKind::Acquired, 211ms, "x", "id-B");
        lanes = told.at(300ms);
        QCOMPARE(lanes.clients[0].rows[0].holds.size(), 1U);
        hold = lanes.clients[0].rows[0].holds.front();
        QVERIFY(hold.end == SpanEnd::Released && hold.ended == Known::Measured && since(hold.to) == 210ms);
        QVERIFY(hold.step == 0U && hold.endStep == 4U);
        const LaneRow &waiter = lanes.clients[1].rows[0];
        QVERIFY(waiter.waits.front().end == SpanEnd::Acquired && since(waiter.waits.front().to) == 212ms);
        QCOMPARE(since(waiter.holds.front().from), 212ms);

        // As it was then, what came later is not known.
        lanes = told.at(205ms);
        QVERIFY(lanes.clients[0].rows[0].holds.front().end == SpanEnd::None);
        QVERIFY(lanes.clients[1].rows[0].holds.empty());
    }

    /// It comes back at once: the rest is the way to its process. One that does not asks as long as its client says.
    void oneTryIsNoWait()
    {
        Told told("[\"A\", \"B\"]", R"([
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "0ms", "expect": { "outcome": "notAcquired" } },
            { "do": "lock", "client": "B", "lock": "x", "wait": "0ms", "expect": { "outcome": "notAcquired" } } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired);
        told.began(1, 20ms).ended(1, 29ms, Outcome::NotAcquired);
        told.record.progress[1].took = Millis(0);
        QVERIFY(told.at(100ms).clients[1].rows[0].waits.empty());
        told.began(2, 40ms).ended(2, 2'060ms, Outcome::NotAcquired); // its server stood still
        told.record.progress[2].took = Millis(2'000);
        const Lanes lanes = told.at(3s);
        QCOMPARE(lanes.clients[1].rows[0].waits.size(), 1U);
        QCOMPARE(since(lanes.clients[1].rows[0].waits[0].from), 40ms);
        QCOMPARE(since(lanes.clients[1].rows[0].waits[0].to), 2'040ms);
        QVERIFY(lanes.clients[1].rows[0].waits[0].end == SpanEnd::NotAcquired);
    }

    /// From the kill to the expiry Redis names the dead client.
    void aDeadHolderIsAGhostUntilItsLeaseIsOver()
    {
        Told told("[\"A\"]", R"([ { "do": "lock", "client": "A", "lock": "x" }, { "do": "crash", "client": "A" },
            { "do": "start", "client": "A" }, { "do": "lock", "client": "A", "lock": "x", "meanwhile": true } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).saw(EventKind::Acquired, 10ms, "x", "id-A");
        told.saw(EventKind::Renewed, 1'010ms, "x", "id-A", Certainty::Inferred);
        told.began(1, 1'500ms).ended(1, 1'505ms).began(2, 1'600ms).ended(2, 1'900ms).began(3, 1'950ms);
        told.record.clientIds["A"].push_back("id-A2");
        Lanes lanes = told.at(2s);
        const ClientLane &before = lanes.clients[0];
        QCOMPARE(before.rows.size(), 2U); // another life is another client for Redis
        QVERIFY(before.rows[0].holds[0].end == SpanEnd::Crashed && since(before.rows[0].holds[0].to) == 1'505ms);
        QVERIFY((before.rows[0].holds[0].renewals == std::vector<LaneRenewal>{ { Start + 1'010ms, Known::Inferred } }));
        QVERIFY(before.rows[0].ghosts[0].end == SpanEnd::None && since(before.rows[0].ghosts[0].to) == 2s);
        QCOMPARE(before.states.size(), 1U);
        QVERIFY(!before.states[0].goesOn && since(before.states[0].to) == 1'900ms);
        QVERIFY(hasMark(before, LaneMark::What::Killed, 1'505ms) && hasMark(before, LaneMark::What::Started, 1'900ms));

        told.saw(EventKind::Expired, 4'010ms, "x", "id-A", Certainty::Inferred);
        told.ended(3, 4'020ms, Outcome::Acquired);
        lanes = told.at(5s);
        const LaneRow &first = lanes.clients[0].rows[0];
        QVERIFY(first.ghosts[0].end == SpanEnd::Expired && since(first.ghosts[0].to) == 4'010ms);
        QVERIFY(first.ghosts[0].ended == Known::Inferred);
        QCOMPARE(first.ghosts.size(), 1U);
        QVERIFY(hasMark(lanes.clients[0], LaneMark::What::LeaseRanOut, 4'010ms));
        QCOMPARE(since(lanes.clients[0].rows[1].holds[0].from), 4'020ms);
        QVERIFY(lanes.clients[0].rows[1].ghosts.empty());
    }

    /// Only where the monitor saw it in the queue.
    void aDeadWaiterIsAGhostInTheQueue()
    {
        Told told("[\"A\", \"B\", \"C\"]", R"([
            { "do": "lock", "client": "B", "lock": "x", "kind": "fair", "meanwhile": true },
            { "do": "lock", "client": "C", "lock": "x", "kind": "fair", "meanwhile": true },
            { "do": "crash", "client": "B" }, { "do": "crash", "client": "C" } ])");
        told.began(0, 0ms).began(1, 5ms).saw(EventKind::Queued, 10ms, "x", "id-B");
        told.began(2, 20ms).ended(0, 21ms, Outcome::Crashed).ended(2, 22ms);
        told.began(3, 30ms).ended(1, 31ms, Outcome::Crashed).ended(3, 32ms);
        told.saw(EventKind::WaiterTimedOut, 2s, "x", "id-B");
        const Lanes lanes = told.at(3s);
        const LaneRow &queued = lanes.clients[1].rows[0];
        QVERIFY(queued.waits[0].end == SpanEnd::Crashed && queued.ghosts[0].isWaiter);
        QVERIFY(since(queued.ghosts[0].from) == 22ms && since(queued.ghosts[0].to) == 2s);
        QVERIFY(queued.ghosts[0].end == SpanEnd::TimedOut);
        QVERIFY(lanes.clients[2].rows[0].ghosts.empty());
    }

    /// The hold of a client that asked nothing meanwhile ends where the monitor saw it end.
    void aLeaseThatRanOutEndsTheHold()
    {
        Told told("[\"A\"]", R"([ { "do": "lock", "client": "A", "lock": "x", "lease": "1s" },
            { "do": "unlock", "client": "A", "lock": "x" } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).saw(EventKind::Acquired, 11ms, "x", "id-A");
        told.saw(EventKind::Expired, 1'010ms, "x", "id-A");
        told.began(1, 2s).ended(1, 2'005ms, Outcome::Failed, "notHeld, not held by it");
        const Lanes lanes = told.at(3s);
        const LaneHold &hold = lanes.clients[0].rows[0].holds.front();
        QVERIFY(hold.end == SpanEnd::Expired && hold.ended == Known::Seen && since(hold.to) == 1'010ms);
        QVERIFY(hasMark(lanes.clients[0], LaneMark::What::LeaseRanOut, 1'010ms));
        QVERIFY(hasMark(lanes.clients[0], LaneMark::What::Refused, 2'005ms));
    }

    /// Nobody saw it end: it is not drawn as if it had been held until then for sure.
    void aHoldThatIsFoundGoneSaysThatItsEndIsNotKnown()
    {
        Told told("[\"A\"]", R"([ { "do": "lock", "client": "A", "lock": "x" },
            { "do": "unlock", "client": "A", "lock": "x" } ])");
        const std::string error = std::string(nameOf(lockcore::ErrorCode::NotHeld)) + ", said the server";
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).began(1, 2s);
        told.ended(1, 2'005ms, Outcome::Failed, error.c_str());
        const LaneHold hold = told.at(3s).clients[0].rows[0].holds.front();
        QVERIFY(hold.end == SpanEnd::FoundGone && hold.ended == Known::Inferred && hold.endStep == 1U);
    }

    /// The monitor's view comes late or is mistaken: what Redis answered the client counts.
    void theClientIsBelieved()
    {
        Told told("[\"A\"]", R"([ { "do": "lock", "client": "A", "lock": "x" },
            { "do": "unlock", "client": "A", "lock": "x" }, { "do": "lock", "client": "A", "lock": "x" },
            { "do": "unlock", "client": "A", "lock": "x" } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).began(1, 20ms).ended(1, 21ms, Outcome::Released);
        told.began(2, 22ms).ended(2, 23ms, Outcome::Acquired);
        told.saw(EventKind::Acquired, 15ms, "x", "id-A").saw(EventKind::Released, 24ms, "x", "id-A"); // of the first
        told.saw(EventKind::Acquired, 25ms, "x", "id-A");
        told.saw(EventKind::Expired, 50ms, "x", "id-A", Certainty::Inferred); // mistaken: it is released later
        told.began(3, 60ms).ended(3, 62ms, Outcome::Released);
        const Lanes lanes = told.at(100ms);
        const auto &holds = lanes.clients[0].rows[0].holds;
        QCOMPARE(holds.size(), 2U);
        QVERIFY(since(holds[0].from) == 10ms && since(holds[0].to) == 21ms);
        QVERIFY(since(holds[1].from) == 23ms && since(holds[1].to) == 62ms && holds[1].end == SpanEnd::Released);
        QVERIFY(lanes.clients[0].marks.empty());
    }

    /// A client that is cut off is not told that Redis has given it the lock; the monitor sees it.
    void aHoldThatNoClientWasToldOfIsTheMonitors()
    {
        Told told(
            "[\"A\"]", R"([ { "do": "lock", "client": "A", "lock": "x" }, { "do": "cutNetwork", "client": "A" } ])");
        told.began(0, 0ms)
            .ended(0, 500ms, Outcome::Failed)
            .saw(EventKind::Acquired, 20ms, "x", "id-A", Certainty::Inferred);
        told.saw(EventKind::Acquired, 30ms, "y", "id-A").saw(EventKind::Acquired, 30ms, "x", "id-of-a-stranger");
        told.saw(EventKind::Expired, 3s, "x", "id-A");
        const Lanes lanes = told.at(4s);
        QCOMPARE(lanes.clients[0].rows.size(), 1U);
        const LaneRow &row = lanes.clients[0].rows[0];
        QCOMPARE(row.holds.size(), 1U);
        QVERIFY(!row.holds[0].step && row.holds[0].begun == Known::Inferred && row.holds[0].end == SpanEnd::Expired);
        QVERIFY(row.waits[0].end == SpanEnd::Failed);
    }

    void aForceReleaseEndsTheHoldsOfAll()
    {
        Told told("[\"A\", \"B\"]", R"([
            { "do": "lock", "client": "A", "lock": "x", "kind": "readWrite", "mode": "read" },
            { "do": "lock", "client": "B", "lock": "x", "kind": "readWrite", "mode": "read" },
            { "do": "forceRelease", "lock": "x", "kind": "readWrite" } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).began(1, 20ms).ended(1, 21ms, Outcome::Acquired);
        told.began(2, 100ms).ended(2, 110ms, Outcome::Released).saw(EventKind::ForceReleased, 112ms, "x", "id-A");
        const Lanes lanes = told.at(1s);
        for (const ClientLane &lane : lanes.clients) {
            QVERIFY(lane.rows[0].holds[0].end == SpanEnd::ForceReleased && since(lane.rows[0].holds[0].to) == 110ms);
            QVERIFY(hasMark(lane, LaneMark::What::ForceReleased, 110ms));
            QCOMPARE(lane.marks.size(), 1U);
        }
    }

    /// Permits of a semaphore belong to nobody in Redis: a dead client is not named for them.
    void permitsLeaveNoGhost()
    {
        Told told("[\"A\"]", R"([ { "do": "lock", "client": "A", "lock": "s", "kind": "semaphore", "count": 3 },
            { "do": "unlock", "client": "A", "lock": "s", "kind": "semaphore", "count": 1 },
            { "do": "crash", "client": "A" } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).began(1, 20ms).ended(1, 21ms, Outcome::Released);
        told.began(2, 30ms).ended(2, 32ms);
        const LaneRow row = told.at(1s).clients[0].rows[0];
        QVERIFY((row.holds[0].depths == std::vector<LaneDepth>{ { Start + 10ms, 3 }, { Start + 21ms, 2 } }));
        QVERIFY(row.holds[0].end == SpanEnd::Crashed && row.ghosts.empty());
    }

    /// Of a multi-lock each member has a row; how often it is held nobody is told when it is unlocked.
    void aMultiLockHasARowForEachMember()
    {
        Told told("[\"A\"]", R"([ { "do": "lock", "client": "A", "locks": ["x", "y"] },
            { "do": "lock", "client": "A", "locks": ["x", "y"] }, { "do": "unlock", "client": "A", "locks": ["x", "y"] },
            { "do": "unlock", "client": "A", "locks": ["x", "y"] } ])");
        told.began(0, 0ms).ended(0, 10ms, Outcome::Acquired).began(1, 20ms).ended(1, 21ms, Outcome::Acquired);
        told.began(2, 30ms).ended(2, 31ms, Outcome::Released);
        QCOMPARE(told.at(1s).clients[0].rows[1].holds[0].end, SpanEnd::None);
        told.began(3, 40ms).ended(3, 41ms, Outcome::Released);
        const auto rows = told.at(1s).clients[0].rows;
        QCOMPARE(rows.size(), 2U);
        QVERIFY(rows[0].lock == "x" && rows[1].lock == "y");
        QVERIFY(rows[0].holds[0].end == SpanEnd::Released && rows[1].holds[0].end == SpanEnd::Released);
    }

    void showsWhatServersAndTheMonitorWentThrough()
    {
        Told told("[\"A\"]", R"([ { "do": "pauseServer" }, { "do": "resumeServer" }, { "do": "killServer" } ])");
        told.began(0, 0ms).ended(0, 1ms).began(1, 50ms).ended(1, 51ms).began(2, 60ms).ended(2, 61ms);
        Event gap;
        gap.at = told.record.start->wall + 90ms;
        gap.kind = EventKind::Gap;
        gap.ttl = 25ms;
        gap.node = "n";
        told.record.events.push_back(gap);
        Event master;
        master.at = told.record.start->wall + 95ms;
        master.kind = EventKind::MasterChanged;
        master.node = "m";
        told.record.events.push_back(master);
        const Lanes lanes = told.at(100ms);
        QCOMPARE(lanes.servers.size(), 4U);
        QVERIFY(lanes.servers[2].what == ServerMark::What::Killed && lanes.servers[2].server == 0U);
        QVERIFY(lanes.servers[3].what == ServerMark::What::MasterChanged && lanes.servers[3].node == "m");
        QVERIFY(lanes.servers[3].known == Known::Seen && !lanes.servers[3].server);
        QVERIFY(!lanes.serverStates[0].goesOn && lanes.serverStates[1].goesOn);
        QVERIFY(since(lanes.gaps[0].from) == 65ms && since(lanes.gaps[0].to) == 90ms);
        QCOMPARE(since(lastMoment(told.record)), 95ms);
    }
};

QTEST_GUILESS_MAIN(TestLabLanes)
#include "tst_lab_lanes.moc"
