// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_cluster.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using testsupport::LockUser;
using testsupport::MonitorWatch;
using testsupport::RedisCluster;

namespace {

constexpr int Limit = 60'000;
constexpr int From = 0;
constexpr int To = 1;

} // namespace

/// Actions on a lock whose slot is on its way from one master to another.
class MovingActions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_cluster.start());
        m_user = std::make_unique<LockUser>(m_cluster.deployment());
        QVERIFY(m_user->waitReady());
    }
    void cleanupTestCase() { m_user.reset(); }

    void followsALockThatHasMovedAndRefusesWhatNeedsSeveralKeys()
    {
        const auto name = m_cluster.nameAt(From, "moved");
        const int slot = m_cluster.slotOf(name);
        QVERIFY(m_user->tryLock({ name, Kind::Reentrant, {} }));
        const QTemporaryDir folder;
        MonitorOptions options;
        options.auditFile = folder.filePath(QStringLiteral("audit"));
        MonitorWatch watch(m_cluster.deployment(), options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && watch.lock(name), Limit);
        m_cluster.startToMove(slot, From, To);
        QVERIFY(m_cluster.moveKeys(slot, From, To));
        const std::vector<ExpectedHolder> expected{ { { m_user->client->id(), "1" }, {} } };

        watch.submit(SetTtl{ name, Kind::Reentrant, expected, Millis(900'000), "test" });
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QVERIFY2(*watch.outcome && (*watch.outcome)->done,
            *watch.outcome ? "refused" : toString(watch.outcome->error()).c_str());
        QCOMPARE(linesOf(options.auditFile), 2);

        watch.submit(ForceRelease{ name, Kind::Reentrant, expected, "test" });
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QVERIFY(!*watch.outcome);
        QCOMPARE(watch.outcome->error().code, ErrorCode::ClusterBusy);
        const std::string message = watch.outcome->error().message;
        QVERIFY2(
            message.starts_with("its slot is moving: nothing was changed, try again in a moment"), message.c_str());
        QCOMPARE(linesOf(options.auditFile), 4); // however often it was tried

        m_cluster.endMove(slot, To);
        QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf(name), m_cluster.node(To).endpoint().display(), Limit);
        watch.submit(ForceRelease{ name, Kind::Reentrant, expected, "test" });
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QVERIFY(*watch.outcome && (*watch.outcome)->done);
        QCOMPARE(linesOf(options.auditFile), 6);
        QCOMPARE(*m_cluster.run(To, { "EXISTS", name }).integer(), 0);
    }

private:
    static qsizetype linesOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
    }

    RedisCluster m_cluster;
    std::unique_ptr<LockUser> m_user;
};

QTEST_GUILESS_MAIN(MovingActions)
#include "tst_moving_actions.moc"
