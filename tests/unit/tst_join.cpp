// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/join.h"
#include "lockcore/monitor/quorum_holds.h"
#include "lockcore/monitor/wait_graph.h"
#include "lockcore/synchronizers/key_layout.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;

namespace {

using Lock = std::shared_ptr<const LockState>;

const OwnerId Anna{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId Bert{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };

constexpr MonoTime at(Millis time) { return MonoTime(time); }

Lock lock(const std::string &name, const std::string &node, int slot = 0)
{
    auto state = std::make_shared<LockState>();
    state->name = name;
    state->node = node;
    state->slot = slot;
    return state;
}

Lock held(const std::string &name, const std::string &node, const OwnerId &owner, Millis until)
{
    auto state = std::make_shared<LockState>(*lock(name, node));
    state->holders.push_back({});
    state->holders.front().owner = owner;
    state->holders.front().expiresAt = at(until);
    state->expiresAt = at(until);
    return state;
}

std::shared_ptr<Snapshot> shown(const std::string &node, std::vector<Lock> locks, SourcePhase phase = SourcePhase::Live)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->status.server = node;
    snapshot->status.phase = phase;
    if (phase == SourcePhase::Live)
        snapshot->status.lastSweep.emplace();
    snapshot->locks = std::move(locks);
    snapshot->nodes.resize(1);
    snapshot->nodes.front()
        = { node, NodeRole::Master, {}, {}, static_cast<std::int64_t>(snapshot->locks.size()), snapshot->status };
    return snapshot;
}

QStringList names(const Snapshot &snapshot)
{
    QStringList names;
    for (const Lock &each : snapshot.locks)
        names << QString::fromStdString(each->name + '@' + each->node);
    return names;
}

} // namespace

class TestJoin : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mergesTheNodesByNameAndKeepsWhatIsUnchanged();
    void showsALockThatMovesOnce();
    void forgetsTheLocksOfANodeThatIsGone();
    void countsAQuorumAndEndsItWithTheMajority();
    void joinsTheClientsOfOneRedLockAndSaysThatItIsInferred();
    void standsStillWhenTheLastServerWasSeen();
    void takesTokensForOneHoldThatAreOwners();
    void showsContentionAsThat();
    void tellsTheKeysOfOneServerThoughOthersReadElsewhere();
    void saysWhichServersItCannotSee();
    void knowsNotWhatIsOnAServerBeforeItHasLookedAtAll();
    void joinsAnewWhatIsFoundToBeOutOfSightLater();
    void takesWhatIsSeenWhenAnotherServerIsLostInstead();
    void keepsTheJoinedLockWhileNothingChanges();
    void tellsTheTimeToLiveAsOneServerSawIt();
    void namesTheNodeOfWhatIsMissingAndSumsTheRates();
    void isAsBadAsItsWorstNode_data();
    void isAsBadAsItsWorstNode();
    void failsWhenNobodyTellsWhereTheServersAre();
    void showsChannelsOfEachServerAmongTheFirst();
    void findsADeadlockBetweenTwoServers();
};

void TestJoin::mergesTheNodesByNameAndKeepsWhatIsUnchanged()
{
    Join join("cluster", Sharing::Parts);
    join.setNodes({ { "one", { { 0, 99 } } }, { "two", { { 100, 199 } } } });
    const Lock b = lock("b", "two", 100);
    join.put("one", shown("one", { lock("a", "one"), lock("c", "one") }));
    join.put("two", shown("two", { b, lock("d", "two", 100) }));
    QCOMPARE(names(*join.join({})),
        (QStringList{
            QStringLiteral("a@one"), QStringLiteral("b@two"), QStringLiteral("c@one"), QStringLiteral("d@two") }));

    join.put("one", shown("one", { lock("c", "one"), lock("e", "one") }));
    const auto snapshot = join.join({});
    QCOMPARE(names(*snapshot),
        (QStringList{
            QStringLiteral("b@two"), QStringLiteral("c@one"), QStringLiteral("d@two"), QStringLiteral("e@one") }));
    QCOMPARE(snapshot->locks.front(), b);
    QCOMPARE(snapshot->nodes.at(1).slots, (std::vector<SlotSpan>{ { 100, 199 } }));
    QVERIFY(!join.find("a"));
    QCOMPARE(join.find("b"), b);
}

