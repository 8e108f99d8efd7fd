// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_cluster.h"

#include <QScopeGuard>
#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using testsupport::LockUser;
using testsupport::MonitorWatch;
using testsupport::RedisCluster;

namespace {

constexpr int Limit = 60'000;
constexpr int From = 0;
constexpr int To = 1;

LockTarget target(const std::string &name) { return { name, Kind::Reentrant, {} }; }

} // namespace

/// What is seen of locks while their slot is on its way from one master to another, which may take hours.
class TestMovingSlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_cluster.start());
        m_user = std::make_unique<LockUser>(m_cluster.deployment());
        QVERIFY(m_user->waitReady());
    }
    void init() { m_watch = std::make_unique<MonitorWatch>(m_cluster.deployment()); }
    void cleanup() { m_watch.reset(); }
    void cleanupTestCase() { m_user.reset(); }

    void showsALockThatIsBornThere()
    {
        const auto name = startToMove("born");
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLiveAndSwept(), Limit);
        QVERIFY(m_user->tryLock(target(name)));
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->nodeOf(name), address(To), Limit);
        endThere(name);
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock(name), Limit);
        m_cluster.endMove(m_slot, To);
    }

    void showsALockThatHasMovedAlready()
    {
        const auto name = m_cluster.nameAt(From, "moved");
        QVERIFY(m_user->tryLock(target(name)));
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLiveAndSwept() && m_watch->lock(name), Limit);
        const auto since = m_watch->lock(name)->holders.at(0).since;
        m_watch->keepAnEyeOn(name);
        m_watch->forgetEvents();
        startToMove("moved");
        QVERIFY(m_cluster.moveKeys(m_slot, From, To));
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->nodeOf(name), address(To), Limit);
        QVERIFY(m_watch->lock(name)->holders.at(0).since == since);
        QVERIFY2(m_watch->missed.empty(), m_watch->missed.c_str());
        QVERIFY(m_watch->kinds(name).empty()); // nothing has happened to it
        endThere(name);
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock(name), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->kinds(name).size(), std::size_t{ 1 }, Limit);
        QVERIFY(m_user->tryLock(target(name)));
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->lock(name), Limit);
        m_watch->keepAnEyeOn(name);
        m_cluster.endMove(m_slot, To);
        QTRY_VERIFY_WITH_TIMEOUT(keeps(To), Limit);
        QCOMPARE(m_watch->nodeOf(name), address(To));
        QVERIFY2(m_watch->missed.empty(), m_watch->missed.c_str());
        QCOMPARE(m_watch->doubled, 0);
        QVERIFY(m_user->release(target(name)));
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock(name), Limit);
    }

    void findsWhatIsThereAlready()
    {
        const auto name = startToMove("early");
        QVERIFY(m_user->tryLock(target(name)));
        MonitorWatch late(m_cluster.deployment());
        QTRY_COMPARE_WITH_TIMEOUT(late.nodeOf(name), address(To), Limit);
        endThere(name);
        QTRY_VERIFY_WITH_TIMEOUT(!late.lock(name), Limit);
        m_cluster.endMove(m_slot, To);
    }

    /// A script that has to be sent once more needs the permission for a moving slot once more.
    void findsItInTheFirstSweepOfANodeThatForgotTheScripts()
    {
        const auto name = startToMove("forgotten");
        QVERIFY(m_user->tryLock(target(name)));
        m_cluster.run(To, { "SCRIPT", "FLUSH" });
        MonitorWatch late(m_cluster.deployment());
        QTRY_VERIFY_WITH_TIMEOUT(late.isLiveAndSwept(), Limit);
        QCOMPARE(late.nodeOf(name), address(To));
        endThere(name);
        m_cluster.endMove(m_slot, To);
    }

    /// Too large for a page of a sweep.
    void findsALargeLockThatIsThereAlready()
    {
        const auto name = startToMove("large");
        protocol::Command readers{ "HSET", name, "mode", "read" };
        for (int thread = 1; thread <= 100; ++thread)
            readers.insert(readers.end(), { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:" + std::to_string(thread), "1" });
        testsupport::BlockingClient client(m_cluster.node(To).socketPath().toStdString());
        client.run({ "ASKING" });
        client.run(readers);
        MonitorWatch late(m_cluster.deployment());
        QTRY_VERIFY_WITH_TIMEOUT(late.isLiveAndSwept(), Limit);
        QCOMPARE(late.nodeOf(name), address(To));
        endThere(name);
        m_cluster.endMove(m_slot, To);
    }

    void findsWhatHasNotMovedYet()
    {
        const auto name = m_cluster.nameAt(From, "unmoved");
        QVERIFY(m_user->tryLock(target(name)));
        startToMove("unmoved");
        MonitorWatch late(m_cluster.deployment());
        QTRY_VERIFY_WITH_TIMEOUT(late.isLiveAndSwept(), Limit);
        QCOMPARE(late.nodeOf(name), address(From));
        QVERIFY(lookFor(name) == isAt(From));
        late.keepAnEyeOn(name);
        QVERIFY(m_cluster.moveKeys(m_slot, From, To));
        QTRY_COMPARE_WITH_TIMEOUT(late.nodeOf(name), address(To), Limit);
        QVERIFY2(late.missed.empty(), late.missed.c_str());
        QCOMPARE(late.doubled, 0);
        endThere(name);
        m_cluster.endMove(m_slot, To);
    }

    void findsTheOneThatIsLookedForWhereItIs_data()
    {
        QTest::addColumn<bool>("byScript");
        QTest::newRow("by script") << true;
        QTest::newRow("without scripts") << false;
    }
    void findsTheOneThatIsLookedForWhereItIs()
    {
        QFETCH(bool, byScript);
        const auto name = m_cluster.nameAt(From, "sought");
        QVERIFY(m_user->tryLock(target(name)));
        startToMove("sought");
        allow(From, byScript ? "+eval_ro" : "-eval_ro -evalsha_ro");
        allow(To, byScript ? "+eval_ro" : "-eval_ro -evalsha_ro");
        const auto restore = qScopeGuard([this] {
            allow(From, "+@all");
            allow(To, "+@all");
        });
        QVERIFY(m_cluster.moveKeys(m_slot, From, To));
        for (int i = 0; i < 5; ++i)
            QVERIFY(lookFor(name) == isAt(To));
        endThere(name);
        m_cluster.endMove(m_slot, To);
        QVERIFY(lookFor(name) == Whereabouts{}); // there is none
        QVERIFY(m_user->tryLock(target(name)));
        QVERIFY(lookFor(name) == isAt(To));
        QVERIFY(m_user->release(target(name)));
        QVERIFY(m_cluster.move(m_slot, To, From));
    }

    void saysThatTheOneThatIsLookedForCannotBeSeen()
    {
        const auto name = m_cluster.nameAt(From, "hidden");
        QVERIFY(m_user->tryLock(target(name)));
        startToMove("hidden");
        QVERIFY(m_cluster.moveKeys(m_slot, From, To));
        allow(To, "-asking");
        const auto hidden = lookFor(name);
        allow(To, "+@all");
        QVERIFY(hidden == Whereabouts(ErrorCode::ClusterBusy, {}));
        endThere(name);
        m_cluster.endMove(m_slot, To);
    }

    void keepsItWhileAnotherSlotHasMoved()
    {
        const auto other = m_cluster.nameAt(From, "other");
        const auto name = startToMove("stays");
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLiveAndSwept(), Limit);
        QVERIFY(m_user->tryLock(target(name)));
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->nodeOf(name), address(To), Limit);
        m_watch->keepAnEyeOn(name);
        const int slot = std::exchange(m_slot, m_cluster.slotOf(other));
        QVERIFY(m_cluster.move(m_slot, From, To));
        QTRY_VERIFY_WITH_TIMEOUT(keeps(To), Limit);
        QCOMPARE(m_watch->nodeOf(name), address(To));
        QVERIFY2(m_watch->missed.empty(), m_watch->missed.c_str());
        endThere(name);
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock(name), Limit);
        m_cluster.endMove(slot, To);
    }

    void followsItBackWhenTheMoveIsGivenUp()
    {
        const auto name = startToMove("back");
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLiveAndSwept(), Limit);
        QVERIFY(m_user->tryLock(target(name)));
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->nodeOf(name), address(To), Limit);
        m_watch->keepAnEyeOn(name);
        m_cluster.run(From, { "CLUSTER", "SETSLOT", std::to_string(m_slot), "STABLE" });
        QVERIFY(m_cluster.moveKeys(m_slot, To, From));
        m_cluster.run(To, { "CLUSTER", "SETSLOT", std::to_string(m_slot), "STABLE" });
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->nodeOf(name), address(From), Limit);
        QCOMPARE(m_watch->doubled, 0);
        QVERIFY(m_user->release(target(name)));
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock(name), Limit);
    }

