// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/quorum_holds.h"
#include "tests/interop/pair_test.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_servers.h"

#include <QElapsedTimer>

using namespace interop;
using namespace lockcore::monitor;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int LongMs = 30'000; // nothing runs out within a test
constexpr int SoonMs = 15'000; // not without a message, or a round of its own
constexpr int WatchdogMs = 2'000;
constexpr int Majority = 2;

} // namespace

/// RedLocks of lockcore and of Redisson on the same three servers, in both directions.
/// Redisson 4.7.0 calls its RedissonRedLock deprecated, but it is still what it was: content with a majority. Its
/// release reports success whoever asks.
class InteropRedLockTest : public PairTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson4);
        QVERIFY(m_servers.start());
    }

    void init()
    {
        for (std::size_t i = m_down; i < m_servers.size(); ++i)
            m_servers[i].cli({ u"flushall"_s });
    }

    void wakesTheOtherByItsRelease_data() { eachPair(); }
    void wakesTheOtherByItsRelease()
    {
        QCOMPARE(one().ask("lock 1 red job - -"), "acquired");
        QCOMPARE(held("job", one()), 3);
        QCOMPARE(other().ask("lock 1 red job - 0"), "refused");
        const QByteArray waiting = other().start("lock 1 red job - -");
        QTRY_VERIFY_WITH_TIMEOUT(isAwaited("job"), SoonMs);
        QCOMPARE(one().ask("unlock 1 red job"), "ok");
        QCOMPARE(other().answer(waiting, SoonMs), "acquired");
        QVERIFY(held("job", other()) >= Majority);
        QCOMPARE(other().ask("unlock 1 red job"), "ok");
        QTRY_COMPARE(leftovers(), QByteArray());
    }

    /// Both have a client, and so an id, for each server.
    void isSeenAsOneHold_data()
    {
        QTest::addColumn<Language>("holding");
        QTest::newRow("lockcore") << Language::Cpp;
        QTest::newRow("Redisson") << Language::Redisson4;
    }
    void isSeenAsOneHold()
    {
        QFETCH(Language, holding);
        Deployment deployment;
        deployment.topology = Topology::Nodes;
        for (std::size_t i = 0; i < m_servers.size(); ++i)
            deployment.seeds.push_back(m_servers[i].endpoint());
        MonitorWatch before(deployment); // sees it being taken
        QTRY_VERIFY_WITH_TIMEOUT(before.isLiveAndSwept(), SoonMs);
        QCOMPARE(peer(holding).ask("lock 1 red job - -"), "acquired");
        MonitorWatch after(deployment);
        for (MonitorWatch *watch : { &before, &after }) {
            QTRY_VERIFY_WITH_TIMEOUT(watch->isLiveAndSwept() && watch->lock("job"), SoonMs);
            QTRY_COMPARE_WITH_TIMEOUT(watch->lock("job")->quorum, (Quorum{ 3, 0, 3 }), SoonMs);
            const auto holds = quorumHolds(*watch->lock("job"));
            QCOMPARE(holds.size(), std::size_t(1));
            QVERIFY(holds.front().inferred);
        }
        QCOMPARE(peer(holding).ask("unlock 1 red job"), "ok");
        QTRY_VERIFY(!before.lock("job"));
    }

    void refusesTheOthersRelease_data() { eachPair(); }
    void refusesTheOthersRelease()
    {
        QFETCH(Language, asking);
        QCOMPARE(one().ask("lock 1 red job - -"), "acquired");
        const QByteArray refused = other().ask("unlock 1 red job");
        QVERIFY2(asking != Language::Cpp || isNotHeld(refused), refused.constData());
        QCOMPARE(held("job", one()), 3);
        QCOMPARE(one().ask("unlock 1 red job"), "ok");
    }

    void givesItsMembersTheLeaseInTheEnd_data() { eachPair(); }
    void givesItsMembersTheLeaseInTheEnd()
    {
        QCOMPARE(one().ask("lock 1 red job 60000 5000"), "acquired");
        for (std::size_t i = 0; i < m_servers.size(); ++i) {
            QTRY_VERIFY(left(i, "job") > 20'000); // 10 s while they were collected
            QVERIFY(left(i, "job") <= 60'000);
        }
        QCOMPARE(one().ask("unlock 1 red job"), "ok");
    }

    void givesBackAMinority_data() { eachPair(); }
    void givesBackAMinority()
    {
        for (const std::size_t taken : { std::size_t(0), std::size_t(2) })
            m_servers[taken].cli({ u"hset"_s, u"job"_s, u"somebody:1"_s, u"1"_s });
        QCOMPARE(one().ask("lock 1 red job - 0"), "refused");
        QCOMPARE(one().ask("lock 1 red job - 900"), "refused");
        QTRY_COMPARE(m_servers[1].cli({ u"exists"_s, u"job"_s }), "0");
        QCOMPARE(m_servers.held("job"), Majority);
    }

    void isGotByOneAtATime()
    {
        PeerProcess *const both[]{ &peer(Language::Cpp), &peer(Language::Redisson4) };
        for (int round = 0; round < 5; ++round) {
            QByteArray waiting[]{ both[0]->start("lock 1 red job - -"), both[1]->start("lock 1 red job - -") };
            QTRY_VERIFY_WITH_TIMEOUT(both[0]->isAnswered(waiting[0]) || both[1]->isAnswered(waiting[1]), LongMs);
            const int first = both[0]->isAnswered(waiting[0]) ? 0 : 1;
            QVERIFY(held("job", *both[first]) >= Majority);
            QVERIFY(!both[1 - first]->isAnswered(waiting[1 - first]));
            QCOMPARE(both[first]->ask("unlock 1 red job"), "ok");
            QCOMPARE(both[1 - first]->answer(waiting[1 - first], LongMs), "acquired");
            QVERIFY(held("job", *both[1 - first]) >= Majority);
            QCOMPARE(both[1 - first]->ask("unlock 1 red job"), "ok");
        }
        QTRY_COMPARE(leftovers(), QByteArray());
    }

    void isGotWithoutAMinority_data() { eachPair(); }
    void isGotWithoutAMinority()
    {
        loseServers(1);
        QCOMPARE(one().ask("lock 1 red job - -"), "acquired");
        QCOMPARE(other().ask("lock 1 red job - 0"), "refused");
        const QByteArray waiting = other().start("lock 1 red job - -");
        QTRY_VERIFY_WITH_TIMEOUT(isAwaited("job"), SoonMs);
        QCOMPARE(one().ask("unlock 1 red job"), "ok");
        QCOMPARE(other().answer(waiting, SoonMs), "acquired");
        QCOMPARE(held("job", other()), Majority);
        QCOMPARE(other().ask("unlock 1 red job"), "ok");
        QTRY_COMPARE(leftovers(), QByteArray());
    }

    void isNotGotWithoutAMajority_data() { eachPair(); }
    void isNotGotWithoutAMajority()
    {
        loseServers(2);
        QVERIFY(one().ask("lock 1 red job - 0") != "acquired");
        QTRY_COMPARE(leftovers(), QByteArray());
        QVERIFY(one().ask("lock 1 red job - 900") != "acquired");
        QTRY_COMPARE(leftovers(), QByteArray());
    }

    /// The last: all is new for it, servers and peers.
    void isFreeOneLeaseAfterTheHolderDied_data() { eachPair(); }
    void isFreeOneLeaseAfterTheHolderDied()
    {
        QVERIFY(m_servers.reset());
        m_down = 0;
        for (PeerProcess *each : { &one(), &other() })
            QVERIFY(each->connectTo(urls(), WatchdogMs, "independent"));
        QCOMPARE(one().ask("lock 1 red job - -"), "acquired");
        const QByteArray waiting = other().start("lock 1 red job - -");
        QVERIFY2(other().answer(waiting, 3 * WatchdogMs / 2).isNull(), "it is renewed for as long as the holder lives");
        QFETCH(Language, holding);
        kill(holding);
        QElapsedTimer since;
        since.start();
        QCOMPARE(other().answer(waiting, SoonMs), "acquired");
        QVERIFY2(since.elapsed() > WatchdogMs / 3, "not before the lease was over");
        QVERIFY(held("job", other()) >= Majority);
    }

private:
    static void eachPair() { addPairs(pairsWith({ Language::Redisson4 })); }
    void connectPeer(PeerProcess &peer, int) override { peer.connectTo(urls(), LongMs, "independent"); }

    QString urls()
    {
        QStringList all;
        for (std::size_t i = 0; i < m_servers.size(); ++i)
            all << m_servers[i].url();
        return all.join(u',');
    }

    /// The first ones: with them begins who takes locks in order. They stay away until the last test.
    void loseServers(std::size_t number)
    {
        while (m_down < number)
            m_servers[m_down++].kill();
    }

    /// On how many servers its client for that server holds the lock.
    int held(const char *name, PeerProcess &by)
    {
        const QByteArrayList ids = by.id().split(',');
        int number = 0;
        for (std::size_t i = m_down; i < m_servers.size(); ++i)
            number += m_servers[i].cli({ u"hkeys"_s, QLatin1String(name) }).startsWith(ids[qsizetype(i)]);
        return number;
    }

    bool isAwaited(const char *name)
    {
        const QByteArray channel = QByteArray("redisson_lock__channel:{") + name + '}';
        for (std::size_t i = m_down; i < m_servers.size(); ++i) {
            if (m_servers[i].cli({ u"pubsub"_s, u"channels"_s }).contains(channel))
                return true;
        }
        return false;
    }

    qint64 left(std::size_t server, const char *name)
    {
        return m_servers[server].cli({ u"pttl"_s, QLatin1String(name) }).toLongLong();
    }

    QByteArray leftovers()
    {
        QByteArray keys;
        for (std::size_t i = m_down; i < m_servers.size(); ++i)
            keys += m_servers[i].cli({ u"keys"_s, u"*"_s });
        return keys;
    }

    RedisServers m_servers{ 3 };
    std::size_t m_down = 0; // so many of the first ones
};

QTEST_GUILESS_MAIN(InteropRedLockTest)
#include "tst_interop_red_lock.moc"
