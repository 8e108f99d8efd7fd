// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/test_names.h"
#include "tests/gui/waiting_locks.h"
#include "ui/charts/lane_painter.h"
#include "ui/charts/timeline_tips.h"
#include "ui/models/timeline.h"

#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;
using End = TimelineSpan::End;

namespace {

const OwnerId A{ "a", "1" };
const OwnerId B{ "b", "2" };
const OwnerId C{ "c", "3" };
const WallTime Start{ Millis(1'790'000'000'000) };

/// Tells a timeline what happens, at seconds from the start.
struct Story {
    Timeline timeline;

    Event event(double at, EventKind kind, const std::optional<OwnerId> &owner, std::optional<std::int64_t> count = {},
        const std::string &node = "n1", const LockName &lock = "it")
    {
        Event event;
        event.at = Start + Millis(std::llround(at * 1'000));
        event.kind = kind;
        event.lock = lock;
        event.owner = owner;
        event.count = count;
        event.node = node;
        return event;
    }
    void hear(double at, EventKind kind, const std::optional<OwnerId> &owner, std::optional<std::int64_t> count = {},
        const std::string &node = "n1", const LockName &lock = "it")
    {
        timeline.add(event(at, kind, owner, count, node, lock));
    }
    void infer(double at, EventKind kind, const OwnerId &owner)
    {
        Event inferred = event(at, kind, owner);
        inferred.certainty = Certainty::Inferred;
        timeline.add(inferred);
    }
    void gap(double from, double to, const std::string &node)
    {
        Event gap = event(to, EventKind::Gap, {}, {}, node, {});
        gap.ttl = Millis(std::llround((to - from) * 1'000));
        timeline.add(gap);
    }
    const TimelineLane &lane(const LockName &lock = "it") { return timeline.lane(*timeline.laneOf(lock)); }
    const TimelineSpan &hold(std::size_t i, std::size_t row = 0) { return lane().holds.at(row).spans.at(i); }
    const TimelineSpan &wait(std::size_t i, std::size_t row = 0) { return lane().waits.at(row).spans.at(i); }
    std::string ownerOf(const TimelineSpan &span) { return toString(timeline.owner(span.owner)); }
};

double seconds(WallTime at) { return double((at - Start).count()) / 1'000; }
WallTime wallAt(double at) { return Start + Millis(std::llround(at * 1'000)); }

/// What a recording tells of one of the clients that its window led.
WaitCount waitOf(const OwnerId &owner, double since, const LockName &lock = "it")
{
    return { .lock = lock, .count = 1, .at = wallAt(since), .owner = owner, .since = wallAt(since) };
}
WaitCount endOf(const OwnerId &owner, double at, std::optional<bool> got, const LockName &lock = "it")
{
    return { .lock = lock, .count = 0, .at = wallAt(at), .owner = owner, .got = got };
}

/// `snapshot`, taken so many seconds after the start.
std::shared_ptr<Snapshot> snapshotAt(double at, std::vector<std::shared_ptr<const LockState>> locks)
{
    const Now now{ MonoTime(std::chrono::hours(1)) + Millis(std::llround(at * 1'000)),
        Start + Millis(std::llround(at * 1'000)) };
    auto snapshot = makeSnapshot(now, std::move(locks));
    snapshot->status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = now.mono };
    return snapshot;
}

MonoTime monoAt(double at) { return MonoTime(std::chrono::hours(1)) + Millis(std::llround(at * 1'000)); }

std::shared_ptr<LockState> heldBy(const OwnerId &owner, double since, bool exact, double readAt)
{
    auto lock = makeLock("it", monoAt(readAt));
    lock->node = "n1";
    lock->holders.resize(1);
    lock->holders.front().owner = owner;
    lock->holders.front().since = { monoAt(since), exact };
    lock->readAt = Start + Millis(std::llround(readAt * 1'000));
    lock->waiters.clear();
    return lock;
}

/// As the servers of an independent set have it together: each of these.
std::shared_ptr<LockState> onEach(const LockState &lock, const std::vector<std::string> &nodes)
{
    auto joined = std::make_shared<LockState>(lock);
    joined->node.clear();
    joined->quorum = Quorum{ static_cast<int>(nodes.size()), 0, 3 };
    for (const std::string &node : nodes) {
        auto member = std::make_shared<LockState>(lock);
        member->node = node;
        joined->members.push_back(member);
    }
    return joined;
}

/// `n1` and so on, each looked through then, or absent: not at all.
void setServers(Snapshot &snapshot, const std::vector<std::optional<double>> &looks)
{
    snapshot.status.lastSweep.reset();
    for (const auto &look : looks) {
        NodeStatus &node = snapshot.nodes.emplace_back();
        node.node = "n" + std::to_string(snapshot.nodes.size());
        if (!look)
            continue;
        node.status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = monoAt(*look) };
        auto &joined = snapshot.status.lastSweep;
        if (!joined || joined->finishedAt > monoAt(*look))
            joined = node.status.lastSweep;
    }
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Redis takes that name, too.
    void hasALaneForAnEmptyName()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1, "n1", "");
        QVERIFY(story.timeline.laneOf(""));
        QVERIFY(story.lane("").isUsed);
        story.gap(2, 3, "n1");
        QCOMPARE(story.lane("").holds.at(0).spans.at(0).end, End::NotSeen);
        story.hear(4, EventKind::Released, A, {}, "n1", "");
        story.timeline.forgetBefore(Start + 60s);
        QVERIFY(!story.timeline.laneOf(""));
    }

    void countsThoseWhoWaitWhereNothingTellsWhoTheyAre()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        auto lock = heldBy(A, 1, true, 2);
        const auto count = [&](double at, std::int64_t subscribers) {
            auto counted = std::make_shared<LockState>(*lock);
            counted->subscribers = subscribers;
            story.timeline.observe(*snapshotAt(at, { counted }));
            story.timeline.countWaits({ "it", countedWaits(*counted), Start + Millis(std::llround(at * 1'000)) });
        };
        count(2, 2);
        count(3, 2); // the same ones
        count(4, 3);
        count(5, 0);
        count(7, 1);
        const auto &counted = story.lane().counted;
        QCOMPARE(counted.size(), std::size_t(3));
        QCOMPARE(
            std::tuple(seconds(counted[0].from), seconds(counted[0].to), counted[0].count), std::tuple(2.0, 4.0, 2));
        QCOMPARE(
            std::tuple(seconds(counted[1].from), seconds(counted[1].to), counted[1].count), std::tuple(4.0, 5.0, 3));
        QVERIFY(counted[2].to == TimelineSpan::Open);

        story.gap(8, 10, "n1");
        QCOMPARE(seconds(story.lane().counted[2].to), 8.0);
        lock->readAt = Start + 11s;
        lock->subscribers = 1;
        story.timeline.observe(*snapshotAt(12, { lock }));
        QCOMPARE(story.lane().counted.size(), std::size_t(4));
        QVERIFY(seconds(story.lane().counted[3].from) > 10.0);
        story.timeline.countWaits({ "it", 0, Start + 13s });
        story.timeline.forgetBefore(Start + 20s);
        QVERIFY(!story.timeline.laneOf("it") || story.lane().counted.empty());

        lock->waiters.push_back({ B, std::nullopt, { monoAt(2), true }, true });
        QCOMPARE(countedWaits(*lock), std::int64_t(0)); // it is drawn as a bar
    }

    /// As they happened, whenever it looks: counts and events are told apart.
    void countsWaitsAmongEventsThatTellOfOtherThings()
    {
        Story story;
        EventStore store;
        const auto count = [&](double at, std::int64_t waiting, const LockName &lock = "it") {
            store.waits().add({ { lock, waiting, Start + Millis(std::llround(at * 1'000)) } });
        };
        const auto spans = [&](const LockName &lock = "it") {
            std::vector<std::tuple<double, double, std::int64_t>> list;
            for (const TimelineCount &each : story.lane(lock).counted)
                list.emplace_back(
                    seconds(each.from), each.to == TimelineSpan::Open ? -1 : seconds(each.to), each.count);
            return list;
        };
        store.heardFrom(Start);
        store.add({ story.event(1, EventKind::Acquired, A, 1) });
        count(2, 2);
        count(4, 3);
        Event gap = story.event(10, EventKind::Gap, {}, {}, "n1", {});
        gap.ttl = 2s;
        store.add({ gap });
        store.lookedAtAll(Start + 12s);
        count(15, 1);
        count(16, 0);
        count(17, 4, "late"); // its lane comes with the event
        store.add({ story.event(18, EventKind::Renewed, B, 1, "n1", "late") });
        QVERIFY(story.timeline.isBehind(store));
        story.timeline.catchUp(store);
        QVERIFY(!story.timeline.isBehind(store));
        QCOMPARE(spans(),
            (std::vector<std::tuple<double, double, std::int64_t>>{
                { 2, 4, 2 }, { 4, 8, 3 }, { 12, 15, 3 }, { 15, 16, 1 } }));
        QCOMPARE(spans("late"), (std::vector<std::tuple<double, double, std::int64_t>>{ { 17, -1, 4 } }));
        store.hold(true);
        count(20, 5);
        story.timeline.catchUp(store);
        QCOMPARE(spans().size(), std::size_t(4));
        store.hold(false);
        story.timeline.catchUp(store);
        QCOMPARE(spans().back(), std::tuple(20.0, -1.0, std::int64_t(5)));
    }

    /// Nothing is told of a semaphore without a key: its lane comes with the picture, who waits did so before.
    void countsThoseWhoWaitedBeforeItsLaneCame()
    {
        for (const bool wasLost : { false, true }) {
            Story story;
            EventStore store;
            store.heardFrom(Start);
            store.waits().add({ { "it", 1, Start + 2s } });
            if (wasLost) {
                Event gap = story.event(10, EventKind::Gap, {}, {}, "n1", {});
                gap.ttl = 2s;
                store.add({ gap });
            }
            story.timeline.catchUp(store);
            auto lock = heldBy(A, 1, true, 1);
            lock->kind = synchronizers::Kind::Semaphore;
            lock->holders.clear();
            lock->hasMainKey = false;
            story.timeline.observe(*snapshotAt(14, { lock }));
            QCOMPARE(story.lane().counted.size(), std::size_t(1));
            QCOMPARE(seconds(story.lane().counted.front().from), wasLost ? 10.0 : 2.0);
        }
    }

    /// More than is kept was counted while nobody looked at it. What happened meanwhile is known all the same, and so
    /// is how many waited when the oldest that is kept was counted.
    void doesNotTellOfCountsThatItMissed()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        store.add({ story.event(1, EventKind::Acquired, A, 1) });
        store.waits().add({ { "it", 2, Start + 2s } });
        story.timeline.catchUp(store);
        QCOMPARE(story.lane().counted.size(), std::size_t(1));
        for (std::size_t i = 0; i <= WaitCounts::Most; ++i)
            store.waits().add({ { "other", std::int64_t(i % 2), Start + 3s + Millis(i) } });
        store.waits().add({ { "it", 1, Start + 1'000s } });
        story.timeline.catchUp(store);
        QCOMPARE(seconds(*story.timeline.knownFrom()), 0.0);
        QVERIFY(story.timeline.countedFrom());
        QCOMPARE(*story.timeline.countedFrom(), store.waits().at(store.waits().first()).at);
        QVERIFY(seconds(*story.timeline.countedFrom()) >= 3.0);
        const auto &counted = story.lane().counted;
        QCOMPARE(counted.size(), std::size_t(2));
        QCOMPARE(counted.front().from, *story.timeline.countedFrom());
        QCOMPARE(counted.front().count, 2);
        QCOMPARE(seconds(counted.back().from), 1'000.0);
        QCOMPARE(story.lane().holds.size(), std::size_t(1));
    }

    void saysThatACountIsTheLeast()
    {
        QCOMPARE(laneWaits(*listenedLock("x", "a", 3, monoAt(0))), QStringLiteral("≥ 3 waiting"));
        QCOMPARE(laneWaits(*fairLock("x", "a", { "b", "c" }, monoAt(0))), QStringLiteral("2 waiting"));
        QVERIFY(laneWaits(*fairLock("x", "a", {}, monoAt(0))).isEmpty());
    }

    /// The first look comes a moment before the first picture, and no event tells of waits that it finds.
    void beginsWaitsOfTheFirstLookWhereAllBegins()
    {
        Story story;
        story.hear(1, EventKind::Appeared, A, 1);
        auto lock = heldBy(A, 0.99, false, 1);
        lock->kind = synchronizers::Kind::Fair;
        lock->waiters.push_back({ B, std::nullopt, { monoAt(0.99), false }, true });
        story.timeline.observe(*snapshotAt(2.5, { lock }));
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        QVERIFY(!story.wait(0).beginSeen);
    }

    /// It is known that somebody held it until then, and not since when.
    void drawsTheEndOfAHoldThatIsNotKnown()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1, "n1", "other");
        story.hear(9, EventKind::Deleted, B);
        QCOMPARE(story.lane().marks.size(), std::size_t(1));
        QCOMPARE(seconds(story.hold(0).from), 9.0);
        QCOMPARE(seconds(story.hold(0).to), 9.0);
        QVERIFY(!story.hold(0).beginSeen && story.hold(0).end == End::Deleted);
        QCOMPARE(story.ownerOf(story.hold(0)), std::string("b:2"));
    }

    /// Where there are too many, those that nobody ever waited for go first.
    void keepsLanesThatWereWaitedFor()
    {
        Story story;
        story.hear(1, EventKind::Queued, B, {}, "n1", "waited");
        story.hear(2, EventKind::Dequeued, B, {}, "n1", "waited");
        for (std::size_t i = 0; i <= Timeline::MostLanes; ++i)
            story.hear(3, EventKind::Acquired, A, 1, "n1", "load" + std::to_string(i));
        QVERIFY(story.timeline.laneOf("waited"));
    }

    /// Those who are only counted wait as well.
    void keepsLanesWhereWaitersAreCounted()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1, "n1", "counted");
        story.timeline.countWaits({ .lock = "counted", .count = 2, .at = Start + 2s });
        for (std::size_t i = 0; i <= Timeline::MostLanes; ++i)
            story.hear(3, EventKind::Acquired, A, 1, "n1", "load" + std::to_string(i));
        QVERIFY(story.timeline.laneOf("counted"));
    }

    /// What is held says more than what is over.
    void keepsLanesThatAreHeld()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1, "n1", "held");
        for (std::size_t i = 0; i <= Timeline::MostLanes; ++i) {
            story.hear(3, EventKind::Acquired, A, 1, "n1", "load" + std::to_string(i));
            story.hear(3, EventKind::Released, A, {}, "n1", "load" + std::to_string(i));
        }
        QVERIFY(story.timeline.laneOf("held"));
        QCOMPARE(seconds(story.lane("held").holds.front().spans.front().from), 1.0);
    }

    /// Nothing tells that it was free.
    void doesNotKnowWhatWasInALaneThatWasDropped()
    {
        Story story;
        const auto heldNow = [](const LockName &name) {
            auto lock = heldBy(A, 1, true, 12);
            lock->name = name;
            return lock;
        };
        story.timeline.observe(*snapshotAt(0, {}));
        for (const char *name : { "held", "waited" })
            story.hear(1, EventKind::Acquired, A, 1, "n1", name);
        for (std::size_t i = 0; i <= Timeline::MostLanes; ++i)
            story.hear(3, EventKind::Acquired, A, 1, "n1", "load" + std::to_string(i));
        QVERIFY(!story.timeline.laneOf("held") && !story.timeline.laneOf("waited"));
        story.hear(10, EventKind::Renewed, A, 1, "n1", "held");
        QCOMPARE(seconds(story.lane("held").keptFrom), 10.0);
        QVERIFY(story.lane("held").isDropped);
        story.hear(11, EventKind::Queued, B, {}, "n1", "waited");
        story.timeline.observe(*snapshotAt(12, { heldNow("held"), heldNow("waited") }));
        QCOMPARE(seconds(story.lane("waited").holds.front().spans.front().from), 11.0);
        QVERIFY(!story.lane("waited").holds.front().spans.front().beginSeen);
        story.hear(13, EventKind::Acquired, A, 1, "n1", "new");
        QCOMPARE(seconds(story.lane("new").keptFrom), 3.0);
    }

    /// What is there already when the first look comes to it may have been there before; what is told as new was not.
    void doesNotKnowWhatWasBeforeTheFirstLookCameThere()
    {
        Story story;
        EventStore store;
        const auto tell = [&](double at, EventKind kind, const LockName &lock, std::optional<OwnerId> owner = A) {
            store.add({ story.event(at, kind, owner, 1, "n1", lock) });
            story.timeline.catchUp(store);
        };
        store.heardFrom(Start);
        tell(2, EventKind::Appeared, "early");
        tell(6, EventKind::Appeared, "late");
        tell(6, EventKind::Appeared, "late", B); // who reads it, too
        tell(7, EventKind::Appeared, "counter", std::nullopt);
        tell(7.5, EventKind::FoundQueued, "queue");
        tell(8, EventKind::Released, "early");
        tell(9, EventKind::Appeared, "early", B); // it was known that it was free
        store.lookedAtAll(Start + 10s);
        tell(12, EventKind::Acquired, "new");
        tell(15, EventKind::Appeared, "untold"); // nothing had told of it since the last look
        QCOMPARE(seconds(*story.timeline.knownFrom()), 0.0);
        QCOMPARE(seconds(story.lane("early").keptFrom), 2.0);
        QCOMPARE(seconds(story.lane("late").keptFrom), 6.0);
        QCOMPARE(seconds(story.lane("counter").keptFrom), 7.0);
        QCOMPARE(seconds(story.lane("queue").keptFrom), 7.5);
        QVERIFY(story.lane("new").keptFrom <= Start && story.timeline.unsureTimes(story.lane("new")).empty());
        QVERIFY(story.lane("untold").keptFrom <= Start);
        QCOMPARE(story.timeline.unsureTimes(story.lane("untold")),
            (std::vector<TimelineGap>{ { Start + 10s, Start + 15s, {} } }));
        QVERIFY(story.timeline.unsureTimes(story.lane("late")).empty());

        store.lookedAtAll(Start + 20s);
        Event gap = story.event(24, EventKind::Gap, {}, {}, "n1", {});
        gap.ttl = 2s;
        store.add({ gap });
        tell(26, EventKind::Appeared, "after");
        QCOMPARE(story.timeline.unsureTimes(story.lane("after")),
            (std::vector<TimelineGap>{ { Start + 24s, Start + 26s, {} } })); // of the gap itself that says so
    }

    void makesAHoldOfItsBeginningAndItsEnd()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
        QVERIFY(story.hold(0).end == End::None);
        story.hear(4, EventKind::Renewed, A, 1);
        story.hear(5, EventKind::Released, A, 1);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QCOMPARE(seconds(story.hold(0).from), 1.0);
        QCOMPARE(seconds(story.hold(0).to), 5.0);
        QVERIFY(story.hold(0).end == End::Released);
        QVERIFY(story.hold(0).beginSeen && story.hold(0).endCertainty == Certainty::Seen);
        QCOMPARE(story.ownerOf(story.hold(0)), toString(A));
        QVERIFY(story.lane().marks.empty());
    }

    void doesNotSayThatAHoldBeganWhenItWasFirstSeen()
    {
        Story story;
        story.hear(1, EventKind::Appeared, A, 1);
        QVERIFY(!story.hold(0).beginSeen);
        story.hear(2, EventKind::Renewed, B, 1); // of which no beginning was heard either
        QVERIFY(!story.hold(0, 1).beginSeen);
        QCOMPARE(seconds(story.hold(0, 1).from), 2.0);
    }

    void tellsWhatIsInferred()
    {
        Story story;
        story.infer(1, EventKind::Acquired, A);
        story.infer(2, EventKind::Expired, A);
        QVERIFY(story.hold(0).beginInferred && story.hold(0).endCertainty == Certainty::Inferred);
        QVERIFY(story.hold(0).end == End::Expired);
        QCOMPARE(story.lane().marks.size(), std::size_t(1));
        QVERIFY(story.lane().marks.front().certainty == Certainty::Inferred);
    }

    void countsReentriesAsDepth()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Reentered, A, 2);
        story.hear(3, EventKind::Reentered, A, 3);
        story.hear(4, EventKind::PartlyReleased, A, 2);
        story.hear(5, EventKind::PartlyReleased, A, 1);
        story.hear(6, EventKind::Released, A, 1);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QCOMPARE(story.hold(0).depth, 3);
        const auto &depths = story.lane().holds.front().depths;
        QCOMPARE(depths.size(), std::size_t(3));
        const double expected[][3] = { { 2, 3, 2 }, { 3, 4, 3 }, { 4, 5, 2 } };
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(seconds(depths[i].from), expected[i][0]);
            QCOMPARE(seconds(depths[i].to), expected[i][1]);
            QCOMPARE(double(depths[i].depth), expected[i][2]);
        }
    }

    void stacksThoseWhoShareALock()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Acquired, B, 1);
        story.hear(3, EventKind::Released, A, 1);
        story.hear(4, EventKind::Acquired, C, 1); // takes the place of A
        QCOMPARE(story.lane().holds.size(), std::size_t(2));
        QCOMPARE(story.ownerOf(story.hold(1, 0)), toString(C));
        QCOMPARE(story.ownerOf(story.hold(0, 1)), toString(B));
        QCOMPARE(story.hold(0, 1).to, TimelineSpan::Open);
    }

    void keepsWhatComesLateInARowOfItsOwn()
    {
        Story story;
        story.hear(3, EventKind::Acquired, A, 1);
        story.infer(1, EventKind::Acquired, B); // a reader whom no look has shown
        story.infer(2, EventKind::Released, B);
        QCOMPARE(story.lane().holds.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(0, 1).from), 1.0);
        QCOMPARE(seconds(story.hold(0, 1).to), 2.0);
        for (const TimelineRow &row : story.lane().holds)
            for (std::size_t i = 1; i < row.spans.size(); ++i)
                QVERIFY(row.spans[i - 1].to <= row.spans[i].from);
    }

    void takesTheSameHoldOnSeveralServersForOne()
    {
        Story story;
        for (const char *node : { "n1", "n2", "n3" })
            story.hear(1, EventKind::Acquired, A, 1, node);
        story.hear(4, EventKind::Released, A, 1, "n1");
        story.hear(4, EventKind::Released, A, 1, "n2");
        QCOMPARE(story.lane().holds.size(), std::size_t(1));
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
        story.hear(5, EventKind::Released, A, 1, "n3");
        QCOMPARE(seconds(story.hold(0).to), 5.0);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
    }

    /// In a cluster a slot moves to another master, or a replica takes its master's place: who watches hears nothing of
    /// that, and the next word comes from there.
    void followsALockToAnotherServer()
    {
        Story story;
        auto snapshot = snapshotAt(1, { heldBy(A, 1, true, 1) });
        story.timeline.lookAtServers(*snapshot);
        story.hear(1, EventKind::Acquired, A, 1, "n1");
        story.hear(2, EventKind::Queued, B, {}, "n1");
        story.hear(3, EventKind::Renewed, A, 1, "n2");
        snapshot->nodes.resize(2);
        for (std::size_t i = 0; i < 2; ++i)
            snapshot->nodes[i].node = i == 0 ? "n1" : "n2";
        snapshot->nodes[1].status.staleSince = monoAt(4);
        story.timeline.observe(*snapshot);
        QVERIFY(story.timeline.unseenSince(story.lane()));
        QCOMPARE(seconds(*story.timeline.unseenSince(story.lane())), 4.0);
        snapshot->nodes[1].status.staleSince.reset();
        story.timeline.observe(*snapshot);
        story.gap(3.5, 4, "n1"); // it is not there any more
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
        story.hear(5, EventKind::Released, A, 1, "n2");
        QCOMPARE(seconds(story.hold(0).to), 5.0);
        story.hear(5, EventKind::Acquired, B, 1, "n2");
        QCOMPARE(seconds(story.wait(0).to), 5.0);
        QCOMPARE(story.lane().holds.size(), std::size_t(1)); // nobody held it twice
        story.gap(6, 8, "n2");
        QCOMPARE(seconds(story.hold(1).to), 6.0);
        QVERIFY(story.timeline.isWhole(story.timeline.gaps().back(), story.lane()));
    }

    /// The gap is told of the server that took the place of the lost one.
    void drawsNothingThroughAFailover_data()
    {
        QTest::addColumn<bool>("byEvent");
        QTest::newRow("an event tells where the lock is") << true;
        QTest::newRow("a snapshot tells where the lock is") << false;
    }

    void drawsNothingThroughAFailover()
    {
        QFETCH(const bool, byEvent);
        Story story;
        const auto on = [](const char *node, double at) {
            auto lock = heldBy(A, 1, true, at);
            lock->node = node;
            auto snapshot = snapshotAt(at, { lock });
            snapshot->nodes.resize(1);
            snapshot->nodes.front().node = node;
            return snapshot;
        };
        story.timeline.lookAtServers(*on("n1", 1));
        story.hear(1, EventKind::Acquired, A, 1, "n1");
        story.timeline.observe(*on("n1", 2));
        story.gap(3, 8, "n2");
        if (byEvent) {
            story.hear(9, EventKind::Renewed, A, 1, "n2");
        } else {
            story.timeline.lookAtServers(*on("n2", 9));
            story.timeline.observe(*on("n2", 9));
        }
        QVERIFY(story.hold(0).end == End::NotSeen);
        QCOMPARE(seconds(story.hold(0).to), 3.0);
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QVERIFY(!story.hold(1).beginSeen);
        QVERIFY(story.timeline.isWhole(story.timeline.gaps().back(), story.lane()));
    }

    void endsAWaitAsItEnded_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("end");
        QTest::newRow("got it") << int(EventKind::Acquired) << int(End::Acquired);
        QTest::newRow("gave up") << int(EventKind::Dequeued) << int(End::Left);
        QTest::newRow("timed out") << int(EventKind::WaiterTimedOut) << int(End::TimedOut);
    }

    void endsAWaitAsItEnded()
    {
        QFETCH(int, kind);
        QFETCH(int, end);
        Story story;
        story.hear(1, EventKind::Queued, A);
        story.hear(3, static_cast<EventKind>(kind), A, 1);
        QCOMPARE(int(story.wait(0).end), end);
        QCOMPARE(seconds(story.wait(0).to), 3.0);
    }

    void knowsOfTheWaitsOfItsOwnClients()
    {
        Story story;
        story.hear(0, EventKind::Acquired, B, 1);
        story.timeline.setOwnClients({ { "it", A, true } }, Start + 1s);
        story.timeline.setOwnClients({ { "it", A, true }, { "it", C, true } }, Start + 2s);
        QCOMPARE(story.lane().waits.size(), std::size_t(2));
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        story.timeline.setOwnClients({ { "it", A, false } }, Start + 3s);
        QVERIFY(story.wait(0).end == End::Acquired);
        QVERIFY(story.wait(0, 1).end == End::Left);
        story.timeline.setOwnClients({}, Start + 4s);
        QCOMPARE(seconds(story.wait(0).to), 3.0);
    }

    /// The server counts it as well.
    void drawsAWaitOfItsOwnOnce()
    {
        Story story;
        story.hear(0, EventKind::Acquired, B, 1);
        const auto count = [&](std::int64_t waits, double at) {
            story.timeline.countWaits({ "it", waits, wallAt(at) });
        };
        story.timeline.setOwnClients({ { "it", A, true } }, Start + 1s);
        count(1, 3);
        QVERIFY(story.lane().counted.empty());
        count(2, 5);
        QCOMPARE(story.lane().counted.size(), std::size_t(1));
        QCOMPARE(story.lane().counted.front().count, 1);
        // It gets the lock: the other one goes on waiting, in whatever order that is told.
        story.hear(6, EventKind::Acquired, A, 1);
        count(1, 6.1);
        story.timeline.setOwnClients({ { "it", A, false } }, Start + 6'200ms);
        QCOMPARE(story.lane().counted.back().to, TimelineSpan::Open);
        QCOMPARE(story.lane().counted.back().count, 1);
        story.timeline.setOwnClients({ { "it", A, false }, { "it", C, true } }, Start + 7s);
        count(2, 9);
        QCOMPARE(story.lane().counted.back().count, 1);
        story.hear(10, EventKind::Acquired, C, 1);
        story.timeline.setOwnClients({ { "it", C, false } }, Start + 10s);
        count(1, 10.1);
        for (const TimelineCount &each : story.lane().counted)
            QCOMPARE(each.count, 1);
        QCOMPARE(story.lane().counted.back().to, TimelineSpan::Open);
        count(0, 11);
        QCOMPARE(seconds(story.lane().counted.back().to), 11.0);
    }

    void keepsAWaitOfItsOwnThatBeganAfterTheLastHold()
    {
        Story story;
        story.hear(0, EventKind::Acquired, B, 1);
        story.timeline.setOwnClients({ { "it", A, true } }, Start + 5s);
        story.hear(3, EventKind::Acquired, A, 1); // is told when the page is shown again
        QCOMPARE(story.wait(0).to, TimelineSpan::Open);
    }

    void remembersWaitsOfItsOwnThatBeganBeforeItLooked()
    {
        Story story;
        story.timeline.setOwnClients({ { "it", A, true } }, Start + 1s);
        story.hear(2, EventKind::Acquired, B, 1);
        story.timeline.setOwnClients({ { "it", A, true }, { "it", C, true } }, Start + 9s);
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        QCOMPARE(seconds(story.wait(0, 1).from), 9.0);
    }

    void drawsTheKnownWaitsOfARecording()
    {
        Story story;
        story.timeline.restart(Start, Start);
        EventStore store;
        store.waits().add({ waitOf(A, 2), endOf(A, 4, false), waitOf(A, 6), endOf(A, 7.25, true) });
        store.waits().add({ waitOf(C, 8, "other"), endOf(C, 9, false, "other"), waitOf(C, 9.5, "other") });
        store.add({ story.event(1, EventKind::Acquired, B, 1), story.event(6.875, EventKind::Released, B),
            story.event(7, EventKind::Acquired, A, 1) });
        story.timeline.catchUp(store);
        QCOMPARE(story.lane().waits.size(), std::size_t(1));
        QVERIFY(story.lane().counted.empty());
        QCOMPARE(std::tuple(seconds(story.wait(0).from), seconds(story.wait(0).to)), std::tuple(2.0, 4.0));
        QVERIFY(story.wait(0).beginSeen && story.wait(0).end == End::Left);
        QVERIFY(story.wait(0).endCertainty == Certainty::Seen);
        QCOMPARE(std::tuple(seconds(story.wait(1).from), seconds(story.wait(1).to)), std::tuple(6.0, 7.0));
        QVERIFY(story.wait(1).end == End::Acquired && story.wait(1).endCertainty == Certainty::Seen);
        QCOMPARE(story.lane().waits.front().spans.size(), std::size_t(2));
        // Nothing else happened to that lock.
        const auto &others = story.lane("other").waits.at(0).spans;
        QCOMPARE(others.size(), std::size_t(2));
        QVERIFY(others[0].end == End::Left && others[1].to == TimelineSpan::Open);
    }

    /// The picture in which a wait is over and the event that tells why come in any order.
    void endsAKnownWaitAsItEnded_data()
    {
        QTest::addColumn<double>("acquired");
        QTest::addColumn<double>("over");
        QTest::addColumn<int>("got"); // -1: not told
        QTest::addColumn<bool>("late"); // the event is told after the picture
        QTest::addColumn<int>("end");
        QTest::addColumn<double>("to");
        QTest::addColumn<bool>("inferred");
        const auto row = [](const char *name, double acquired, double over, int got, bool late, End end, double to,
                             bool inferred = false) {
            QTest::newRow(name) << acquired << over << got << late << int(end) << to << inferred;
        };
        row("event first", 4, 4.25, 1, false, End::Acquired, 4);
        row("event first, not told", 4, 4.25, -1, false, End::Acquired, 4);
        row("picture first", 4.25, 4, 1, false, End::Acquired, 4);
        row("picture first, not told", 4.25, 4, -1, false, End::Acquired, 4, true);
        row("event told late", 4, 4.25, 1, true, End::Acquired, 4);
        row("event told late, not told", 4, 4.25, -1, true, End::Acquired, 4);
        row("gave up", 30, 4, 0, false, End::Left, 4);
        row("gave up, not told", 30, 4, -1, false, End::Left, 4, true);
        row("gave up, and took it soon", 4.5, 4, 0, false, End::Left, 4);
        row("got it, and gave it back at once", 4, 4.25, 0, true, End::Acquired, 4);
    }

    void endsAKnownWaitAsItEnded()
    {
        QFETCH(const double, acquired);
        QFETCH(const double, over);
        QFETCH(const int, got);
        QFETCH(const bool, late);
        Story story;
        story.timeline.restart(Start, Start);
        EventStore store;
        const auto hasGot = got < 0 ? std::nullopt : std::optional(got == 1);
        store.add({ story.event(1, EventKind::Acquired, B, 1) });
        store.waits().add({ waitOf(A, 2), endOf(A, over, hasGot) });
        if (late)
            story.timeline.catchUp(store);
        store.add({ story.event(acquired, EventKind::Acquired, A, 1) });
        story.timeline.catchUp(store);
        const TimelineSpan &wait = story.wait(0);
        QTEST(int(wait.end), "end");
        QTEST(seconds(wait.to), "to");
        QTEST(wait.endCertainty == Certainty::Inferred, "inferred");
        QCOMPARE(story.lane().waits.front().spans.size(), std::size_t(1));
    }

    /// A wait may be over before the picture comes that tells of it.
    void knowsWhoHadWaitedWhenThatIsToldLate()
    {
        Story story;
        story.timeline.restart(Start, Start);
        story.hear(1, EventKind::Acquired, B, 1);
        story.hear(3, EventKind::Released, B);
        story.hear(3, EventKind::Acquired, A, 1);
        story.timeline.countWaits(waitOf(A, 2));
        QCOMPARE(std::tuple(seconds(story.wait(0).from), seconds(story.wait(0).to)), std::tuple(2.0, 3.0));
        QVERIFY(story.wait(0).end == End::Acquired && story.wait(0).beginSeen);
        QVERIFY(story.lane().waiting.empty());
        story.timeline.countWaits(endOf(A, 3.5, true));
        QCOMPARE(seconds(story.wait(0).to), 3.0);
        QCOMPARE(story.lane().waits.front().spans.size(), std::size_t(1));
    }

    /// It is known since when, as the tip says; the bar begins where it is known that nothing else was.
    void beginsAKnownWaitThatStoodAlreadyRagged()
    {
        Story story;
        story.timeline.restart(Start, Start + 10s);
        story.hear(1, EventKind::Acquired, B, 1);
        WaitCount stood = waitOf(A, 2);
        stood.at = wallAt(10);
        story.timeline.countWaits(stood);
        story.timeline.countWaits(waitOf(C, 9.5)); // the picture of the beginning did not know of it yet
        for (std::size_t row : { 0U, 1U }) {
            QCOMPARE(seconds(story.wait(0, row).from), 10.0);
            QVERIFY(!story.wait(0, row).beginSeen);
        }
        const TimelineSpan whole = Timeline::wholeOf(story.lane(), story.wait(0), true);
        QCOMPARE(seconds(whole.from), 2.0);
        QVERIFY(whole.beginSeen);
    }

    /// Of those who wait in a fair lock's queue Redis tells, too.
    void drawsNoKnownWaitTwice_data()
    {
        QTest::addColumn<bool>("queueFirst");
        QTest::newRow("queue first") << true;
        QTest::newRow("client first") << false;
    }

    void drawsNoKnownWaitTwice()
    {
        QFETCH(const bool, queueFirst);
        Story story;
        story.timeline.restart(Start, Start);
        story.hear(1, EventKind::Acquired, B, 1);
        if (queueFirst)
            story.hear(2, EventKind::Queued, A);
        story.timeline.countWaits(waitOf(A, 2));
        if (!queueFirst)
            story.hear(2, EventKind::Queued, A);
        QCOMPARE(story.lane().waits.size(), std::size_t(1));
        story.timeline.countWaits(endOf(A, 3, false));
        QCOMPARE(story.wait(0).to, TimelineSpan::Open);
        story.hear(4, EventKind::WaiterTimedOut, A);
        QCOMPARE(seconds(story.wait(0).to), 4.0);
        QVERIFY(story.wait(0).end == End::TimedOut);

        story.hear(5, EventKind::Queued, A);
        story.timeline.countWaits(waitOf(A, 5));
        story.hear(6, EventKind::Dequeued, A);
        story.timeline.countWaits(endOf(A, 6.25, false));
        QCOMPARE(seconds(story.wait(1).to), 6.0);
        QCOMPARE(story.lane().waits.size(), std::size_t(1));
        QCOMPARE(story.lane().waits.front().spans.size(), std::size_t(2));
    }

    /// No bar leads through what was not seen. Behind it the pictures tell who waits still.
    void cutsKnownWaitsWhereNothingWasSeen_data()
    {
        QTest::addColumn<std::string>("node");
        QTest::newRow("connection lost") << std::string("n1");
        QTest::newRow("not recorded") << std::string();
    }

    void cutsKnownWaitsWhereNothingWasSeen()
    {
        QFETCH(const std::string, node);
        Story story;
        story.timeline.restart(Start, Start);
        EventStore store;
        store.add({ story.event(1, EventKind::Acquired, B, 1) });
        Event gap = story.event(8, EventKind::Gap, {}, {}, node, {});
        gap.ttl = 4s;
        store.add({ gap });
        const OwnerId D{ "d", "1" };
        // The second is over behind the gap, the third in it, and of the fourth all but the beginning is behind it.
        store.waits().add({ waitOf(A, 2), waitOf(B, 2, "over"), waitOf(C, 2, "during"), endOf(C, 6, false, "during"),
            waitOf(D, 7, "after"), endOf(B, 8, {}, "over") });
        story.timeline.catchUp(store);
        const auto spans = [&](const LockName &lock) {
            std::vector<std::tuple<double, double, End, bool>> list;
            for (const TimelineSpan &each : story.lane(lock).waits.at(0).spans)
                list.emplace_back(seconds(each.from), each.to == TimelineSpan::Open ? -1 : seconds(each.to), each.end,
                    each.beginSeen);
            return list;
        };
        using Spans = std::vector<std::tuple<double, double, End, bool>>;
        QVERIFY(spans("it") == (Spans{ { 2, 4, End::NotSeen, true }, { 8, -1, End::None, false } }));
        QVERIFY(spans("over") == (Spans{ { 2, 4, End::NotSeen, true } }));
        QVERIFY(spans("during") == (Spans{ { 2, 4, End::NotSeen, true } }));
        QVERIFY(spans("after") == (Spans{ { 8, -1, End::None, false } }));
        story.timeline.countWaits(endOf(A, 9, true));
        QVERIFY(spans("it").back() == std::tuple(8.0, 9.0, End::Acquired, false));
    }

    void keepsWaitsOfItsOwnWhereCountsWereDropped()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        store.add({ story.event(1, EventKind::Acquired, B, 1) });
        story.timeline.catchUp(store);
        story.timeline.setOwnClients({ { "it", A, true } }, Start + 2s);
        for (std::size_t i = 0; i <= WaitCounts::Most; ++i)
            store.waits().add({ { "other", std::int64_t(i % 2), Start + 4s + Millis(i) } });
        story.timeline.catchUp(store);
        const TimelineSpan &goesOn = story.lane().waits.at(0).spans.back();
        QCOMPARE(goesOn.to, TimelineSpan::Open);
        QCOMPARE(goesOn.from, *story.timeline.countedFrom());
        QVERIFY(!goesOn.beginSeen);
        story.timeline.setOwnClients({ { "it", A, false } }, Start + 300s);
        QCOMPARE(seconds(story.lane().waits.at(0).spans.back().to), 300.0);
    }

    /// What the counts that were dropped led to is known, but not when.
    void keepsKnownWaitsWhoseCountsWereDropped()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        store.add({ story.event(1, EventKind::Acquired, B, 1) });
        store.waits().add({ waitOf(A, 2), waitOf(C, 2.5) });
        story.timeline.catchUp(store);
        store.waits().add({ endOf(C, 3, false) });
        const OwnerId D{ "d", "1" };
        store.waits().add({ waitOf(D, 3.5) });
        for (std::size_t i = 0; i <= WaitCounts::Most; ++i)
            store.waits().add({ { "other", std::int64_t(i % 2), Start + 4s + Millis(i) } });
        store.waits().add({ endOf(A, 1'000, false) });
        story.timeline.catchUp(store);
        std::map<std::string, std::vector<TimelineSpan>> waits;
        for (const TimelineRow &row : story.lane().waits)
            for (const TimelineSpan &span : row.spans)
                waits[story.ownerOf(span)].push_back(span);
        QCOMPARE(waits["a:1"].size(), std::size_t(2));
        QVERIFY(waits["a:1"][0].end == End::NotSeen);
        QCOMPARE(waits["a:1"][1].from, *story.timeline.countedFrom());
        QVERIFY(!waits["a:1"][1].beginSeen);
        QCOMPARE(seconds(waits["a:1"][1].to), 1'000.0);
        QCOMPARE(waits["c:3"].size(), std::size_t(1));
        QVERIFY(waits["c:3"][0].end == End::NotSeen);
        QCOMPARE(waits["d:1"].size(), std::size_t(1));
        QCOMPARE(waits["d:1"][0].from, *story.timeline.countedFrom());
        QVERIFY(waits["d:1"][0].to == TimelineSpan::Open);
    }

    /// What is not known to have been unseen would look as if nothing had happened.
    void knowsNothingOfATimeWhoseGapsItForgot()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        std::vector<Event> events;
        for (int i = 0; i < 1'500; ++i) {
            Event gap = story.event(i * 4 + 2, EventKind::Gap, {}, {}, "n1", {});
            gap.ttl = 2s;
            events.push_back(gap);
        }
        store.add(events);
        story.timeline.catchUp(store);
        for (int i = 0; i < 1'500; ++i) {
            const WallTime unseen = Start + i * 4s + 1s;
            const auto &gaps = story.timeline.gaps();
            const auto gap = firstEndingAfter(gaps, unseen);
            const bool isGap = gap < gaps.size() && gaps[gap].from <= unseen;
            QVERIFY2(isGap || unseen < *story.timeline.knownFrom(), qPrintable(QString::number(i)));
        }
    }

    void marksWhatWasEndedByTimeOrByOthers()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Expired, A, 1);
        story.hear(3, EventKind::Acquired, B, 1);
        story.hear(4, EventKind::ForceReleased, B, 1);
        QCOMPARE(story.lane().marks.size(), std::size_t(2));
        QVERIFY(story.lane().marks[0].kind == EventKind::Expired);
        QVERIFY(story.lane().marks[1].kind == EventKind::ForceReleased);
        QCOMPARE(story.lane().ends, std::int64_t(2));
    }

    void drawsNothingThroughATimeThatWasNotSeen()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Reentered, A, 2);
        story.hear(2, EventKind::Queued, B);
        story.gap(3, 8, "n1");
        QCOMPARE(seconds(story.hold(0).to), 3.0);
        QVERIFY(story.hold(0).end == End::NotSeen);
        QCOMPARE(seconds(story.lane().holds.front().depths.back().to), 3.0);
        QCOMPARE(seconds(story.wait(0).to), 3.0);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1)); // whether it goes on is not known yet
        story.hear(10, EventKind::Renewed, A, 2);
        QCOMPARE(seconds(story.hold(1).from), 10.0);
        QVERIFY(!story.hold(1).beginSeen);
        QCOMPARE(story.hold(1).depth, 2);
    }

    /// Found in the queue by the first look: seen to wait before the gap as after it, however late that is looked at.
    void drawsWaitsThatWereFoundOnBothSidesOfAGap()
    {
        Story story;
        story.hear(1, EventKind::Appeared, A, 1);
        story.hear(1, EventKind::FoundQueued, B);
        story.gap(3, 8, "n1");
        story.hear(10, EventKind::Renewed, A, 1);
        story.hear(12, EventKind::Dequeued, B);
        QCOMPARE(story.ownerOf(story.wait(0)), toString(B));
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        QCOMPARE(seconds(story.wait(0).to), 3.0);
        QVERIFY(!story.wait(0).beginSeen && story.wait(0).end == End::NotSeen);
        QCOMPARE(story.lane().waits.front().spans.size(), std::size_t(1));
        const auto times = story.timeline.unsureTimes(story.lane());
        QVERIFY(std::ranges::any_of(
            times, [](const TimelineGap &each) { return seconds(each.from) == 8.0 && seconds(each.to) == 12.0; }));
    }

    /// Behind somebody who is gone, and so nobody holds it.
    void drawsWaitsThatWereFoundForAFreeLock()
    {
        Story story;
        story.hear(1, EventKind::FoundQueued, A);
        story.hear(1, EventKind::FoundQueued, B);
        story.hear(5, EventKind::Dequeued, A);
        story.hear(6, EventKind::Acquired, B, 1);
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        QCOMPARE(seconds(story.wait(0).to), 5.0);
        QCOMPARE(seconds(story.wait(0, 1).to), 6.0);
        QVERIFY(story.wait(0, 1).end == End::Acquired);
    }

    /// Whoever is told of first.
    void goesOnInTheRowOfBeforeTheGap()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Acquired, B, 1);
        story.gap(3, 8, "n1");
        story.hear(9, EventKind::Renewed, B, 1);
        story.hear(10, EventKind::Renewed, A, 1);
        QCOMPARE(story.lane().holds.size(), std::size_t(2));
        QCOMPARE(story.ownerOf(story.hold(1, 0)), toString(A));
        QCOMPARE(story.ownerOf(story.hold(1, 1)), toString(B));
        story.gap(11, 12, "n1");
        story.hear(13, EventKind::Acquired, C, 1); // takes a row that is free
        story.hear(14, EventKind::Renewed, B, 1);
        QCOMPARE(story.ownerOf(story.hold(2, 0)), toString(C));
        QCOMPARE(story.ownerOf(story.hold(2, 1)), toString(B));
    }

    void doesNotInventWhatEndedOutOfSight()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.gap(3, 8, "n1");
        story.infer(8.1, EventKind::Expired, A);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QVERIFY(story.hold(0).end == End::NotSeen);
        QVERIFY(story.lane().marks.empty()); // when it ran out is not known
    }

    void goesOnWithWhatASnapshotStillShows()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.timeline.observe(*snapshotAt(2, { heldBy(A, 1, true, 1) }));
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        story.gap(3, 8, "n1");
        auto before = snapshotAt(7, { heldBy(A, 1, true, 1) }); // of before the gap was over
        story.timeline.observe(*before);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        story.timeline.observe(*snapshotAt(9, { heldBy(A, 1, true, 1) }));
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QVERIFY(!story.hold(1).beginSeen);
    }

    /// A restart makes two gaps; what was taken in between is seen to go on later.
    void hatchesUntilItIsSeenAgainWhatGoesOn()
    {
        Story story;
        story.gap(1, 5.3, "n1");
        story.infer(5.32, EventKind::Acquired, A);
        story.gap(5.3, 5.34, "n1");
        auto early = snapshotAt(6, { heldBy(A, 5.32, true, 5.32) });
        early->status.lastSweep->finishedAt = monoAt(5.33);
        story.timeline.observe(*early);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        auto times = story.timeline.unsureTimes(story.lane());
        QCOMPARE(times.size(), std::size_t(1));
        QCOMPARE(seconds(times.front().from), 5.34);
        QCOMPARE(times.front().to, TimelineSpan::Open);
        story.timeline.observe(*snapshotAt(9, { heldBy(A, 5.32, true, 5.32) }));
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QVERIFY(!story.hold(1).beginSeen);
        times = story.timeline.unsureTimes(story.lane());
        QCOMPARE(times.size(), std::size_t(1));
        QCOMPARE(seconds(times.front().to), 9.0);
        story.timeline.forgetBefore(Start + 10s);
        QVERIFY(story.timeline.unsureTimes(story.lane()).empty());
    }

    /// Of looks at all keys a snapshot knows the last one alone.
    void goesOnFromTheFirstLookHoweverLateTheTimelineIsOpened()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        Event gap = story.event(8, EventKind::Gap, {}, {}, "n1", {});
        gap.ttl = 5s;
        store.add({ story.event(1, EventKind::Appeared, A, 1), gap });
        for (const auto at : { 2s, 9s, 69s })
            store.lookedAtAll(Start + at);
        story.timeline.catchUp(store);
        auto snapshot = snapshotAt(70, { heldBy(A, 1, false, 1) });
        snapshot->status.lastSweep->finishedAt = monoAt(69);
        story.timeline.observe(*snapshot);
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QCOMPARE(seconds(story.timeline.unsureTimes(story.lane()).front().to), 9.0);
    }

    /// It ended later than all keys were looked at, so it was seen then.
    void goesOnFromALookAlsoWhatHasEndedSince()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        Event gap = story.event(8, EventKind::Gap, {}, {}, "n1", {});
        gap.ttl = 5s;
        store.add({ story.event(1, EventKind::Appeared, A, 1), story.event(1, EventKind::FoundQueued, B),
            story.event(1, EventKind::FoundQueued, C), gap, story.event(8.5, EventKind::Dequeued, C),
            story.event(20, EventKind::Dequeued, B), story.event(21, EventKind::Released, A) });
        store.lookedAtAll(Start + 9s);
        story.timeline.catchUp(store);
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QCOMPARE(seconds(story.hold(1).to), 21.0);
        QCOMPARE(seconds(story.wait(1).from), 9.0);
        QCOMPARE(seconds(story.wait(1).to), 20.0);
        QCOMPARE(story.lane().waits.at(1).spans.size(), std::size_t(1)); // whether that one waited on is not known
        for (const TimelineGap &time : story.timeline.unsureTimes(story.lane()))
            QVERIFY(seconds(time.to) <= 9.0);
    }

    /// What a look at all keys does not find is read after it: an end that is concluded then is what it has found, and
    /// nothing was there any more when sight came back.
    void endsWithTheGapWhatALookBehindItHasFoundToBeOver()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        const auto found = [&](double at, EventKind kind, const std::optional<OwnerId> &owner, const LockName &lock) {
            Event event = story.event(at, kind, owner, {}, "n1", lock);
            event.certainty = Certainty::Inferred;
            return event;
        };
        Event gap = story.event(8, EventKind::Gap, {}, {}, "n1", {});
        gap.ttl = 5s;
        store.add({ story.event(1, EventKind::Appeared, A, 1), story.event(1, EventKind::FoundQueued, B),
            story.event(1, EventKind::FoundQueued, C), story.event(1, EventKind::Appeared, C, 1, "n1", "other"),
            story.event(1, EventKind::Appeared, {}, 7, "n1", "permits"), gap });
        store.waits().add({ { .lock = "other", .count = 3, .at = wallAt(1) } });
        store.lookedAtAll(wallAt(8.002));
        store.add({ found(8.003, EventKind::Deleted, A, "it"), found(8.003, EventKind::Dequeued, B, "it"),
            found(8.003, EventKind::Acquired, C, "it"), found(8.003, EventKind::Deleted, C, "other"),
            found(8.003, EventKind::Deleted, {}, "permits") });
        store.waits().add({ { .lock = "other", .count = 0, .at = wallAt(8.003) } });
        story.timeline.catchUp(store);
        const auto ends = [](const auto &spans) {
            std::vector<double> times;
            for (const auto &span : spans)
                for (const WallTime at : { span.from, std::min(span.to, wallAt(100)) })
                    times.push_back(seconds(at));
            return times;
        };
        const TimelineLane &lane = story.lane();
        QCOMPARE(ends(lane.holds.front().spans), (std::vector<double>{ 1, 3, 8.003, 100 })); // the next one's
        QCOMPARE(lane.holds.size(), std::size_t(1));
        QVERIFY(lane.marks.empty()); // it is not known when that was
        for (const TimelineRow &row : lane.waits)
            QCOMPARE(ends(row.spans), (std::vector<double>{ 1, 3 }));
        QCOMPARE(ends(story.lane("other").holds.front().spans), (std::vector<double>{ 1, 3 }));
        QCOMPARE(ends(story.lane("other").counted), (std::vector<double>{ 1, 3 }));
        std::vector<std::pair<double, std::int64_t>> steps;
        for (const TimelineStep &step : story.lane("permits").steps)
            steps.emplace_back(seconds(step.at), step.value);
        QCOMPARE(steps,
            (std::vector<std::pair<double, std::int64_t>>{
                { 1, 7 }, { 3, TimelineStep::NotKnown }, { 8.003, TimelineStep::Gone } }));
    }