void TestJoin::showsALockThatMovesOnce()
{
    Join join("cluster", Sharing::Parts);
    join.setNodes({ { "one", { { 0, 99 } } }, { "two", { { 100, 199 } } } });
    join.put("one", shown("one", { lock("a", "one", 50) }));
    join.put("two", shown("two", { lock("a", "two", 50) }));
    QCOMPARE(names(*join.join({})), (QStringList{ QStringLiteral("a@one") }));
    join.setNodes({ { "one", { { 0, 49 } } }, { "two", { { 50, 199 } } } });
    QCOMPARE(names(*join.join({})), (QStringList{ QStringLiteral("a@two") }));
    join.put("one", shown("one", {}));
    QCOMPARE(names(*join.join({})), (QStringList{ QStringLiteral("a@two") }));
    join.setNodes({ { "one", { { 0, 99 } } }, { "two", { { 100, 199 } } } });
    join.put("two", shown("two", {})); // and nobody has it yet
    QCOMPARE(names(*join.join({})), QStringList());
}

void TestJoin::forgetsTheLocksOfANodeThatIsGone()
{
    Join join("sentinels", Sharing::Parts);
    join.setNodes({ { "one", {} } });
    join.put("one", shown("one", { lock("a", "one"), lock("b", "one") }));
    QCOMPARE(join.join({})->locks.size(), std::size_t(2));
    join.setNodes({ { "two", {} } });
    join.put("two", shown("two", { lock("b", "two") }));
    const auto snapshot = join.join({});
    QCOMPARE(names(*snapshot), (QStringList{ QStringLiteral("b@two") }));
    QCOMPARE(snapshot->nodes.size(), std::size_t(1));
}

void TestJoin::countsAQuorumAndEndsItWithTheMajority()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "three", {} }, { "two", {} } });
    join.put("one", shown("one", { held("red", "one", Anna, 10s) }));
    join.put("two", shown("two", { held("red", "two", Anna, 30s) }));
    join.put("three", shown("three", { held("red", "three", Bert, 60s) }));
    auto red = join.join({})->locks[0];
    QCOMPARE(red->quorum, (Quorum{ 2, 0, 3 }));
    QCOMPARE(red->node, std::string());
    QCOMPARE(red->members.size(), std::size_t(3));
    QCOMPARE(red->holders.size(), std::size_t(2));
    QVERIFY(red->holders.at(0).owner == Anna);
    QCOMPARE(red->expiresAt, std::optional(at(10s))); // then one of two is left
    QCOMPARE(red->holders.at(1).expiresAt, std::optional(at(60s)));

    join.put("three", shown("three", { held("red", "three", Anna, 60s) }));
    red = join.join({})->locks[0];
    QCOMPARE(red->quorum, (Quorum{ 3, 0, 3 }));
    QCOMPARE(red->expiresAt, std::optional(at(30s)));
}

void TestJoin::joinsTheClientsOfOneRedLockAndSaysThatItIsInferred()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "three", {} }, { "two", {} } });
    const OwnerId second{ "3e0e77c1-0a1b-4c2d-8e3f-405162738495", Anna.thread };
    const OwnerId third{ "9a0e77c1-0a1b-4c2d-8e3f-405162738495", Anna.thread };
    join.put("one", shown("one", { held("red", "one", Anna, 10s) }));
    join.put("two", shown("two", { held("red", "two", second, 30s) }));
    join.put("three", shown("three", { held("red", "three", third, 60s) }));
    const auto red = join.join({})->locks[0];
    QCOMPARE(red->quorum, (Quorum{ 3, 0, 3 }));
    QCOMPARE(red->expiresAt, std::optional(at(30s))); // then one of three is left
    QCOMPARE(red->holders.size(), std::size_t(3)); // who stands in the hashes is seen, that it is one is not
    const auto holds = quorumHolds(*red);
    QCOMPARE(holds.size(), std::size_t(1));
    QVERIFY(holds.front().inferred && !isContended(holds));
}

