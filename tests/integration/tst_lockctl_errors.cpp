// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QFileInfo>
#include <QTcpServer>
#include <QTemporaryDir>

using testsupport::Ending;
using testsupport::Environment;
using testsupport::Program;
using testsupport::RedisServer;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);

int lineCount(const QByteArray &text) { return static_cast<int>(text.count('\n')); }

} // namespace

class LockctlErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void refusesWrongUsageInOneLine_data();
    void refusesWrongUsageInOneLine();
    void tellsWhyThereIsNoConnection_data();
    void tellsWhyThereIsNoConnection();
    void tellsASentinelFromAServer();
    void saysThatItMayNotLookForLocks();
    void saysThatALockMayNotBeRead_data();
    void saysThatALockMayNotBeRead();
    void doesNotCallUnreadableLocksNone();
    void doesNotCallUnreadableLocksFine();
    void saysWhatIsThereThatIsNoLock_data();
    void saysWhatIsThereThatIsNoLock();
    void saysThatThereIsNoName();
    void recordsActionsOnlyWhereItsFolderIs();
    void tellsWhereAPasswordCanComeFrom();
    void tellsWhereThePasswordOfSentinelsCanComeFrom();
    void takesThePasswordFromTheEnvironment();
    void prefersThePasswordOfTheUrl();
    void saysThatThePasswordWasChanged();
    void neverPrintsThePassword();
    void answersHelpAndVersion();
    void tellsWhatCannotBeWritten_data();
    void tellsWhatCannotBeWritten();
    void tellsThatTheNamedAuditLogIsNotThere();
    void needsNoUtf8Locale();
    void writesTheNameOfAnUnknownLockSafely();
    void worksOverTlsWithTheAuthority();

private:
    RedisServer m_server{ { .tls = true, .password = QStringLiteral("open sesame") } };
};

void LockctlErrors::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
}

void LockctlErrors::refusesWrongUsageInOneLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");

    const auto row = [](const char *name, const QString &arguments, const char *says) {
        QTest::newRow(name) << arguments.split(u'|', Qt::SkipEmptyParts) << QByteArray(says);
    };
    row("no command", QString(), "a command is missing");
    row("unknown command", QStringLiteral("lsx"), "'lsx'");
    row("unknown option", QStringLiteral("--colour|ls"), "'colour'");
    row("what ends a command for CLI11", QStringLiteral("show|++"), "behind '--'");
    row("option of another command", QStringLiteral("ls|--lease|5"), "'lease'");
    row("option without its value", QStringLiteral("ls|--url"), "'--url'");
    row("a word too many", QStringLiteral("ls|order"), "'order'");
    row("a line break in an option", QStringLiteral("--x\ny|ls"), "\\x0a");
    row("malformed URL", QStringLiteral("--url|redis://host:99999|ls"), "1 to 65535");
    row("unknown scheme", QStringLiteral("--url|http://host|ls"), "http");
    row("what other schemes there are", QStringLiteral("--url|http://host|ls"),
        "redis-sentinel://, redis-cluster:// or redis-nodes://");
    row("another database of a cluster", QStringLiteral("--url|redis-cluster://a,b/3|ls"), "database 0");
    row("no master of the sentinels", QStringLiteral("--url|redis-sentinel://a,b|ls"), "name of the master");
    row("demo and URL", QStringLiteral("--demo|--url|redis://a|ls"), "--demo");
    row("malformed filter", QStringLiteral("ls|--filter|kind:nonsense"), "nonsense");
    row("show without a name", QStringLiteral("show"), "name of one lock");
    row("show with two names", QStringLiteral("show|a|b"), "name of one lock");
    row("hold of an unknown kind", QStringLiteral("hold|a|--kind|sticky"), "'sticky'");
    row("mode without read/write lock", QStringLiteral("hold|a|--mode|read"), "readWrite");
    row("read/write lock without mode", QStringLiteral("hold|a|--kind|readWrite"), "--mode");
    row("lease of zero", QStringLiteral("hold|a|--lease|0"), "--lease");
    row("lease not a number", QStringLiteral("hold|a|--lease|5x"), "'5x'");
    row("negative wait", QStringLiteral("hold|a|--wait=-1"), "--wait");
    row("force-release without --expect", QStringLiteral("--writable|force-release|a|--reason|r"), "--expect");
    row("force-release without --reason", QStringLiteral("--writable|force-release|a|--expect|c:1"), "--reason");
    row("force-release with an empty reason", QStringLiteral("--writable|force-release|a|--expect|c:1|--reason= "),
        "--reason");
    row("force-release without --writable", QStringLiteral("force-release|a|--expect|c:1|--reason|r"), "--writable");
}

