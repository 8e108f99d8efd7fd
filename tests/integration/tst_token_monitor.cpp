// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/rights_test.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_cluster.h"

#include <QTemporaryDir>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr int Limit = 60'000;
const QString Name = u"lock:order"_s;
const std::string Order = "lock:order";
const std::string Hex = "5a1d3c1e8a9f11ee8c990242ac120002"; // as redis-py makes them
const OwnerId First{ Hex, "" };
const OwnerId Second{ "ADDED:2024-11-20T14:02:11.380Z@worker-3", "" };

MonitorOptions watching(std::vector<std::string> names, std::optional<Feed> feed = {})
{
    MonitorOptions options = rarelySweeping();
    options.tokenNames = std::move(names);
    options.feed = feed;
    return options;
}

} // namespace

/// Locks of other libraries, taken with redis-cli, as a monitor shows them.
class TokenMonitor : public RightsTest {
    Q_OBJECT

private Q_SLOTS:
    void showsNoStringUnlessItsNameIsToldOf()
    {
        set(Name, Hex);
        MonitorWatch watch(m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        set(Name, Hex);
        take(m_server, u"hash"_s, OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("hash"), Limit);
        QVERIFY(!watch.lock(Order));
    }

    void followsOneThroughItsLife_data()
    {
        QTest::addColumn<Feed>("feed");
        QTest::addColumn<QByteArray>("rights"); // empty: the default user
        QTest::addColumn<bool>("exact");
        QTest::newRow("client tracking") << Feed::ClientTracking << QByteArray() << true;
        QTest::newRow("notifications") << Feed::KeyspaceNotifications << QByteArray() << true;
        QTest::newRow("re-reading") << Feed::Rereading << QByteArray() << false;
        QTest::newRow("a user who only looks") << Feed::ClientTracking << Everything.toUtf8() << true;
        QTest::newRow("and without scripts")
            << Feed::ClientTracking << Everything.toUtf8() + " -eval_ro -evalsha_ro" << true;
    }
    void followsOneThroughItsLife()
    {
        QFETCH(const Feed, feed);
        QFETCH(const QByteArray, rights);
        QFETCH(const bool, exact);
        m_server.cli(words("CONFIG SET notify-keyspace-events KEA"));
        if (!rights.isEmpty())
            m_server.cli(words("ACL SETUSER lockmon reset") + QString::fromUtf8(rights).split(u' '));
        set(u"lock:early"_s, Hex, u"PX"_s);
        set(u"lock:forever"_s, Hex, {});
        set(u"session:1"_s, Hex, u"PX"_s);
        m_server.cli({ u"LPUSH"_s, u"lock:list"_s, u"x"_s });
        MonitorWatch watch(rights.isEmpty() ? m_server.endpoint() : user(), watching({ "lock:*" }, feed));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.status().feed, feed);
        QVERIFY(rights.contains("-eval_ro") || watch.status().missingRights.empty());
        QCOMPARE(
            watch.holders(), (std::map<std::string, std::string>{ { "lock:early", Hex }, { "lock:forever", Hex } }));
        QCOMPARE(watch.lock("lock:early")->kind, Kind::Token);
        QVERIFY(watch.lock("lock:early")->expiresAt && !watch.lock("lock:forever")->expiresAt);
        QVERIFY(!waitingCount(*watch.lock("lock:early"))); // nobody can tell

        set(Name, Hex);
        if (!exact)
            watch.service.refresh(); // new ones are found by sweeps
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(Order), Limit);
        QCOMPARE(watch.lock(Order)->holders.front().since.exact, exact);
        QVERIFY(watch.lock(Order)->holders.front().owner == First);
        m_server.cli({ u"PEXPIRE"_s, Name, u"90000"_s });
        QTRY_COMPARE_WITH_TIMEOUT(watch.lock(Order)->renewals, 1, Limit);
        const std::string byWhom = toString(Second);
        m_server.cli({ u"SET"_s, Name, QString::fromStdString(byWhom), u"PX"_s, u"60000"_s });
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(Order)->holders.front().owner == Second, Limit);
        m_server.cli({ u"DEL"_s, Name });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(Order), Limit);
        set(u"lock:early"_s, "other", u"PX"_s, 3'000);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("lock:early"), Limit);

        using enum EventKind;
        const auto begun = exact ? Acquired : Appeared;
        QTRY_COMPARE_WITH_TIMEOUT(
            watch.kinds(Order), (std::vector{ begun, Renewed, Released, Acquired, Released }), Limit);
        QCOMPARE(watch.certainty(Order, Renewed), Certainty::Inferred);
        QCOMPARE(watch.certainty(Order, Released), Certainty::Inferred);
        QTRY_COMPARE_WITH_TIMEOUT(
            watch.kinds("lock:early"), (std::vector{ Appeared, Released, Acquired, Expired }), Limit);
        QCOMPARE(watch.certainty("lock:early", Expired), exact ? Certainty::Seen : Certainty::Inferred);
        QVERIFY(watch.kinds("session:1").empty() && watch.kinds("lock:list").empty());
    }

    /// An empty one would be every name.
    void opensNothingWithAPatternThatIsNone()
    {
        MonitorWatch watch(m_server.endpoint(), watching({ "lock:*", "" }));
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().error, Limit);
        QCOMPARE(watch.status().error->code, ErrorCode::InvalidArgument);
        QCOMPARE(watch.status().phase, SourcePhase::Failed);
    }

    void findsManyAmongMore()
    {
        m_server.cli({ u"EVAL"_s,
            u"for i = 1, 20000 do redis.call('SET', 'session:' .. i, i .. 'x') end "
            "for i = 1, 700 do redis.call('SET', 'lock:' .. i, 'token', 'PX', 600000) end "
            "for i = 1, 300 do redis.call('SET', 'job:' .. i, 'token', 'PX', 600000) end"_s,
            u"0"_s });
        MonitorWatch watch(m_server.endpoint(), watching({ "lock:*", "job:*" }));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.holders().size(), std::size_t(1'000));
        watch.service.setTokenNames({ "job:*" });
        watch.service.open(m_server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.holders().size(), std::size_t(300));
    }

    /// With what Redisson keeps there, and with numbers that are semaphores.
    void leavesToRedissonWhatIsRedissons()
    {
        LockUser user(m_server.endpoint());
        QVERIFY(user.tryLock({ "fenced", Kind::Fenced }));
        QVERIFY(user.tryLock({ "rw", Kind::ReadWrite, HoldMode::Read }));
        m_server.cli(words("SET seats 3"));
        m_server.cli({ u"ZADD"_s, u"{seats}:timeout"_s, u"1999999999999"_s, QString(32, u'a') });
        set(Name, Hex);
        MonitorWatch watch(m_server.endpoint(), watching({ "*" }));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        std::map<std::string, Kind> kinds;
        const auto seen = watch.service.latest();
        for (const auto &lock : seen->locks)
            kinds.emplace(lock->name, lock->kind);
        QCOMPARE(kinds,
            (std::map<std::string, Kind>{ { "fenced", Kind::Fenced }, { "rw", Kind::ReadWrite },
                { "seats", Kind::PermitExpirableSemaphore }, { Order, Kind::Token } }));
    }

    void freesAndProlongsWhatHasTheTokenThatWasSeen()
    {
        const QTemporaryDir folder;
        auto options = watching({ "lock:*" });
        options.auditFile = folder.filePath(u"audit.jsonl"_s);
        set(Name, toString(Second));
        MonitorWatch watch(m_server.endpoint(), options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(Order), Limit);
        const std::vector<ExpectedHolder> expected{ { watch.lock(Order)->holders.front().owner, {} } };
        QVERIFY(act(watch, SetTtl{ Order, Kind::Token, expected, 600s, "why" })->done);
        QTRY_VERIFY_WITH_TIMEOUT(ttlAt(*watch.lock(Order), watch.lock(Order)->readAtMono) > 500s, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.certainty(Order, EventKind::Renewed), Certainty::Seen, Limit);
        m_server.cli({ u"SET"_s, Name, QString::fromStdString(Hex), u"PX"_s, u"60000"_s });
        const auto refused = act(watch, ForceRelease{ Order, Kind::Token, expected, "why" });
        QVERIFY(refused && !refused->done && refused->found.front().owner == First);
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), QByteArray::fromStdString(Hex));
        for (const AdminCommand &command :
            { AdminCommand(DropWaiter{ Order, First, "why" }), AdminCommand(ReturnPermit{ Order, Hex, "why" }) }) {
            const auto outcome = act(watch, command);
            QCOMPARE(outcome.error().code, ErrorCode::NotSupported);
        }
        QVERIFY(act(watch, ForceRelease{ Order, Kind::Token, { { First, {} } }, "why" })->done);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(Order), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds(Order).back(), EventKind::ForceReleased, Limit);
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("0"));
    }

    /// A hold of lockcore leaves a latch, as all its unlocks, which tells for sure.
    void knowsARelease()
    {
        MonitorWatch watch(m_server.endpoint(), watching({ "lock:*" }));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        LockUser user(m_server.endpoint());
        const LockTarget target{ Order, Kind::Token };
        QVERIFY(user.tryLock(target));
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(Order), Limit);
        QCOMPARE(toString(watch.lock(Order)->holders.front().owner), user.owner().toStdString());
        const auto state = answerTo<LockReading>([&](auto handler) { user.client->state(target, handler); });
        QVERIFY(state && state->kind == Kind::Token && state->holders.size() == 1);
        QVERIFY(state->holders.front().owner == watch.lock(Order)->holders.front().owner);
        QVERIFY(user.release(target));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(Order), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds(Order), (std::vector{ EventKind::Acquired, EventKind::Released }), Limit);
        QCOMPARE(watch.certainty(Order, EventKind::Released), Certainty::Seen);
        QCOMPARE(user.release(target).error().code, ErrorCode::NotHeld);
    }

    void isSeenInACluster()
    {
        RedisCluster cluster;
        QVERIFY(cluster.start());
        std::vector<std::string> names;
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            names.push_back(cluster.nameAt(master, "lock:"));
            cluster.run(master, { "SET", names.back(), Hex, "NX", "PX", "600000" });
            cluster.run(master, { "SET", cluster.nameAt(master, "session:"), Hex });
        }
        MonitorWatch watch(cluster.deployment(), watching({ "lock:*" }));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.holders().size(), names.size());
        cluster.run(0, { "DEL", names[0] });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(names[0]), Limit);
        LockUser user(cluster.deployment());
        QVERIFY(!user.tryLock({ names[1], Kind::Token }));
        QVERIFY(user.tryLock({ names[0], Kind::Token }));
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock(names[0]), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds(names[0]),
            (std::vector{ EventKind::Appeared, EventKind::Released, EventKind::Acquired }), Limit);
        QVERIFY(user.release({ names[0], Kind::Token }));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(names[0]), Limit);
    }

private:
    void set(const QString &name, const std::string &token, const QString &unit = u"PX"_s, int ms = 60'000) const
    {
        QStringList command{ u"SET"_s, name, QString::fromStdString(token) };
        if (!unit.isEmpty())
            command += { unit, QString::number(ms) };
        m_server.cli(command);
    }
    static Result<CommandOutcome> act(MonitorWatch &watch, AdminCommand command)
    {
        watch.submit(std::move(command));
        if (!QTest::qWaitFor([&] { return watch.outcome.has_value(); }, Limit))
            return failure(ErrorCode::ReplyTimeout, "no outcome");
        return *watch.outcome;
    }
};

Q_DECLARE_METATYPE(lockcore::monitor::Feed)
QTEST_GUILESS_MAIN(TokenMonitor)
#include "tst_token_monitor.moc"