/// Else a lock that was read after the first of them was lost had more time left than its whole lease.
void TestJoin::standsStillWhenTheLastServerWasSeen()
{
    Join join("cluster", Sharing::Parts);
    join.setNodes({ { "one", {} }, { "two", {} } });
    const auto lost = [](const std::string &node, std::optional<MonoTime> since) {
        auto snapshot = shown(node, {}, since ? SourcePhase::Stale : SourcePhase::Live);
        for (SourceStatus *status : { &snapshot->status, &snapshot->nodes.front().status })
            status->staleSince = since;
        return snapshot;
    };
    join.put("one", lost("one", at(10s)));
    join.put("two", lost("two", {}));
    QCOMPARE(join.join({})->status.staleSince, std::optional(at(10s)));
    join.put("two", lost("two", at(27s)));
    QCOMPARE(join.join({})->status.staleSince, std::optional(at(27s)));
    auto nodes = join.join({})->nodes;
    nodes.push_back({ "replica", NodeRole::Replica, {}, {}, 0, {} }); // of a cluster, and not watched
    QCOMPARE(joinStaleSince(nodes), std::optional(at(27s)));
}

/// A multi-lock of tokens writes owners, of one client for each server. A token of another library is the same
/// everywhere.
void TestJoin::takesTokensForOneHoldThatAreOwners()
{
    const auto quorumOf = [](const OwnerId &first, const OwnerId &second) {
        std::vector<Lock> members;
        for (const auto &[node, owner] : { std::pair("one", first), std::pair("two", second) }) {
            auto token = std::make_shared<LockState>(*held("red", node, owner, 10s));
            token->kind = Kind::Token;
            members.push_back(std::move(token));
        }
        return quorumHolds(members, 2);
    };
    const auto ours = quorumOf(Anna, { "3e0e77c1-0a1b-4c2d-8e3f-405162738495", Anna.thread });
    QVERIFY(ours.size() == 1 && ours.front().inferred);
    QCOMPARE(quorumOf({ "a1", "" }, { "b2", "" }).size(), std::size_t(2));
    const auto same = quorumOf({ "a1", "" }, { "a1", "" });
    QVERIFY(same.size() == 1 && !same.front().inferred);
}

void TestJoin::showsContentionAsThat()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "three", {} }, { "two", {} } });
    join.put("one", shown("one", { held("red", "one", Anna, 10s) }));
    join.put("two", shown("two", { held("red", "two", Bert, 30s) }));
    join.put("three", shown("three", {}));
    const auto red = join.join({})->locks[0];
    QCOMPARE(red->quorum, (Quorum{ 1, 0, 3 }));
    const auto holds = quorumHolds(*red);
    QCOMPARE(holds.size(), std::size_t(2));
    QVERIFY(isContended(holds) && !holds.front().inferred);
}

void TestJoin::tellsTheKeysOfOneServerThoughOthersReadElsewhere()
{
    const auto readBy = [](const std::string &node, const OwnerId &owner) {
        auto state = std::make_shared<LockState>(*held("red", node, owner, 10s));
        state->holders.front().mode = HoldMode::Read;
        state->hasMainKey = true;
        state->otherKeys = { key_layout::readTimeout("red", owner, 1) };
        return state;
    };
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} } });
    const Lock first = readBy("one", Anna);
    join.put("one", shown("one", { first }));
    join.put("two", shown("two", { readBy("two", Bert) }));
    const auto red = join.join({})->locks[0];
    QCOMPARE(red->holders.size(), std::size_t(2));
    QCOMPARE(keysOf(*red), keysOf(*first));
}

