// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <map>
#include <numeric>
#include <set>

using lockcore::protocol::Reply;
using testsupport::BlockingClient;
using testsupport::Ending;
using testsupport::Environment;
using testsupport::Program;
using testsupport::RedisServer;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int PlayTakesMs = 240'000; // on a busy computer

} // namespace

/// Scenarios on a server that is the person's.
class TestLockctlRunForeign : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_temporary.isValid());
        QVERIFY(m_server.start());
        m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
        QVERIFY(run({ "AUTH", "geheim" }).status());
        // Others use the names that scenarios use, and one died in the middle of a play long ago.
        const std::vector<std::vector<std::string>> there{ { "HSET", "orders", "somebody:1", "1" },
            { "RPUSH", "redisson_lock_queue:{door}", "somebody:1" }, { "SET", "scanners", "7" },
            { "SET", "lockscope-lab:0123456789abcdef:orders", "1" },
            { "SET", "lockscope-lab", std::string("\0\xff", 2) },
            { "ZADD", "redisson_lock_timeout:{gate}", "1", "somebody:1" }, { "SADD", "set", "a", "b" } };
        for (const auto &command : there)
            QVERIFY(!run(command).isError());
        for (int i = 0; i < 3'000; ++i)
            QVERIFY(!run({ "SET", "other:" + std::to_string(i), "x" }).isError());
        m_before = keyspace();
        QCOMPARE(m_before.size(), 3'007U);
    }
    void cleanup() { QCOMPARE(keyspace(), m_before); }

    void playsUnderNamesOfItsOwn()
    {
        const Ending played = play({ u"mutual-exclusion"_s, u"fair-order"_s, u"fair-ghost"_s, u"read-write"_s,
            u"semaphore"_s, u"expirable-permits"_s, u"latch"_s, u"fencing"_s, u"multi-lock"_s, u"force-release"_s,
            u"holder-crashes"_s });
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
        QVERIFY(!played.out.contains("not ok") && !played.out.contains("# SKIP"));
        QCOMPARE(played.out.count("under names that begin with lockscope-lab:"), 11);
        QVERIFY(!played.out.contains("geheim"));
    }

    /// Of all that there are those that stop servers are left out.
    void leavesOutWhatIsNotForIt()
    {
        const QString file = write(R"({ "name": "kills", "title": "t", "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" }, { "do": "killServer", "id": "the end" } ] })");
        const Ending kills = play({ file });
        QCOMPARE(kills.status, 2);
        QVERIFY2(kills.err.contains("step the end of 'kills' is killServer"), kills.err.constData());
        const Ending several = play({ u"waiting"_s, u"red-lock"_s });
        QCOMPARE(several.status, 2);
        QVERIFY2(several.err.contains("'red-lock' wants several servers"), several.err.constData());
        QCOMPARE(several.out, QByteArray());
        const Ending cut = play({ u"network-cut"_s });
        QCOMPARE(cut.status, 2);
        QVERIFY2(cut.err.contains("is cutNetwork, which is done to private servers only"), cut.err.constData());
        const Ending redisson = play({ u"redisson-crashes"_s });
        QCOMPARE(redisson.status, 2);
        QVERIFY2(redisson.err.contains("connected to private servers only"), redisson.err.constData());
    }

    void asksForPermission()
    {
        const Ending played = testsupport::run(Lockctl, { u"--url"_s, url(), u"run"_s, u"latch"_s });
        QCOMPARE(played.status, 2);
        QVERIFY2(played.err.contains("repeat it with --writable"), played.err.constData());
        const Ending demo = testsupport::run(Lockctl, { u"--demo"_s, u"run"_s, u"latch"_s });
        QCOMPARE(demo.status, 2);
    }

    /// What may delete has to be sure of what.
    void cleansUpNothingButPlays()
    {
        for (const QString &prefix : { u""_s, u"orders"_s, u"lockscope-lab:"_s, u"lockscope-lab:0123456789abcde*:"_s,
                 u"lockscope-lab:0123456789abcdef"_s }) {
            const Ending cleaned = testsupport::run(
                Lockctl, { u"--url"_s, url(), u"client"_s, u"--clean-up"_s, prefix }, withPassword());
            QCOMPARE(cleaned.status, 2);
        }
        const QString names = write(R"(["lockscope-lab:0123456789abcdef:x", "orders"])"_ba + '\n');
        const Ending others = Program(u"sh"_s,
            { u"-c"_s, u"\"$1\" --url \"$2\" client --clean-up lockscope-lab:0123456789abcdef: <\"$3\""_s, u"sh"_s,
                Lockctl, url(), names },
            withPassword())
                                  .end();
        QCOMPARE(others.status, 2);
        QVERIFY2(others.err.contains("expected a list of names that begin with"), others.err.constData());
    }

    /// A user who may not delete is told before anything is written.
    void beginsOnlyWhatItMayEnd()
    {
        QVERIFY(!run({ "ACL", "SETUSER", "writer", "on", ">w", "~*", "&*", "+@all", "-del" }).isError());
        const Ending played
            = testsupport::run(Lockctl, { u"--url"_s, url(u"writer@"_s), u"--writable"_s, u"run"_s, u"latch"_s },
                { { u"LOCKSCOPE_PASSWORD"_s, u"w"_s } });
        QCOMPARE(played.status, 3);
        QVERIFY2(played.err.contains("NOPERM"), played.err.constData());
        QVERIFY2(!played.out.contains("ok 1"), played.out.constData());
    }

    /// A server with many keys has other things to do than to be searched through.
    void searchesInSmallSteps()
    {
        constexpr int Keys = 30'000;
        const auto flood = [this](const char *what) {
            std::vector<lockcore::protocol::Command> commands;
            for (int i = 0; i < Keys; ++i)
                commands.push_back(what == std::string("SET")
                        ? lockcore::protocol::Command{ what, "many:" + std::to_string(i), "x" }
                        : lockcore::protocol::Command{ what, "many:" + std::to_string(i) });
            m_client->runAll(commands);
        };
        flood("SET");
        QVERIFY(!run({ "CONFIG", "RESETSTAT" }).isError());
        QVERIFY(!run({ "CONFIG", "SET", "slowlog-log-slower-than", "0" }).isError());
        QVERIFY(!run({ "CONFIG", "SET", "slowlog-max-len", "100000" }).isError());
        QVERIFY(!run({ "SLOWLOG", "RESET" }).isError());
        const Ending played = play({ u"latch"_s });
        const Reply log = run({ "SLOWLOG", "GET", "-1" });
        QVERIFY(!run({ "CONFIG", "SET", "slowlog-log-slower-than", "10000" }).isError());
        flood("DEL");
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
        std::set<std::string> counts;
        int pages = 0;
        for (const Reply &entry : *log.array()) {
            const auto &words = *(*entry.array())[3].array();
            if (*words[0].bulk() != "SCAN" || words.size() != 6 || *words[2].bulk() != "MATCH")
                continue; // a look for whether it may, or the monitor's
            counts.insert(*words[5].bulk());
            pages += *words[5].bulk() == "500" ? 1 : 0;
        }
        QVERIFY2(counts == (std::set<std::string>{ "1", "500" }), // 1: whether it may
            std::accumulate(counts.begin(), counts.end(), std::string("COUNT ")).c_str());
        QVERIFY2(pages >= Keys / 600 && pages <= Keys / 200, qPrintable(QString::number(pages))); // once through all
    }

    /// What others do with their locks is none of its business, and costs their server nothing. But an ACL that names
    /// the channels of all locks permits no other pattern.
    void hearsNothingOfOthers_data()
    {
        QTest::addColumn<QString>("login");
        QTest::addColumn<bool>("hearsOthers");
        QTest::newRow("a user who may listen to all") << QString() << false;
        QTest::newRow("a user who may listen to locks") << u"locker@"_s << true;
    }
    void hearsNothingOfOthers()
    {
        QFETCH(const QString, login);
        QFETCH(const bool, hearsOthers);
        QVERIFY(!run({ "ACL", "SETUSER", "locker", "on", ">geheim", "~*", "resetchannels", "&redisson_*",
                         "&__redis__:invalidate", "+@all" })
                     .isError());
        const QString file = write(R"({ "name": "long", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x", "kind": "fair" },
            { "do": "lock", "client": "B", "lock": "x", "kind": "fair", "wait": "50s", "meanwhile": true },
            { "do": "check", "expect": { "seen": [{ "lock": "x", "waiters": ["$B:1"] }] } },
            { "do": "unlock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "A", "lock": "x", "kind": "fair", "wait": "50s" } ] })");
        Program program(Lockctl, { u"--url"_s, url(login), u"--writable"_s, u"run"_s, file }, withPassword());
        const QByteArray prefix = program.lineWith("begin with lockscope-lab:").trimmed();
        const std::string own = prefix.mid(prefix.indexOf("lockscope-lab:")).toStdString();
        QVERIFY(!program.lineWith(" long, 4: A ", PlayTakesMs).isEmpty());
        const auto isHeard = [this](const std::string &channel) {
            return *run({ "PUBLISH", channel, "0" }).integer() > 0;
        };
        QCOMPARE(isHeard("redisson_lock__channel:{orders}"), hearsOthers);
        QCOMPARE(isHeard("redisson_rwlock:{lockscope-lab:0123456789abcdef:x}"), hearsOthers);
        QVERIFY(isHeard("redisson_lock__channel:{" + own + "other}"));
        program.signal(SIGTERM);
        program.end();
        QTRY_COMPARE_WITH_TIMEOUT(keyspace(), m_before, 60'000);
    }

    /// It is said, Ctrl+C ends it, and the keys are deleted all the same when the server goes on.
    void doesNotWaitForAServerThatStandsStill()
    {
        const QString file = write(R"({ "name": "long", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "50s" } ] })");
        Program program(Lockctl, arguments({ file }), withPassword());
        QTRY_VERIFY_WITH_TIMEOUT(keyspace().size() == m_before.size() + 1, 60'000);
        m_server.pause();
        program.signal(SIGINT);
        QVERIFY(program.complains("still removing what the scenario left on 127.0.0.1"));
        program.signal(SIGINT);
        QCOMPARE(program.end(5'000).status, -1); // by the second signal
        m_server.resume();
        QTRY_COMPARE_WITH_TIMEOUT(keyspace(), m_before, 60'000);
    }

    void leavesNothingWhenAStepFails()
    {
        const Ending played = play({ write(R"({ "name": "fails", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "setPermits", "client": "A", "lock": "p", "kind": "semaphore", "count": 3 },
            { "do": "lock", "client": "A", "lock": "f", "kind": "fair", "expect": { "outcome": "notAcquired" } },
            { "do": "lock", "client": "B", "lock": "f", "kind": "fair", "meanwhile": true },
            { "do": "lock", "client": "A", "lock": "t", "kind": "fenced" },
            { "do": "lock", "client": "A", "lock": "rw", "kind": "readWrite", "mode": "read" },
            { "do": "lock", "client": "A", "lock": "e{1}", "kind": "fair", "expect": { "redis": [
              { "key": "e{1}", "fields": { "$A:1": "1" } } ] } },
            { "do": "check", "expect": { "seen": [{ "lock": "f", "waiters": ["$B:1"] }] } },
            { "do": "crash", "client": "B" }, { "do": "crash", "client": "A" } ] })") });
        QCOMPARE(played.status, 1);
        QVERIFY2(played.out.contains("not ok 2 - fails, 2: A lockscope-lab:"), played.out.constData());
        QCOMPARE(played.out.count("not ok"), 2); // and B crashed in the queue
    }

    void leavesNothingWhenItIsEndedInTheMiddle_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGKILL") << SIGKILL;
    }
    void leavesNothingWhenItIsEndedInTheMiddle()
    {
        QFETCH(const int, signal);
        const QString file = write(R"({ "name": "long", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "setPermits", "client": "A", "lock": "p", "kind": "semaphore", "count": 3 },
            { "do": "lock", "client": "A", "lock": "x", "kind": "fair" }, { "do": "pause", "client": "A" },
            { "do": "lock", "client": "B", "lock": "x", "kind": "fair", "wait": "50s" } ] })");
        Program program(Lockctl, arguments({ file }), withPassword());
        QTRY_VERIFY_WITH_TIMEOUT(keyspace().size() >= m_before.size() + 4, 60'000);
        program.signal(signal);
        program.end();
        QTRY_COMPARE_WITH_TIMEOUT(keyspace(), m_before, 60'000);
    }

private:
    using Keyspace = std::map<std::string, std::string>;

    Reply run(const std::vector<std::string> &command) const { return m_client->run(command); }

    /// Each key with all its bytes.
    Keyspace keyspace()
    {
        Keyspace keys;
        const Reply names = run({ "KEYS", "*" });
        std::vector<lockcore::protocol::Command> dumps;
        for (const Reply &name : *names.array())
            dumps.push_back({ "DUMP", *name.bulk() });
        const auto dumped = m_client->runAll(dumps);
        for (std::size_t i = 0; i < dumps.size(); ++i)
            keys[dumps[i][1]] = dumped[i].bulk() ? *dumped[i].bulk() : std::string();
        return keys;
    }

    QStringList arguments(const QStringList &scenarios) const
    {
        return QStringList{ u"--url"_s, url(), u"--writable"_s, u"run"_s } + scenarios;
    }
    QString url(const QString &login = {}) const
    {
        return u"redis://"_s + login + u"127.0.0.1:"_s + QString::number(m_server.port());
    }
    static Environment withPassword() { return { { u"LOCKSCOPE_PASSWORD"_s, u"geheim"_s } }; }
    Ending play(const QStringList &scenarios) const
    {
        return Program(Lockctl, arguments(scenarios), withPassword()).end(PlayTakesMs);
    }

    QString write(const QByteArray &text)
    {
        const QString path = m_temporary.filePath(u"scenario-%1.json"_s.arg(++m_written));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
    }

    QTemporaryDir m_temporary;
    RedisServer m_server{ { .password = u"geheim"_s } };
    std::unique_ptr<BlockingClient> m_client;
    Keyspace m_before;
    int m_written = 0;
};

QTEST_GUILESS_MAIN(TestLockctlRunForeign)
#include "tst_lockctl_run_foreign.moc"