    /// Its release was heard, and it had been there until then.
    void goesOnUntilAnEndThatIsHeardRightBehindALook()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        Event gap = story.event(8, EventKind::Gap, {}, {}, "n1", {});
        gap.ttl = 5s;
        store.add({ story.event(1, EventKind::Appeared, A, 1), gap, story.event(8.1, EventKind::Released, A) });
        store.lookedAtAll(wallAt(8.002));
        story.timeline.catchUp(store);
        QCOMPARE(seconds(story.hold(1).from), 8.002);
        QCOMPARE(seconds(story.hold(1).to), 8.1);
    }

    /// Nothing is told of what did not change, however often sight was lost.
    void goesOnFromEachLookBetweenGaps()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        const auto gap = [&](double from, double to) {
            Event unseen = story.event(to, EventKind::Gap, {}, {}, "n1", {});
            unseen.ttl = Millis(std::llround((to - from) * 1'000));
            return unseen;
        };
        store.add({ story.event(1, EventKind::Appeared, A, 1), story.event(1, EventKind::FoundQueued, B),
            story.event(1, EventKind::Appeared, {}, 7, "n1", "permits"), gap(3, 5), gap(10, 12), gap(14, 15),
            story.event(20, EventKind::Dequeued, B), story.event(20, EventKind::Released, A),
            story.event(20, EventKind::Deleted, {}, {}, "n1", "permits") });
        for (const auto at : { 6s, 16s }) // not between the second and the third
            store.lookedAtAll(Start + at);
        story.timeline.catchUp(store);
        const auto &lane = story.lane();
        for (const auto *row : { &lane.holds.front(), &lane.waits.front() }) {
            std::vector<double> ends;
            for (const TimelineSpan &span : row->spans)
                for (const WallTime at : { span.from, span.to })
                    ends.push_back(seconds(at));
            QCOMPARE(ends, (std::vector<double>{ 1, 3, 6, 10, 16, 20 }));
        }
        std::vector<std::pair<double, std::int64_t>> steps;
        for (const TimelineStep &step : story.lane("permits").steps)
            steps.emplace_back(seconds(step.at), step.value);
        QCOMPARE(steps,
            (std::vector<std::pair<double, std::int64_t>>{ { 1, 7 }, { 3, TimelineStep::NotKnown }, { 6, 7 },
                { 10, TimelineStep::NotKnown }, { 16, 7 }, { 20, TimelineStep::Gone } }));
    }

    /// Between two recordings nobody tells of an end: whoever is held by the next look may have begun before it.
    void goesOnFromNoLookAfterARecordingThatPaused()
    {
        Story story;
        EventStore store;
        Event pause = story.event(8, EventKind::Gap, {}, {}, {}, {});
        pause.ttl = 5s;
        store.add({ story.event(1, EventKind::Appeared, A, 1), story.event(1, EventKind::Appeared, B, 1), pause,
            story.event(8, EventKind::Appeared, B, 1), story.event(20, EventKind::Acquired, A) });
        for (const auto at : { 8s, 15s })
            store.lookedAtAll(Start + at);
        story.timeline.catchUp(store);
        QCOMPARE(story.hold(1).from, Start + 20s);
        QVERIFY(story.hold(1).beginSeen);
        QCOMPARE(seconds(story.hold(1, 1).from), 8.0);
        QCOMPARE(story.hold(1, 1).to, TimelineSpan::Open);
    }

    void goesOnAfterTheLastOfSeveralGaps()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.gap(3, 5, "n1");
        story.gap(6, 8, "n1");
        story.timeline.observe(*snapshotAt(9, { heldBy(A, 1, true, 7) }));
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        const auto times = story.timeline.unsureTimes(story.lane());
        QCOMPARE(times.size(), std::size_t(2));
        QCOMPARE(seconds(times.front().from), 5.0);
        QCOMPARE(seconds(times.front().to), 6.0);
    }