void LockctlErrors::refusesWrongUsageInOneLine()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, says);
    const Ending ending = testsupport::run(Lockctl, arguments);
    QCOMPARE(ending.status, 2);
    QCOMPARE(ending.out, QByteArray());
    QCOMPARE(lineCount(ending.err), 1);
    QVERIFY2(ending.err.contains(says), ending.err.constData());
}

void LockctlErrors::tellsWhyThereIsNoConnection_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("where");

    QTcpServer closed;
    QVERIFY(closed.listen(QHostAddress::LocalHost));
    const QString port = QString::number(closed.serverPort());
    const QString serverPort = QString::number(m_server.port());
    const QString tlsPort = QString::number(m_server.tlsPort());
    const auto row = [](const char *name, const QString &url, const QString &where) {
        QTest::newRow(name) << url << where.toUtf8();
    };
    row("nobody listens", u"redis://127.0.0.1:" + port, u"127.0.0.1:" + port);
    row("no such socket", QStringLiteral("unix:///nowhere/redis.sock"), QStringLiteral("/nowhere/redis.sock"));
    row("a folder", QStringLiteral("unix:///tmp"), QStringLiteral("/tmp"));
    row("no password", u"redis://127.0.0.1:" + serverPort, QStringLiteral("NOAUTH"));
    row("wrong password", u"redis://:nonsense@127.0.0.1:" + serverPort, QStringLiteral("WRONGPASS"));
    row("unknown user", u"redis://nobody:x@127.0.0.1:" + serverPort, QStringLiteral("WRONGPASS"));
    row("unknown database", u"redis://:open%20sesame@127.0.0.1:" + serverPort + u"/999", QStringLiteral("DB index"));
    row("TLS to a plain port", u"rediss://127.0.0.1:" + serverPort, u"127.0.0.1:" + serverPort);
    row("plain to a TLS port", u"redis://127.0.0.1:" + tlsPort, u"127.0.0.1:" + tlsPort);
    row("no cluster", QStringLiteral("redis-cluster://127.0.0.1:1,127.0.0.1:2"), QStringLiteral("127.0.0.1:2"));
    row("no sentinel", QStringLiteral("redis-sentinel://127.0.0.1:1/locks"), QStringLiteral("127.0.0.1:1"));
    row("certificate not trusted", u"rediss://127.0.0.1:" + tlsPort, QStringLiteral("certificate"));
}

void LockctlErrors::tellsWhyThereIsNoConnection()
{
    QFETCH(const QString, url);
    QFETCH(const QByteArray, where);
    const QList<QStringList> commands{ { QStringLiteral("ls") }, { QStringLiteral("watch"), QStringLiteral("--json") },
        { QStringLiteral("hold"), QStringLiteral("a") } };
    for (const QStringList &command : commands) {
        const Ending ending = testsupport::run(Lockctl, QStringList{ QStringLiteral("--url"), url } + command);
        QCOMPARE(ending.status, 3);
        QCOMPARE(ending.out, QByteArray());
        QCOMPARE(lineCount(ending.err), 1);
        QVERIFY2(ending.err.contains(where), ending.err.constData());
        QVERIFY2(!ending.err.contains("QLocalSocket"), ending.err.constData());
    }
}

void LockctlErrors::tellsASentinelFromAServer()
{
    RedisServer sentinel({ .sentinel = true });
    QVERIFY(sentinel.start());
    for (const char *database : { "", "/3" }) {
        const QString url = QStringLiteral("redis://127.0.0.1:%1").arg(sentinel.port()) + QLatin1String(database);
        const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") });
        QCOMPARE(ending.status, 2);
        QCOMPARE(ending.out, QByteArray());
        QCOMPARE(lineCount(ending.err), 1);
        QVERIFY2(ending.err.contains("redis-sentinel://"), ending.err.constData());
    }
}