private:
    std::string startToMove(const std::string &stem)
    {
        const auto name = m_cluster.nameAt(From, stem);
        m_slot = m_cluster.slotOf(name);
        m_cluster.startToMove(m_slot, From, To);
        return name;
    }
    /// What several keys have to be there for, as a release, is refused while a slot moves.
    void endThere(const std::string &name)
    {
        testsupport::BlockingClient client(m_cluster.node(To).socketPath().toStdString());
        client.run({ "ASKING" });
        QCOMPARE(*client.run({ "DEL", name }).integer(), 1);
    }
    void allow(int node, const char *rules)
    {
        lockcore::protocol::Command command{ "ACL", "SETUSER", "default" };
        for (const QByteArray &rule : QByteArray(rules).split(' '))
            command.push_back(rule.toStdString());
        m_cluster.run(node, command);
    }
    using Whereabouts = std::pair<std::optional<ErrorCode>, std::string>; // why it could not be found, or where it is
    Whereabouts isAt(int number) { return { std::nullopt, address(number) }; }
    Whereabouts lookFor(const std::string &name)
    {
        MonitorOptions options;
        options.onlyLock = name;
        MonitorWatch one(m_cluster.deployment(), options);
        if (!QTest::qWaitFor([&] { return one.isLiveAndSwept(); }, Limit))
            return { ErrorCode::Cancelled, "the sweep has no end" };
        const auto error = one.status().error;
        return { error ? std::optional(error->code) : std::nullopt, one.nodeOf(name) };
    }
    std::string address(int number) { return m_cluster.node(number).endpoint().display(); }
    bool keeps(int number)
    {
        const auto *node = m_watch->node(address(number));
        return node && std::ranges::any_of(node->slots, [this](const SlotSpan &span) {
            return span.first <= m_slot && m_slot <= span.last;
        });
    }

    RedisCluster m_cluster;
    std::unique_ptr<LockUser> m_user;
    std::unique_ptr<MonitorWatch> m_watch;
    int m_slot = 0; // that moves
};

QTEST_GUILESS_MAIN(TestMovingSlot)
#include "tst_moving_slot.moc"
