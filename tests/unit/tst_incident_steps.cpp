// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/incident.h"
#include "ui/lab/scenario_reader.h"
#include "ui/lab/scenario_writer.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <ranges>

using namespace lockui::lab;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using lockcore::Millis;
using lockcore::WallTime;
using lockcore::monitor::Certainty;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;
using lockcore::monitor::Snapshot;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;

namespace {

const WallTime Begin{ 1'700'000'000'000ms };

/// What was seen, told line by line; times are since the beginning.
class Seen {
public:
    Seen()
    {
        incident.from = Begin;
        incident.to = Begin + 1h;
    }

    Seen &saw(EventKind kind, Millis at, const char *lock, const char *client, const char *thread = "1")
    {
        Event event;
        event.at = Begin + at;
        event.kind = kind;
        event.lock = lock;
        event.lockKind = Kind::Reentrant;
        event.owner = lockcore::OwnerId{ client, thread };
        event.count = 1;
        event.ttl = 9'000ms;
        incident.events.push_back(event);
        return *this;
    }
    Event &last() { return incident.events.back(); }

    /// As a file that is read again.
    Scenario scenario(const IncidentChoice &choice = {}) const
    {
        const auto made = scenarioOf(incident, choice);
        if (!made)
            qFatal("%s", qPrintable(made.error()));
        const QByteArray text = scenarioText(*made);
        const auto read = readScenario(text.toStdString());
        if (!read)
            qFatal("%s\n%s", qPrintable(read.error().message), text.constData());
        return *read;
    }

    Incident incident;
};

/// `A lock x`, without what is only looked at.
QStringList stepsOf(const Scenario &scenario)
{
    QStringList lines;
    for (const Step &step : scenario.steps) {
        if (step.act == Act::Check)
            continue;
        QStringList words;
        for (const std::string &word : { step.client, std::string(nameOf(step.act)), step.lock })
            words << QString::fromStdString(word);
        lines << words.join(u' ').trimmed();
    }
    return lines;
}

bool says(const Step &step, const char *part) { return step.note.find(part) != std::string::npos; }

bool says(const Scenario &scenario, const char *part)
{
    return std::ranges::any_of(
        scenario.about, [&](const std::string &text) { return text.find(part) != std::string::npos; });
}

/// By a client that has not renewed it for longer than a watchdog would have waited.
std::shared_ptr<const Snapshot> heldForALease(const char *lock, const char *client)
{
    auto state = std::make_shared<LockState>();
    state->name = lock;
    state->holders = { Holder{ .owner = { client, "1" }, .count = 1, .expiresAt = {}, .since = {}, .mode = {} } };
    state->lease = lockcore::monitor::Lease::Fixed;
    state->leaseSeen = 30'000ms;
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->locks = lockcore::monitor::LockList({ state });
    return snapshot;
}

/// Of these clients, all at once.
std::shared_ptr<const Snapshot> heldBy(const char *lock, const std::vector<const char *> &clients)
{
    auto state = std::make_shared<LockState>();
    state->name = lock;
    for (const char *client : clients)
        state->holders.push_back(
            Holder{ .owner = { client, "1" }, .count = 1, .expiresAt = {}, .since = {}, .mode = {} });
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->locks = lockcore::monitor::LockList({ state });
    return snapshot;
}

} // namespace

class TestIncidentSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsHoldsInOrder()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::Reentered, 100ms, "x", "id-1");
        seen.last().count = 2;
        seen.saw(EventKind::PartlyReleased, 200ms, "x", "id-1").saw(EventKind::Released, 5s, "x", "id-1");
        seen.saw(EventKind::Acquired, 5s, "x", "id-2");
        const Scenario scenario = seen.scenario({ .locks = {}, .source = u"it"_s });
        QCOMPARE(stepsOf(scenario),
            QStringList({ u"A lock x"_s, u"A lock x"_s, u"A unlock x"_s, u"A unlock x"_s, u"B lock x"_s }));
        QVERIFY(says(scenario.steps[0], "A was id-1"));
        QVERIFY(scenario.steps[1].pause == 100ms);
        QVERIFY(scenario.steps[2].expects.outcome == Outcome::StillHeld);
        QVERIFY(scenario.steps[3].expects.outcome == Outcome::Released && scenario.steps[3].pause == 1s);
        QVERIFY(says(scenario.steps[3], "it was 4.8 s later"));
        QVERIFY(scenario.steps.back().expects.seen.front().holders == std::vector<std::string>{ "$B:1" });
        QVERIFY(says(scenario, "Made from it"));
    }

    void tellsWhatWasHeldBeforeAndSaysSo()
    {
        Seen seen;
        seen.saw(EventKind::PartlyReleased, 10ms, "x", "id-1").saw(EventKind::Released, 20ms, "x", "id-1");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A lock x"_s, u"A unlock x"_s, u"A unlock x"_s }));
        QVERIFY(says(scenario.steps[0], "not seen: since when it holds it"));
    }

    /// Somebody else has it, so it ended; nobody saw how.
    void saysThatAnEndWasMissed()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1");
        Event gap;
        gap.at = Begin + 3s;
        gap.kind = EventKind::Gap;
        gap.ttl = 2s;
        seen.incident.events.push_back(gap);
        seen.saw(EventKind::Appeared, 3s, "x", "id-2");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A unlock x"_s, u"B lock x"_s }));
        QVERIFY(says(scenario.steps[1], "not seen: how this hold ended"));
        QVERIFY(says(scenario.steps[1], "not seen: 2.0 s until"));
        QVERIFY(says(scenario.steps[2], "not seen: since when it holds it"));
        QVERIFY(says(scenario, "Not seen: 2.0 s until"));
    }

    /// Two fields in one lock: Redis names both, and no end of either was missed.
    void saysThatTwoHeldItAtOnce_data()
    {
        QTest::addColumn<bool>("fromTheBeginning");
        QTest::newRow("from the beginning") << true;
        QTest::newRow("the second one later") << false;
    }
    void saysThatTwoHeldItAtOnce()
    {
        QFETCH(const bool, fromTheBeginning);
        Seen seen;
        if (fromTheBeginning) {
            seen.incident.before = heldBy("x", { "id-1", "intruder" });
        } else {
            seen.saw(EventKind::Acquired, 0ms, "x", "id-1");
            seen.saw(EventKind::Appeared, 2s, "x", "intruder");
        }
        seen.incident.snapshotAt = [](WallTime at) {
            return at >= Begin + 2s ? heldBy("x", { "id-1", "intruder" }) : heldBy("x", { "id-1" });
        };
        seen.saw(EventKind::Renewed, 4s, "x", "intruder").saw(EventKind::Acquired, 5s, "y", "id-2");
        seen.saw(EventKind::Released, 6s, "x", "intruder").saw(EventKind::Released, 7s, "x", "id-1");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"B lock y"_s, u"A unlock x"_s }));
        for (const Step &step : scenario.steps)
            QVERIFY(!says(step, "how this hold ended"));
        QVERIFY(says(scenario, "Left out: that intruder held x as well, beside id-1: two held it at once"));
    }

    /// Where it was seen so, and where only the one that had it next was seen.
    void whoHasItAloneNextHasIt()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::Appeared, 2s, "x", "id-2");
        seen.incident.snapshotAt = [](WallTime at) { return heldBy("x", { at >= Begin + 2'100ms ? "id-2" : "id-1" }); };
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A unlock x"_s, u"B lock x"_s }));
        QVERIFY(says(scenario.steps[1], "not seen: how this hold ended"));
    }

    void aHoldWithoutATimeToLiveIsSaidToBe()
    {
        Seen seen;
        seen.incident.before = heldBy("x", { "id-1" });
        seen.saw(EventKind::Appeared, 2s, "y", "id-2");
        seen.last().ttl.reset();
        seen.incident.snapshotAt = [](WallTime) { return heldBy("y", { "id-2" }); };
        const Scenario scenario = seen.scenario();
        for (const std::size_t step : { 0U, 1U })
            QVERIFY2(
                says(scenario.steps[step], "it had no time to live, and would never have run out; here a watchdog"),
                scenario.steps[step].note.c_str());
        seen.last().ttl = 9'000ms;
        QVERIFY(!says(seen.scenario().steps[1], "no time to live"));
    }

    void aNameThatIsNoTextIsSaidToBe()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "b\xff\xfe!", "id-1").saw(EventKind::Acquired, 1s, "ü", "id-1");
        const Scenario scenario = seen.scenario();
        QCOMPARE(scenario.steps[0].lock, std::string("b\\xff\\xfe!"));
        QVERIFY(says(scenario, "Another name: b\\xff\\xfe! is written so here"));
        QVERIFY(!says(scenario, "ü"));
    }

    void aClientThatIsNeverSeenAgainDies()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::Renewed, 3s, "x", "id-1");
        seen.saw(EventKind::Acquired, 4s, "y", "id-2").saw(EventKind::Expired, 12s, "x", "id-1");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A crash"_s, u"B lock y"_s }));
        QVERIFY(says(scenario.steps[1], "not seen: when it died"));
        QCOMPARE(scenario.steps[3].expects.events.front().event, EventKind::Expired);
        QCOMPARE(scenario.steps[3].expects.events.front().owner.value(), std::string("$A:1"));
        QVERIFY(scenario.watchdog == 3s && says(scenario, "Watchdogs have a lease of 3.0 s here"));
    }

    /// Also when that is later than what is told.
    void aClientThatIsSeenAgainStoodStill()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::Renewed, 3s, "x", "id-1");
        seen.saw(EventKind::Expired, 12s, "x", "id-1").saw(EventKind::Acquired, 13s, "y", "id-1");
        QCOMPARE(stepsOf(seen.scenario()), QStringList({ u"A lock x"_s, u"A pause"_s, u"A resume"_s, u"A lock y"_s }));
        seen.incident.to = Begin + 12s;
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A pause"_s }));
        QVERIFY(says(scenario.steps[1], "not seen: why it did not renew any more"));
    }

    void aLeaseThatNobodyRenewedRunsOut()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::Expired, 9s, "x", "id-1");
        seen.saw(EventKind::Acquired, 10s, "x", "id-1");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A lock x"_s }));
        QVERIFY(scenario.steps[0].lease == 1s && says(scenario.steps[0], "its lease was 9.0 s"));
        QVERIFY(says(scenario.steps[0], "inferred: that it had a lease of its own, for it ran out while"));
        QVERIFY(!scenario.steps[2].lease);
    }

    /// No watchdog of the usual 30 s leaves so much.
    void aLongTimeToLiveIsALease()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1");
        seen.last().ttl = 50min;
        seen.saw(EventKind::Appeared, 1s, "y", "id-2");
        seen.last().ttl = 46min;
        seen.saw(EventKind::Acquired, 2s, "z", "id-3");
        seen.last().ttl = 60s;
        seen.saw(EventKind::Acquired, 2s, "short", "id-4").saw(EventKind::Renewed, 22s, "z", "id-3");
        seen.saw(EventKind::Released, 23s, "x", "id-1");
        const Scenario scenario = seen.scenario();
        const auto lockOf = [&](const char *name) {
            return *std::ranges::find_if(scenario.steps, [&](const Step &step) { return step.lock == name; });
        };
        QVERIFY(lockOf("x").lease == 50min && lockOf("y").lease.value_or(0ms) >= 46min);
        for (const char *name : { "x", "y" })
            QVERIFY2(
                says(lockOf(name), "inferred: that it had a lease of its own, for its time to live was longer than"),
                lockOf(name).note.c_str());
        QVERIFY(!lockOf("z").lease && !says(lockOf("z"), "inferred")); // its watchdog is set to more
        QVERIFY(!lockOf("short").lease && !says(lockOf("short"), "inferred"));
    }

    void aLongTimeToLiveOfBeforeIsALease()
    {
        Seen seen;
        auto lock = std::make_shared<LockState>(*heldForALease("x", "id-1")->locks.begin()->get());
        lock->lease = lockcore::monitor::Lease::Unknown;
        lock->leaseSeen = 46min;
        auto before = std::make_shared<Snapshot>();
        before->locks = lockcore::monitor::LockList({ lock });
        seen.incident.before = before;
        seen.incident.to = Begin + 13s;
        const Scenario scenario = seen.scenario();
        QVERIFY(scenario.steps[0].lease == 46min);
        QVERIFY2(says(scenario.steps[0], "for its time to live was longer than"), scenario.steps[0].note.c_str());
        lock->lease = lockcore::monitor::Lease::Watchdog;
        QVERIFY(!seen.scenario().steps[0].lease);
    }

    /// Here its lease runs out in the same way, only sooner.
    void aLongLeaseOfTheDeadIsSaid()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1");
        seen.last().ttl = 45s;
        seen.saw(EventKind::Acquired, 1s, "y", "id-2").saw(EventKind::Expired, 45s, "x", "id-1");
        const Scenario scenario = seen.scenario();
        QVERIFY(!scenario.steps[0].lease);
        QVERIFY2(says(scenario.steps[0], "its lease was 45.0 s; here it is a watchdog's whose"),
            scenario.steps[0].note.c_str());
    }

    /// A client with a watchdog that was killed looks the same until its lease is over.
    void aLeaseIsSaidToBeInferredWhereNoRenewalCame()
    {
        Seen seen;
        const auto snapshot = heldForALease("x", "id-1");
        seen.incident.snapshotAt = [snapshot](WallTime) { return snapshot; };
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1");
        seen.incident.to = Begin + 13s;
        const Scenario open = seen.scenario();
        QVERIFY(open.steps[0].lease == 30s);
        QVERIFY2(says(open.steps[0], "inferred: that it has a lease of its own, for no renewal came"),
            open.steps[0].note.c_str());
        QVERIFY(says(open.steps[0], "not seen: how it ends. A client with a watchdog that had died"));
        QVERIFY(says(open.steps.back(), "not seen: how the holds end that are left"));

        seen.saw(EventKind::Released, 12s, "x", "id-1");
        const Scenario ended = seen.scenario();
        QVERIFY(ended.steps[0].lease == 30s);
        QVERIFY(says(ended.steps[0], "inferred: that it had a lease of its own, for no renewal came"));
        QVERIFY(!says(ended.steps[0], "not seen: how it ends") && !says(ended.steps.back(), "not seen"));
    }

    void aLeaseOfBeforeIsSaidToBeInferred()
    {
        Seen seen;
        seen.incident.before = heldForALease("x", "id-1");
        seen.incident.to = Begin + 13s;
        const Scenario scenario = seen.scenario();
        QVERIFY(scenario.steps[0].lease == 30s);
        QVERIFY2(says(scenario.steps[0], "inferred: that it has a lease of its own"), scenario.steps[0].note.c_str());
    }

    void aQueueIsServedInItsOrder()
    {
        Seen seen;
        const auto fair = [&] { seen.last().lockKind = Kind::Fair; };
        seen.saw(EventKind::Acquired, 0ms, "q", "id-1").saw(EventKind::Queued, 10ms, "q", "id-2");
        fair();
        seen.saw(EventKind::Queued, 20ms, "q", "id-3").saw(EventKind::Queued, 30ms, "q", "id-4");
        seen.saw(EventKind::Dequeued, 500ms, "q", "id-3").saw(EventKind::Released, 600ms, "q", "id-1");
        seen.saw(EventKind::Acquired, 600ms, "q", "id-2").saw(EventKind::Released, 700ms, "q", "id-2");
        seen.saw(EventKind::Acquired, 700ms, "q", "id-4").saw(EventKind::Released, 800ms, "q", "id-4");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario),
            QStringList({ u"A lock q"_s, u"B lock q"_s, u"C lock q"_s, u"D lock q"_s, u"A unlock q"_s, u"B unlock q"_s,
                u"D unlock q"_s }));
        const auto step = [&](const char *client, Act act) {
            return *std::ranges::find_if(
                scenario.steps, [&](const Step &each) { return each.client == client && each.act == act; });
        };
        QCOMPARE(step("A", Act::Lock).kind, Kind::Fair); // a fair lock without a queue looks like another
        QVERIFY(step("C", Act::Lock).isMeanwhile && step("C", Act::Lock).expects.outcome == Outcome::NotAcquired);
        QVERIFY(step("B", Act::Lock).expects.outcome == Outcome::Acquired);
        QCOMPARE(step("A", Act::Unlock).after, std::vector<std::string>{ step("C", Act::Lock).id });
        QCOMPARE(step("B", Act::Unlock).after, std::vector<std::string>{ step("B", Act::Lock).id });
        QCOMPARE(scenario.steps.back().expects.order,
            (std::vector<std::string>{ step("B", Act::Lock).id, step("D", Act::Lock).id }));
    }

    void whoStoodInTheQueueBeforeIsToldToo()
    {
        Seen seen;
        seen.saw(EventKind::Appeared, 0ms, "q", "id-1").saw(EventKind::FoundQueued, 0ms, "q", "id-2");
        seen.last().lockKind = Kind::Fair;
        seen.saw(EventKind::Released, 600ms, "q", "id-1").saw(EventKind::Acquired, 600ms, "q", "id-2");
        seen.saw(EventKind::Released, 700ms, "q", "id-2");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock q"_s, u"B lock q"_s, u"A unlock q"_s, u"B unlock q"_s }));
        const Step &waits = *std::ranges::find(scenario.steps, "B", &Step::client);
        QVERIFY2(says(waits, "not seen: since when it waits"), waits.note.c_str());
        QVERIFY(waits.isMeanwhile && waits.expects.outcome == Outcome::Acquired);
    }

    /// Behind a client that is gone: one that is told to wait would get it at once.
    void whoWaitedForAFreeLockIsLeftOutAndThatIsSaid()
    {
        Seen seen;
        seen.saw(EventKind::FoundQueued, 0ms, "q", "id-1");
        seen.last().lockKind = Kind::Fair;
        seen.saw(EventKind::Dequeued, 300ms, "q", "id-1").saw(EventKind::Acquired, 400ms, "q", "id-2");
        seen.saw(EventKind::Released, 700ms, "q", "id-2");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock q"_s, u"A unlock q"_s }));
        QVERIFY(std::ranges::any_of(
            scenario.about, [](const std::string &line) { return line.find("id-1") != std::string::npos; }));
    }

    /// Between two looks a waiter may get the lock and give it back: all that is seen is that it waits no more.
    void saysThatAWaiterMayHaveHadIt()
    {
        Seen seen;
        const auto fair = [&] { seen.last().lockKind = Kind::Fair; };
        seen.saw(EventKind::Acquired, 0ms, "q", "id-1").saw(EventKind::Queued, 10ms, "q", "id-2");
        fair();
        seen.saw(EventKind::Queued, 20ms, "q", "id-3").saw(EventKind::Queued, 30ms, "q", "id-4");
        seen.saw(EventKind::Released, 600ms, "q", "id-1").saw(EventKind::Dequeued, 602ms, "q", "id-2");
        seen.saw(EventKind::Acquired, 700ms, "q", "id-4").saw(EventKind::Dequeued, 702ms, "q", "id-3");
        seen.saw(EventKind::Released, 900ms, "q", "id-4");
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario),
            QStringList({ u"A lock q"_s, u"B lock q"_s, u"C lock q"_s, u"D lock q"_s, u"A unlock q"_s, u"B unlock q"_s,
                u"C unlock q"_s, u"D unlock q"_s }));
        for (const Step &step : scenario.steps) {
            if (step.act == Act::Lock)
                QVERIFY(step.expects.outcome == Outcome::Acquired);
            else if (step.act == Act::Unlock)
                QCOMPARE(says(step, "not seen: whether it gave up"), step.client == "B" || step.client == "C");
        }
        QCOMPARE(scenario.steps.back().expects.order.size(), 3U);
    }

    /// As much as there may be is looked through in a moment.
    void looksThroughMuchInAMoment()
    {
        Seen seen;
        for (int i = 0; i < 60'000; ++i) {
            const std::string client = "id-" + std::to_string(i);
            seen.saw(EventKind::Acquired, Millis(i), "x", client.c_str());
            seen.saw(EventKind::Expired, Millis(i), "x", client.c_str());
        }
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!scenarioOf(seen.incident, {}));
        QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
    }

    /// A read/write lock is told with the half that is known; where that is not known, it is left out.
    void keepsModesThatAreKnown()
    {
        Seen seen;
        const auto readWrite = [&](EventKind kind, Millis at, const char *client) {
            seen.saw(kind, at, "r", client);
            seen.last().lockKind = Kind::ReadWrite;
        };
        readWrite(EventKind::Acquired, 10ms, "id-2");
        readWrite(EventKind::Released, 20ms, "id-1");
        seen.saw(EventKind::Acquired, 30ms, "x", "id-3");
        QCOMPARE(stepsOf(seen.scenario()), QStringList({ u"A lock x"_s }));
        QVERIFY(says(seen.scenario(), "Not seen: whether r read or wrote"));

        auto lock = std::make_shared<LockState>();
        lock->name = "r";
        lock->kind = Kind::ReadWrite;
        const auto holder = [](const char *client) {
            return Holder{ .owner = { client, "1" }, .expiresAt = {}, .since = {}, .mode = HoldMode::Read };
        };
        lock->holders = { holder("id-1") };
        auto before = std::make_shared<Snapshot>();
        before->locks = lockcore::monitor::LockList({ lock });
        seen.incident.before = before;
        auto both = std::make_shared<LockState>(*lock);
        both->holders.push_back(holder("id-2"));
        auto later = std::make_shared<Snapshot>();
        later->locks = lockcore::monitor::LockList({ both });
        seen.incident.snapshotAt = [later](WallTime) { return later; };
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock r"_s, u"B lock r"_s, u"A unlock r"_s, u"C lock x"_s }));
        QVERIFY(scenario.steps[1].mode == HoldMode::Read && scenario.steps[2].mode == HoldMode::Read);
    }

    void forcedHoldsAreForced()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::ForceReleased, 100ms, "x", "id-1");
        seen.saw(EventKind::Acquired, 200ms, "x", "id-1").saw(EventKind::Deleted, 300ms, "x", "id-1");
        seen.last().certainty = Certainty::Inferred;
        const Scenario scenario = seen.scenario();
        QCOMPARE(
            stepsOf(scenario), QStringList({ u"A lock x"_s, u"forceRelease x"_s, u"A lock x"_s, u"forceRelease x"_s }));
        QVERIFY(says(scenario.steps[3], "not seen: who deleted it") && says(scenario.steps[3], "inferred"));
    }

    /// What was not seen as such may be the work of somebody else.
    void aReleaseThatWasInferredIsSaidToBe()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1").saw(EventKind::Released, 100ms, "x", "id-1");
        seen.last().certainty = Certainty::Inferred;
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock x"_s, u"A unlock x"_s }));
        QVERIFY2(says(scenario.steps[1], "inferred, not seen as such: somebody else may have freed it"),
            scenario.steps[1].note.c_str());
    }

    /// A thread that waits does nothing else.
    void whoWaitsElsewhereDidNotUnlock()
    {
        Seen seen;
        const auto saw = [&](EventKind kind, Millis at, const char *lock, const char *client, const char *thread) {
            seen.saw(kind, at, lock, client, thread);
            seen.last().lockKind = Kind::Fair;
        };
        const auto acts = [&] {
            QStringList lines = stepsOf(seen.scenario());
            lines.erase(lines.begin(), lines.begin() + 5);
            return lines;
        };
        saw(EventKind::Acquired, 0ms, "acct:1", "id-1", "1");
        saw(EventKind::Acquired, 10ms, "acct:2", "id-2", "1");
        saw(EventKind::Acquired, 20ms, "other", "id-1", "2");
        saw(EventKind::Queued, 30ms, "acct:2", "id-1", "1");
        saw(EventKind::Queued, 40ms, "acct:1", "id-2", "1");
        saw(EventKind::Released, 5s, "acct:1", "id-1", "1");
        Event &freed = seen.incident.events.emplace_back(seen.last());
        freed.lock = "other"; // of another thread, which waits for nothing
        freed.owner = lockcore::OwnerId{ "id-1", "2" };
        for (Event &each : seen.incident.events | std::views::drop(5))
            each.certainty = Certainty::Inferred;
        QCOMPARE(acts(), QStringList({ u"forceRelease acct:1"_s, u"A unlock other"_s }));
        const Scenario scenario = seen.scenario();
        const auto forced = std::ranges::find(scenario.steps, Act::ForceRelease, &Step::act);
        QVERIFY2(says(*forced, "inferred, not seen as such") && says(*forced, "not seen: who freed it"),
            forced->note.c_str());

        // It had left the queue by then, which was found in the same look.
        saw(EventKind::Dequeued, 5s + 2ms, "acct:2", "id-1", "1");
        QCOMPARE(acts(), QStringList({ u"A unlock acct:1"_s, u"A unlock other"_s }));
        seen.incident.events.pop_back();
        // Seen is seen.
        seen.incident.events[5].certainty = Certainty::Seen;
        QCOMPARE(acts(), QStringList({ u"A unlock acct:1"_s, u"A unlock other"_s }));
    }

    /// Names and threads that a scenario cannot have, and kinds that nobody can tell the holders of.
    void saysWhatIsOtherwise()
    {
        Seen seen;
        seen.saw(EventKind::Acquired, 0ms, "a\xff", "id<1>", "7f21aa09-41c2");
        seen.saw(EventKind::Acquired, 1ms, "y", "id<1>", "1");
        seen.saw(EventKind::PermitsChanged, 2ms, "s", "");
        seen.last().lockKind = Kind::Semaphore;
        seen.last().owner.reset();
        const Scenario scenario = seen.scenario();
        QCOMPARE(stepsOf(scenario), QStringList({ u"A lock a\\xff"_s, u"A lock y"_s }));
        QCOMPARE(scenario.steps[0].thread, std::string("2"));
        QVERIFY(says(scenario.steps[0], "its thread was 7f21aa09-41c2"));
        QVERIFY(says(scenario, "Left out: s (Semaphore)"));
    }

    void refusesWhatNoScenarioCanBe()
    {
        Seen seen;
        QVERIFY(!scenarioOf(seen.incident, {}));
        seen.saw(EventKind::Acquired, 0ms, "x", "id-1");
        QVERIFY(!scenarioOf(seen.incident, { .locks = { "y" }, .source = {} }));
        for (int i = 0; i < 60; ++i)
            seen.saw(EventKind::Acquired, 1ms, ("lock" + std::to_string(i)).c_str(), std::to_string(i).c_str());
        const auto many = scenarioOf(seen.incident, {});
        QVERIFY(!many && many.error().contains(u"61 clients"_s));
        QVERIFY(scenarioOf(seen.incident, { .locks = { "x", "lock3" }, .source = {} }));
        for (int i = 0; i < 501; ++i)
            seen.saw(EventKind::Acquired, 2ms, "x", "id-1").saw(EventKind::Released, 3ms, "x", "id-1");
        const auto longer = scenarioOf(seen.incident, { .locks = { "x" }, .source = {} });
        QVERIFY(!longer && longer.error().contains(u"more than 500 steps"_s));
    }
};

QTEST_GUILESS_MAIN(TestIncidentSteps)
#include "tst_incident_steps.moc"