void TestJoin::saysWhichServersItCannotSee()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} }, { "three", {} } });
    for (const char *node : { "one", "two", "three" })
        join.put(node, shown(node, { held("red", node, Anna, 10s) }));
    QCOMPARE(join.join({})->locks[0]->quorum, (Quorum{ 3, 0, 3 }));
    join.put("two", shown("two", { held("red", "two", Anna, 10s) }, SourcePhase::Stale));
    const auto snapshot = join.join({});
    QCOMPARE(snapshot->locks[0]->quorum, (Quorum{ 2, 1, 3 }));
    QCOMPARE(snapshot->locks[0]->members.size(), std::size_t(3));
    QCOMPARE(snapshot->status.phase, SourcePhase::Stale);
}

/// What it has not found so far may be there, until all keys have been looked at.
void TestJoin::knowsNotWhatIsOnAServerBeforeItHasLookedAtAll()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} }, { "three", {} } });
    join.put("one", shown("one", { held("red", "one", Anna, 10s) }));
    join.put("two", shown("two", {}, SourcePhase::Sweeping));
    auto again = shown("three", {}, SourcePhase::Sweeping); // was lost meanwhile
    again->status.lastSweep.emplace();
    again->nodes.front().status = again->status;
    join.put("three", again);
    const auto quorum = [&join] { return join.join({})->locks[0]->quorum; };
    QCOMPARE(quorum(), (Quorum{ 1, 2, 3 }));
    join.put("two", shown("two", { held("red", "two", Anna, 10s) }, SourcePhase::Sweeping));
    QCOMPARE(quorum(), (Quorum{ 2, 1, 3 })); // what it shows is seen
    Snapshot picture = *join.join({});
    std::ranges::find(picture.nodes, "one", &NodeStatus::node)->status.phase = SourcePhase::Stale;
    joinAgain(picture);
    QCOMPARE(picture.locks[0]->quorum, (Quorum{ 1, 2, 3 }));

    join.put("three", shown("three", {}));
    QCOMPARE(quorum(), (Quorum{ 2, 0, 3 }));
    auto refused = shown("three", {}); // its keys may not be looked at
    refused->status.lastSweep.reset();
    refused->nodes.front().status = refused->status;
    join.put("three", refused);
    QCOMPARE(quorum(), (Quorum{ 2, 1, 3 }));
}

/// As a picture of a recording, whose server is known to have been lost by what came after.
void TestJoin::joinsAnewWhatIsFoundToBeOutOfSightLater()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} }, { "three", {} } });
    for (const char *node : { "one", "two", "three" })
        join.put(node, shown(node, { held("all", node, Anna, 10s) }));
    join.put("three", shown("three", { held("all", "three", Anna, 10s), held("one", "three", Anna, 10s) }));
    const auto live = join.join({});
    Snapshot picture = *live;
    joinAgain(picture);
    QVERIFY(std::ranges::equal(picture.locks, live->locks)); // the same ones

    const auto lost = std::ranges::find(picture.nodes, "three", &NodeStatus::node);
    lost->status.phase = SourcePhase::Stale;
    picture.nodes.push_back({ "replica", NodeRole::Replica, {}, {}, 0, {} }); // listed, not watched
    joinAgain(picture);
    join.put("three",
        shown(
            "three", { live->locks.find("all")->members[1], live->locks.find("one")->members[0] }, SourcePhase::Stale));
    const auto seen = join.join({});
    for (const char *name : { "all", "one" })
        QCOMPARE(picture.locks.find(name)->quorum, seen->locks.find(name)->quorum);
    QCOMPARE(picture.locks.find("all")->quorum, (Quorum{ 2, 1, 3 }));
    QCOMPARE(picture.locks.find("one")->quorum, (Quorum{ 0, 1, 3 }));
    QCOMPARE(picture.locks.find("all")->members, live->locks.find("all")->members);

    Snapshot parts;
    parts.locks = { lock("a", "one") };
    joinAgain(parts);
    QVERIFY(!parts.locks.front()->quorum);
}

