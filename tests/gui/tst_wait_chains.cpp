// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/waiting_locks.h"
#include "ui/models/chain_export.h"
#include "ui/models/chain_table_model.h"
#include "ui/models/chain_text.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/text/lock_text.h"

#include <QTest>
#include <algorithm>
#include <random>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

using Locks = std::vector<std::shared_ptr<const LockState>>;

const ChainNode *nodeOf(const WaitChain &chain, const std::string &key)
{
    const auto found = std::ranges::find(chain.nodes, key, &ChainNode::key);
    return found == chain.nodes.end() ? nullptr : &*found;
}

/// `owner a:1 > lock x`, dashed `~`, in a circle `!`
QStringList edgesOf(const WaitChain &chain)
{
    QStringList edges;
    for (const ChainEdge &edge : chain.edges)
        edges << QString::fromStdString(chain.nodes[edge.from].key) + (edge.isSeen ? u'>' : u'~')
                + QString::fromStdString(chain.nodes[edge.to].key) + (edge.isInCycle ? QStringLiteral("!") : QString());
    edges.sort();
    return edges;
}

const WaitCycle Circle{ { ownerOf("b"), "x", ownerOf("a") }, { ownerOf("a"), "y", ownerOf("b") } };

} // namespace

class WaitChainsTest : public QObject {
    Q_OBJECT

    Now m_now = currentNow();
    ViewClock m_clock{ [this] { return m_now.mono; } };
    ChainText m_text{ m_clock };

