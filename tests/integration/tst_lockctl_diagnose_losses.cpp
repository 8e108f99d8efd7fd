// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/command_calls.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <csignal>

using testsupport::Ending;
using testsupport::OwnerA;
using testsupport::Program;
using testsupport::RedisServer;
using testsupport::RedisServers;
using testsupport::take;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int Limit = 60'000;
constexpr int LeaseMs = 600'000;

QString placeOf(quint16 port) { return u"127.0.0.1:%1"_s.arg(port); }

/// The monitor has several connections, those that only try the server are over by then.
bool isWatched(const RedisServer &server) { return server.cli({ u"CLIENT"_s, u"LIST"_s }).count("name=lockctl") > 1; }

/// Who waits for a lock is asked when it is known, and again and again.
bool isLookedThrough(const RedisServer &server) { return testsupport::commandCalls(server, "pubsub|numsub") > 1; }

} // namespace

/// A diagnosis is only of what was seen: servers that are down, refuse, or go away meanwhile.
class LockctlDiagnoseLosses : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_servers.start());
    }
    void init()
    {
        QVERIFY(m_servers.reset());
        for (std::size_t i = 0; i < m_servers.size(); ++i)
            testsupport::forgetCalls(m_servers[i]);
    }

    void saysWhatIsWrongOnTheServersThatAnswer()
    {
        m_servers[0].cli({ u"HSET"_s, u"for ever"_s, OwnerA, u"1"_s });
        const Ending ending = testsupport::run(Lockctl, withADeadOne({ u"diagnose"_s, u"--for"_s, u"4s"_s }));
        QCOMPARE(ending.status, 1);
        QVERIFY2(ending.out.contains("for ever\n  Never ends"), ending.out.constData());
        QVERIFY2(ending.err.contains(m_dead) && ending.err.contains("its locks are not known"), ending.err.constData());
    }

    void namesWhatIsOnTooFewServers()
    {
        take(m_servers[0], u"red"_s, OwnerA, LeaseMs);
        Program diagnose(Lockctl, { u"--url"_s, nodes({}), u"diagnose"_s, u"--for"_s, u"35s"_s });
        const Ending ending = diagnose.end(Limit);
        QCOMPARE(ending.status, 1);
        QVERIFY2(ending.out.contains("red\n  On too few servers") && ending.out.contains("more than 1 of 2 servers"),
            ending.out.constData());
    }

    void doesNotCallFineWhatItCouldNotSee()
    {
        take(m_servers[0], u"fine"_s, OwnerA, LeaseMs);
        const Ending listed = testsupport::run(Lockctl, withADeadOne({ u"ls"_s }));
        QVERIFY2(listed.status == 3 && listed.out.contains("fine"), listed.err.constData());
        const Ending text = testsupport::run(Lockctl, withADeadOne({ u"diagnose"_s, u"--for"_s, u"1s"_s }));
        QCOMPARE(text.status, 3);
        QVERIFY2(text.out.startsWith("Nothing looks wrong with what could be watched: 1 lock, "), text.out.constData());
        QVERIFY2(text.err.contains(m_dead), text.err.constData());
        const Ending json
            = testsupport::run(Lockctl, withADeadOne({ u"--json"_s, u"diagnose"_s, u"--for"_s, u"1s"_s }));
        QCOMPARE(json.status, 3);
        QCOMPARE(QJsonDocument::fromJson(json.out)[u"complete"].toBool(true), false);
    }

    void saysThatItMayNotLook()
    {
        testsupport::RedisServerOptions options;
        options.users = { u"poor on >secret ~* &* +@all -scan"_s };
        RedisServer server(options);
        QVERIFY(server.start());
        const QString url = u"redis://poor:secret@"_s + placeOf(server.port());
        const Ending ending = testsupport::run(Lockctl, { u"--url"_s, url, u"diagnose"_s, u"--for"_s, u"1s"_s });
        QCOMPARE(ending.status, 3);
        QCOMPARE(ending.out, QByteArray());
        QVERIFY2(ending.err.contains("may not be scanned"), ending.err.constData());
    }

    void isNotAnAnswerBeforeTheFirstLook()
    {
        m_servers[1].pause(); // until it has been given up, not all has been seen
        Program diagnose(Lockctl, { u"--url"_s, nodes({}), u"--json"_s, u"diagnose"_s });
        QTRY_VERIFY_WITH_TIMEOUT(m_servers[0].cli({ u"CLIENT"_s, u"LIST"_s }).contains("name=lockctl"), Limit);
        diagnose.signal(SIGINT);
        const Ending ending = diagnose.end();
        QCOMPARE(ending.status, 3);
        QCOMPARE(ending.out, QByteArray());
        QVERIFY2(ending.err.contains("interrupted"), ending.err.constData());
    }

    void tellsThatTheServerHasGone()
    {
        RedisServer &server = m_servers[0];
        take(server, u"fine"_s, OwnerA, LeaseMs);
        Program diagnose(Lockctl, { u"--url"_s, server.url(), u"diagnose"_s, u"--for"_s, u"12s"_s });
        QTRY_VERIFY_WITH_TIMEOUT(isWatched(server) && isLookedThrough(server), Limit);
        server.kill();
        const Ending ending = diagnose.end();
        QCOMPARE(ending.status, 3);
        QCOMPARE(ending.out, QByteArray());
        QVERIFY2(ending.err.contains(placeOf(server.port()).toLatin1()) && ending.err.contains("watched for"),
            ending.err.constData());
    }

    void countsOnlyWhatItWatched()
    {
        RedisServer &server = m_servers[0];
        take(server, u"fine"_s, OwnerA, LeaseMs);
        Program diagnose(Lockctl, { u"--url"_s, server.url(), u"--json"_s, u"diagnose"_s, u"--for"_s, u"16s"_s });
        QTRY_VERIFY_WITH_TIMEOUT(isWatched(server) && isLookedThrough(server), Limit);
        server.kill();
        QVERIFY(server.restart());
        const Ending ending = diagnose.end();
        QCOMPARE(ending.status, 3);
        const QJsonObject told = QJsonDocument::fromJson(ending.out).object();
        QVERIFY2(told[u"watchedMs"].toInt(16'000) < 16'000, ending.out.constData());
        QCOMPARE(told[u"complete"].toBool(true), false);
        QVERIFY2(ending.err.contains("could not be seen for"), ending.err.constData());
    }

private:
    QString nodes(const QString &more)
    {
        return u"redis-nodes://%1,%2"_s.arg(placeOf(m_servers[0].port()), placeOf(m_servers[1].port())) + more;
    }
    QStringList withADeadOne(const QStringList &command)
    {
        return QStringList{ u"--url"_s, nodes(u","_s + QString::fromLatin1(m_dead)) } + command;
    }

    RedisServers m_servers{ 2 };
    const QByteArray m_dead = placeOf(testsupport::freePort()).toLatin1();
};

QTEST_GUILESS_MAIN(LockctlDiagnoseLosses)
#include "tst_lockctl_diagnose_losses.moc"