void LockctlErrors::saysThatItMayNotLookForLocks()
{
    testsupport::RedisServerOptions options;
    options.users = { QStringLiteral("poor on >secret ~* &* +@all -scan") };
    RedisServer server(options);
    QVERIFY(server.start());
    const QString url = QStringLiteral("redis://poor:secret@127.0.0.1:%1").arg(server.port());
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") });
    QCOMPARE(ending.out, QByteArray());
    QVERIFY2(ending.err.contains("may not be scanned"), ending.err.constData());
    QVERIFY2(ending.err.contains("ACL SETUSER poor +scan"), ending.err.constData());
    QCOMPARE(ending.status, 3);
}

void LockctlErrors::saysThatALockMayNotBeRead_data()
{
    QTest::addColumn<QString>("rights");
    QTest::newRow("other keys") << QStringLiteral("~job:* &* +@all");
    QTest::newRow("few commands") << QStringLiteral("~* -@all +ping +get +scan +hgetall +auth +hello");
    QTest::newRow("hardly any command") << QStringLiteral("~* -@all +auth +hello");
}

void LockctlErrors::saysThatALockMayNotBeRead()
{
    QFETCH(const QString, rights);
    testsupport::RedisServerOptions options;
    options.users = { QStringLiteral("app on >secret ") + rights };
    RedisServer server(options);
    QVERIFY(server.start());
    const QString owner = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7");
    server.cli({ QStringLiteral("HSET"), QStringLiteral("stuck"), owner, QStringLiteral("1") });
    const QStringList here{ QStringLiteral("--url"),
        QStringLiteral("redis://app:secret@127.0.0.1:%1").arg(server.port()) };
    const QStringList release{ QStringLiteral("--writable"), QStringLiteral("force-release"), QStringLiteral("stuck"),
        QStringLiteral("--expect"), owner, QStringLiteral("--reason"), QStringLiteral("r") };
    for (const QStringList &command : { QStringList{ QStringLiteral("show"), QStringLiteral("stuck") }, release }) {
        const Ending ending = testsupport::run(Lockctl, here + command);
        QVERIFY2(!ending.err.contains("there is no lock"), ending.err.constData());
        QVERIFY2(ending.err.contains("may not be read"), ending.err.constData());
        QCOMPARE(ending.status, 3);
    }
}