/// As many as before are lost, but not the same ones.
void TestJoin::takesWhatIsSeenWhenAnotherServerIsLostInstead()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} }, { "three", {} } });
    const Lock ofAnna = held("a", "one", Anna, 30s);
    const Lock ofBert = held("a", "two", Bert, 30s);
    join.put("one", shown("one", { ofAnna }));
    join.put("two", shown("two", { ofBert }, SourcePhase::Stale));
    join.put("three", shown("three", {}));
    QVERIFY(join.join({})->locks.front()->holders.at(0).owner == Anna);
    join.put("one", shown("one", { ofAnna }, SourcePhase::Stale));
    join.put("two", shown("two", { ofBert }));
    const auto joined = join.join({})->locks.front();
    QCOMPARE(joined->holders.size(), std::size_t{ 1 });
    QVERIFY(joined->holders.at(0).owner == Bert);
}

void TestJoin::keepsTheJoinedLockWhileNothingChanges()
{
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} } });
    const Lock one = held("red", "one", Anna, 10s);
    join.put("one", shown("one", { one }));
    join.put("two", shown("two", { held("red", "two", Anna, 10s) }));
    const Lock red = join.join({})->locks[0];
    join.put("one", shown("one", { lock("other", "one"), one }));
    const auto snapshot = join.join({});
    QCOMPARE(snapshot->locks.size(), std::size_t(2));
    QCOMPARE(snapshot->locks[1], red);
}

