// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "lockcore/service/actions/audit_reader.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/transport/clock.h"
#include "tests/support/blocking_client.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace testsupport;

namespace {

constexpr int Limit = 10'000;

/// A monitor that may act on the lock `order`.
struct ActingWatch : MonitorWatch {
    explicit ActingWatch(const RedisServer &server, Millis limit = Millis(15'000))
        : ActingWatch(server, limit, std::make_shared<QTemporaryDir>())
    {
    }
    ActingWatch(const RedisServer &server, Millis limit, const std::shared_ptr<QTemporaryDir> &folder)
        : MonitorWatch(server.endpoint(), options(limit, *folder))
        , audit(folder->filePath(QStringLiteral("audit.jsonl")))
        , m_folder(folder)
    {
        QObject::connect(&service, &Monitor::commandSent, &service, [this] { sent = true; });
        service.setWritable(true);
    }
    void release(const char *reason)
    {
        outcome.reset();
        service.submit(
            ForceRelease{ "order", Kind::Reentrant, { { lock("order")->holders.at(0).owner, {} } }, reason });
    }

    const QString audit;
    bool sent = false;

private:
    static MonitorOptions options(Millis limit, const QTemporaryDir &folder)
    {
        MonitorOptions options;
        options.actionLimit = limit;
        options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
        return options;
    }
    std::shared_ptr<QTemporaryDir> m_folder;
};

} // namespace

class TestMonitor : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
    }
    void cleanup() { m_server.reset(); }

