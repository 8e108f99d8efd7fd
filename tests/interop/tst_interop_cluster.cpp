// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/pair_test.h"
#include "tests/support/redis_cluster.h"

#include <functional>
#include <iterator>
#include <tuple>
#include <utility>

using namespace interop;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int SoonMs = 10'000; // leases are longer: only a message can wake so soon
constexpr int MissedMs = 1'000; // who was woken answers sooner, if the machine is not busy
constexpr int Tries = 10;

enum Setting { Usual, Plain }; // messages

} // namespace

/// lockcore and Redisson in a cluster of three masters: each lock at another one. Redisson 4.7.0 sends its messages by
/// shards; 3.16.8 knows plain ones only, and lockcore with it has to be told so.
class InteropClusterTest : public PairTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson4);
        NEED_PEER(Language::Redisson3);
        QVERIFY(m_cluster.start());
    }

    void wakesTheOtherByAMessage_data()
    {
        addPairColumns();
        QTest::addColumn<QByteArray>("held");
        QTest::addColumn<QByteArray>("wanted");
        const std::pair<const char *, const char *> stories[]{ { "reentrant", "reentrant" }, { "fair", "fair" },
            { "read", "write" }, { "write", "read" }, { "fenced", "fenced" }, { "nonReentrant", "nonReentrant" } };
        constexpr std::size_t KnownTo3 = 4;
        for (const auto &[holding, asking] : pairs()) {
            const bool plain = isPlain(holding, asking);
            for (std::size_t i = 0; i < (plain ? KnownTo3 : std::size(stories)); ++i) {
                const auto &[held, wanted] = stories[i];
                QTest::addRow("%s, %s: %s, %s", name(holding), name(asking), held, wanted)
                    << holding << asking << QByteArray(held) << QByteArray(wanted);
            }
        }
    }
    void wakesTheOtherByAMessage()
    {
        QFETCH(QByteArray, held);
        QFETCH(QByteArray, wanted);
        PeerProcess &holder = one();
        PeerProcess &waiter = other();
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            const QByteArray job = ' ' + nameAt(master);
            QVERIFY(holder.ask("lock 1 " + held + job + " - -").startsWith("acquired"));
            const QByteArray waiting = waiter.start("lock 1 " + wanted + job + " - -");
            QTRY_VERIFY(isAwaited(master, job.mid(1)));
            QCOMPARE(holder.ask("unlock 1 " + held + job), "ok");
            QVERIFY(wakes(waiter, waiting, [&] {
                return holder.ask("lock 1 " + held + job + " 1 -").startsWith("acquired")
                    && holder.ask("unlock 1 " + held + job) == "ok";
            }));
            QVERIFY(isNotHeld(holder.ask("unlock 1 " + held + job)));
            QCOMPARE(waiter.ask("unlock 1 " + wanted + job), "ok");
        }
    }

    void sharesPermitsAndLatches_data() { addPairs(pairs()); }
    void sharesPermitsAndLatches()
    {
        PeerProcess &giver = one();
        PeerProcess &waiter = other();
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            for (const auto &[set, wait, give] :
                { std::tuple("sem.set - %1 0", "sem.acquire 1 %1 1 -", "sem.release - %1 1"),
                    std::tuple("permit.set - %1 0", "permit.acquire 1 %1 1 - -", "permit.add - %1 1"),
                    std::tuple("latch.set - %1 1", "latch.wait 1 %1 -", "latch.down - %1") }) {
                const QByteArray job = nameAt(master);
                giver.ask(QByteArray(set).replace("%1", job));
                const QByteArray waiting = waiter.start(QByteArray(wait).replace("%1", job));
                QTRY_VERIFY(isAwaited(master, job));
                QCOMPARE(giver.ask(QByteArray(give).replace("%1", job)), "ok");
                QVERIFY(waiter.answer(waiting, SoonMs).startsWith("acquired"));
            }
        }
    }

private:
    static Pairs pairs() { return pairsWith({ Language::Redisson4, Language::Redisson3 }); }

    static bool isPlain(Language holding, Language asking)
    {
        return holding == Language::Redisson3 || asking == Language::Redisson3;
    }

    static bool isPlain()
    {
        QFETCH(Language, holding);
        QFETCH(Language, asking);
        return isPlain(holding, asking);
    }

    int settingOf(Language language) const override { return language == Language::Cpp && isPlain() ? Plain : Usual; }
    void connectPeer(PeerProcess &peer, int setting) override
    {
        QByteArrayList urls;
        for (const lockcore::transport::Endpoint &seed : m_cluster.deployment().seeds)
            urls << "redis://" + QByteArray::fromStdString(seed.host) + ':' + QByteArray::number(seed.port);
        peer.connectTo(QString::fromUtf8(urls.join(',')), 30'000, setting == Plain ? "plain-cluster" : "cluster");
    }

    QByteArray nameAt(int master)
    {
        return QByteArray::fromStdString(m_cluster.nameAt(master, "job" + std::to_string(++m_jobs) + '-'));
    }

    /// By a subscription of the right kind where the lock is.
    /// A reader of Redisson that has subscribed misses a message until its thread sleeps; then the lock is given back
    /// once more.
    static bool wakes(PeerProcess &waiter, const QByteArray &waiting, const std::function<bool()> &giveBackAgain)
    {
        for (int i = 0; i < Tries && waiter.answer(waiting, MissedMs).isEmpty(); ++i) {
            if (!giveBackAgain())
                break; // it has the lock
        }
        return waiter.answer(waiting, SoonMs).startsWith("acquired");
    }

    bool isAwaited(int master, const QByteArray &job)
    {
        const auto channels = m_cluster.run(
            master, { "PUBSUB", isPlain() ? "CHANNELS" : "SHARDCHANNELS", "redisson_*{" + job.toStdString() + "}*" });
        return channels.array() && channels.array()->size() == 1;
    }

    RedisCluster m_cluster;
    int m_jobs = 0;
};

QTEST_GUILESS_MAIN(InteropClusterTest)
#include "tst_interop_cluster.moc"