void TestJoin::tellsTheTimeToLiveAsOneServerSawIt()
{
    Join join("servers", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} } });
    LockState first = *held("a", "one", Anna, 30'000ms);
    LockState second = *held("a", "two", Anna, 20'000ms);
    for (LockState *lock : { &first, &second })
        lock->ttlHistory.clear();
    first.holders.front().since.at = at(2'000ms);
    second.holders.front().since.at = at(1'000ms);
    join.put("one", shown("one", { std::make_shared<LockState>(first) }));
    join.put("two", shown("two", { std::make_shared<LockState>(second) }));
    const auto joined = join.join({})->locks.front();
    QVERIFY(ttlHistoryOf(*joined) == ttlHistoryOf(first));
}

void TestJoin::namesTheNodeOfWhatIsMissingAndSumsTheRates()
{
    Join join("cluster", Sharing::Parts);
    join.setNodes({ { "one", {} }, { "two", {} } });
    for (const char *node : { "one", "two" }) {
        auto snapshot = shown(node, {});
        auto &status = snapshot->nodes.front().status;
        status.rates.renewals = 2;
        status.missingRights = { { Right::Scan } };
        if (node[0] == 't')
            status.missingRights.push_back({ Right::Time });
        status.feed = node[0] == 't' ? Feed::Rereading : Feed::ClientTracking;
        if (node[0] == 't')
            status.feedReason.detours = { { FeedObstacle::TrackingRefused } };
        snapshot->status = status;
        join.put(node, snapshot);
    }
    const auto status = join.join({})->status;
    QCOMPARE(status.rates.renewals, 4.0);
    QCOMPARE(status.missingRights, (std::vector<MissingRight>{ { Right::Scan }, { Right::Time, {}, { "two" } } }));
    QCOMPARE(status.feed, Feed::Rereading);
    QCOMPARE(status.feedReason, (FeedReason{ .detours = { { FeedObstacle::TrackingRefused } }, .node = "two" }));
    QCOMPARE(status.server, std::string("cluster"));
}

void TestJoin::isAsBadAsItsWorstNode_data()
{
    QTest::addColumn<SourcePhase>("one");
    QTest::addColumn<SourcePhase>("two");
    QTest::addColumn<SourcePhase>("both");
    const auto row = [](const char *name, SourcePhase one, SourcePhase two, SourcePhase both) {
        QTest::newRow(name) << one << two << both;
    };
    using enum SourcePhase;
    row("all live", Live, Live, Live);
    row("one sweeps", Live, Sweeping, Sweeping);
    row("one connects", Live, Connecting, Sweeping);
    row("all connect", Connecting, Connecting, Connecting);
    row("one stale", Stale, Live, Stale);
    row("one was never reached", Failed, Live, Stale);
    row("none was ever reached", Failed, Failed, Failed);
}

void TestJoin::isAsBadAsItsWorstNode()
{
    QFETCH(const SourcePhase, one);
    QFETCH(const SourcePhase, two);
    Join join("nodes", Sharing::Copies);
    join.setNodes({ { "one", {} }, { "two", {} } });
    join.put("one", shown("one", {}, one));
    join.put("two", shown("two", {}, two));
    QTEST(join.join({})->status.phase, "both");
}

void TestJoin::failsWhenNobodyTellsWhereTheServersAre()
{
    Join join("cluster", Sharing::Parts);
    QCOMPARE(join.join({})->status.phase, SourcePhase::Connecting);
    join.setTrouble(Error{ ErrorCode::ConnectionRefused, "refused", "connecting" });
    const auto status = join.join({})->status;
    QCOMPARE(status.phase, SourcePhase::Failed);
    QVERIFY(status.error.has_value());
    join.setNodes({ { "one", {} } });
    QCOMPARE(join.join({})->status.phase, SourcePhase::Connecting);
}

void TestJoin::showsChannelsOfEachServerAmongTheFirst()
{
    Join join("deployment", Sharing::Parts);
    join.setNodes({ { "a", { { 0, 100 } } }, { "b", { { 101, 200 } } } });
    const auto withChannels = [](const std::string &node, int number, std::int64_t more) {
        auto snapshot = shown(node, {});
        std::vector<ChannelState> channels;
        for (int i = 0; i < number; ++i)
            channels.push_back({ "redisson_lock__channel:{" + node + std::to_string(i) + "}", node, 1, {} });
        snapshot->channels = std::make_shared<const std::vector<ChannelState>>(std::move(channels));
        snapshot->moreChannels = more;
        return snapshot;
    };
    join.put("a", withChannels("a", 1'000, 70));
    join.put("b", withChannels("b", 2, 5));
    const auto joined = join.join({ at(1ms), {} });
    QCOMPARE(joined->moreChannels, std::int64_t{ 75 });
    QCOMPARE(joined->channels->size(), std::size_t{ 1'002 });
    for (std::size_t i = 0; i < 4; ++i)
        QCOMPARE((*joined->channels)[i].node, std::string(i % 2 == 0 ? "a" : "b"));
}

void TestJoin::findsADeadlockBetweenTwoServers()
{
    const auto queue
        = [](const std::string &name, const std::string &node, const OwnerId &holder, const OwnerId &waiter, int slot) {
              auto state = std::make_shared<LockState>(*held(name, node, holder, 60s));
              state->kind = Kind::Fair;
              state->slot = slot;
              state->waiters.push_back({ waiter, {}, {}, true });
              return state;
          };
    Join join("deployment", Sharing::Parts);
    join.setNodes({ { "a", { { 0, 100 } } }, { "b", { { 101, 200 } } } });
    const auto cycles = [&join](Millis time) {
        const auto joined = join.join({ at(time), {} });
        return waitGraph({ joined->locks.begin(), joined->locks.end() }).cycles;
    };
    join.put("a", shown("a", { queue("order", "a", Anna, Bert, 7) }));
    QVERIFY(cycles(1ms).empty());
    join.put("b", shown("b", { queue("stock", "b", Bert, Anna, 107) }));
    QCOMPARE(cycles(2ms), (std::vector<WaitCycle>{ { { Bert, "order", Anna }, { Anna, "stock", Bert } } }));
    join.put("b", shown("b", {}));
    QVERIFY(cycles(3ms).empty());
}

QTEST_APPLESS_MAIN(TestJoin)
#include "tst_join.moc"