    void findsWhatIsThereAndSeesWhatComes()
    {
        take(*m_server, QStringLiteral("early"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QVERIFY(watch.lock("early"));
        QVERIFY(!watch.lock("early")->holders.at(0).since.exact);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QVERIFY(watch.status().missingRights.empty());
        QVERIFY(watch.status().lastSweep && watch.status().lastSweep->byScript);

        take(*m_server, QStringLiteral("late"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("late"), Limit);
        QVERIFY(watch.lock("late")->holders.at(0).since.exact);
        QCOMPARE(toString(watch.lock("late")->holders.at(0).owner), OwnerB.toStdString());
        QTRY_COMPARE(watch.kinds("late"), std::vector{ EventKind::Acquired });
    }

    /// What the channel and the latch tell may be of a lock of the same name there.
    void takesNoUnlockInAnotherDatabaseForOneHere()
    {
        m_server->cli({ QStringLiteral("-n"), QStringLiteral("1"), QStringLiteral("SET"), QStringLiteral("other"),
            QStringLiteral("1") });
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.status().channelsShared, Limit);
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        m_server->cli({ QStringLiteral("EVAL"),
            QStringLiteral("redis.call('PUBLISH', KEYS[2], '0') redis.call('SET', KEYS[3], '1', 'PX', 13500) "
                           "return redis.call('PEXPIRE', KEYS[1], 90000)"),
            QStringLiteral("3"), QStringLiteral("order"), QString::fromStdString(key_layout::lockChannel("order")),
            QString::fromStdString(key_layout::unlockLatch("order", std::string(32, 'a'))) });
        QTRY_VERIFY_WITH_TIMEOUT(watch.certainty("order", EventKind::Renewed), Limit);
        QCOMPARE(*watch.certainty("order", EventKind::Renewed), Certainty::Inferred);
        QTRY_COMPARE_WITH_TIMEOUT(
            watch.kinds("order"), (std::vector{ EventKind::Acquired, EventKind::Renewed }), Limit);
    }

    /// What is still on its way from the one before never shows under the name of the next.
    void showsNothingOfTheServerBefore()
    {
        RedisServer other;
        QVERIFY(other.start());
        take(*m_server, QStringLiteral("before"), OwnerA, 60'000);
        take(other, QStringLiteral("after"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("before"), Limit);
        for (int i = 0; i < 20; ++i) {
            auto &now = i % 2 == 0 ? other : *m_server;
            const std::string mine = i % 2 == 0 ? "after" : "before";
            const std::string others = i % 2 == 0 ? "before" : "after";
            for (int change = 0; change < 5; ++change) // still to be told of
                m_server->cli(
                    { QStringLiteral("PEXPIRE"), QStringLiteral("before"), QString::number(70'000 + change) });
            watch.service.open(now.endpoint());
            QVERIFY(watch.service.latest()->locks.empty());
            watch.forgetEvents();
            watch.wereSeen.emplace();
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock(mine), Limit);
            QVERIFY(!watch.wereSeen->contains(others));
            QVERIFY(watch.kinds(others).empty());
        }
    }

    void tellsReleaseFromExpiryAndRenewal()
    {
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        for (const auto *before : { "first", "second" }) { // its client is seen to leave latches
            take(*m_server, QString::fromLatin1(before), OwnerA, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock(before), Limit);
            release(*m_server, QString::fromLatin1(before));
            QTRY_COMPARE_WITH_TIMEOUT(watch.certainty(before, EventKind::Released), Certainty::Seen, Limit);
        }
        take(*m_server, QStringLiteral("released"), OwnerA, 60'000);
        take(*m_server, QStringLiteral("expired"), OwnerA, 700);
        take(*m_server, QStringLiteral("deleted"), OwnerA, 60'000);
        take(*m_server, QStringLiteral("renewed"), OwnerA, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("renewed") && watch.lock("deleted"), Limit);
        release(*m_server, QStringLiteral("released"));
        m_server->cli(words("DEL deleted"));
        m_server->cli(words("PEXPIRE renewed 30000"));
        using Kinds = std::vector<EventKind>;
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds("released"), (Kinds{ EventKind::Acquired, EventKind::Released }), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds("deleted"), (Kinds{ EventKind::Acquired, EventKind::Deleted }), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds("renewed"), (Kinds{ EventKind::Acquired, EventKind::Renewed }), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds("expired"), (Kinds{ EventKind::Acquired, EventKind::Expired }), Limit);
        QCOMPARE(watch.certainty("released", EventKind::Released), Certainty::Seen);
        QCOMPARE(watch.certainty("expired", EventKind::Expired), Certainty::Seen);
        QCOMPARE(watch.certainty("deleted", EventKind::Deleted), Certainty::Inferred);
        QTRY_VERIFY(!watch.lock("released") && !watch.lock("deleted") && !watch.lock("expired"));
    }

    void showsALockThatAnotherProgramHasDamaged_data()
    {
        QTest::addColumn<bool>("byScript");
        QTest::newRow("by script") << true;
        QTest::newRow("without scripts") << false;
    }
    void showsALockThatAnotherProgramHasDamaged()
    {
        QFETCH(const bool, byScript);
        if (!byScript)
            configure(QStringLiteral("rename-command DBSIZE \"\""));
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        m_server->cli(words("HSET order other 1"));
        m_server->cli({ QStringLiteral("HSET"), QStringLiteral("sessions"), OwnerA, QStringLiteral("1"),
            QStringLiteral("other"), QStringLiteral("1") });
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order") && watch.lock("order")->holders.size() == 2, Limit);
        QVERIFY(!watch.lock("sessions"));
        const auto suspects = [&watch] {
            const auto seen = watch.service.latest();
            return seen->analysis ? seen->analysis->suspects : std::vector<Suspect>();
        };
        QTRY_VERIFY_WITH_TIMEOUT(!suspects().empty(), Limit);
        QCOMPARE(suspects().front().kind, SuspectKind::TwoHolders);
        QCOMPARE(suspects().front().subject, std::string("other"));
        m_server->cli(words("HDEL order other"));
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order")->holders.size() == 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(
            watch.certainty("order", EventKind::Acquired), Certainty::Seen, Limit); // by its holder
        for (const auto &event : watch.events)
            QVERIFY(event.kind != EventKind::Acquired || event.owner->client == OwnerA.left(36).toStdString()
                || event.certainty == Certainty::Inferred);
    }

    void looksWithoutScriptsWhereTheServerCannotRunThem()
    {
        configure(QStringLiteral("rename-command DBSIZE \"\""));
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        QVERIFY(!watch.status().lastSweep->byScript);
    }

    void noticesAnExpiryThatIsNotAnnounced()
    {
        configure(QStringLiteral("enable-debug-command yes"));
        QCOMPARE(m_server->cli(words("DEBUG SET-ACTIVE-EXPIRE 0")).trimmed(), QByteArray("OK"));
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        take(*m_server, QStringLiteral("order"), OwnerA, 1'500);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        const auto expiresAt = *watch.lock("order")->expiresAt;
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
        const auto late = std::chrono::duration_cast<Millis>(monoNow() - expiresAt).count();
        QVERIFY2(late >= 0 && late < 1'000, qPrintable(QString::number(late)));
    }

    void survivesFlushes()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        m_server->cli(words("SCRIPT FLUSH"));
        m_server->cli(words("FLUSHALL"));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
        QTRY_COMPARE(watch.certainty("order", EventKind::Deleted), Certainty::Seen);
        take(*m_server, QStringLiteral("order"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        QVERIFY(watch.status().lastSweep->byScript);
    }

    void isStaleAtOnceAndComesBackByItself()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        m_server->kill();
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Stale, Limit);
        QVERIFY(watch.status().staleSince && watch.status().error);
        QVERIFY(watch.lock("order"));
        const auto restarted = monoNow();
        QVERIFY(m_server->restart());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), 20'000);
        QVERIFY(!watch.lock("order"));
        QVERIFY(!watch.status().staleSince && !watch.status().error);
        const auto gap = std::find_if(
            watch.events.begin(), watch.events.end(), [](const auto &event) { return event.kind == EventKind::Gap; });
        QVERIFY(gap != watch.events.end() && gap->ttl && *gap->ttl > Millis{ 0 });
        QTRY_COMPARE(watch.certainty("order", EventKind::Deleted), Certainty::Inferred);
        // What the sweep finds may have been there before, and a sweep may find a lock before the word of it comes.
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().lastSweep->finishedAt > restarted, Limit);
        bool isExact = false;
        for (int i = 0; i < 5 && !isExact; ++i) {
            const QString name = QStringLiteral("stock %1").arg(i);
            take(*m_server, name, OwnerA, 60'000);
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock(name.toStdString()), Limit);
            isExact = watch.lock(name.toStdString())->holders.at(0).since.exact;
        }
        QVERIFY(isExact);
    }

    void noticesWhenTheServerStopsAnnouncing()
    {
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        m_server->cli(words("CLIENT KILL TYPE pubsub"));
        QTRY_VERIFY_WITH_TIMEOUT(std::any_of(watch.events.begin(), watch.events.end(),
                                     [](const auto &event) { return event.kind == EventKind::Gap; }),
            Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
    }

    void degradesWithTheRightsItHas()
    {
        take(*m_server, QStringLiteral("early"), OwnerA, 60'000);
        m_server->cli(
            words("ACL SETUSER lockmon on >secret ~* &redisson_* &__redis__:invalidate -@all +@read "
                  "+@connection -@dangerous +subscribe +psubscribe +unsubscribe +punsubscribe +pubsub +info"));
        auto endpoint = m_server->endpoint();
        endpoint.user = "lockmon";
        endpoint.password = "secret";
        MonitorWatch watch(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("early"), Limit);
        QVERIFY(!watch.status().lastSweep->byScript);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QVERIFY(watch.saysMissing(Right::ReadScripts));
        take(*m_server, QStringLiteral("late"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("late"), Limit);
        release(*m_server, QStringLiteral("late"));
        QTRY_COMPARE_WITH_TIMEOUT(watch.certainty("late", EventKind::Released), Certainty::Seen, Limit);
    }

    void listensToEachChannelWhereThePatternIsRefused()
    {
        m_server->cli(words("ACL SETUSER lockmon on >secret ~* &redisson_lock__channel:* &__redis__:invalidate "
                            "-@all +@read +@connection +subscribe +psubscribe +unsubscribe +pubsub +info"));
        auto endpoint = m_server->endpoint();
        endpoint.user = "lockmon";
        endpoint.password = "secret";
        MonitorWatch watch(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.saysMissing(Right::UnlockMessages), Limit);
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(
            m_server->cli(words("PUBSUB CHANNELS redisson_*")), QByteArray("redisson_lock__channel:{order}"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order")->subscribers == 0, Limit);
        release(*m_server, QStringLiteral("order"));
        QTRY_COMPARE_WITH_TIMEOUT(watch.certainty("order", EventKind::Released), Certainty::Seen, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(m_server->cli(words("PUBSUB CHANNELS redisson_*")), QByteArray(), Limit);
    }

    void degradesToRereadingWithoutPubSub()
    {
        take(*m_server, QStringLiteral("early"), OwnerA, 60'000);
        m_server->cli(words("ACL SETUSER lockmon on >secret ~* -@all +@read +ping +info +select +client|setname "
                            "+client|id"));
        auto endpoint = m_server->endpoint();
        endpoint.user = "lockmon";
        endpoint.password = "secret";
        MonitorWatch watch(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("early"), Limit);
        QCOMPARE(watch.status().feed, Feed::Rereading);
        QTRY_VERIFY_WITH_TIMEOUT(watch.saysMissing(Right::Invalidations) && watch.saysMissing(Right::UnlockMessages)
                && watch.saysMissing(Right::CountWaiters),
            Limit);
        release(*m_server, QStringLiteral("early"));
        QTRY_COMPARE_WITH_TIMEOUT(watch.certainty("early", EventKind::Released), Certainty::Inferred, Limit);
    }

    void readsAHugeHashCheaply()
    {
        m_server->cli(
            { QStringLiteral("EVAL"), QStringLiteral("for i = 1, 1000000 do redis.call('HSET', KEYS[1], i, 1) end"),
                QStringLiteral("1"), QStringLiteral("redisson_lock:huge") });
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        m_server->cli(words("CONFIG RESETSTAT"));
        m_server->cli(words("HSET redisson_lock:huge one more"));
        take(*m_server, QStringLiteral("stock"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("stock"), Limit);
        QVERIFY(!watch.lock("redisson_lock:huge"));
        const auto stats = m_server->cli(words("INFO commandstats"));
        QVERIFY(stats.contains("cmdstat_evalsha_ro"));
        const auto slow = m_server->cli(words("SLOWLOG GET 100"));
        QVERIFY2(!slow.contains("evalsha_ro") && !slow.contains("EVALSHA_RO"), slow.constData());
    }

    void countsWhoWaits()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        QProcess waiter;
        waiter.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server->socketPath(), QStringLiteral("SUBSCRIBE"),
                QStringLiteral("redisson_lock__channel:{order}") });
        QVERIFY(waiter.waitForReadyRead(Limit));
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order") && watch.lock("order")->subscribers == 1, Limit);
        waiter.kill();
        waiter.waitForFinished();
        QTRY_COMPARE_WITH_TIMEOUT(watch.lock("order")->subscribers, std::optional<std::int64_t>{ 0 }, Limit);
    }

    void sendsNoWrite()
    {
        for (int i = 0; i < 50; ++i)
            take(*m_server, QStringLiteral("lock%1").arg(i), OwnerA, i % 2 ? 60'000 : 900);
        m_server->cli(words("CONFIG RESETSTAT"));
        QSet<QByteArray> before = commandsUsed();
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        watch.service.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(watch.service.latest()->locks.size(), std::size_t{ 25 }, Limit);
        const auto writes = m_server->cli(words("ACL CAT write")).split('\n');
        for (const auto &command : commandsUsed() - before)
            QVERIFY2(!writes.contains(command), command.constData());
        QVERIFY(commandsUsed().contains("evalsha_ro"));
    }

    void failsWithAReasonWhereNobodyListens()
    {
        auto endpoint = m_server->endpoint();
        m_server->stop();
        MonitorWatch watch(endpoint);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Failed, Limit);
        QCOMPARE(watch.status().error->code, ErrorCode::ConnectionRefused);
    }

    void refusesActionsUntilItIsWritable()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint());
        std::optional<ErrorCode> code;
        connect(&watch.service, &Monitor::commandFinished, &watch.service,
            [&](CommandId, const Result<CommandOutcome> &outcome) {
                code = outcome ? std::nullopt : std::optional{ outcome.error().code };
            });
        watch.service.submit(ForceRelease{ "order", Kind::Reentrant, { { { "c", "1" }, {} } }, "test" });
        QTRY_COMPARE(code, std::optional{ ErrorCode::ReadOnlyMode });
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("1"));
    }

    void forceReleasesWhatWasSeenAndRecordsIt()
    {
        QTemporaryDir folder;
        MonitorOptions options;
        options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint(), options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        watch.service.setWritable(true);
        std::vector<Result<CommandOutcome>> outcomes;
        connect(&watch.service, &Monitor::commandFinished, &watch.service,
            [&](CommandId, const Result<CommandOutcome> &outcome) { outcomes.push_back(outcome); });

        const OwnerId seen = watch.lock("order")->holders.at(0).owner;
        const OwnerId other{ seen.client, "8" };
        watch.service.submit(ForceRelease{ "order", Kind::Reentrant, { { other, {} } }, "stuck" });
        QTRY_COMPARE_WITH_TIMEOUT(outcomes.size(), std::size_t{ 1 }, Limit);
        QVERIFY(outcomes[0] && !outcomes[0]->done);
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("1"));

        watch.service.submit(ForceRelease{ "order", Kind::Reentrant, { { seen, {} } }, "stuck" });
        QTRY_COMPARE_WITH_TIMEOUT(outcomes.size(), std::size_t{ 2 }, Limit);
        QVERIFY(outcomes[1] && outcomes[1]->done);
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("0"));
        QTRY_COMPARE_WITH_TIMEOUT(watch.certainty("order", EventKind::ForceReleased), Certainty::Seen, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);

        QFile audit(options.auditFile);
        QVERIFY(audit.open(QIODevice::ReadOnly));
        QCOMPARE(audit.readAll().count('\n'), 4);
    }

    void tellsThatItHasSetALease()
    {
        ActingWatch watch(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        take(*m_server, QStringLiteral("order"), OwnerA, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        const OwnerId seen = watch.lock("order")->holders.at(0).owner;
        watch.service.submit(SetTtl{ "order", Kind::Reentrant, { { seen, {} } }, Millis(60'000), "a long one" });
        using Kinds = std::vector<EventKind>;
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds("order"), (Kinds{ EventKind::Acquired, EventKind::Renewed }), Limit);
        QCOMPARE(watch.certainty("order", EventKind::Renewed), Certainty::Seen);
    }

    void wantsAReason()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        ActingWatch watch(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        for (const char *reason : { "", " \t\n" }) {
            watch.release(reason);
            QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
            QCOMPARE(watch.outcome->error().code, ErrorCode::InvalidArgument);
        }
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("1"));
    }

    void sendsNothingWhenItIsMadeReadOnlyOrClosed_data()
    {
        QTest::addColumn<bool>("closes");
        QTest::newRow("read-only") << false;
        QTest::newRow("closed") << true;
    }
    void sendsNothingWhenItIsMadeReadOnlyOrClosed()
    {
        QFETCH(const bool, closes);
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        ActingWatch watch(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        m_server->cli(words("CLIENT PAUSE 1000 ALL"));
        watch.release("stuck");
        closes ? watch.service.close() : watch.service.setWritable(false);
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QCOMPARE(watch.outcome->error().code, ErrorCode::Cancelled);
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("1"));
        QVERIFY(!watch.sent);
        QVERIFY(hasRecordedThatNothingWasSent(watch, "stuck"));
    }

    void recordsThatItCouldNotBeSent()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        ActingWatch watch(*m_server, Millis(400));
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        m_server->pause();
        watch.release("nobody answers");
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QCOMPARE(watch.outcome->error().code, ErrorCode::ConnectTimeout);
        QVERIFY(hasRecordedThatNothingWasSent(watch, "nobody answers"));
        m_server->resume();
    }

    void doesNothingAfterItsLimit()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        ActingWatch watch(*m_server, Millis(400));
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        m_server->cli(words("CLIENT PAUSE 1500 WRITE"));
        watch.release("stuck");
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QCOMPARE(watch.outcome->error().code, ErrorCode::ReplyTimeout);
        QVERIFY(watch.sent);
        m_server->cli(words("SET after pause")); // waits for its end
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("1"));
    }

    void tellsWhatItCouldNotRecord()
    {
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        ActingWatch watch(*m_server);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        m_server->cli(words("CLIENT PAUSE 1000 WRITE"));
        watch.release("stuck");
        QTRY_VERIFY_WITH_TIMEOUT(watch.sent, Limit);
        QVERIFY(QFile::remove(watch.audit) && QDir().mkpath(watch.audit)); // a folder cannot be written to
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QVERIFY(*watch.outcome && (*watch.outcome)->done);
        QVERIFY((*watch.outcome)->notRecorded);
    }

    void doesNothingThatItCannotRecord()
    {
        MonitorOptions options;
        options.auditFile = m_server->socketPath() + QStringLiteral("/audit.jsonl"); // not a folder
        take(*m_server, QStringLiteral("order"), OwnerA, 60'000);
        MonitorWatch watch(m_server->endpoint(), options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        watch.service.setWritable(true);
        std::optional<ErrorCode> code;
        connect(&watch.service, &Monitor::commandFinished, &watch.service,
            [&](CommandId, const Result<CommandOutcome> &outcome) {
                code = outcome ? std::nullopt : std::optional{ outcome.error().code };
            });
        const OwnerId seen = watch.lock("order")->holders.at(0).owner;
        watch.service.submit(ForceRelease{ "order", Kind::Reentrant, { { seen, {} } }, "stuck" });
        QTRY_COMPARE_WITH_TIMEOUT(code, std::optional{ ErrorCode::FileFailed }, Limit);
        QCOMPARE(m_server->cli(words("EXISTS order")), QByteArray("1"));
    }

    void publishesSoonAfterAChange()
    {
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        testsupport::BlockingClient client(m_server->socketPath().toStdString());
        std::vector<qint64> times;
        for (int i = 0; i < 20; ++i) {
            const auto name = "order" + std::to_string(i);
            QSignalSpy spy(&watch.service, &Monitor::snapshotReady);
            while (spy.wait(150)) { } // until it is quiet
            QElapsedTimer since;
            since.start();
            client.run({ "HSET", name, OwnerA.toStdString(), "1" });
            while (!watch.lock(name))
                QVERIFY(spy.wait(Limit));
            times.push_back(since.nsecsElapsed() / 1'000);
        }
        std::sort(times.begin(), times.end());
        qInfo("from the command to the snapshot: median %lld us, worst %lld us", static_cast<long long>(times[10]),
            static_cast<long long>(times.back()));
    }

private:
    static bool hasRecordedThatNothingWasSent(const ActingWatch &watch, const char *reason)
    {
        const auto step = AuditReader(watch.audit).read(1 << 20);
        if (!step || step->news.begun.size() != 1)
            return false;
        const AuditEntry &entry = *step->news.begun.front();
        return entry.reason == reason && entry.lock == "order" && entry.outcome && entry.outcome->isUnsent
            && stateOf(entry, *entry.begunAt) == AuditState::Failed;
    }

    void configure(const QString &line)
    {
        RedisServerOptions options;
        options.config << line;
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY(m_server->start());
    }

    QSet<QByteArray> commandsUsed() const
    {
        QSet<QByteArray> commands;
        for (const auto &line : m_server->cli(words("INFO commandstats")).split('\n')) {
            if (line.startsWith("cmdstat_"))
                commands.insert(line.mid(8, line.indexOf(':') - 8));
        }
        return commands;
    }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_GUILESS_MAIN(TestMonitor)
#include "tst_monitor.moc"
