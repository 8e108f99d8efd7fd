// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/key_layout.h"
#include "tests/interop/peer_process.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_server.h"

#include <QTemporaryDir>

using namespace interop;
using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

constexpr int SoonMs = 15'000;

OwnerId ownerOf(PeerProcess &peer, int thread)
{
    return { peer.id().toStdString(), QString::fromLatin1(peer.owner(thread)).section(u':', 1).toStdString() };
}

} // namespace

/// Fair locks of Redisson with a NameMapper that puts `app:` before each name. Before 3.52 the queue lies under the
/// name without it.
class InteropMappedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        NEED_PEER(Language::Redisson3);
        NEED_PEER(Language::Redisson4);
        QVERIFY(m_server.start());
    }

    void isOneLockThatCanBeFreed_data()
    {
        QTest::addColumn<Language>("language");
        QTest::addColumn<QString>("queue");
        QTest::newRow("3.16.8") << Language::Redisson3 << u"redisson_lock_queue:{job}"_s;
        QTest::newRow("4.7.0") << Language::Redisson4 << u"redisson_lock_queue:{app:job}"_s;
    }
    void isOneLockThatCanBeFreed()
    {
        QFETCH(Language, language);
        QFETCH(QString, queue);
        PeerProcess peer(language);
        QVERIFY(peer.connectTo(m_server.url(), 30'000, "mapped"));
        QTemporaryDir folder;
        MonitorOptions acting = rarelySweeping();
        acting.auditFile = folder.filePath(u"audit"_s);
        MonitorWatch before(m_server.endpoint(), acting);
        before.wereSeen.emplace();
        QTRY_VERIFY_WITH_TIMEOUT(before.isLiveAndSwept(), SoonMs);
        QCOMPARE(peer.ask("lock 1 fair job - -"), "acquired");
        const QByteArray first = peer.start("lock 2 fair job - -");
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({ u"LLEN"_s, queue }), QByteArray("1"), SoonMs);
        const QByteArray second = peer.start("lock 3 fair job - -");
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({ u"LLEN"_s, queue }), QByteArray("2"), SoonMs);

        MonitorWatch after(m_server.endpoint(), rarelySweeping());
        MonitorOptions alone = rarelySweeping();
        alone.onlyLock = "app:job";
        MonitorWatch only(m_server.endpoint(), alone);
        for (MonitorWatch *watch : { &before, &after, &only }) {
            const auto waiters = [watch] {
                const auto lock = watch->lock("app:job");
                return lock && lock->kind == Kind::Fair && lock->holders.size() == 1 ? lock->waiters.size() : 0;
            };
            QTRY_COMPARE_WITH_TIMEOUT(waiters(), std::size_t(2), SoonMs);
            QVERIFY(!watch->lock("job"));
        }

        const auto seen = before.lock("app:job");
        ForceRelease release{ seen->name, seen->kind, { { ownerOf(peer, 1), {} } }, "test" };
        release.queue = queueElsewhere(*seen);
        QCOMPARE(release.queue.has_value(), language == Language::Redisson3);
        before.submit(release);
        QTRY_VERIFY_WITH_TIMEOUT(before.outcome, SoonMs);
        QVERIFY2(*before.outcome, before.outcome->has_value() ? "" : before.outcome->error().message.c_str());
        QVERIFY((*before.outcome)->done);
        QCOMPARE(peer.answer(first, SoonMs), "acquired"); // told at once, not when the lease is over
        QTRY_COMPARE_WITH_TIMEOUT(before.lock("app:job")->waiters.size(), std::size_t(1), SoonMs);
        QCOMPARE(peer.ask("unlock 2 fair job"), "ok");
        QCOMPARE(peer.answer(second, SoonMs), "acquired");
        QCOMPARE(peer.ask("unlock 3 fair job"), "ok");
        QTRY_VERIFY_WITH_TIMEOUT(!before.lock("app:job"), SoonMs);
        QVERIFY(!before.wereSeen->contains("job"));
    }

private:
    RedisServer m_server;
};

QTEST_GUILESS_MAIN(InteropMappedTest)
#include "tst_interop_mapped.moc"