void LockctlErrors::doesNotCallUnreadableLocksNone()
{
    testsupport::RedisServerOptions options;
    options.users = { QStringLiteral("poor on >secret ~* -@all +ping +get +scan +hgetall +auth +hello") };
    RedisServer server(options);
    QVERIFY(server.start());
    server.cli({ QStringLiteral("HSET"), QStringLiteral("stuck"),
        QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"), QStringLiteral("1") });
    const QString url = QStringLiteral("redis://poor:secret@127.0.0.1:%1").arg(server.port());
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") });
    QCOMPARE(ending.out, QByteArray());
    QVERIFY2(ending.err.contains("whether there are locks is not known"), ending.err.constData());
    QCOMPARE(ending.status, 3);
}

/// Two owners in one lock, which the user may not read.
void LockctlErrors::doesNotCallUnreadableLocksFine()
{
    testsupport::RedisServerOptions options;
    options.users = { QStringLiteral("some on >secret ~order* &redisson_* &__redis__:invalidate +@read +@connection "
                                     "+info +time +eval_ro +evalsha_ro +pubsub +subscribe +psubscribe +role") };
    RedisServer server(options);
    QVERIFY(server.start());
    server.cli(
        { QStringLiteral("HSET"), QStringLiteral("zeta2"), QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"),
            QStringLiteral("1"), QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:8"), QStringLiteral("1") });
    const QStringList here{ QStringLiteral("--url"),
        QStringLiteral("redis://some:secret@127.0.0.1:%1").arg(server.port()) };
    const QStringList diagnose{ QStringLiteral("diagnose"), QStringLiteral("--for"), QStringLiteral("100") };
    const Ending json = testsupport::run(Lockctl, here + QStringList{ QStringLiteral("--json") } + diagnose);
    QVERIFY2(json.out.contains("\"complete\": false"), json.out.constData());
    QVERIFY2(json.err.contains("~*"), json.err.constData());
    QCOMPARE(json.status, 3);
    const Ending text = testsupport::run(Lockctl, here + diagnose);
    QVERIFY2(text.out.contains("with what could be watched"), text.out.constData());
    QCOMPARE(text.status, 3);
}

void LockctlErrors::saysWhatIsThereThatIsNoLock_data()
{
    QTest::addColumn<QStringList>("fields");
    const QString owner = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7");
    QTest::newRow("another version of UUID")
        << QStringList{ QStringLiteral("0190aa09-41c2-7e0b-9f55-0c5d1be0a7d2:7"), QStringLiteral("1") };
    QTest::newRow("no UUID") << QStringList{ QStringLiteral("pod-abc:12"), QStringLiteral("1") };
    QTest::newRow("a mode alone") << QStringList{ QStringLiteral("mode"), QStringLiteral("read") };
    QTest::newRow("no number") << QStringList{ owner, QStringLiteral("99999999999999999999") };
}

void LockctlErrors::saysWhatIsThereThatIsNoLock()
{
    QFETCH(const QStringList, fields);
    m_server.cli({ QStringLiteral("DEL"), QStringLiteral("stranger") });
    m_server.cli(QStringList{ QStringLiteral("HSET"), QStringLiteral("stranger") } + fields);
    const QStringList guarded{ QStringLiteral("--expect"), QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"),
        QStringLiteral("--reason"), QStringLiteral("r") };
    const QStringList renew{ QStringLiteral("--writable"), QStringLiteral("renew"), QStringLiteral("stranger"),
        QStringLiteral("--ttl"), QStringLiteral("1000") };
    const QStringList release{ QStringLiteral("--writable"), QStringLiteral("force-release"),
        QStringLiteral("stranger") };
    for (const QStringList &command : { QStringList{ QStringLiteral("show"), QStringLiteral("stranger") },
             QStringList{ QStringLiteral("diagnose"), QStringLiteral("stranger"), QStringLiteral("--for"),
                 QStringLiteral("100") },
             renew + guarded, release + guarded }) {
        const Ending ending
            = testsupport::run(Lockctl, QStringList{ QStringLiteral("--url"), m_server.url() } + command);
        QCOMPARE(ending.out, QByteArray());
        QVERIFY2(ending.err.contains("there is no lock of this name"), ending.err.constData());
        QVERIFY2(ending.err.contains("a hash is there under this name, its owner is not in a form that is known"),
            ending.err.constData());
        QVERIFY2(ending.err.contains(fields.join(QStringLiteral(" = ")).toUtf8()), ending.err.constData());
        QCOMPARE(lineCount(ending.err), 1);
        QCOMPARE(ending.status, 1);
    }
    m_server.cli({ QStringLiteral("SET"), QStringLiteral("stranger"), QStringLiteral("text") });
    const Ending text = testsupport::run(
        Lockctl, { QStringLiteral("--url"), m_server.url(), QStringLiteral("show"), QStringLiteral("stranger") });
    QVERIFY2(text.err.contains("a string is there under this name"), text.err.constData());
    QCOMPARE(text.status, 1);
    m_server.cli({ QStringLiteral("DEL"), QStringLiteral("stranger") });
}

void LockctlErrors::saysThatThereIsNoName()
{
    const Ending ending
        = testsupport::run(Lockctl, { QStringLiteral("--url"), m_server.url(), QStringLiteral("show"), QString() });
    QVERIFY2(ending.err.contains("there is no name"), ending.err.constData());
    QCOMPARE(ending.status, 2);
}

void LockctlErrors::recordsActionsOnlyWhereItsFolderIs()
{
    const QTemporaryDir folder;
    const QString missing = folder.filePath(QStringLiteral("missing"));
    const QString owner = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7");
    m_server.cli({ QStringLiteral("HSET"), QStringLiteral("stuck"), owner, QStringLiteral("1") });
    const Ending ending = testsupport::run(Lockctl,
        { QStringLiteral("--url"), m_server.url(), QStringLiteral("--writable"), QStringLiteral("force-release"),
            QStringLiteral("stuck"), QStringLiteral("--expect"), owner, QStringLiteral("--reason"), QStringLiteral("r"),
            QStringLiteral("--audit-file"), missing + QStringLiteral("/a.jsonl") });
    QCOMPARE(ending.status, 3);
    QVERIFY2(ending.err.contains("audit log"), ending.err.constData());
    QVERIFY(!QFileInfo::exists(missing));
    QCOMPARE(m_server.cli({ QStringLiteral("DEL"), QStringLiteral("stuck") }), QByteArray("1")); // nothing was done
}

void LockctlErrors::tellsWhereAPasswordCanComeFrom()
{
    const QString url = QStringLiteral("redis://watcher@127.0.0.1:%1").arg(m_server.port());
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") });
    QCOMPARE(ending.status, 3);
    QCOMPARE(lineCount(ending.err), 1);
    QVERIFY2(ending.err.contains("LOCKSCOPE_PASSWORD"), ending.err.constData());
}

void LockctlErrors::tellsWhereThePasswordOfSentinelsCanComeFrom()
{
    RedisServer sentinel({ .sentinel = true, .password = QStringLiteral("of the sentinels") });
    QVERIFY(sentinel.start());
    const QString url = QStringLiteral("redis-sentinel://127.0.0.1:%1/locks").arg(sentinel.port());
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") },
        { { QStringLiteral("LOCKSCOPE_PASSWORD"), QStringLiteral("of the servers") } });
    QCOMPARE(ending.status, 3);
    QCOMPARE(lineCount(ending.err), 1);
    QVERIFY2(ending.err.contains("LOCKSCOPE_SENTINEL_PASSWORD"), ending.err.constData());
    const Ending wrong = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") },
        { { QStringLiteral("LOCKSCOPE_SENTINEL_PASSWORD"), QStringLiteral("another") } });
    QCOMPARE(wrong.status, 3);
    QVERIFY2(wrong.err.contains("asking the sentinel"), wrong.err.constData());
    QVERIFY2(!wrong.err.contains("no password"), wrong.err.constData());
}

void LockctlErrors::takesThePasswordFromTheEnvironment()
{
    const QString url = QStringLiteral("redis://127.0.0.1:%1").arg(m_server.port());
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") },
        { { QStringLiteral("LOCKSCOPE_PASSWORD"), QStringLiteral("open sesame") } });
    QCOMPARE(ending.err, QByteArray());
    QCOMPARE(ending.status, 0);
}

void LockctlErrors::prefersThePasswordOfTheUrl()
{
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), m_server.url(), QStringLiteral("ls") },
        { { QStringLiteral("LOCKSCOPE_PASSWORD"), QStringLiteral("of another server") } });
    QCOMPARE(ending.status, 0);
}