    WaitChains chainsOf(Locks locks, std::vector<WaitCycle> cycles = {}, const std::vector<KnownWait> &known = {}) const
    {
        auto snapshot = makeSnapshot(m_now, std::move(locks));
        snapshot->analysis = analysisWith(std::move(cycles), m_now.mono);
        return waitChains(*snapshot, m_now.mono, {}, known);
    }
    std::shared_ptr<LockState> fair(const LockName &name, const std::string &holder,
        const std::vector<std::string> &waiters, Millis waits = Millis(10'000)) const
    {
        return fairLock(name, holder, waiters, m_now.mono, waits);
    }

private Q_SLOTS:
    void initTestCase() { m_clock.setReference(m_now); }

    /// Before it was asked who listens, a ghost looks like anybody else; what was lost never becomes less.
    void countsNoTimeOfWhoMayBeAGhost()
    {
        auto lock = fair("x", "a", { "b", "c" }); // 10 s and 9 s
        lock->waiters.front().subscribed.reset();
        const WaitChain unknown = chainsOf({ lock }).chains.front();
        QCOMPARE(m_text.blocked(unknown), QStringLiteral("2?"));
        QCOMPARE(m_text.lost(unknown), QStringLiteral("≥ 9.0 s"));
        QVERIFY(m_text.lostExplanation(unknown, nullptr).contains(ChainText::mayBeGhostsText()));
        lock = fair("x", "a", { "b", "c" });
        lock->waiters.front().subscribed = false;
        const WaitChain known = chainsOf({ lock }).chains.front();
        QCOMPARE(m_text.blocked(known), QStringLiteral("1"));
        QCOMPARE(m_text.lost(known), QStringLiteral("9.0 s"));
    }

    /// The figure of the analysis is of its moment: until the next one it goes on with those who wait still.
    void goesOnWithWhatWasWaited()
    {
        auto lock = fair("x", "a", { "b", "c", "d" });
        lock->waiters[1].subscribed.reset();
        lock->waiters[2].since.at = m_now.mono + Millis(600);
        LockStatistics numbers;
        numbers.blocked = Millis(50'000);
        const auto until = [&](const LockState *seen, Millis later) {
            return waitedInAll(numbers, m_now.mono, seen, m_now.mono + later);
        };
        QCOMPARE(until(lock.get(), Millis(0)), Millis(50'000));
        QCOMPARE(until(lock.get(), Millis(900)), Millis(50'000 + 900 + 300));
        QCOMPARE(until(nullptr, Millis(900)), Millis(50'000));
    }

    /// That a server was lost by then shows later, and those who wait still were counted until then.
    void takesBackWhatWasCountedWhileItsServerWasLost()
    {
        auto lock = fair("x", "a", { "b", "c" });
        lock->waiters[0].since.at = m_now.mono - Millis(30'000);
        lock->waiters[1].since.at = m_now.mono - Millis(1'000);
        LockStatistics numbers;
        numbers.blocked = Millis(50'000); // with 31 s of these
        numbers.blockedUntil = m_now.mono;
        const auto seenUntil
            = [&](Millis before) { return waitedInAll(numbers, m_now.mono, lock.get(), m_now.mono - before); };
        QCOMPARE(seenUntil(Millis(0)), Millis(50'000));
        QCOMPARE(seenUntil(Millis(3'000)), Millis(50'000 - 3'000 - 1'000));
        numbers.blocked -= Millis(4'000);
        numbers.blockedUntil = m_now.mono - Millis(3'000); // it is known by now
        QCOMPARE(seenUntil(Millis(3'000)), Millis(46'000));
        QCOMPARE(seenUntil(Millis(0)), Millis(50'000)); // and it is seen again
    }

    /// Who was not known to listen when that was counted has waited all the same.
    void isNoLessThanTheWaitsInIt()
    {
        auto lock = fair("x", "a", { "b" });
        lock->waiters[0].since.at = m_now.mono - Millis(11'000);
        LockStatistics numbers;
        numbers.blocked = Millis(7'800);
        QCOMPARE(waitedInAll(numbers, m_now.mono, lock.get(), m_now.mono), Millis(11'000));
        QCOMPARE(waitedInAll(numbers, m_now.mono, lock.get(), m_now.mono - Millis(5'000)), Millis(7'800));
    }

    /// As in the detail of that lock, and on the dashboard.
    void writesWhatWasWaitedToTenthsOfASecond()
    {
        auto numbers = std::make_shared<LockStatistics>();
        numbers->lock = "x";
        numbers->blocked = Millis(50'500);
        StatisticsList::Changes counted;
        counted.emplace("x", numbers);
        auto statistics = std::make_shared<StatisticsList>();
        statistics->apply(counted);
        Analysis analysis;
        analysis.at = m_now.mono;
        analysis.statistics = statistics;
        const QString why = m_text.lostExplanation(chainsOf({ fair("x", "a", { "b" }) }).chains.front(), &analysis);
        QVERIFY2(why.contains(QStringLiteral("at least 50.5 s were waited for")), qPrintable(why));
    }

    void isEmptyWhereNobodyWaits()
    {
        QVERIFY(chainsOf({ makeLock("x", m_now.mono), fair("y", "a", {}) }).chains.empty());
    }

    void goesFromTheHeadToTheLast()
    {
        const auto chains = chainsOf({ fair("x", "a", { "b", "c" }), fair("y", "b", { "d" }) }).chains;
        QCOMPARE(chains.size(), std::size_t(1));
        const WaitChain &chain = chains.front();
        QCOMPARE(chain.mainLock, LockName("x"));
        QCOMPARE(chain.blocked, 3);
        QVERIFY(!chain.isBlockedAtLeast);
        QCOMPARE(edgesOf(chain),
            (QStringList{ QStringLiteral("lock x>owner b:1"), QStringLiteral("lock x>owner c:1"),
                QStringLiteral("lock y>owner d:1"), QStringLiteral("owner a:1>lock x"),
                QStringLiteral("owner b:1>lock y") }));
        const std::pair<const char *, int> columns[]
            = { { "owner a:1", 0 }, { "lock x", 1 }, { "owner b:1", 2 }, { "lock y", 3 }, { "owner d:1", 4 } };
        for (const auto &[key, column] : columns)
            QCOMPARE(nodeOf(chain, key)->column, column);
        QVERIFY(nodeOf(chain, "owner a:1")->isHead && !nodeOf(chain, "owner b:1")->isHead);
        QCOMPARE(nodeOf(chain, "owner c:1")->place, 2);
        QCOMPARE(m_text.head(chain), QStringLiteral("a:1"));
        QCOMPARE(m_text.locks(chain), QStringLiteral("x → y"));
    }

    void addsUpWhatWasLost()
    {
        auto lock = fair("x", "a", { "b", "c" }); // 10 s and 9 s
        const auto seen = chainsOf({ lock }).chains.front();
        QCOMPARE(seen.lost.at(m_now.mono).count(), 19'000);
        QCOMPARE(seen.lost.at(m_now.mono + Millis(1'000)).count(), 21'000);
        QCOMPARE(m_text.lost(seen), QStringLiteral("19 s"));
        lock->waiters.front().since.exact = false;
        QCOMPARE(m_text.lost(chainsOf({ lock }).chains.front()), QStringLiteral("≥ 19 s"));
    }

    /// Who holds it now may have held it for a second: what was waited before that is not its doing.
    void addsUpWhatTheWaitersWaitedAndNotWhatTheHolderDid()
    {
        auto lock = fair("x", "a", { "b", "c" }, Millis(60'000));
        lock->holders.front().since = { m_now.mono - Millis(1'100), true };
        const WaitChain chain = chainsOf({ lock }).chains.front();
        QCOMPARE(m_text.title(chain), QStringLiteral("a:1 keeps 2 waiting"));
        QCOMPARE(m_text.detail(chain), QStringLiteral("who waits has waited 1 m 59 s, added up"));
    }

    /// No client of Redisson stands in a queue twice, and whatever else does so waits once.
    void countsTheTimeOfWhoStandsTwiceInAQueueOnce()
    {
        const auto lock = fair("x", "a", { "b", "c", "b" }); // 10 s, 9 s, and 8 s once more
        const WaitChain chain = chainsOf({ lock }).chains.front();
        QCOMPARE(m_text.blocked(chain), QStringLiteral("2"));
        QCOMPARE(m_text.lost(chain), QStringLiteral("19 s"));
        QCOMPARE(edgesOf(chain).count(QStringLiteral("lock x>owner b:1")), 1);
        LockStatistics numbers;
        numbers.blocked = Millis(19'000);
        QCOMPARE(waitedInAll(numbers, m_now.mono, lock.get(), m_now.mono + Millis(1'000)), Millis(21'000));
        std::vector<std::string> crowd{ "c", "d", "e", "f", "g", "h", "i", "i", "k" };
        const WaitChain crowded = chainsOf({ fair("x", "a", crowd) }).chains.front();
        QCOMPARE(nodeOf(crowded, "queue x")->count, 2);
    }

    void countsWhoIsNotKnown()
    {
        const auto chain = chainsOf({ listenedLock("x", "a", 3, m_now.mono) }).chains.front();
        QCOMPARE(
            edgesOf(chain), (QStringList{ QStringLiteral("lock x~listeners x"), QStringLiteral("owner a:1>lock x") }));
        QCOMPARE(m_text.blocked(chain), QStringLiteral("≥ 3"));
        WaitChain doubted = chain; // as the table of locks says it
        doubted.mayBeElsewhere = true;
        QCOMPARE(m_text.blocked(doubted), QStringLiteral("3?"));
        QCOMPARE(m_text.lost(chain), QStringLiteral("unknown"));
        QVERIFY(m_text.nodeLine(*nodeOf(chain, "listeners x")).contains(QStringLiteral("not known")));
    }

    /// Redis does not tell of them, and this program knows them.
    void knowsWhoWaitsHere()
    {
        const std::vector<KnownWait> ours{ { ownerOf("ours"), "x", m_now.mono - Millis(4'000) } };
        const auto chain = chainsOf({ listenedLock("x", "a", 3, m_now.mono) }, {}, ours).chains.front();
        QVERIFY(nodeOf(chain, "owner ours:1"));
        QCOMPARE(m_text.nodeLine(*nodeOf(chain, "owner ours:1")), QStringLiteral("waits 4.0 s"));
        QCOMPARE(nodeOf(chain, "listeners x")->count, 2);
        QCOMPARE(chain.blocked, 3);
        QCOMPARE(m_text.lost(chain), QStringLiteral("≥ 4.0 s")); // how long the others wait is not in it
        const QString why = m_text.lostExplanation(chain, nullptr);
        QVERIFY2(why.contains(QStringLiteral("not known by name")), qPrintable(why));
    }

    /// Redis counts one client instance, and as everywhere others may wait that it does not count.
    void countsThoseWhoWaitHereAloneAsAtLeast()
    {
        const std::vector<KnownWait> ours{ { ownerOf("ours"), "x", m_now.mono - Millis(4'000) } };
        auto lock = listenedLock("x", "a", 1, m_now.mono);
        const auto chain = chainsOf({ lock }, {}, ours).chains.front();
        QCOMPARE(m_text.blocked(chain), QStringLiteral("≥ 1"));
        QCOMPARE(m_text.blocked(chain), waitingText(*lock)); // as the other pages say it
        QCOMPARE(m_text.title(chain), QStringLiteral("a:1 keeps ≥ 1 waiting"));
        QCOMPARE(m_text.lost(chain), QStringLiteral("≥ 4.0 s"));
        QVERIFY(m_text.lostExplanation(chain, nullptr).contains(QStringLiteral("not known by name")));
        const auto rows = chainExport({ &chain }, m_text, m_now, ExportFormat::Csv).rows;
        QCOMPARE(rows.front()[6], std::string("4000"));
        QCOMPARE(rows.front()[7], std::string("at least"));
        const auto objects = chainExport({ &chain }, m_text, m_now, ExportFormat::Json).objects;
        QVERIFY(objects.front().find(R"("lostMs": 4000)") != std::string::npos);
        QVERIFY(objects.front().find(R"("waits": true)") != std::string::npos);
        lock->subscribers.reset(); // whether others wait is not known
        const auto doubted = chainsOf({ lock }, {}, ours).chains.front();
        QCOMPARE(m_text.blocked(doubted), QStringLiteral("≥ 1"));
        QCOMPARE(m_text.lost(doubted), QStringLiteral("≥ 4.0 s"));
    }

    /// Its queue names all who wait for a fair lock: those of ours stand in it like anybody else.
    void countsOneOfOursInAQueueExactly()
    {
        const std::vector<KnownWait> ours{ { ownerOf("ours"), "x", m_now.mono - Millis(10'000) } };
        const auto chain = chainsOf({ fair("x", "a", { "ours" }) }, {}, ours).chains.front();
        QCOMPARE(m_text.blocked(chain), QStringLiteral("1"));
        QCOMPARE(m_text.lost(chain), QStringLiteral("10 s"));
    }

    /// As anybody's wait: while its server is lost, nobody knows how long it goes on.
    void countsAWaitOfOursUpToTheLossOfItsServer()
    {
        auto lost = listenedLock("x", "a", 1, m_now.mono);
        lost->node = "n1";
        auto snapshot = makeSnapshot(m_now, { lost });
        snapshot->nodes.resize(2);
        snapshot->nodes[0].node = "n1";
        snapshot->nodes[0].status.phase = SourcePhase::Stale;
        snapshot->nodes[0].status.staleSince = m_now.mono - Millis(1'000);
        snapshot->nodes[1].node = "n2";
        const std::vector<KnownWait> ours{ { ownerOf("ours"), "x", m_now.mono - Millis(4'000) } };
        const auto chain = waitChains(*snapshot, m_now.mono, {}, ours).chains.front();
        QCOMPARE(m_text.lost(chain), QStringLiteral("≥ 3.0 s"));
        QVERIFY(m_text.nodeLine(*nodeOf(chain, "owner ours:1")).contains(QStringLiteral("3.0 s")));
        const std::vector<KnownWait> later{ { ownerOf("ours"), "x", m_now.mono - Millis(500) } };
        const auto begunLater = waitChains(*snapshot, m_now.mono, {}, later).chains.front();
        QVERIFY(m_text.nodeLine(*nodeOf(begunLater, "owner ours:1")).contains(QStringLiteral("waits ≥ 0")));
    }

    /// The moment that is shown is an earlier one, as while the window is paused.
    void knowsNoWaitOfOursBeforeItBegins()
    {
        const std::vector<KnownWait> ours{ { ownerOf("ours"), "x", m_now.mono + Millis(1'000) } };
        QVERIFY(chainsOf({ makeLock("x", m_now.mono) }, {}, ours).chains.empty());
    }

    void putsMostTimeLostFirst()
    {
        const auto chains = chainsOf({ fair("a", "p", { "q" }, Millis(2'000)), fair("b", "r", { "s" }, Millis(60'000)),
                                         listenedLock("c", "t", 9, m_now.mono) })
                                .chains;
        QCOMPARE(chains.size(), std::size_t(3));
        QCOMPARE(chains[0].mainLock, LockName("b"));
        QCOMPARE(chains[1].mainLock, LockName("a"));
        QCOMPARE(chains[2].mainLock, LockName("c"));
    }

    /// Nobody gets past it, until its own time-out is over.
    void aGhostAtTheHeadKeepsAFreeLock()
    {
        auto lock = fair("x", "a", { "b", "c" });
        lock->holders.clear();
        // A clock keeps its own idea of the wall's time where another differs by no more than reading it in
        // milliseconds.
        const WallTime wallNow = m_clock.wallAt(m_now.mono);
        lock->waiters.front().subscribed = false;
        lock->waiters.front().deadline = wallNow + Millis(235'000);
        const auto ends = [&] { return m_text.ends(chainsOf({ lock }).chains.front()); };
        QCOMPARE(ends(), QStringLiteral("in ≥ 3 m 55 s: a ghost is first in the queue"));
        lock->waiters.front().deadline.reset();
        QCOMPARE(ends(), QStringLiteral("when the ghost at its head is dropped: it has no time-out"));
        lock->waiters.front().deadline = wallNow - Millis(1'000);
        QCOMPARE(ends(), QStringLiteral("when the next one takes it: nobody holds it"));
        lock->waiters.front().deadline = wallNow + Millis(235'000);
        lock->waiters.front().subscribed = true;
        QCOMPARE(ends(), QStringLiteral("when the next one takes it: nobody holds it"));
    }

    /// Its release lets nobody in while a ghost is first.
    void aGhostBehindTheHolderKeepsALockBeyondItsRelease()
    {
        auto lock = fair("x", "a", { "b", "c" });
        lock->lease = Lease::Watchdog;
        lock->waiters.front().subscribed = false;
        lock->waiters.front().deadline = m_clock.wallAt(m_now.mono) + Millis(235'000);
        const auto ends = [&] { return m_text.ends(chainsOf({ lock }).chains.front()); };
        const QString released = QStringLiteral("when released; a watchdog renews it");
        QCOMPARE(ends(), released + QStringLiteral("; for others in ≥ 3 m 55 s: a ghost is first in the queue"));
        lock->waiters.front().deadline = m_clock.wallAt(m_now.mono) - Millis(1'000);
        QCOMPARE(ends(), released);
        lock->waiters.front().subscribed = true;
        QCOMPARE(ends(), released);
    }

    /// Whoever tries next drops the first alone, and stops at the other.
    void severalGhostsAtTheHeadKeepAFreeLockUntilTheLastTimesOut()
    {
        auto lock = fair("x", "a", { "b", "c", "d" });
        lock->holders.clear();
        const WallTime wallNow = m_clock.wallAt(m_now.mono);
        const auto ends = [&] { return m_text.ends(chainsOf({ lock }).chains.front()); };
        const auto line = [&] {
            const auto chain = chainsOf({ lock }).chains.front();
            return m_text.nodeLine(*nodeOf(chain, "lock x"));
        };
        QCOMPARE(line(), QStringLiteral("Fair · free"));
        for (const std::size_t i : { 0U, 1U }) {
            lock->waiters[i].subscribed = false;
            lock->waiters[i].deadline = wallNow + Millis(i == 0 ? 197'000 : 497'000);
        }
        const QString both = QStringLiteral("in ≥ 8 m 17 s: 2 ghosts are first in the queue");
        QCOMPARE(ends(), both);
        QCOMPARE(line(), QStringLiteral("Fair · free, ghosts first"));
        lock->waiters[0].deadline = wallNow - Millis(1'000); // it is overdue, the other is not
        QCOMPARE(ends(), both);
        lock->waiters[0].deadline.reset();
        QCOMPARE(ends(), QStringLiteral("when the ghosts at its head are dropped: one has no time-out"));
        for (const std::size_t i : { 0U, 1U })
            lock->waiters[i].deadline = wallNow - Millis(1'000);
        QCOMPARE(ends(), QStringLiteral("when the next one takes it: nobody holds it"));
        QCOMPARE(line(), QStringLiteral("Fair · free"));
    }

    /// One client holds both, and nothing leads from one to the other: what is true of one is not said of all.
    void saysOfALockWhatIsTrueOfIt()
    {
        auto alice = fair("alice", "a", { "b" });
        auto bob = fair("bob", "a", { "c", "d" });
        alice->holders.front().since = { m_now.mono - Millis(5'000), true };
        bob->holders.front().since = { m_now.mono - Millis(59'000), true };
        alice->lease = Lease::Unknown;
        bob->lease = Lease::Watchdog;
        const auto chain = [&] { return chainsOf({ alice, bob }).chains.front(); };
        QCOMPARE(m_text.locks(chain()), QStringLiteral("bob · alice"));
        QCOMPARE(m_text.ends(chain()),
            QStringLiteral("bob: when released; a watchdog renews it · alice: when released, or in 30.0 s unless "
                           "renewed"));
        const auto head = [&] { return m_text.nodeLine(*nodeOf(chain(), "owner a:1")); };
        QCOMPARE(head(), QStringLiteral("holds 2, one for 59 s"));
        bob->holders.front().since.exact = false;
        QCOMPARE(head(), QStringLiteral("holds 2, one for ≥ 59 s"));
        const WaitChain told = chain();
        const QString tip = m_text.nodeToolTip(*nodeOf(told, "owner a:1"));
        QVERIFY2(tip.contains(QStringLiteral("alice: 5.0 s")) && tip.contains(QStringLiteral("bob: ≥ 59 s")),
            qPrintable(tip));
        const auto exported = chainExport({ &told }, m_text, m_now, ExportFormat::Csv).rows.front();
        QCOMPARE(exported[0], std::string("bob · alice"));
        QCOMPARE(QString::fromStdString(exported[8]), m_text.ends(told));
        QCOMPARE(exported[9], std::string()); // of neither
        const std::string object = chainExport({ &told }, m_text, m_now, ExportFormat::Json).objects.front();
        const std::string ofAlice = "\"ends\": \"when released, or in 30.0 s unless renewed\"";
        const std::string ofBoth = "\"endsAt\": null";
        QVERIFY2(object.find(ofAlice) != std::string::npos, object.c_str());
        QVERIFY2(object.find(ofBoth) != std::string::npos, object.c_str());

        alice->lease = Lease::Watchdog; // alike
        QCOMPARE(m_text.ends(chain()), QStringLiteral("when released; a watchdog renews it"));
    }

    void namesTheLocksAsTheyLeadToEachOther()
    {
        const auto named = [this](Locks locks) { return m_text.locks(chainsOf(std::move(locks)).chains.front()); };
        // b waits for x and holds z; y has no more to do with it than its holder.
        QCOMPARE(named({ fair("x", "a", { "b" }), fair("y", "a", { "c" }), fair("z", "b", { "d" }) }),
            QStringLiteral("x → z · y"));
        QCOMPARE(named({ fair("x", "a", { "b" }), fair("y", "a", { "b" }) }), QStringLiteral("x · y"));
        auto snapshot
            = chainsOf({ fair("x", "a", { "b" }), fair("y", "b", { "a" }), fair("z", "b", { "d" }) }, { Circle });
        QCOMPARE(m_text.locks(snapshot.chains.front()), QStringLiteral("y ⇄ x · z"));
    }

    /// Several who hold something: none of them keeps all of these waiting alone.
    void namesNoOneHeadForAll()
    {
        const auto chain = chainsOf({ fair("x", "a", { "c" }), fair("y", "b", { "c", "d" }) }).chains.front();
        QCOMPARE(m_text.head(chain), QStringLiteral("b:1 and 1 more"));
        QCOMPARE(m_text.title(chain), QStringLiteral("b:1 and 1 more keep 2 waiting"));
    }

    /// Its name stands beside it.
    void tellsWhatALockAtTheHeadHasLeft()
    {
        auto lock = listenedLock("gate", "", 2, m_now.mono);
        lock->holders.clear();
        const auto head = [&] {
            const auto chain = chainsOf({ lock }).chains.front();
            ChainTableModel model(m_text);
            model.setChains(std::make_shared<const WaitChains>(chainsOf({ lock })), {});
            const QModelIndex cell = model.index(0, ChainTableModel::Head);
            return model.data(cell, MonoRole).toBool() ? QStringLiteral("a name") : m_text.head(chain);
        };
        lock->kind = Kind::CountDownLatch;
        lock->count = 2;
        QCOMPARE(head(), QStringLiteral("count 2"));
        lock->count.reset();
        QCOMPARE(head(), QStringLiteral("count 0"));
        lock->kind = Kind::Semaphore;
        QCOMPARE(head(), QStringLiteral("does not exist"));
        lock->permits.emplace();
        lock->permits->overdue = 3;
        QCOMPARE(head(), QStringLiteral("permits free: 3"));
        lock->permits->leased = 17;
        QCOMPARE(head(), QStringLiteral("3 of 20 permits free"));
        lock->permits.reset();
        lock->kind = Kind::Reentrant;
        QCOMPARE(head(), QStringLiteral("nobody holds it"));
    }

    /// Nobody takes a latch, nor a semaphore that has no permits.
    void endsAWaitForALatchAsALatchDoes()
    {
        auto latch = listenedLock("gate", "", 2, m_now.mono);
        latch->kind = synchronizers::Kind::CountDownLatch;
        latch->holders.clear();
        const auto ends = [&] { return m_text.ends(chainsOf({ latch }).chains.front()); };
        const auto open = QStringLiteral("it is open: who waits goes on now, or missed that");
        QCOMPARE(ends(), open);
        latch->count = 0;
        QCOMPARE(ends(), open);
        latch->count = 3;
        QCOMPARE(ends(), QStringLiteral("when counted down: 3 to go"));
        latch->count.reset();
        latch->kind = synchronizers::Kind::Semaphore;
        QCOMPARE(ends(), QStringLiteral("when somebody gives it permits: its key does not exist"));
        latch->permits.emplace();
        QCOMPARE(ends(), QStringLiteral("when a permit is given back"));
        latch->permits->overdue = 2; // whoever tries next takes them back
        QCOMPARE(ends(), QStringLiteral("2 permits are free: who waits needs more, or missed it"));
    }

    void saysThatOnlyGhostsStandInAQueue()
    {
        auto lock = fair("x", "a", { "b", "c" });
        lock->holders.clear();
        for (Waiter &waiter : lock->waiters)
            waiter.subscribed = false;
        const auto title = [&] { return m_text.title(chainsOf({ lock }).chains.front()); };
        QCOMPARE(title(), QStringLiteral("Only ghosts stand in the queue of x"));
        lock = fair("x", "a", { "b", "c" });
        QCOMPARE(title(), QStringLiteral("a:1 keeps 2 waiting"));
        for (Waiter &waiter : lock->waiters)
            waiter.subscribed = false;
        QCOMPARE(title(), QStringLiteral("Only ghosts stand in the queue of x"));
    }

    void leavesGhostsOutOfTheSum()
    {
        auto lock = fair("x", "a", { "b", "c" });
        lock->waiters.back().subscribed = false;
        const auto chain = chainsOf({ lock }).chains.front();
        QCOMPARE(chain.blocked, 1);
        QVERIFY(edgesOf(chain).contains(QStringLiteral("lock x~owner c:1")));
    }

    /// Who is gone waits for nobody, whatever its locks keep waiting.
    void takesAGhostThatHoldsForAHead()
    {
        auto lock = fair("x", "a", { "b" });
        lock->waiters.front().subscribed = false;
        const auto chain = chainsOf({ lock, fair("y", "b", { "a" }) }).chains.front();
        QVERIFY(!chain.isDeadlock() && !chain.isPending());
        QCOMPARE(m_text.head(chain), QStringLiteral("b:1"));
        QVERIFY(edgesOf(chain).contains(QStringLiteral("lock x~owner b:1")));
        QCOMPARE(chain.blocked, 1);
    }

    void findsADeadlock()
    {
        auto first = fair("x", "a", { "b" }, Millis(8'000));
        auto second = fair("y", "b", { "a", "z" }, Millis(5'000));
        const auto all = chainsOf({ first, second, fair("w", "o", { "p" }, Millis(90'000)) }, { Circle });
        QCOMPARE(all.deadlocks, 1);
        const WaitChain &chain = all.chains.front(); // before any other
        QVERIFY(chain.isDeadlock());
        QCOMPARE(chain.blocked, 3);
        const ChainCycle &cycle = chain.cycles.front();
        QCOMPARE(cycle.nodes.size(), std::size_t(4));
        QVERIFY(cycle.since.exact);
        QCOMPARE((m_now.mono - cycle.since.at).count(), 5'000'000); // with the last wait
        const auto edges = edgesOf(chain);
        for (const char *edge :
            { "lock x>owner b:1!", "lock y>owner a:1!", "owner a:1>lock x!", "owner b:1>lock y!", "lock y>owner z:1" })
            QVERIFY2(edges.contains(QString::fromLatin1(edge)), edge);
        QCOMPARE(m_text.head(chain), QStringLiteral("deadlock (inferred)"));
        QVERIFY(m_text.cycleTitle(chain).startsWith(QStringLiteral("Deadlock (inferred) since ")));
    }

    /// Two looks at different moments may only seem to show one.
    /// Each look at the clock gives a later moment: nothing was lost meanwhile.
    void keepsCertaintyWhileTheClockGoesOn()
    {
        MonoTime moment = m_now.mono;
        const ViewClock clock([&moment] { return moment += Millis(1); });
        const ChainText text(clock);
        WaitChain chain;
        chain.cycles.emplace_back().since = { m_now.mono, true };
        QVERIFY(!text.cycleTitle(chain).contains(QStringLiteral("≥")));
        chain.lostSince = m_now.mono;
        QVERIFY(text.cycleTitle(chain).contains(QStringLiteral("≥")));
    }

    void doesNotTakeForADeadlockWhatTheAnalysisDidNotFind()
    {
        const auto chain = chainsOf({ fair("x", "a", { "b" }), fair("y", "b", { "a" }) }).chains.front();
        QVERIFY(!chain.isDeadlock() && chain.isPending());
        QVERIFY(!chain.nodes.front().isInCycle);
        QCOMPARE(nodeOf(chain, "lock x")->column, nodeOf(chain, "lock y")->column); // it is drawn as one
        QVERIFY(m_text.detail(chain).contains(QStringLiteral("not known yet")));
        WaitChain lost = chain;
        lost.lostSince = m_now.mono;
        QVERIFY(m_text.detail(lost).contains(QStringLiteral("was not known by then")));
    }

    void dropsADeadlockThatIsOver()
    {
        const auto over = chainsOf({ fair("x", "a", { "b" }), fair("y", "b", {}) }, { Circle });
        QCOMPARE(over.deadlocks, 0);
        QCOMPARE(m_text.head(over.chains.front()), QStringLiteral("a:1"));
    }

    void tellsWhetherADeadlockEndsByItself_data()
    {
        QTest::addColumn<int>("lease"); // of the second lock
        QTest::addColumn<QString>("told");
        QTest::newRow("all renewed") << int(Lease::Watchdog) << QStringLiteral("only if one gives up waiting");
        QTest::newRow("a fixed lease") << int(Lease::Fixed)
                                       << QStringLiteral("in 30.0 s: the fixed lease of y runs out");
        QTest::newRow("not known") << int(Lease::Unknown) << QStringLiteral("in 30.0 s, unless y is renewed");
    }
    void tellsWhetherADeadlockEndsByItself()
    {
        QFETCH(const int, lease);
        QFETCH(const QString, told);
        auto second = fair("y", "b", { "a" });
        second->lease = static_cast<Lease>(lease);
        const auto chain = chainsOf({ fair("x", "a", { "b" }), second }, { Circle }).chains.front();
        QVERIFY2(m_text.ends(chain).contains(told), qPrintable(m_text.ends(chain)));
        QVERIFY(m_text.cycleTitle(chain).contains(told));
    }

    /// It ends with the first hold in it that does: what prevents that has to be said of all that end then.
    void tellsWhatADeadlockWouldHaveToBeKeptFromEndingBy_data()
    {
        QTest::addColumn<QString>("leases"); // of each lock: its kind, and in how many seconds it ends
        QTest::addColumn<QString>("told");
        QTest::addColumn<QString>("more"); // in the title
        const auto row = [](const char *leases, const char *told, const char *more = "") {
            QTest::newRow(leases) << QString::fromLatin1(leases) << QString::fromLatin1(told)
                                  << QString::fromLatin1(more);
        };
        row("u20 u40", "by itself in 20.0 s, unless l0 is renewed");
        row("u40 u20", "by itself in 20.0 s, unless l1 is renewed");
        row("u20 u20", "by itself in 20.0 s, unless both l0 and l1 are renewed");
        row("u20.3 u20", "by itself in 20.0 s, unless both l1 and l0 are renewed");
        row("u20 u20 u20", "by itself in 20.0 s, unless all 3 that end then are renewed");
        row("u20 u20 u40", "by itself in 20.0 s, unless both l0 and l1 are renewed");
        row("u20 f40",
            "by itself in 20.0 s, unless l0 is renewed; at the latest in 40.0 s: the fixed lease of l1 runs out");
        row("u40 f20", "by itself in 20.0 s: the fixed lease of l1 runs out");
        row("u20.3 f20.5", "by itself in 20.5 s: the fixed lease of l1 runs out"); // as good as the same moment
        row("f40 f20", "by itself in 20.0 s: the fixed lease of l1 runs out");
        row("u20 w10", "by itself in 20.0 s, unless l0 is renewed"); // the watchdog renews the other
        row("w10 w20", "by itself only if one gives up waiting", "all leases are renewed");
        row("n n", "by itself only if one gives up waiting", "no lease in it runs out");
        row("w10 n", "by itself only if one gives up waiting", "each lease is renewed or never runs out");
    }
    void tellsWhatADeadlockWouldHaveToBeKeptFromEndingBy()
    {
        QFETCH(const QString, leases);
        QFETCH(const QString, told);
        QFETCH(const QString, more);
        Locks locks;
        WaitCycle circle;
        const QStringList words = leases.split(QLatin1Char(' '));
        const auto client = [&](qsizetype i) { return "c" + std::to_string(i % words.size()); };
        for (qsizetype i = 0; i < words.size(); ++i) {
            const LockName name = "l" + std::to_string(i);
            auto lock = fair(name, client(i), { client(i + 1) });
            const QChar kind = words[i].front();
            lock->lease = kind == u'f' ? Lease::Fixed : kind == u'u' ? Lease::Unknown : Lease::Watchdog;
            lock->expiresAt.reset();
            if (kind != u'n')
                lock->expiresAt = m_now.mono + Millis(qRound(words[i].mid(1).toDouble() * 1'000));
            lock->holders.front().expiresAt = lock->expiresAt;
            circle.insert(circle.begin(), { ownerOf(client(i + 1)), name, ownerOf(client(i)) });
            locks.push_back(lock);
        }
        const auto chain = chainsOf(locks, { circle }).chains.front();
        QVERIFY(chain.isDeadlock());
        QCOMPARE(m_text.ends(chain), told);
        const QString title = m_text.cycleTitle(chain);
        QVERIFY2(
            title.endsWith(QStringLiteral(" · ends ") + told + (more.isEmpty() ? more : QStringLiteral(" · ") + more)),
            qPrintable(title));
    }

    /// Without it the sentence would promise an end that may not come.
    void aLongNameLeavesTheConditionInSight()
    {
        const LockName name = "dl:" + std::string(150, 'y');
        auto second = fair(name, "b", { "a" });
        second->lease = Lease::Unknown;
        const WaitCycle circle{ { ownerOf("b"), "x", ownerOf("a") }, { ownerOf("a"), name, ownerOf("b") } };
        const auto chain = chainsOf({ fair("x", "a", { "b" }), second }, { circle }).chains.front();
        QVERIFY(chain.isDeadlock());
        const QString ends = m_text.ends(chain);
        QVERIFY2(ends.contains(QStringLiteral("unless dl:")) && ends.contains(QStringLiteral("yy is renewed")),
            qPrintable(ends));
        QVERIFY2(ends.size() < 70, qPrintable(ends));
    }

    void tellsWhenAChainEnds_data()
    {
        QTest::addColumn<int>("how");
        QTest::addColumn<QString>("told");
        QTest::newRow("watchdog") << 0 << QStringLiteral("a watchdog renews it");
        QTest::newRow("fixed") << 1 << QStringLiteral("in 30.0 s: its lease is fixed");
        QTest::newRow("unknown") << 2 << QStringLiteral("or in 30.0 s unless renewed");
        QTest::newRow("endless") << 3 << QStringLiteral("never expires");
        QTest::newRow("free") << 4 << QStringLiteral("nobody holds it");
        QTest::newRow("readers") << 5 << QStringLiteral("the last of 5 releases");
        QTest::newRow("permits") << 6 << QStringLiteral("a permit is given back");
        QTest::newRow("latch") << 7 << QStringLiteral("3 to go");
    }
    void tellsWhenAChainEnds()
    {
        QFETCH(const int, how);
        QFETCH(const QString, told);
        auto lock = how < 5 ? fair("x", "a", { "b" }) : listenedLock("x", "a", 1, m_now.mono);
        lock->lease = how == 1 ? Lease::Fixed : how == 2 ? Lease::Unknown : Lease::Watchdog;
        if (how == 3) {
            lock->expiresAt.reset();
            lock->holders.front().expiresAt.reset();
        }
        if (how == 4 || how > 5)
            lock->holders.clear();
        if (how == 5) {
            lock->kind = Kind::ReadWrite;
            lock->mode = HoldMode::Read;
            for (const char *reader : { "b", "c", "d", "e" }) {
                lock->holders.push_back(lock->holders.front());
                lock->holders.back().owner = ownerOf(reader);
            }
            lock->holders.push_back(lock->holders.front());
            lock->holders.back().owner = ownerOf("gone");
            lock->holders.back().expired = true; // still counted, and releases nothing
        }
        if (how == 6) {
            lock->kind = Kind::Semaphore;
            lock->permits.emplace();
        }
        if (how == 7) {
            lock->kind = Kind::CountDownLatch;
            lock->count = 3;
        }
        const auto chain = chainsOf({ lock }).chains.front();
        QVERIFY2(m_text.ends(chain).contains(told), qPrintable(m_text.ends(chain)));
        if (how == 5)
            QCOMPARE(m_text.head(chain), QStringLiteral("6 readers"));
    }

    /// Other servers are seen: the clock goes on.
    void standsStillWhereItsServerIsLost()
    {
        auto lost = fair("x", "a", { "b" });
        auto seen = fair("y", "c", { "d" });
        lost->node = "n1";
        seen->node = "n2";
        auto snapshot = makeSnapshot(m_now, { lost, seen });
        snapshot->nodes.resize(2);
        for (std::size_t i = 0; i < 2; ++i)
            snapshot->nodes[i].node = i == 0 ? "n1" : "n2";
        snapshot->nodes[0].status.phase = SourcePhase::Stale;
        snapshot->nodes[0].status.staleSince = m_now.mono - Millis(4'000);
        snapshot->nodes[1].status.phase = SourcePhase::Live;
        const auto chains = waitChains(*snapshot, m_now.mono).chains;
        QCOMPARE(chains.size(), std::size_t(2));
        const bool isFirstLost = chains.front().mainLock == "x";
        const WaitChain &stale = chains[isFirstLost ? 0 : 1];
        const WaitChain &live = chains[isFirstLost ? 1 : 0];
        QCOMPARE(m_text.lost(live), QStringLiteral("10 s"));
        QCOMPARE(m_text.lost(stale), QStringLiteral("≥ 6.0 s"));
        const QString waits = m_text.nodeLine(*nodeOf(stale, "owner b:1"));
        QVERIFY2(waits.contains(QStringLiteral("waits ≥ 6.0 s")), qPrintable(waits));
        const auto leftOf
            = [&](const WaitChain &chain) { return m_text.nodeLine(*nodeOf(chain, "lock " + chain.mainLock)); };
        QVERIFY(leftOf(stale) != leftOf(live)); // as much as it had then
        QVERIFY2(m_text.detail(stale).contains(QStringLiteral("as it was")), qPrintable(m_text.detail(stale)));
        QVERIFY(!m_text.detail(live).contains(QStringLiteral("as it was")));
    }

    /// Their queues are known, also of the locks that have no room: nothing is left open by what is not drawn.
    void countsWhatItDoesNotDraw()
    {
        ChainLimits limits;
        limits.nodes = 3;
        const auto drawn = [&](const Locks &locks) {
            const auto snapshot = makeSnapshot(m_now, locks);
            return waitChains(*snapshot, m_now.mono, {}, {}, limits).chains.front();
        };
        const auto first = fair("x", "a", { "b", "c" });
        auto last = fair("y", "c", { "d", "e" });
        QCOMPARE(drawn({ first, last }).nodes.size(), std::size_t(3)); // of seven
        const auto told = [&] { return m_text.detail(drawn({ first, last })); };
        QVERIFY2(told().endsWith(QStringLiteral("not drawn: 3 clients, 1 lock")), qPrintable(told()));
        const QString crowd = m_text.detail(drawn({ fair("x", "a", { "b", "c", "d", "e", "f", "g", "h", "i" }) }));
        QVERIFY2(crowd.endsWith(QStringLiteral("not drawn: 7 clients")), qPrintable(crowd));
        last->waiters.clear();
        last->subscribers = 4; // who is only counted may be more
        QVERIFY2(told().endsWith(QStringLiteral("not drawn: ≥ 5 clients, 1 lock")), qPrintable(told()));
    }

    void showsTheChainsOfWhatIsWanted()
    {
        const auto snapshot
            = makeSnapshot(m_now, { fair("x", "a", { "b" }), fair("y", "b", { "c" }), fair("other", "o", { "p" }) });
        const auto found = waitChains(*snapshot, m_now.mono, [](const LockState &lock) { return lock.name == "y"; });
        QCOMPARE(found.chains.size(), std::size_t(1));
        QCOMPARE(found.chains.front().locks, (std::vector<LockName>{ "x", "y" }));
        QCOMPARE(found.filteredOut, 1);
    }

    void isBounded()
    {
        Locks locks;
        std::vector<std::string> queue;
        for (int i = 0; i < 40; ++i)
            queue.push_back("w" + std::to_string(i));
        for (int i = 0; i < 30; ++i)
            locks.push_back(fair("l" + std::to_string(i), "h" + std::to_string(i), { "v" + std::to_string(i) }));
        locks.push_back(fair("long", "head", queue, Millis(100'000)));
        for (int i = 0; i < 40; ++i)
            locks.push_back(fair("many" + std::to_string(i), "one", { "m" + std::to_string(i) }));
        const auto snapshot = makeSnapshot(m_now, locks);
        ChainLimits limits;
        limits.chains = 10;
        limits.nodes = 50;
        const WaitChains chains = waitChains(*snapshot, m_now.mono, {}, {}, limits);
        QCOMPARE(chains.chains.size(), std::size_t(10));
        QCOMPARE(chains.more, 22);
        ChainCounter counter;
        QCOMPARE(counter.count(*snapshot).chains, 32);
        std::erase_if(locks, [](const auto &lock) { return lock->name.starts_with("l"); });
        locks.push_back(fair("quiet", "somebody", {}));
        QCOMPARE(counter.count(*makeSnapshot(m_now, locks)).chains, 1);
        QCOMPARE(counter.count(*makeSnapshot(m_now, {})).chains, 0);
        QCOMPARE(counter.count(*snapshot).chains, 32);
        for (const WaitChain &chain : chains.chains) {
            QVERIFY(chain.nodes.size() <= 50);
            if (chain.mainLock == "long") {
                QCOMPARE(nodeOf(chain, "queue long")->count, 34);
                QCOMPARE(chain.blocked, 40);
            } else if (chain.nodes.front().key == "owner one:1") {
                QVERIFY(chain.undrawn > 0);
                QCOMPARE(chain.blocked, 40);
            }
        }
    }

    /// Whatever the locks: each edge leads from one node to another, and all who wait are counted once.
    void holdsTogetherWhateverTheLocks()
    {
        std::mt19937 random(4711);
        const auto pick = [&](int most) { return std::uniform_int_distribution(0, most)(random); };
        for (int round = 0; round < 300; ++round) {
            Locks locks;
            std::set<OwnerId> waiting;
            for (int i = 0; i < 8; ++i) {
                const std::string holder = std::string(1, static_cast<char>('a' + pick(9)));
                std::vector<std::string> queue;
                for (int w = pick(4); w > 0; --w)
                    if (const std::string waiter(1, static_cast<char>('a' + pick(9)));
                        waiter != holder && std::ranges::find(queue, waiter) == queue.end()) {
                        queue.push_back(waiter);
                        waiting.insert(ownerOf(waiter));
                    }
                locks.push_back(fair("l" + std::to_string(i), holder, queue));
            }
            const WaitChains chains = chainsOf(locks);
            std::int64_t blocked = 0;
            for (const WaitChain &chain : chains.chains) {
                std::set<std::string> keys;
                for (const ChainNode &node : chain.nodes) {
                    QVERIFY(keys.insert(node.key).second);
                    QVERIFY(!node.parent || *node.parent < chain.nodes.size());
                }
                for (const ChainEdge &edge : chain.edges)
                    QVERIFY(edge.from < chain.nodes.size() && edge.to < chain.nodes.size() && edge.from != edge.to);
                blocked += chain.blocked;
            }
            QCOMPARE(blocked, std::ssize(waiting));
        }
    }
};

QTEST_MAIN(WaitChainsTest)
#include "tst_wait_chains.moc"