    void hatchesNoLongerThanUntilItWasSeenToBeOver()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.gap(3, 8, "n1");
        story.timeline.observe(*snapshotAt(9, {}));
        const auto times = story.timeline.unsureTimes(story.lane());
        QCOMPARE(times.size(), std::size_t(1));
        QCOMPARE(seconds(times.front().to), 9.0);
        story.infer(9.5, EventKind::Expired, A);
        QCOMPARE(story.timeline.unsureTimes(story.lane()), times);
    }

    void keepsOtherServersThroughAGap()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1, "n1");
        story.hear(1, EventKind::Acquired, B, 1, "n2", "other");
        story.gap(3, 8, "n2");
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
        const TimelineSpan &other = story.lane("other").holds.front().spans.front();
        QCOMPARE(seconds(other.to), 3.0);
        QVERIFY(!story.timeline.concerns(story.timeline.gaps().front(), story.lane()));
        QVERIFY(story.timeline.isWhole(story.timeline.gaps().front(), story.lane("other")));
    }

    /// All keys of all servers are looked at far later.
    void goesOnWhenItsOwnServerWasLookedAt_data()
    {
        QTest::addColumn<bool>("isIndependent");
        QTest::newRow("of a cluster") << false;
        QTest::newRow("of independent servers") << true;
    }
    void goesOnWhenItsOwnServerWasLookedAt()
    {
        QFETCH(bool, isIndependent);
        Story story;
        auto lock = heldBy(A, 1, true, 1);
        lock->node = "n2";
        auto counter = std::make_shared<LockState>(*lock);
        counter->name = "permits";
        counter->kind = synchronizers::Kind::Semaphore;
        counter->holders.clear();
        counter->permits = synchronizers::PermitsReading{ 7, std::nullopt, 0, {} };
        if (isIndependent) {
            lock = onEach(*lock, { "n2" });
            counter = onEach(*counter, { "n2" });
        }
        auto snapshot = snapshotAt(10, { lock, counter });
        setServers(*snapshot, { 5, 9 }); // the other one, which was seen, before the gap was over
        story.timeline.lookAtServers(*snapshot);
        story.hear(1, EventKind::Acquired, A, 1, "n2");
        story.hear(1, EventKind::PermitsChanged, {}, 7, "n2", "permits");
        story.gap(3, 8, "n2");
        story.timeline.observe(*snapshot);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QCOMPARE(seconds(story.timeline.unsureTimes(story.lane()).front().to), 9.0);
        QCOMPARE(story.lane("permits").steps.size(), std::size_t(3));
        QCOMPARE(seconds(story.lane("permits").steps.back().at), 9.0);
    }

    /// Also where the page is opened long after it.
    void goesOnFromTheFirstLookAtItsOwnServer()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        Event gap = story.event(8, EventKind::Gap, {}, {}, "n2", {});
        gap.ttl = 5s;
        store.add({ story.event(1, EventKind::Appeared, A, 1, "n2"), gap,
            story.event(30, EventKind::Released, A, {}, "n2") });
        store.lookedAtAll(Start + 2s);
        store.lookedAtAll(Start + 8100ms, "n1");
        store.lookedAtAll(Start + 9s, "n2");
        store.lookedAtAll(Start + 20s);
        story.timeline.catchUp(store);
        QCOMPARE(seconds(story.hold(1).from), 9.0);
        QCOMPARE(seconds(story.hold(1).to), 30.0);
    }

    void isLostAgainOnOneOfIndependentServers()
    {
        Story story;
        const auto lock = onEach(*heldBy(A, 1, true, 1), { "n2" });
        const auto look = [&](double at, std::optional<double> lostSince = {}) {
            auto snapshot = snapshotAt(at, { lock });
            setServers(*snapshot, { at, lostSince ? *lostSince - 1 : at });
            if (lostSince)
                snapshot->nodes[1].status.staleSince = snapshot->status.staleSince = monoAt(*lostSince);
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        look(2);
        story.gap(3, 8, "n2");
        look(9);
        look(14, 11);
        QVERIFY(story.timeline.unseenSince(story.lane()));
        story.gap(11, 15, "n2");
        look(16);
        std::vector<double> ends;
        for (const TimelineSpan &span : story.lane().holds.front().spans)
            for (const WallTime at : { span.from, std::min(span.to, wallAt(20)) })
                ends.push_back(seconds(at));
        QCOMPARE(ends, (std::vector<double>{ 2, 3, 9, 11, 16, 20 }));
    }

    /// Of two servers that have it one is lost for long, and then the other for a while. A recording tells of both
    /// first and is looked at then; a late page hears of neither's loss before the second is back.
    void goesOnWhereItWasSeenOnOneOfItsServers_data()
    {
        QTest::addColumn<bool>("isAcquired");
        QTest::addColumn<bool>("isRecording");
        QTest::addColumn<bool>("isBack");
        for (const bool isAcquired : { false, true })
            for (const bool isRecording : { false, true })
                for (const bool isBack : { false, true })
                    QTest::addRow("%s, %s, %s", isAcquired ? "acquired" : "first seen",
                        isRecording ? "recorded" : "live", isBack ? "all back" : "one lost")
                        << isAcquired << isRecording << isBack;
    }
    void goesOnWhereItWasSeenOnOneOfItsServers()
    {
        QFETCH(bool, isAcquired);
        QFETCH(bool, isRecording);
        QFETCH(bool, isBack);
        Story story;
        auto held = heldBy(A, 1, true, 1);
        held->waiters.push_back({ B, {}, { monoAt(1), true }, {} });
        const auto lock = onEach(*held, { "n1", "n2" });
        const auto look = [&](double at, double lookedAt, std::optional<double> second) {
            auto snapshot = snapshotAt(at, { lock });
            setServers(*snapshot, { lookedAt, second.value_or(2), at });
            if (isRecording)
                snapshot->status.recordedAt = snapshot->takenAt.wall;
            if (!second)
                snapshot->nodes[1].status.staleSince = snapshot->status.staleSince = monoAt(4);
            story.timeline.lookAtServers(*snapshot);
            return snapshot;
        };
        const auto see = [&](double at, double lookedAt, std::optional<double> second) {
            story.timeline.observe(*look(at, lookedAt, second));
        };
        EventStore store;
        store.heardFrom(Start);
        store.lookedAtAll(Start + 2s, "n1");
        store.lookedAtAll(Start + 2s, "n2");
        const auto hear = [&](const Event &event) {
            store.add({ event });
            story.timeline.catchUp(store);
        };
        const auto lost = [&](double from, double to, const char *node) {
            Event gap = story.event(to, EventKind::Gap, {}, {}, node, {});
            gap.ttl = Millis(std::llround((to - from) * 1'000));
            return gap;
        };
        if (isRecording)
            story.timeline.restart(Start, Start);
        look(1, 1, 1);
        for (const char *node : { "n1", "n2" }) {
            hear(story.event(1, isAcquired ? EventKind::Acquired : EventKind::Appeared, A, 1, node));
            hear(story.event(1, isAcquired ? EventKind::Queued : EventKind::FoundQueued, B, {}, node));
        }
        if (!isRecording)
            for (const double at : { 3.0, 5.0 })
                see(at, 2, at < 4 ? std::optional(2.0) : std::nullopt);
        hear(lost(8, 16, "n1"));
        store.lookedAtAll(Start + 17s, "n1");
        if (!isRecording)
            see(18, 17, {});
        if (isBack) {
            hear(lost(4, 60, "n2"));
            store.lookedAtAll(Start + 61s, "n2");
        }
        see(70, 17, isBack ? std::optional(61.0) : std::nullopt);
        for (const auto *rows : { &story.lane().holds, &story.lane().waits }) {
            QCOMPARE(rows->size(), std::size_t(1));
            std::vector<double> ends;
            for (const TimelineSpan &span : rows->front().spans)
                for (const WallTime at : { span.from, std::min(span.to, wallAt(99)) })
                    ends.push_back(seconds(at));
            QCOMPARE(ends, (std::vector<double>{ 1, 8, 17, 99 }));
            QCOMPARE(rows->front().spans.front().end, End::NotSeen);
            QVERIFY(!rows->front().spans.back().beginSeen);
            QVERIFY(!story.timeline.unseenSince(story.lane(), 0, rows == &story.lane().waits));
        }
        const auto times = story.timeline.unsureTimes(story.lane());
        const auto isHatched = [&](double at) {
            return std::ranges::any_of(
                times, [&](const TimelineGap &time) { return time.from <= wallAt(at) && wallAt(at) < time.to; });
        };
        QVERIFY(!isHatched(7.9) && isHatched(8) && isHatched(15.9) && isHatched(16.9) && !isHatched(17));
        hear(story.event(80, EventKind::Released, A, {}, "n1"));
        QCOMPARE(story.timeline.unseenSince(story.lane(), 0, false), isBack ? std::nullopt : std::optional(wallAt(80)));
        hear(story.event(81, EventKind::Released, A, {}, "n2"));
        QCOMPARE(story.hold(1).end, End::Released);
        QCOMPARE(seconds(story.hold(1).to), 81.0);
    }

    /// Each of its servers is lost once, one after another.
    void isSeenOnTheOthersWhileOneIsLost()
    {
        Story story;
        const auto lock = onEach(*heldBy(A, 1, true, 1), { "n1", "n2", "n3" });
        const auto look = [&](double at) {
            auto snapshot = snapshotAt(at, { lock });
            setServers(*snapshot, { at, at, at });
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        look(2);
        for (int i = 0; i < 6; ++i) {
            story.gap(3 + i * 10, 8 + i * 10, "n" + std::to_string(i % 3 + 1));
            look(10 + i * 10);
        }
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
    }

    /// It stands in the queue of the other one still.
    void waitsUntilItLeftAllOfItsServers()
    {
        Story story;
        for (const char *node : { "n1", "n2" })
            story.hear(1, EventKind::Queued, B, {}, node);
        story.hear(4, EventKind::Dequeued, B, {}, "n2");
        QCOMPARE(story.wait(0).to, TimelineSpan::Open);
        story.gap(6, 8, "n2"); // where it is not any more
        QCOMPARE(story.wait(0).to, TimelineSpan::Open);
        story.hear(9, EventKind::WaiterTimedOut, B, {}, "n1");
        QCOMPARE(seconds(story.wait(0).to), 9.0);
        QCOMPARE(story.wait(0).end, End::TimedOut);
        QCOMPARE(story.lane().waits.front().spans.size(), std::size_t(1));
    }

    /// The second is killed and comes back without it.
    void isOverWhereItsServerCameBackWithoutIt()
    {
        Story story;
        const auto lock = onEach(*heldBy(A, 1, true, 1), { "n1", "n2" });
        const auto look = [&](double at, std::shared_ptr<LockState> seen) {
            auto snapshot = snapshotAt(at, { std::move(seen) });
            setServers(*snapshot, { at, at });
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        look(2, lock);
        story.gap(6, 8, "n2");
        story.gap(5, 9, "n1");
        Event over = story.event(9.1, EventKind::Deleted, A, {}, "n2");
        over.certainty = Certainty::Inferred;
        story.timeline.add(over);
        look(12, onEach(*heldBy(A, 1, true, 11), { "n1" }));
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(0).to), 6.0);
        QCOMPARE(seconds(story.hold(1).from), 11.0);
        QCOMPARE(story.hold(1).to, TimelineSpan::Open);
    }

    /// It was held on the other one still when that was lost: until then, or longer.
    void endsWhereItWasGivenBackOnTheOneThatIsSeen()
    {
        Story story;
        const auto lock = onEach(*heldBy(A, 1, true, 1), { "n1", "n2" });
        auto snapshot = snapshotAt(6, { lock });
        setServers(*snapshot, { 6, 2 });
        snapshot->nodes[1].status.staleSince = snapshot->status.staleSince = monoAt(4);
        story.timeline.lookAtServers(*snapshot);
        story.timeline.observe(*snapshot);
        story.hear(8, EventKind::Released, A, {}, "n1");
        QCOMPARE(seconds(*story.timeline.unseenSince(story.lane(), 0, false)), 8.0);
        story.gap(4, 12, "n2");
        QCOMPARE(seconds(story.hold(0).to), 8.0);
        QCOMPARE(story.hold(0).end, End::NotSeen);
        story.hear(13, EventKind::Released, A, {}, "n2");
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
    }

    /// One of its servers has it all the time, another one again and again.
    void keepsFewTimesInWhichAServerDidNotShowAHold()
    {
        Story story;
        for (const char *node : { "n1", "n2" })
            story.hear(1, EventKind::Acquired, A, 1, node);
        constexpr int Times = 2'000;
        for (int i = 1; i <= Times; ++i) {
            story.hear(i + 1, EventKind::Released, A, {}, "n1");
            story.hear(i + 1.5, EventKind::Acquired, A, 1, "n1");
        }
        const auto kept = [&] { return story.lane().holding.front().unseen.size(); };
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QVERIFY(kept() > 1 && kept() < Times / 4);
        story.timeline.forgetBefore(wallAt(Times));
        QVERIFY(kept() < 4);
    }

    /// Each server tells in order, but not one before another.
    void endsWhereItEndedOnEachOfItsServersThoughOneTellsLate_data()
    {
        QTest::addColumn<EventKind>("kind");
        QTest::addColumn<End>("end");
        QTest::newRow("released") << EventKind::Released << End::Released;
        QTest::newRow("expired") << EventKind::Expired << End::Expired;
    }
    void endsWhereItEndedOnEachOfItsServersThoughOneTellsLate()
    {
        QFETCH(EventKind, kind);
        QFETCH(End, end);
        Story story;
        for (const char *node : { "n1", "n2", "n3" })
            story.hear(1, EventKind::Acquired, A, 3, node);
        for (const char *node : { "n1", "n2" }) {
            story.hear(2, kind, A, {}, node);
            story.hear(2.005, EventKind::Acquired, A, 1, node);
        }
        story.hear(2, kind, A, {}, "n3");
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(0).to), 2.0);
        QCOMPARE(story.hold(0).end, end);
        QCOMPARE(seconds(story.hold(1).from), 2.005);
        QVERIFY(story.hold(1).beginSeen);
        QCOMPARE(story.hold(1).depth, 1);
        QCOMPARE(story.hold(1).to, TimelineSpan::Open);
        QVERIFY(story.timeline.unsureTimes(story.lane()).empty());
        QCOMPARE(story.lane().marks.size(), std::size_t(kind == EventKind::Expired));
    }

    /// Of three servers that have it one is lost; its client lets go and takes it again on the other two, and again. In
    /// a recording the loss is told when that is over.
    void beginsAnewWhereItWasTakenWhileOneOfItsServersIsLost_data()
    {
        QTest::addColumn<bool>("isRecording");
        QTest::addColumn<bool>("isThereStill");
        for (const bool isRecording : { false, true })
            for (const bool isThereStill : { false, true })
                QTest::addRow("%s, %s", isRecording ? "recorded" : "live",
                    isThereStill ? "on the third still" : "not on the third any more")
                    << isRecording << isThereStill;
    }
    void beginsAnewWhereItWasTakenWhileOneOfItsServersIsLost()
    {
        QFETCH(bool, isRecording);
        QFETCH(bool, isThereStill);
        Story story;
        const auto look = [&](double at, const std::vector<std::string> &nodes, bool isLost) {
            std::vector<std::shared_ptr<const LockState>> locks;
            if (!nodes.empty())
                locks.push_back(onEach(*heldBy(A, 1, true, at), nodes));
            auto snapshot = snapshotAt(at, std::move(locks));
            setServers(*snapshot, { at, at, isLost ? 1.2 : at });
            if (isLost)
                snapshot->nodes[2].status.staleSince = monoAt(1.5);
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        const auto tell = [&](double at, EventKind kind) {
            for (const char *node : { "n1", "n2" })
                story.hear(at, kind, A, kind == EventKind::Acquired ? std::optional(1) : std::nullopt, node);
        };
        look(0.5, {}, false);
        story.timeline.lookAtServers(*snapshotAt(1, { onEach(*heldBy(A, 1, true, 1), { "n1" }) }));
        tell(1, EventKind::Acquired);
        story.hear(1, EventKind::Acquired, A, 1, "n3");
        if (!isRecording)
            look(1.9, { "n1", "n2" }, true);
        tell(2, EventKind::Released);
        if (!isRecording)
            QCOMPARE(story.timeline.unseenSince(story.lane(), 0, false), std::optional(wallAt(2)));
        for (const double at : { 8.0, 9.0, 10.0 }) {
            tell(at, EventKind::Acquired);
            if (!isRecording)
                QVERIFY(!story.timeline.unseenSince(story.lane(), 0, false));
            tell(at + 0.5, EventKind::Released);
        }
        story.gap(1.5, 20, "n3");
        const auto isAsTold = [&] {
            const auto &spans = story.lane().holds.front().spans;
            std::vector<double> ends;
            for (const TimelineSpan &span : spans)
                for (const WallTime at : { span.from, std::min(span.to, wallAt(99)) })
                    ends.push_back(seconds(at));
            auto expected = std::vector<double>{ 1, 2, 8, 8.5, 9, 9.5, 10, 10.5 };
            if (ends.size() > expected.size() && isThereStill)
                expected.insert(expected.end(), { 21, ends.back() });
            QCOMPARE(ends, expected);
            QCOMPARE(spans.front().end, End::NotSeen);
            for (std::size_t i = 1; i < 4; ++i) {
                QVERIFY(spans[i].beginSeen);
                QCOMPARE(spans[i].end, End::Released);
            }
            for (const TimelineGap &time : story.timeline.unsureTimes(story.lane()))
                QVERIFY(time.from >= wallAt(2) && time.to <= wallAt(8));
        };
        isAsTold();
        look(21, isThereStill ? std::vector<std::string>{ "n3" } : std::vector<std::string>{}, false);
        isAsTold();
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(isThereStill ? 5 : 4));
        story.hear(30, EventKind::Expired, A, {}, "n3");
        isAsTold();
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(isThereStill ? 5 : 4));
        QCOMPARE(story.lane().marks.size(), std::size_t(isThereStill));
        QVERIFY(story.lane().holding.empty());
        QVERIFY(story.lane().lostHolds.empty());
    }

    /// What it has of before is of the hold that goes on.
    void joinsAServerThatComesBackWithWhatWasTakenAnewElsewhere()
    {
        Story story;
        const auto look = [&](double at, bool isLost) {
            auto snapshot = snapshotAt(at, { onEach(*heldBy(A, 1, true, at), { "n1", "n2" }) });
            setServers(*snapshot, { at, isLost ? 1.2 : at });
            if (isLost)
                snapshot->nodes[1].status.staleSince = monoAt(1.5);
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        look(1, false);
        look(1.9, true);
        story.hear(2, EventKind::Released, A, {}, "n1");
        story.hear(8, EventKind::Acquired, A, 1, "n1");
        story.gap(1.5, 10, "n2");
        look(12, false);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        story.hear(13, EventKind::Released, A, {}, "n1");
        QCOMPARE(story.hold(1).to, TimelineSpan::Open);
        story.hear(13.1, EventKind::Released, A, {}, "n2");
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(1).to), 13.1);
        QCOMPARE(story.hold(1).end, End::Released);
        QVERIFY(story.hold(1).beginSeen);
    }

    /// Both were lost when it was taken anew on the third: what the first tells when it is back says nothing of the
    /// second.
    void tellsOfEachServerThatComesBackByItself()
    {
        Story story;
        const auto look = [&](double at, const std::vector<std::string> &nodes,
                              const std::vector<std::optional<double>> &lookedAt) {
            auto snapshot = snapshotAt(at, { onEach(*heldBy(A, 1, true, at), nodes) });
            setServers(*snapshot, lookedAt);
            for (std::size_t i = 0; i < lookedAt.size(); ++i)
                if (lookedAt[i] < at)
                    snapshot->nodes[i].status.staleSince = monoAt(*lookedAt[i] + 0.3);
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        look(1, { "n1", "n2", "n3" }, { 1, 1, 1 });
        look(2, { "n1", "n3" }, { 2, 1.2, 2 });
        look(3, { "n3" }, { 2.2, 1.2, 3 });
        story.hear(4, EventKind::Released, A, {}, "n3");
        story.hear(5, EventKind::Acquired, A, 1, "n3");
        story.gap(2.5, 6, "n1");
        look(7, { "n1", "n3" }, { 7, 1.2, 7 });
        story.hear(8, EventKind::Released, A, {}, "n1");
        story.hear(8, EventKind::Released, A, {}, "n3");
        story.gap(1.5, 10, "n2");
        look(12, { "n2" }, { 12, 12, 12 });
        QCOMPARE(story.lane().holds.front().spans.back().to, TimelineSpan::Open);
    }

    /// A page that is opened later has no picture of the time between.
    void drawsWhatAServerHadStillThatWasLookedThroughBeforeItEnded()
    {
        Story story;
        EventStore store;
        store.heardFrom(Start);
        auto snapshot = snapshotAt(13, { onEach(*heldBy(B, 1, true, 13), { "n1", "n2" }) });
        setServers(*snapshot, { 11, 11 });
        story.timeline.lookAtServers(*snapshot);
        Event gap = story.event(10, EventKind::Gap, {}, {}, "n2", {});
        gap.ttl = 8s;
        store.add({ story.event(1.5, EventKind::Acquired, A, 1, "n1"),
            story.event(1.5, EventKind::Acquired, A, 1, "n2"), story.event(3, EventKind::Released, A, {}, "n1"),
            story.event(4, EventKind::Acquired, A, 1, "n1"), story.event(5, EventKind::Released, A, {}, "n1"), gap,
            story.event(12, EventKind::Expired, A, {}, "n2") });
        store.lookedAtAll(Start + 11s, "n2");
        story.timeline.catchUp(store);
        const TimelineSpan &last = story.lane().holds.front().spans.back();
        QCOMPARE(seconds(last.from), 11.0);
        QCOMPARE(seconds(last.to), 12.0);
        QCOMPARE(last.end, End::Expired);
    }

    /// Of three servers the second comes back without it, and no event tells of its end there: so after each pause of a
    /// recording.
    void endsWhereItWasGivenBackOnTheServersThatHaveItStill_data()
    {
        QTest::addColumn<QString>("lost");
        QTest::addColumn<bool>("isReadByAnother");
        QTest::newRow("a recording paused") << QString() << false;
        QTest::newRow("another has it there") << QString() << true;
        QTest::newRow("the second was lost") << QStringLiteral("n2") << false;
    }
    void endsWhereItWasGivenBackOnTheServersThatHaveItStill()
    {
        QFETCH(QString, lost);
        QFETCH(bool, isReadByAnother);
        Story story;
        const auto look = [&](double at, const std::shared_ptr<LockState> &lock, double lookedAt) {
            auto snapshot = snapshotAt(at, { lock });
            setServers(*snapshot, { lookedAt, lookedAt, lookedAt });
            story.timeline.lookAtServers(*snapshot);
            story.timeline.observe(*snapshot);
        };
        look(1, onEach(*heldBy(A, 1, true, 1), { "n1", "n2", "n3" }), 1);
        story.gap(5, 10, lost.toStdString());
        auto two = onEach(*heldBy(A, 1, true, 11), { "n1", "n3" });
        if (isReadByAnother) {
            auto another = std::make_shared<LockState>(*heldBy(B, 7, false, 11));
            another->node = "n2";
            two->members.push_back(another);
        }
        look(12, two, isReadByAnother ? 1 : 11.5);
        for (const char *node : { "n1", "n3" })
            story.hear(15, EventKind::Released, A, {}, node);
        const auto &spans = story.lane().holds.front().spans;
        QCOMPARE(spans.size(), std::size_t(lost.isEmpty() ? 2 : 1));
        QCOMPARE(seconds(spans.back().to), 15.0);
        QCOMPARE(spans.back().end, End::Released);
        for (const TimelineGap &time : story.timeline.unsureTimes(story.lane()))
            QVERIFY(time.to <= wallAt(12));
        QVERIFY(!story.timeline.unseenSince(story.lane(), 0, false));
    }

    /// Where a recording goes on it tells of all that is there, before anything else.
    void isNotWhereARecordingThatGoesOnDoesNotTellOfIt_data()
    {
        QTest::addColumn<bool>("isPlayed");
        QTest::newRow("played") << true;
        QTest::newRow("sought") << false;
    }
    void isNotWhereARecordingThatGoesOnDoesNotTellOfIt()
    {
        QFETCH(bool, isPlayed);
        Story story;
        const auto look = [&](double at, const std::vector<std::string> &nodes, std::optional<double> staleSince) {
            auto snapshot = snapshotAt(at, { onEach(*heldBy(A, 1, true, 1), nodes) });
            setServers(*snapshot, { 0.5, 0.5, 0.5 });
            snapshot->status.recordedAt = snapshot->takenAt.wall;
            for (NodeStatus &node : snapshot->nodes)
                if (staleSince)
                    node.status.staleSince = monoAt(*staleSince);
            story.timeline.lookAtServers(*snapshot);
            if (isPlayed)
                story.timeline.observe(*snapshot);
        };
        story.timeline.restart(Start, Start);
        look(1, { "n1", "n2", "n3" }, {});
        for (const char *node : { "n1", "n2", "n3" })
            story.hear(1, EventKind::Acquired, A, 1, node);
        look(6, { "n1", "n2", "n3" }, 4.999);
        story.gap(5, 10, "");
        for (const char *node : { "n1", "n3" })
            story.hear(10, EventKind::Appeared, A, 1, node);
        look(10.1, { "n1", "n3" }, {});
        for (const char *node : { "n1", "n3" })
            story.hear(10.5, EventKind::Released, A, {}, node);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(2));
        QCOMPARE(seconds(story.hold(1).from), 10.0);
        QCOMPARE(seconds(story.hold(1).to), 10.5);
        QCOMPARE(story.hold(1).end, End::Released);
        for (const TimelineGap &time : story.timeline.unsureTimes(story.lane()))
            QVERIFY(time.to <= wallAt(10));
    }

    /// The page is opened after both were lost in turn.
    void goesOnWhereItWasSeenAlsoWhereThePageIsOpenedLate()
    {
        Story story;
        story.timeline.restart(Start, Start);
        auto held = heldBy(A, 1, true, 1);
        held->waiters.push_back({ B, {}, { monoAt(1), true }, {} });
        auto snapshot = snapshotAt(70, { onEach(*held, { "n1", "n2" }) });
        setServers(*snapshot, { 17, 61 });
        story.timeline.lookAtServers(*snapshot);
        story.gap(8, 16, "n1");
        story.gap(4, 60, "n2");
        story.timeline.observe(*snapshot);
        for (const auto *rows : { &story.lane().holds, &story.lane().waits }) {
            QCOMPARE(rows->front().spans.size(), std::size_t(2));
            QCOMPARE(seconds(rows->front().spans[0].from), 1.0);
            QVERIFY(rows->front().spans[0].beginSeen);
            QCOMPARE(seconds(rows->front().spans[0].to), 8.0);
            QCOMPARE(seconds(rows->front().spans[1].from), 17.0);
        }
    }

    /// A recorded moment of such a time shows what was seen last, and that was after the gap before.
    void goesOnBeforeATimeThatIsNotSeen()
    {
        Story story;
        story.timeline.restart(Start, Start);
        EventStore store;
        const auto gap = [&](double from, double to) {
            Event unseen = story.event(to, EventKind::Gap, {}, {}, "n1", {});
            unseen.ttl = Millis(std::llround((to - from) * 1'000));
            return unseen;
        };
        store.add({ story.event(1, EventKind::Appeared, A, 1), story.event(1, EventKind::FoundQueued, B),
            story.event(1, EventKind::Appeared, C, 1, "n1", "gone"),
            story.event(1, EventKind::Appeared, {}, 7, "n1", "permits"), gap(3, 5) });
        store.lookedAtAll(Start + 6s, "n1");
        story.timeline.catchUp(store);
        auto held = heldBy(A, 1, true, 1);
        held->waiters.push_back({ B, {}, { monoAt(1), false }, {} });
        auto counter = heldBy(A, 1, true, 1);
        counter->name = "permits";
        counter->kind = synchronizers::Kind::Semaphore;
        counter->holders.clear();
        counter->permits = synchronizers::PermitsReading{ 7, std::nullopt, 0, {} };
        auto snapshot = snapshotAt(12, { held, counter });
        snapshot->status.recordedAt = snapshot->takenAt.wall;
        setServers(*snapshot, { 6 });
        snapshot->nodes[0].status.staleSince = snapshot->status.staleSince = monoAt(10);
        story.timeline.observe(*snapshot);
        QCOMPARE(seconds(story.hold(1).from), 6.0);
        QCOMPARE(seconds(story.wait(1).from), 6.0);
        QCOMPARE(seconds(story.lane("permits").steps.back().at), 6.0);
        const auto times = story.timeline.unsureTimes(story.lane("gone"));
        QCOMPARE(times.size(), std::size_t(1)); // it was gone by then
        QCOMPARE(seconds(times.front().to), 6.0);
    }

    /// What was held before a gap that began right after another one was not seen in between.
    void goesOnNotBeforeItWasLookedAtBetweenGaps()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.gap(3, 5, "n1");
        auto snapshot = snapshotAt(12, { heldBy(A, 1, true, 1) });
        setServers(*snapshot, { 2 });
        snapshot->nodes[0].status.staleSince = snapshot->status.staleSince = monoAt(5.5);
        story.timeline.observe(*snapshot);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        auto later = snapshotAt(14, { heldBy(A, 1, true, 1) });
        setServers(*later, { 13 });
        story.gap(5.5, 12.5, "n1");
        story.timeline.observe(*later);
        QCOMPARE(seconds(story.hold(1).from), 13.0);
    }

    /// Older recordings of independent servers do not say where it was found, if on several.
    void isOnAllServersWhereNoneIsNamed()
    {
        Story story;
        auto snapshot = snapshotAt(1, { onEach(*heldBy(A, 1, true, 1), { "n1", "n2" }) });
        setServers(*snapshot, { 1, 1 });
        story.timeline.lookAtServers(*snapshot);
        story.hear(1, EventKind::Appeared, A, 1, "");
        story.gap(3, 6, "n2");
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
        QVERIFY(story.timeline.concerns(story.timeline.gaps().front(), story.lane()));
        QVERIFY(!story.timeline.isWhole(story.timeline.gaps().front(), story.lane()));
        story.gap(4, 8, "n1");
        QCOMPARE(seconds(story.hold(0).to), 4.0);
        QCOMPARE(story.hold(0).end, End::NotSeen);
    }

    void beginsARecordedMomentWithWhatIsKnownThen()
    {
        Story story;
        auto snapshot = snapshotAt(10, { heldBy(A, 2, true, 2) });
        snapshot->status.recordedAt = snapshot->takenAt.wall;
        story.timeline.observe(*snapshot);
        QCOMPARE(seconds(*story.timeline.knownFrom()), 10.0);
        QCOMPARE(seconds(story.hold(0).from), 10.0);
        QVERIFY(!story.hold(0).beginSeen);
    }

    void beginsARecordedMomentWithAllThatLedToIt()
    {
        Story story;
        story.timeline.restart(Start + 4s, Start + 4s);
        auto snapshot = snapshotAt(10, { heldBy(A, 2, true, 2) });
        snapshot->status.recordedAt = snapshot->takenAt.wall;
        story.timeline.observe(*snapshot);
        QCOMPARE(seconds(*story.timeline.knownFrom()), 4.0);
        QCOMPARE(seconds(story.hold(0).from), 4.0);
        QVERIFY(!story.hold(0).beginSeen);
    }

    /// It was still held when all had been looked at again, and nothing was told of it since.
    void goesOnFromWhenItWasLookedAtAgain_data()
    {
        QTest::addColumn<bool>("isHeard");
        QTest::newRow("its beginning was heard") << true;
        QTest::newRow("it was held at the first look") << false;
    }
    void goesOnFromWhenItWasLookedAtAgain()
    {
        QFETCH(bool, isHeard);
        Story story;
        story.timeline.restart(Start, Start);
        if (isHeard)
            story.hear(1, EventKind::Acquired, A, 1);
        story.gap(3, 8, "n1");
        auto snapshot = snapshotAt(20, { heldBy(A, 1, true, 1) });
        snapshot->status.recordedAt = snapshot->takenAt.wall;
        snapshot->status.lastSweep->finishedAt = monoAt(9);
        story.timeline.observe(*snapshot);
        const TimelineSpan &last = story.lane().holds.front().spans.back();
        QCOMPARE(seconds(last.from), 9.0);
        QCOMPARE(last.to, TimelineSpan::Open);
        QVERIFY(!last.beginSeen);
    }

    /// The page is opened late: what waited all the time is drawn up to the gap, and from the next that was told of it.
    void drawsAWaitOfTheFirstLookOnBothSidesOfAGap()
    {
        Story story;
        story.hear(1, EventKind::Appeared, A, 1);
        story.gap(3, 8, "n1");
        story.hear(10, EventKind::Renewed, A, 1);
        auto lock = heldBy(A, 1, false, 60);
        lock->kind = synchronizers::Kind::Fair;
        lock->waiters.push_back({ B, std::nullopt, { monoAt(1), false }, true });
        story.timeline.observe(*snapshotAt(70, { lock }));
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        QCOMPARE(seconds(story.wait(0).to), 3.0);
        QVERIFY(!story.wait(0).beginSeen && story.wait(0).end == End::NotSeen);
        QCOMPARE(seconds(story.wait(1).from), 10.0);
        QCOMPARE(story.wait(1).to, TimelineSpan::Open);
        const auto times = story.timeline.unsureTimes(story.lane());
        QVERIFY(std::ranges::any_of(
            times, [](const TimelineGap &time) { return seconds(time.from) == 8 && seconds(time.to) == 10; }));
    }

    /// It stands in the queue, and whether its client waits is not known; whoever listens again is no ghost.
    void knowsTheWaitsOfGhosts()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Queued, B);
        story.hear(3, EventKind::Queued, C);
        const auto look = [&](double at, std::optional<bool> listens) {
            auto lock = heldBy(A, 1, false, at);
            lock->kind = synchronizers::Kind::Fair;
            lock->waiters.push_back({ B, std::nullopt, { monoAt(2), true }, listens });
            lock->waiters.push_back({ C, std::nullopt, { monoAt(3), true }, true });
            story.timeline.observe(*snapshotAt(at, { lock }));
            story.timeline.tellState(*lock);
        };
        const auto ghosts = [&] {
            std::vector<bool> list;
            for (const TimelineRow &row : story.lane().waits)
                list.push_back(row.spans.back().isGhost);
            return list;
        };
        look(4, std::nullopt);
        QCOMPARE(ghosts(), (std::vector<bool>{ false, false }));
        look(5, false);
        QCOMPARE(ghosts(), (std::vector<bool>{ true, false }));
        look(6, true);
        QCOMPARE(ghosts(), (std::vector<bool>{ false, false }));
        look(7, false);
        story.hear(8, EventKind::WaiterTimedOut, B, 0);
        QCOMPARE(ghosts(), (std::vector<bool>{ true, false }));
        const TimelineSpan &wait = story.lane().waits[0].spans.back();
        QCOMPARE(seconds(wait.to), 8.0);
        const TestNames kept;
        const QStringList tip = waitTip(wait, story.timeline, kept.names, Start + 9s, std::nullopt);
        QVERIFY2(tip.join(u'\n').contains(u"a ghost"), qPrintable(tip.join(u'\n')));
    }

    /// The events of their ends tell of them, too, whether anybody looked before or not.
    void knowsTheWaitsOfGhostsThatAreOver()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(2, EventKind::Queued, B);
        story.hear(3, EventKind::Dequeued, B, 0);
        QVERIFY(story.wait(0).isGhost);
        story.hear(4, EventKind::Dequeued, C, 0); // was there when the window came
        QVERIFY(story.wait(0, 1).isGhost);
        story.hear(5, EventKind::Queued, B);
        auto lock = heldBy(A, 1, false, 6);
        lock->kind = synchronizers::Kind::Fair;
        lock->waiters.push_back({ B, std::nullopt, { monoAt(5), true }, false });
        story.timeline.tellState(*lock);
        const auto last = [&] { return story.lane().waits[0].spans.back(); };
        QVERIFY(last().isGhost);
        story.hear(7, EventKind::Released, A);
        story.hear(7, EventKind::Acquired, B, 1); // so its client lives
        QVERIFY(last().end == End::Acquired && !last().isGhost);
    }

    void drawsAWaitThatIsOverBeforeThePageWasOpened()
    {
        Story story;
        story.hear(1, EventKind::Appeared, A, 1);
        story.hear(5, EventKind::Dequeued, B);
        QCOMPARE(seconds(story.wait(0).from), 1.0);
        QCOMPARE(seconds(story.wait(0).to), 5.0);
        QVERIFY(!story.wait(0).beginSeen && story.wait(0).end == End::Left);
        story.gap(6, 8, "n1");
        story.hear(12, EventKind::WaiterTimedOut, C);
        QCOMPARE(seconds(story.wait(1).from), 12.0);
        const auto times = story.timeline.unsureTimes(story.lane());
        QVERIFY(std::ranges::any_of(
            times, [](const TimelineGap &time) { return seconds(time.from) == 8 && seconds(time.to) == 12; }));
    }

    void tellsOnceWhatSnapshotAndEventTell()
    {
        Story story;
        story.hear(0, EventKind::Appeared, B, 1, "n1", "other");
        story.timeline.observe(*snapshotAt(2, { heldBy(A, 1, true, 1) }));
        story.hear(1.01, EventKind::Acquired, A, 1);
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QCOMPARE(story.hold(0).to, TimelineSpan::Open);
        QVERIFY(story.hold(0).beginSeen);
    }

    void doesNotBringBackWhatEndedAfterTheSnapshot()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1);
        story.hear(3, EventKind::Released, A, 1);
        story.timeline.observe(*snapshotAt(2, { heldBy(A, 1, true, 1) }));
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(1));
        QCOMPARE(seconds(story.hold(0).to), 3.0);
    }

    void stepsWithPermitsAndNotThroughAGap()
    {
        Story story;
        story.hear(1, EventKind::Appeared, {}, 5);
        story.hear(2, EventKind::PermitsChanged, {}, 3);
        story.gap(4, 6, "n1");
        story.hear(7, EventKind::PermitsChanged, {}, 4);
        const auto &steps = story.lane().steps;
        QCOMPARE(steps.size(), std::size_t(4));
        QCOMPARE(steps[1].value, std::int64_t(3));
        QCOMPARE(seconds(steps[2].at), 4.0);
        QCOMPARE(steps[2].value, TimelineStep::NotKnown);
        QCOMPARE(story.lane().most, std::int64_t(5));
    }

    /// Of permits that expire Redis tells how many are in use; of others nothing is made up.
    void knowsHowManyPermitsAreInUseWhereRedisTells()
    {
        using synchronizers::Kind;
        Story story;
        const auto hear = [&](double at, std::int64_t free) {
            Event event = story.event(at, at == 1 ? EventKind::Appeared : EventKind::PermitsChanged, {}, free);
            event.lockKind = Kind::PermitExpirableSemaphore;
            story.timeline.add(event);
        };
        const auto read = [&](double at, std::int64_t free, std::optional<std::int64_t> leased) {
            LockState lock;
            lock.name = "it";
            lock.kind = leased ? Kind::PermitExpirableSemaphore : Kind::Semaphore;
            lock.permits = synchronizers::PermitsReading{ free, leased, 0, {} };
            lock.readAt = Start + Millis(std::llround(at * 1'000));
            story.timeline.tellState(lock);
        };
        const auto said = [&](double at) {
            return stepTip(story.lane(), Start + Millis(std::llround(at * 1'000)), Start + 60s).join(u'|');
        };
        hear(1, 4);
        read(2, 4, {}); // as far as it is known
        QVERIFY2(!said(2).contains(QStringLiteral("in use")), qPrintable(said(2)));
        read(2, 4, 1);
        QVERIFY2(said(2).contains(QStringLiteral("in use: 1 of 5")), qPrintable(said(2)));
        hear(3, 2);
        hear(4, 3);
        QVERIFY(!said(4.5).contains(QStringLiteral("of 5"))); // it was not read yet
        read(5, 3, 2);
        QVERIFY2(said(3.5).contains(QStringLiteral("in use: 3 of 5")), qPrintable(said(3.5)));
        QVERIFY(said(4.5).contains(QStringLiteral("in use: 2 of 5")));
        read(7, 5, 2); // two more, read before the event is told
        QVERIFY(said(5.5).contains(QStringLiteral("in use: 2 of 5")));
        hear(6, 4);
        hear(7, 5);
        QVERIFY(said(7).contains(QStringLiteral("in use: 2 of 7")));
        QVERIFY2(!said(6.5).contains(QStringLiteral("of ")), qPrintable(said(6.5))); // of five or of seven
        QCOMPARE(story.lane().most, std::int64_t(5));
        QCOMPARE(story.lane().mostInAll, std::int64_t(7));
    }

    /// A latch is gone when it is counted down, and whoever comes then goes on at once.
    void tellsThatALatchIsOpen()
    {
        using synchronizers::Kind;
        for (const auto kind : { EventKind::CountChanged, EventKind::Deleted, EventKind::Expired }) {
            Story story;
            Event latch = story.event(1, EventKind::Appeared, {}, 2);
            latch.lockKind = Kind::CountDownLatch;
            story.timeline.add(latch);
            Event end = story.event(3, kind, {}, kind == EventKind::CountChanged ? std::optional(0) : std::nullopt);
            end.lockKind = Kind::CountDownLatch;
            story.timeline.add(end);
            const auto said
                = [&](Millis at) { return stepTip(story.lane(), Start + at, Start + 10s).join(QLatin1Char('\n')); };
            QVERIFY2(said(2s).contains(QStringLiteral("still to be counted down: 2")), qPrintable(said(2s)));
            QVERIFY2(said(4s).contains(QStringLiteral("open from")), qPrintable(said(4s)));
            QVERIFY(!said(4s).contains(QStringLiteral("in use")));
        }
        Story found;
        auto lock = std::make_shared<LockState>();
        lock->name = "it";
        lock->kind = Kind::CountDownLatch;
        found.timeline.observe(*snapshotAt(1, { lock }));
        QVERIFY(stepTip(found.lane(), Start + 2s, Start + 3s).front().contains(QStringLiteral("open from")));
    }

    /// Nobody holds a semaphore as a whole: that its key runs out is no hold that ran out.
    void marksNoSemaphoreThatRunsOut()
    {
        Story story;
        Event semaphore = story.event(1, EventKind::Appeared, {}, 2);
        semaphore.lockKind = synchronizers::Kind::Semaphore;
        story.timeline.add(semaphore);
        semaphore.at = Start + 2s;
        semaphore.kind = EventKind::Expired;
        semaphore.count.reset();
        story.timeline.add(semaphore);
        QVERIFY(story.lane().marks.empty());
        QVERIFY(stepTip(story.lane(), Start + 3s, Start + 4s).front().contains(QStringLiteral("does not exist")));
        semaphore.at = Start + 4s;
        semaphore.kind = EventKind::Deleted;
        story.timeline.add(semaphore);
        QCOMPARE(story.lane().marks.size(), std::size_t(1));
    }

    /// A number under a name may be a semaphore, permits or a latch.
    void saysNoMoreOfWhatIsGoneThanWasKnown()
    {
        using synchronizers::Kind;
        Story story;
        Event number = story.event(1, EventKind::Appeared, {}, 2);
        number.lockKind = Kind::Semaphore;
        story.timeline.add(number);
        QCOMPARE(laneKindText(story.lane()), QStringLiteral("Semaphore or other"));
        LockState lock;
        lock.name = "it";
        lock.kind = Kind::Semaphore;
        lock.otherKinds = { Kind::CountDownLatch };
        story.timeline.tellState(lock);
        QCOMPARE(laneKindText(story.lane()), QStringLiteral("Semaphore or other"));
        lock.otherKinds.clear(); // somebody waits at its channel
        story.timeline.tellState(lock);
        number.at = Start + 5s;
        number.kind = EventKind::Deleted;
        story.timeline.add(number);
        QCOMPARE(laneKindText(story.lane()), QStringLiteral("Semaphore"));
        number.lock = "latch";
        number.lockKind = Kind::CountDownLatch;
        story.timeline.add(number);
        QCOMPARE(laneKindText(story.lane("latch")), QStringLiteral("Latch"));
    }

    void catchesUpWithAStoreAndForgetsWhatThatForgets()
    {
        EventStore store(EventStore::Limits{ 100 });
        Story story;
        const auto oneHold = [&](int second) {
            store.add({ story.event(second, EventKind::Acquired, A, 1),
                story.event(second + 0.5, EventKind::Released, A, 1) });
        };
        for (int second = 0; second < 40; ++second)
            oneHold(second);
        story.timeline.catchUp(store);
        QVERIFY(!story.timeline.isBehind(store));
        QCOMPARE(story.lane().holds.front().spans.size(), std::size_t(40));
        for (int second = 40; second < 85; ++second)
            oneHold(second);
        story.timeline.catchUp(store);
        const auto &spans = story.lane().holds.front().spans;
        QVERIFY(spans.size() < 60);
        QCOMPARE(seconds(spans.back().from), 84.0);
        QVERIFY(seconds(*story.timeline.knownFrom()) >= 35);
        for (int second = 85; second < 385; ++second) // more than the store keeps
            oneHold(second);
        story.timeline.catchUp(store);
        QVERIFY(story.lane().holds.front().spans.size() <= 50);
        QVERIFY(seconds(story.hold(0).from) >= 335);
    }

    void forgetsLanesOfWhichNothingIsKept()
    {
        Story story;
        story.hear(1, EventKind::Acquired, A, 1, "n1", "gone");
        story.hear(2, EventKind::Released, A, 1, "n1", "gone");
        story.hear(1, EventKind::Acquired, B, 1, "n1", "held");
        story.timeline.forgetBefore(Start + 10s);
        QVERIFY(!story.timeline.laneOf("gone"));
        QVERIFY(story.timeline.laneOf("held"));
        const auto revision = story.timeline.lanesRevision();
        story.hear(11, EventKind::Acquired, C, 1, "n1", "new");
        QVERIFY(story.timeline.lanesRevision() != revision);
        QCOMPARE(story.timeline.laneCount(), std::size_t(2)); // its place is used again
    }

    void keepsAColourForAClient()
    {
        Story story;
        story.hear(1, EventKind::Acquired, B, 1);
        story.hear(2, EventKind::Acquired, A, 1);
        const auto color = story.timeline.clientColor(story.hold(0, 1).owner);
        story.timeline.clear();
        story.hear(3, EventKind::Acquired, A, 1);
        QCOMPARE(story.timeline.clientColor(story.hold(0).owner), color);
    }

    /// Many came and went; those who hold and wait now can be told apart.
    void givesThoseSeenAtOnceDifferentColours()
    {
        Story story;
        const auto client = [](int i) { return OwnerId{ "client:" + std::to_string(i), "1" }; };
        std::set<std::uint32_t> colors;
        const auto stays = [&](const char *lock, EventKind kind, int i) {
            story.hear(i, kind, client(i), 1, "n1", lock);
            const TimelineLane &lane = story.timeline.lane(*story.timeline.laneOf(lock));
            const auto &rows = kind == EventKind::Queued ? lane.waits : lane.holds;
            colors.insert(story.timeline.clientColor(rows.front().spans.back().owner));
        };
        stays("long", EventKind::Acquired, 1);
        for (int i = 2; i < 20; ++i) {
            story.hear(i, EventKind::Acquired, client(i), 1, "n1", "short");
            story.hear(i, EventKind::Released, client(i), 1, "n1", "short");
        }
        stays("long", EventKind::Queued, 20);
        for (int i = 21; i < 29; ++i)
            stays(("other:" + std::to_string(i)).c_str(), EventKind::Acquired, i);
        QCOMPARE(colors.size(), std::size_t(Timeline::ClientColors));
    }

    /// All colours are in use; the next holder of a lock has not that of the one before it all the same.
    void givesTheNextHolderAnotherColour()
    {
        Story story;
        const auto client = [](std::size_t i) { return OwnerId{ "client:" + std::to_string(i), "1" }; };
        const auto colorIn = [&](const LockName &lock) {
            const TimelineLane &lane = story.timeline.lane(*story.timeline.laneOf(lock));
            return story.timeline.clientColor(lane.holds.front().spans.back().owner);
        };
        const auto lockOf = [](std::size_t i) { return "lock:" + std::to_string(i); };
        for (std::size_t i = 0; i < Timeline::ClientColors; ++i)
            story.hear(1, EventKind::Acquired, client(i), 1, "n1", lockOf(i));
        for (std::size_t i = 0; i < Timeline::ClientColors; ++i) {
            const auto before = colorIn(lockOf(i));
            story.hear(2, EventKind::Released, client(i), 1, "n1", lockOf(i));
            story.hear(2, EventKind::Acquired, client(100 + i), 1, "n1", lockOf(i));
            QVERIFY(colorIn(lockOf(i)) != before);
        }
        // All waits and holds of the lane are looked at, and those of others.
        story.hear(3, EventKind::Queued, client(200), 1, "n1", lockOf(0));
        const TimelineLane &lane = story.timeline.lane(*story.timeline.laneOf(lockOf(0)));
        const auto waits = story.timeline.clientColor(lane.waits.front().spans.back().owner);
        QVERIFY(waits != colorIn(lockOf(0)));
    }

    void showsEachSpanInSomePixel()
    {
        std::vector<TimelineSpan> spans;
        for (int i = 0; i < 10'000; ++i) // ten for each millisecond of a pixel, but for one that is long
            spans.push_back({ .from = Start + Millis(i * 10), .to = Start + Millis(i * 10 + (i == 5'000 ? 10 : 3)) });
        for (const double perPixel : { 1.0, 7.0, 100.0, 333.0 }) {
            const TimeScale scale{ double(Start.time_since_epoch().count()), perPixel, 500 };
            std::vector<bool> drawn(500);
            int edge = 0;
            int pieces = 0;
            visitPieces(spans, scale, TimelineSpan::Open - 1h, [&](int left, int right, std::size_t, std::size_t) {
                QVERIFY(left >= edge && right > left);
                edge = right;
                ++pieces;
                for (int x = left; x < std::min(right, 500); ++x)
                    drawn[static_cast<std::size_t>(x)] = true;
            });
            QVERIFY(pieces <= 500);
            for (const TimelineSpan &span : spans) {
                const auto x = static_cast<int>(scale.pixel(span.from));
                if (x < 500)
                    QVERIFY(drawn[static_cast<std::size_t>(x)]);
            }
        }
    }

    void showsNothingAfterNow()
    {
        const std::vector<TimelineSpan> spans{ { .from = Start, .to = Start + 10s },
            { .from = Start + 20s, .to = Start + 30s } };
        const TimeScale scale{ double(Start.time_since_epoch().count()), 100, 500 };
        int end = 0;
        visitPieces(spans, scale, Start + 5s, [&](int, int right, std::size_t, std::size_t) { end = right; });
        QCOMPARE(end, 50);
    }

    void coloursCanBeReadUpon()
    {
        const auto luminance = [](const QColor &color) {
            const auto linear
                = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
            return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
        };
        for (const bool dark : { false, true }) {
            QCOMPARE(clientColors(dark).size(), Timeline::ClientColors);
            for (const QColor &color : clientColors(dark)) {
                const double a = luminance(color) + 0.05;
                const double b = luminance(textOnClientColors(dark)) + 0.05;
                QVERIFY2(std::max(a, b) / std::min(a, b) >= 4.5, qPrintable(color.name()));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