void LockctlErrors::saysThatThePasswordWasChanged()
{
    const auto cli = [this](const char *words) { m_server.cli(QString::fromLatin1(words).split(u' ')); };
    cli("ACL SETUSER watcher on >before ~* &* +@all");
    const auto url = QStringLiteral("redis://watcher:before@127.0.0.1:%1").arg(m_server.port());
    Program watch(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("--json"), QStringLiteral("watch") });
    cli("HSET order 7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7 1");
    QVERIFY(!watch.lineWith("order").isEmpty());
    cli("ACL SETUSER watcher resetpass >after");
    cli("CLIENT KILL USER watcher");
    QVERIFY(watch.complains("start again with the new"));
    cli("ACL DELUSER watcher");
    cli("DEL order");
}

void LockctlErrors::neverPrintsThePassword()
{
    const QString url = QStringLiteral("redis://:very-secret@127.0.0.1:%1").arg(m_server.port());
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") });
    QCOMPARE(ending.status, 3);
    QVERIFY(!ending.err.contains("very-secret"));
}

void LockctlErrors::answersHelpAndVersion()
{
    const std::map<QString, QByteArray> told{ { QStringLiteral("--help"), "force-release NAME" },
        { QStringLiteral("-h"), "force-release NAME" }, { QStringLiteral("ls --help"), "--filter EXPR" },
        { QStringLiteral("hold a --help"), "--lease MS" } };
    for (const auto &[arguments, text] : told) {
        const Ending ending = testsupport::run(Lockctl, arguments.split(u' '));
        QCOMPARE(ending.status, 0);
        QVERIFY(ending.out.contains(text));
    }
    QVERIFY(testsupport::run(Lockctl, { QStringLiteral("--version") }).out.startsWith("lockctl "));
}

