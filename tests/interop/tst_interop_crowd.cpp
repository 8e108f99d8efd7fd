// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/fair_order.h"
#include "tests/interop/peer_process.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <QElapsedTimer>
#include <chrono>
#include <random>
#include <set>

using namespace interop;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int Workers = 4; // of each process
constexpr int Locks = 4;
constexpr int LeaseMs = 3'000; // the shortest: a section takes milliseconds, also on a busy machine
constexpr int WaitMs = 4'000; // dead waiters of a fair lock are in the way for so long
constexpr int FirstKillMs = 5'000;
constexpr int BreathMs = 20'000; // between two kills: locks of the dead run out, and their places in queues

/// Processes that are killed and come again.
struct Member {
    Language language;
    std::unique_ptr<PeerProcess> process;
    QByteArray crowd; // the tag of its crowd
};

} // namespace

/// lockcore, Redisson 3.16.8 and Redisson 4.7.0 crowd around the same few locks, and are killed at work.
/// INTEROP_ACQUISITIONS: how many, of each kind; INTEROP_SEED: whom to kill when.
class InteropCrowdTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson4);
        NEED_PEER(Language::Redisson3);
        m_wanted = qEnvironmentVariableIntValue("INTEROP_ACQUISITIONS");
        if (m_wanted == 0)
            m_wanted = 3'000;
        quint64 seed = qEnvironmentVariable("INTEROP_SEED").toULongLong();
        if (seed == 0)
            seed = quint64(std::chrono::system_clock::now().time_since_epoch().count());
        qInfo("INTEROP_SEED=%llu", static_cast<unsigned long long>(seed));
        m_random.seed(seed);
        QVERIFY(m_server.start());
        m_redis = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
    }

    void init()
    {
        m_redis->run({ "FLUSHALL" });
        m_dead.clear();
        m_overlaps.clear();
        m_late = m_errors = m_kills = 0;
    }

    void isNeverInsideTogether_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char *kind : { "reentrant", "fair", "readWrite" })
            QTest::newRow(kind) << QByteArray(kind);
    }
    void isNeverInsideTogether()
    {
        QFETCH(QByteArray, kind);
        std::unique_ptr<FairOrder> order;
        if (kind == "fair")
            order = std::make_unique<FairOrder>(m_server.port());
        for (const Language language : { Language::Cpp, Language::Redisson3, Language::Redisson4, Language::Cpp })
            m_members.push_back({ language, nullptr, {} });
        for (Member &member : m_members)
            QVERIFY(join(member, kind));
        QElapsedTimer since;
        QElapsedTimer breath;
        since.start();
        breath.start();
        while (acquisitions() < m_wanted || m_kills < 1) {
            QTest::qWait(50); // turns the event loop; nothing is expected at its end
            listen();
            QVERIFY2(since.elapsed() < 60'000 + 20 * m_wanted, "the crowd stands still");
            if (breath.elapsed() > (m_kills == 0 ? FirstKillMs : BreathMs)) {
                QVERIFY(killOne(kind, order.get()));
                breath.restart();
            }
        }
        QVERIFY(disperse());
        qInfo("%lld acquisitions, %d kills, %d late sections, %d other errors, %lld ms",
            static_cast<long long>(acquisitions()), m_kills, m_late, m_errors, static_cast<long long>(since.elapsed()));
        QVERIFY2(m_overlaps.isEmpty(), m_overlaps.join('\n').constData());
        for (int lock = 0; lock < Locks; ++lock)
            QCOMPARE(number("counter:", lock), number("done:", lock)); // no section ran into another one
        if (order) {
            qInfo("%lld fair acquires, %lld queued for, %lld living waiters dropped after a death",
                static_cast<long long>(order->acquires()), static_cast<long long>(order->queued()),
                static_cast<long long>(order->dropped()));
            QVERIFY(order->queued() > order->acquires() / 10);
            QCOMPARE(order->overtaken(), 0);
        }
    }

private:
    static QByteArray lockName(int lock) { return "crowded" + QByteArray::number(lock); }

    bool join(Member &member, const QByteArray &kind)
    {
        member.process = std::make_unique<PeerProcess>(member.language);
        if (!member.process->connectTo(m_server.url(), LeaseMs))
            return false;
        QByteArray names = lockName(0);
        for (int lock = 1; lock < Locks; ++lock)
            names += ',' + lockName(lock);
        QByteArray command = "crowd - " + kind + ' ' + names;
        for (const int number : { Workers, LeaseMs, 2 * LeaseMs, WaitMs })
            command += ' ' + QByteArray::number(number);
        member.crowd = member.process->start(command);
        return true;
    }

    bool killOne(const QByteArray &kind, FairOrder *order)
    {
        listen(); // what it did until now, it did alive
        Member &member = m_members[m_random() % m_members.size()];
        const QByteArray client = member.process->id();
        member.process->kill();
        m_dead.insert(client);
        if (order)
            order->died(client);
        ++m_kills;
        return join(member, kind);
    }

    /// A mark of a killed process is found by the next holder, once the lease of the dead is over.
    void listen()
    {
        for (Member &member : m_members) {
            for (const QByteArray &event : member.process->takeEvents()) {
                if (event.startsWith("late")) {
                    ++m_late;
                } else if (isNotHeld(event)) { // it lost its lock while inside
                    m_overlaps << event;
                } else if (!event.startsWith("overlap")) {
                    ++m_errors;
                    qInfo("%s: %s", name(member.language), event.constData());
                } else if (!m_dead.contains(event.mid(8, 36))) {
                    m_overlaps << event;
                }
            }
        }
    }

    bool disperse()
    {
        for (Member &member : m_members)
            member.process->ask("crowd.stop -");
        bool all = true;
        for (Member &member : m_members)
            all &= member.process->answer(member.crowd, 60'000).startsWith("ok ");
        listen();
        m_members.clear();
        return all;
    }

    qint64 number(const char *prefix, int lock)
    {
        const auto reply = m_redis->run({ "GET", prefix + lockName(lock).toStdString() });
        return reply.bulk() ? std::stoll(*reply.bulk()) : 0;
    }

    qint64 acquisitions()
    {
        qint64 sum = 0;
        for (int lock = 0; lock < Locks; ++lock)
            sum += number("done:", lock) + number("reads:", lock);
        return sum;
    }

    RedisServer m_server;
    std::unique_ptr<BlockingClient> m_redis;
    std::vector<Member> m_members;
    std::mt19937_64 m_random;
    std::set<QByteArray> m_dead;
    QByteArrayList m_overlaps;
    qint64 m_wanted = 0;
    int m_late = 0;
    int m_errors = 0;
    int m_kills = 0;
};

QTEST_GUILESS_MAIN(InteropCrowdTest)
#include "tst_interop_crowd.moc"
