// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/peer_process.h"
#include "tests/support/redis_cluster.h"

#include <map>
#include <memory>
#include <tuple>
#include <utility>

using namespace interop;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int SoonMs = 10'000; // leases are longer: only a message can wake so soon

} // namespace

/// lockcore and Redisson 4.7.0 in a cluster of three masters: each lock at another one, with sharded messages.
class InteropClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson4);
        QVERIFY(m_cluster.start());
        QByteArray urls;
        for (const lockcore::Endpoint &seed : m_cluster.deployment().seeds)
            urls += (urls.isEmpty() ? "redis://" : ",redis://") + QByteArray::fromStdString(seed.host) + ':'
                + QByteArray::number(seed.port);
        for (const Language language : { Language::Cpp, Language::Redisson4 }) {
            m_peers[language] = std::make_unique<PeerProcess>(language);
            QVERIFY(m_peers[language]->connectTo(QString::fromUtf8(urls), 30'000, "cluster"));
        }
    }

    void wakesTheOtherByAShardedMessage_data()
    {
        QTest::addColumn<Language>("holding");
        QTest::addColumn<Language>("asking");
        QTest::addColumn<QByteArray>("held");
        QTest::addColumn<QByteArray>("wanted");
        const std::pair<const char *, const char *> stories[]{ { "reentrant", "reentrant" }, { "fair", "fair" },
            { "read", "write" }, { "write", "read" }, { "fenced", "fenced" }, { "nonReentrant", "nonReentrant" } };
        for (const auto &[holding, asking] :
            { std::pair(Language::Cpp, Language::Redisson4), std::pair(Language::Redisson4, Language::Cpp) }) {
            for (const auto &[held, wanted] : stories)
                QTest::addRow("%s, %s: %s, %s", name(holding), name(asking), held, wanted)
                    << holding << asking << QByteArray(held) << QByteArray(wanted);
        }
    }
    void wakesTheOtherByAShardedMessage()
    {
        QFETCH(Language, holding);
        QFETCH(Language, asking);
        QFETCH(QByteArray, held);
        QFETCH(QByteArray, wanted);
        PeerProcess &holder = *m_peers[holding];
        PeerProcess &waiter = *m_peers[asking];
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            const QByteArray job = ' ' + nameAt(master);
            QVERIFY(holder.ask("lock 1 " + held + job + " - -").startsWith("acquired"));
            const QByteArray waiting = waiter.start("lock 1 " + wanted + job + " - -");
            QTRY_VERIFY(isAwaited(master, job.mid(1)));
            QCOMPARE(holder.ask("unlock 1 " + held + job), "ok");
            QVERIFY(waiter.answer(waiting, SoonMs).startsWith("acquired"));
            QVERIFY(isNotHeld(holder.ask("unlock 1 " + held + job)));
            QCOMPARE(waiter.ask("unlock 1 " + wanted + job), "ok");
        }
    }

    void sharesPermitsAndLatches_data()
    {
        QTest::addColumn<Language>("giving");
        QTest::addColumn<Language>("asking");
        QTest::newRow("Redisson waits") << Language::Cpp << Language::Redisson4;
        QTest::newRow("lockcore waits") << Language::Redisson4 << Language::Cpp;
    }
    void sharesPermitsAndLatches()
    {
        QFETCH(Language, giving);
        QFETCH(Language, asking);
        PeerProcess &giver = *m_peers[giving];
        PeerProcess &waiter = *m_peers[asking];
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
    QByteArray nameAt(int master)
    {
        return QByteArray::fromStdString(m_cluster.nameAt(master, "job" + std::to_string(++m_jobs) + '-'));
    }

    /// By a sharded subscription where the lock is.
    bool isAwaited(int master, const QByteArray &job)
    {
        const auto channels
            = m_cluster.run(master, { "PUBSUB", "SHARDCHANNELS", "redisson_*{" + job.toStdString() + "}*" });
        return channels.array() && channels.array()->size() == 1;
    }

    RedisCluster m_cluster;
    std::map<Language, std::unique_ptr<PeerProcess>> m_peers;
    int m_jobs = 0;
};

QTEST_GUILESS_MAIN(InteropClusterTest)
#include "tst_interop_cluster.moc"