void LockctlErrors::tellsWhatCannotBeWritten_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("isTold");
    QTest::newRow("a list") << QStringLiteral("--demo ls > /dev/full") << true;
    QTest::newRow("a list as JSON") << QStringLiteral("--demo ls --json > /dev/full") << true;
    QTest::newRow("the help") << QStringLiteral("--help > /dev/full") << true;
    QTest::newRow("the version") << QStringLiteral("--version > /dev/full") << true;
    QTest::newRow("the reader has gone") << QStringLiteral("--help") << false;
}

void LockctlErrors::tellsWhatCannotBeWritten()
{
    QFETCH(QString, command);
    QFETCH(bool, isTold);
    QString script = QStringLiteral("exec ") + Lockctl + QLatin1Char(' ') + command;
    if (!isTold) // with a pipe that nobody reads as its stdout
        script = QStringLiteral("set -o pipefail; { sleep 0.3; ") + Lockctl + QStringLiteral(" --help; } | true");
    const Ending ending = testsupport::run(QStringLiteral("/bin/bash"), { QStringLiteral("-c"), script });
    QCOMPARE(ending.status, isTold ? 3 : 0);
    QVERIFY2(
        isTold ? ending.err.endsWith("lockctl: writing to stdout: No space left on device\n") : ending.err.isEmpty(),
        ending.err.constData());
}

void LockctlErrors::tellsThatTheNamedAuditLogIsNotThere()
{
    const Ending named = testsupport::run(
        Lockctl, { QStringLiteral("audit"), QStringLiteral("--audit-file"), QStringLiteral("/missing") });
    QCOMPARE(named.status, 3);
    QCOMPARE(named.err, QByteArray("lockctl: reading /missing: No such file or directory\n"));
    QCOMPARE(testsupport::run(Lockctl, { QStringLiteral("audit") }).status, 0); // nothing has been done yet
}

void LockctlErrors::needsNoUtf8Locale()
{
    const Environment plain{ { QStringLiteral("LC_ALL"), QStringLiteral("C") } };
    const Ending ending
        = testsupport::run(Lockctl, { QStringLiteral("--url"), m_server.url(), QStringLiteral("ls") }, plain);
    QCOMPARE(ending.status, 0);
    QCOMPARE(ending.err, QByteArray());
}

void LockctlErrors::writesTheNameOfAnUnknownLockSafely()
{
    const Ending ending = testsupport::run(
        Lockctl, { QStringLiteral("--url"), m_server.url(), QStringLiteral("show"), QStringLiteral("a\x1b[31m\nb") });
    QCOMPARE(ending.status, 1);
    QVERIFY2(ending.err.contains("a\\x1b[31m\\x0ab"), ending.err.constData());
    QCOMPARE(lineCount(ending.err), 1);
}

void LockctlErrors::worksOverTlsWithTheAuthority()
{
    const auto endpoint = m_server.tlsEndpoint();
    const QString url = QStringLiteral("rediss://:open%20sesame@%1:%2")
                            .arg(QString::fromStdString(endpoint.host), QString::number(endpoint.port));
    const Ending ending = testsupport::run(Lockctl,
        { QStringLiteral("--url"), url, QStringLiteral("--ca-file"), QString::fromStdString(endpoint.tls.caFile),
            QStringLiteral("ls") });
    QCOMPARE(ending.err, QByteArray());
    QCOMPARE(ending.status, 0);
}

QTEST_GUILESS_MAIN(LockctlErrors)
#include "tst_lockctl_errors.moc"
