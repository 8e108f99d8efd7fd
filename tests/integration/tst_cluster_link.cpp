// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/link_factory.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_cluster.h"

#include <QSignalSpy>
#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using testsupport::LockUser;
using testsupport::RedisCluster;

namespace {

constexpr Millis LongLease{ 600'000 }; // nobody waits for it to run out
constexpr int PromptMs = 5'000;

std::int64_t number(const protocol::Reply &reply) { return reply.integer() ? *reply.integer() : -1; }

} // namespace

class ClusterLinkTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        cluster = std::make_unique<RedisCluster>();
        QVERIFY(cluster->start());
    }

    void cleanupTestCase() { cluster.reset(); }

    void sendsEachRequestToWhoKeepsItsSlot()
    {
        LockUser user(cluster->deployment());
        QVERIFY(user.waitReady());
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            const LockTarget target{ cluster->nameAt(master, "routed"), Kind::Reentrant };
            QVERIFY(user.tryLock(target));
            QCOMPARE(number(cluster->run(master, { "HEXISTS", target.name, owner(user) })), 1);
            QVERIFY(user.release(target));
            QCOMPARE(number(cluster->run(master, { "EXISTS", target.name })), 0);
        }
    }

    void findsTheOthersFromOneSeed()
    {
        Deployment deployment = cluster->deployment();
        deployment.seeds = { deployment.seeds[1] };
        LockUser user(deployment);
        for (int master = 0; master < RedisCluster::Masters; ++master)
            QVERIFY(
                user.acquire({ { cluster->nameAt(master, "one seed"), Kind::Fair }, "1", Millis(5), Millis(1'000) }));
    }

    void skipsASeedThatIsGone()
    {
        Deployment deployment = cluster->deployment();
        deployment.seeds.insert(deployment.seeds.begin(), deployment.seeds.front());
        deployment.seeds.front().port = testsupport::freePort();
        LockUser user(deployment);
        QVERIFY(user.tryLock({ "seeds", Kind::Reentrant }, "1", Millis(5)));
    }

    void wakesAWaiterByAMessageOfItsShard()
    {
        LockUser holder(cluster->deployment());
        LockUser waiter(cluster->deployment());
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            const LockTarget target{ cluster->nameAt(master, "waited"), Kind::Reentrant };
            const auto waiting = startToWait(holder, waiter, target, master);
            QVERIFY(waiting);
            QVERIFY(holder.release(target));
            QVERIFY(waiting->wait(PromptMs));
            QVERIFY(*waiting->result && (*waiting->result)->acquired);
            QVERIFY(waiter.release(target));
        }
    }

    void talksThroughShardsOrPlainly_data()
    {
        QTest::addColumn<QStringList>("rights"); // to find out whether the server has them
        QTest::addColumn<bool>("plain"); // told to
        QTest::newRow("asked") << QStringList{ QStringLiteral("+pubsub") } << false;
        QTest::newRow("by the version") << QStringList{ QStringLiteral("-pubsub") } << false;
        QTest::newRow("by the refusal") << QStringList{ QStringLiteral("-pubsub"), QStringLiteral("-info") } << false;
        QTest::newRow("told to talk plainly") << QStringList{ QStringLiteral("+pubsub") } << true;
    }

    void talksThroughShardsOrPlainly()
    {
        QFETCH(const QStringList, rights);
        QFETCH(bool, plain);
        protocol::Command user{ "ACL", "SETUSER", "talker", "reset", "on", ">pw", "~*", "&*", "+@all" };
        for (const QString &right : rights)
            user.push_back(right.toStdString());
        for (int master = 0; master < RedisCluster::Masters; ++master)
            cluster->run(master, user);
        Deployment deployment = cluster->deployment();
        deployment.seeds.front().user = "talker";
        deployment.seeds.front().password = "pw";
        deployment.plainMessages = plain;
        LockUser holder(deployment);
        LockUser waiter(deployment);
        const LockTarget target{ "talk " + rights.join(u' ').toStdString() + (plain ? " plain" : ""), Kind::Reentrant };
        QVERIFY(holder.tryLock(target, "1", LongLease));
        const auto waiting = waiter.startAcquire({ target, "1", {}, {} });
        const std::string count = plain ? "NUMSUB" : "SHARDNUMSUB";
        QTRY_COMPARE_WITH_TIMEOUT(subscribers(count, target), 1, testsupport::GenerousMs);
        for (int master = 0; master < RedisCluster::Masters; ++master)
            settle(waiter, master);
        QVERIFY(holder.release(target));
        QVERIFY(waiting->wait(PromptMs));
    }

    void followsASlotThatWasMoved()
    {
        const LockTarget target{ cluster->nameAt(0, "moved"), Kind::Reentrant };
        LockUser holder(cluster->deployment());
        LockUser waiter(cluster->deployment());
        const auto waiting = startToWait(holder, waiter, target, 0);
        QVERIFY(waiting);
        QSignalSpy lost(waiter.client.get(), &LockClient::lost);
        QVERIFY(cluster->move(cluster->slotOf(target.name), 0, 1));
        // The old slot owner has ended the subscription: it comes back at the new one.
        QTRY_COMPARE_WITH_TIMEOUT(shardSubscribers(target, 1), 1, testsupport::GenerousMs);
        settle(waiter, 1);
        QVERIFY(!waiting->isHere());
        QCOMPARE(holder.release(target), Result<ReleaseOutcome>(ReleaseOutcome::Released));
        QVERIFY(waiting->wait(PromptMs));
        QVERIFY(*waiting->result && (*waiting->result)->acquired);
        QCOMPARE(number(cluster->run(1, { "HEXISTS", target.name, owner(waiter) })), 1);
        QVERIFY(lost.isEmpty());
    }

    void asksTheOtherNodeWhileASlotIsMoved()
    {
        const LockTarget target{ cluster->nameAt(0, "asked"), Kind::Reentrant };
        const int slot = cluster->slotOf(target.name);
        LockUser user(cluster->deployment());
        QVERIFY(user.waitReady());
        cluster->startToMove(slot, 0, 2);
        QVERIFY(user.tryLock(target, "1", LongLease)); // not at the old one: asked for at the new one
        QVERIFY(user.tryLock(target, "1", LongLease));
        const auto released = user.startRelease(target); // of several keys: not before the end of the move
        QVERIFY(QTest::qWaitFor([&] { return infoNumber(2, "errorstat_TRYAGAIN") > 0; }, testsupport::GenerousMs));
        QVERIFY(!released->isHere());
        cluster->endMove(slot, 2);
        QVERIFY(released->wait(PromptMs));
        QCOMPARE(*released->result, Result<ReleaseOutcome>(ReleaseOutcome::StillHeld));
        QCOMPARE(user.release(target), Result<ReleaseOutcome>(ReleaseOutcome::Released));
    }

    void knowsNodesThatAnnounceNoHost()
    {
        for (int master = 0; master < RedisCluster::Masters; ++master)
            cluster->run(master, { "CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint" });
        const LockTarget target{ cluster->nameAt(2, "no host"), Kind::Reentrant };
        LockUser user(cluster->deployment());
        QVERIFY(user.tryLock(target, "1", LongLease));
        QVERIFY(cluster->move(cluster->slotOf(target.name), 2, 1));
        QCOMPARE(user.release(target), Result<ReleaseOutcome>(ReleaseOutcome::Released));
        for (int master = 0; master < RedisCluster::Masters; ++master)
            cluster->run(master, { "CONFIG", "SET", "cluster-preferred-endpoint-type", "ip" });
    }

    void refusesNamesWhoseKeysWouldBeApart_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("works");
        for (const char *name : { "plain", "{a}b", "a{b}c" })
            QTest::newRow(name) << QByteArray(name) << true;
        for (const char *name : { "a{b", "{}x", "a}b" })
            QTest::newRow(name) << QByteArray(name) << false;
    }
    void refusesNamesWhoseKeysWouldBeApart()
    {
        QFETCH(QByteArray, name);
        QFETCH(bool, works);
        const LockTarget target{ name.toStdString(), Kind::Reentrant };
        LockUser user(cluster->deployment());
        QVERIFY(user.waitReady());
        const auto acquired = user.acquire({ target, "1", LongLease, Millis(0) });
        QCOMPARE(acquired.has_value(), works);
        if (works) {
            QVERIFY(user.release(target));
            return;
        }
        QCOMPARE(acquired.error().code, ErrorCode::InvalidArgument);
        QVERIFY(QByteArray::fromStdString(toString(acquired.error())).contains("slots"));
        for (int master = 0; master < RedisCluster::Masters; ++master)
            QVERIFY(number(cluster->run(master, { "EXISTS", target.name })) <= 0);
    }

    void refusesScriptsOverSeveralSlots()
    {
        constexpr protocol::Script Script{ "both", "return redis.call('DEL', KEYS[1], KEYS[2])", "" };
        const auto link = makeLink(cluster->deployment(), { .readOnly = false });
        QVERIFY(link);
        (*link)->open();
        QTRY_VERIFY_WITH_TIMEOUT((*link)->isReady(), testsupport::GenerousMs);
        const std::vector<std::string> keys{ "left", "right" };
        std::optional<Result<protocol::Reply>> answer;
        (*link)->eval(Script, keys, {}, [&](const Result<protocol::Reply> &reply) { answer = reply; });
        QTRY_VERIFY_WITH_TIMEOUT(answer, testsupport::GenerousMs);
        QVERIFY(*answer && (*answer)->isError()); // a refusal: trying again would not help
        const Error error = protocol::toError(**answer, {});
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QVERIFY(error.message.find("'left', 'right'") != std::string::npos);
    }

    void saysThatAServerIsNoCluster()
    {
        testsupport::RedisServer single;
        QVERIFY(single.start());
        Deployment deployment = cluster->deployment();
        deployment.seeds = { single.endpoint() };
        LockUser user(deployment);
        const auto acquired = user.acquire({ { "job", Kind::Reentrant }, "1", {}, {} });
        QVERIFY(!acquired);
        QVERIFY(acquired.error().message.find("cluster support disabled") != std::string::npos);
    }

    void outlivesAnAddressThatCannotBeReached_data()
    {
        QTest::addColumn<QString>("told");
        QTest::newRow("by the map") << QString();
        QTest::newRow("by MOVED") << QStringLiteral("MOVED");
        QTest::newRow("by ASK") << QStringLiteral("ASK");
    }

    /// To connect there is refused inside the call.
    void outlivesAnAddressThatCannotBeReached()
    {
        QFETCH(const QString, told);
        testsupport::RedisServer node({ .cluster = true });
        QVERIFY(node.start());
        const auto say = [&](const QString &words) {
            return node.cli(QStringList{ QStringLiteral("CLUSTER") } + words.split(u' '));
        };
        say(QStringLiteral("ADDSLOTSRANGE 0 16383"));
        say(QStringLiteral("MEET 224.0.0.1 7000 7001"));
        QString other;
        for (const QByteArray &line : say(QStringLiteral("NODES")).split('\n'))
            other = line.contains("224.0.0.1") ? QString::fromLatin1(line.left(line.indexOf(' '))) : other;
        QVERIFY(!other.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(say(QStringLiteral("INFO")).contains("cluster_state:ok"), testsupport::GenerousMs);

        const QString slot = QString::fromLatin1(say(QStringLiteral("KEYSLOT far")));
        const QString step = told == QStringLiteral("ASK") ? QStringLiteral("MIGRATING") : QStringLiteral("NODE");
        const auto giveAway = [&] { return say(QStringLiteral("SETSLOT %1 %2 %3").arg(slot, step, other)); };
        Deployment deployment;
        deployment.topology = Topology::Cluster;
        deployment.seeds = { node.endpoint() };
        LockUser user(deployment);
        QSignalSpy lost(user.client.get(), &LockClient::lost);
        if (told.isEmpty())
            QCOMPARE(giveAway(), QByteArray("OK"));
        QTRY_VERIFY_WITH_TIMEOUT(user.tryLock({ "near", Kind::Reentrant }), testsupport::GenerousMs);
        if (!told.isEmpty())
            QCOMPARE(giveAway(), QByteArray("OK"));
        const auto waiting = user.startAcquire({ { "far", Kind::Reentrant }, "1", {}, {} });
        const auto isTold = [&] {
            return told.isEmpty() ? !lost.isEmpty()
                                  : node.cli({ QStringLiteral("INFO"), QStringLiteral("errorstats") })
                                        .contains(QStringLiteral("errorstat_%1:").arg(told).toLatin1());
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), testsupport::GenerousMs);
        for (int times = 0; times < 3; ++times) { // the others are served meanwhile
            QVERIFY(user.tryLock({ "near", Kind::Reentrant }));
            QVERIFY(user.release({ "near", Kind::Reentrant }));
        }
        QVERIFY(!waiting->isHere() || !waiting->awaited()); // it waits, or was told why it could not
    }

    void goesOnWhereAConnectedMasterTakesOver()
    {
        RedisCluster own(0, { .config = { QStringLiteral("cluster-require-full-coverage no") } });
        QVERIFY(own.start());
        const LockTarget target{ own.nameAt(0, "taken over"), Kind::Reentrant };
        LockUser user(own.deployment());
        QVERIFY(user.tryLock(target, "1", LongLease));
        QSignalSpy lost(user.client.get(), &LockClient::lost);
        const int slot = own.slotOf(target.name);
        own.startToMove(slot, 0, 1);
        own.node(0).kill();
        QTRY_VERIFY_WITH_TIMEOUT(!lost.isEmpty(), testsupport::GenerousMs);
        const auto released = user.startRelease(target);
        own.endMove(slot, 1); // without its keys
        QVERIFY(released->wait());
        QCOMPARE(released->result->error().code, ErrorCode::NotHeld);
    }

    void goesOnAfterAMasterHasDied()
    {
        RedisCluster own(1);
        QVERIFY(own.start());
        const LockTarget target{ own.nameAt(1, "survivor"), Kind::Reentrant };
        const LockTarget elsewhere{ own.nameAt(0, "elsewhere"), Kind::Reentrant };
        LockUser holder(own.deployment(), { .watchdogTimeout = Millis(6'000) });
        LockUser waiter(own.deployment());
        int lost = 0;
        QObject::connect(
            holder.client.get(), &LockClient::lockLost, holder.client.get(), [&](const LockTarget &) { ++lost; });
        QVERIFY(holder.tryLock(target));
        const auto waiting = waiter.startAcquire({ target, "1", {}, {} });
        const std::string channel = "redisson_lock__channel:{" + target.name + '}';
        const auto subscribed = [&](int node) {
            return shardSubscribers(own.run(node, { "PUBSUB", "SHARDNUMSUB", channel }));
        };
        QTRY_COMPARE_WITH_TIMEOUT(subscribed(1), 1, testsupport::GenerousMs);
        QTRY_COMPARE_WITH_TIMEOUT(number(own.run(4, { "DBSIZE" })), 1, testsupport::GenerousMs); // replicated

        own.node(1).kill();
        QVERIFY(waiter.tryLock(elsewhere, "1", Millis(5))); // the others are served meanwhile
        QTRY_COMPARE_WITH_TIMEOUT(subscribed(4), 1, testsupport::GenerousMs);
        int renewals = 0;
        QObject::connect(
            holder.client.get(), &LockClient::renewed, holder.client.get(), [&](const LockTarget &) { ++renewals; });
        QTRY_VERIFY_WITH_TIMEOUT(renewals >= 2, testsupport::GenerousMs);
        QCOMPARE(number(own.run(4, { "HEXISTS", target.name, owner(holder) })), 1);
        QCOMPARE(lost, 0);
        QVERIFY(!waiting->isHere());
        QCOMPARE(holder.release(target), Result<ReleaseOutcome>(ReleaseOutcome::Released));
        QVERIFY(waiting->wait(PromptMs));
        QVERIFY(*waiting->result && (*waiting->result)->acquired);
    }

private:
    static std::string owner(const LockUser &user) { return user.owner().toStdString(); }

    static std::string channel(const LockTarget &target) { return "redisson_lock__channel:{" + target.name + '}'; }

    static std::int64_t shardSubscribers(const protocol::Reply &reply)
    {
        return reply.array() && reply.array()->size() == 2 ? number(reply.array()->at(1)) : -1;
    }

    std::int64_t shardSubscribers(const LockTarget &target, int master)
    {
        return shardSubscribers(cluster->run(master, { "PUBSUB", "SHARDNUMSUB", channel(target) }));
    }

    std::int64_t subscribers(const std::string &what, const LockTarget &target)
    {
        std::int64_t sum = 0;
        for (int master = 0; master < RedisCluster::Masters; ++master)
            sum += shardSubscribers(cluster->run(master, { "PUBSUB", what, channel(target) }));
        return sum;
    }

    int infoNumber(int node, const std::string &name)
    {
        const auto reply = cluster->run(node, { "INFO", "errorstats" });
        const auto at = reply.bulk() ? reply.bulk()->find(name + ":count=") : std::string::npos;
        return at == std::string::npos ? 0 : std::atoi(reply.bulk()->c_str() + at + name.size() + 7);
    }

    /// What the server told is taken during the first round trip, and what follows from it done during the second.
    void settle(LockUser &user, int master)
    {
        for (int trip = 0; trip < 2; ++trip)
            user.tryLock({ cluster->nameAt(master, "settled"), Kind::Reentrant }, "2", Millis(5));
    }

    /// The wait once it is subscribed at that master, and has tried again.
    LockUser::Acquired startToWait(LockUser &holder, LockUser &waiter, const LockTarget &target, int master)
    {
        if (!holder.tryLock(target, "1", LongLease))
            return {};
        auto waiting = waiter.startAcquire({ target, "1", {}, {} });
        const bool subscribed
            = QTest::qWaitFor([&] { return shardSubscribers(target, master) == 1; }, testsupport::GenerousMs);
        settle(waiter, master);
        return subscribed ? waiting : LockUser::Acquired();
    }

    std::unique_ptr<RedisCluster> cluster;
};

QTEST_GUILESS_MAIN(ClusterLinkTest)
#include "tst_cluster_link.moc"
