// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <csignal>

using testsupport::Ending;
using testsupport::Environment;
using testsupport::Program;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int PlayTakesMs = 240'000; // on a busy computer

/// Processes of which a part of the command line is this.
QStringList processesWith(const QByteArray &part)
{
    QStringList found;
    for (const QString &process : QDir(u"/proc"_s).entryList(QDir::Dirs)) {
        QFile file(u"/proc/%1/cmdline"_s.arg(process));
        if (process.toInt() > 0 && file.open(QIODevice::ReadOnly) && file.readAll().contains(part))
            found << process;
    }
    return found;
}

QJsonArray listed()
{
    const Ending list = testsupport::run(Lockctl, { u"--json"_s, u"scenarios"_s });
    return QJsonDocument::fromJson(list.out).array();
}

} // namespace

class TestLockctlRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_temporary.isValid());
    }

    void eachScenarioPasses_data()
    {
        QTest::addColumn<QString>("name");
        const QJsonArray scenarios = listed();
        QVERIFY(scenarios.size() >= 17);
        for (const auto &each : scenarios) {
            const QJsonObject scenario = each.toObject();
            QVERIFY(!scenario[u"title"_s].toString().isEmpty() && !scenario[u"needs"_s].toString().isEmpty());
            if (scenario[u"needs"_s].toString().contains(u"Redisson"_s))
                continue; // tests/interop has it
            QTest::newRow(qPrintable(scenario[u"name"_s].toString())) << scenario[u"name"_s].toString();
        }
    }
    void eachScenarioPasses()
    {
        QFETCH(const QString, name);
        Program program(Lockctl, { u"run"_s, name }, inTemporary());
        const Ending played = program.end(PlayTakesMs);
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
        QVERIFY(played.out.startsWith("TAP version 13\n1.."));
        QVERIFY(!played.out.contains("not ok"));
        QVERIFY2(isTidy(), qPrintable(leftovers()));
    }

    /// What is not as expected is told of the step, with what was seen; the others are played all the same.
    void namesTheStepThatDiffers()
    {
        const QString file = write(R"({ "name": "wrong", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x", "expect": { "outcome": "acquired",
              "redis": [{ "key": "x", "fields": { "$A:1": "2" } }], "within": "300ms" } },
            { "do": "lock", "client": "B", "lock": "x", "wait": "0ms", "expect": { "outcome": "acquired" } },
            { "do": "unlock", "client": "A", "lock": "x" },
            { "do": "check", "expect": { "seen": [{ "lock": "x", "held": false }] } },
            { "do": "check", "note": "free by now", "expect": { "seen": [{ "lock": "x", "held": false }] } } ] })");
        const Ending played = testsupport::run(Lockctl, { u"run"_s, file }, inTemporary());
        QCOMPARE(played.status, 1);
        QVERIFY2(played.out.contains("not ok 1 - wrong, 1: A x.lock()"), played.out.constData());
        QVERIFY2(played.out.contains("x: expected "), played.out.constData());
        QVERIFY2(played.out.contains("not ok 2 - wrong, 2: B x.tryLock()"), played.out.constData());
        QVERIFY2(played.out.contains("# expected acquired, got not acquired after "), played.out.constData());
        QVERIFY2(played.out.contains("\nok 3 - wrong, 3: A x.unlock()"), played.out.constData());
        QVERIFY2(
            played.out.contains("\nok 4 - wrong, 4: look at x - the monitor shows x free\n"), played.out.constData());
        QVERIFY2(
            played.out.contains("\nok 5 - wrong, 5: free by now - the monitor shows x free\n"), played.out.constData());
    }

    /// While the others go on; in the order in which they end, with numbers that go up.
    void tellsEachStepWhenItHasEnded()
    {
        const QString first = write(R"({ "name": "first", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "id": "waiter", "meanwhile": true },
            { "do": "unlock", "client": "A", "lock": "x", "pause": "100ms" } ] })");
        const QString second = write(R"({ "name": "second", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "50s" } ] })");
        Program program(Lockctl, { u"run"_s, first, second }, inTemporary());
        QVERIFY(!program.lineWith("1..5").isEmpty());
        const QByteArray begin = program.lineWith("ok 1 - first, 1: A x.lock()");
        QVERIFY(!begin.isEmpty());
        QVERIFY(
            !program.lineWith("ok 4 - second, 1: A x.lock()", PlayTakesMs).isEmpty()); // the next one lasts for long
        program.signal(SIGINT);
        const Ending ended = program.end();
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.out.startsWith("Bail out! Ended by SIGINT"), ended.out.constData());
    }

    void tellsEachStepAsJson()
    {
        const Ending played = testsupport::run(Lockctl, { u"--json"_s, u"run"_s, u"unlock-by-a-stranger"_s });
        QCOMPARE(played.status, 0);
        const auto lines = played.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        const QJsonObject second = QJsonDocument::fromJson(lines[1]).object();
        QCOMPARE(second[u"scenario"_s].toString(), u"unlock-by-a-stranger"_s);
        QCOMPARE(second[u"ok"_s].toBool(), true);
        QCOMPARE(second[u"outcome"_s].toString(), u"error"_s);
        QVERIFY(second[u"beganMs"_s].toDouble() <= second[u"endedMs"_s].toDouble());
    }

    /// One page with a section each, of which nothing but text comes from scenarios.
    void writesAReport()
    {
        const QString file
            = write(R"({ "name": "odd<script>", "title": "\u0022Q\u0022 & <b>", "about": ["</style><script>"],
            "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x<i>\u202e\u0000", "id": "<a>", "note": "<!--" },
            { "do": "lock", "client": "B", "lock": "x<i>\u202e\u0000", "wait": "50ms",
              "expect": { "outcome": "acquired" } },
            { "do": "crash", "client": "A" },
            { "do": "forceRelease", "lock": "x<i>\u202e\u0000" } ] })");
        const QString report = m_temporary.filePath(u"report.html"_s);
        const Ending played = testsupport::run(
            Lockctl, { u"run"_s, file, u"unlock-by-a-stranger"_s, u"--report"_s, report }, inTemporary());
        QVERIFY2(played.status == 1, QByteArray(played.out + played.err).constData());
        const QByteArray page = read(report);
        QVERIFY(page.startsWith("<!doctype html>"));
        QVERIFY(page.contains("Contention lab: 1 of 2 scenarios passed"));
        for (const char *part : { "odd&lt;script&gt;", "&quot;Q&quot; &amp; &lt;b&gt;", "&lt;/style&gt;&lt;script&gt;",
                 "x&lt;i&gt;\\u{202e}\\x00", "&lt;a&gt;", "&lt;!--", "expected acquired, got not acquired after ",
                 "Redis still says that A", "id=\"play2\"", "<dt>Redis</dt>", "<svg class=\"lanes\"",
                 "href=\"#play1step1\"", "failed: 3 of 4 steps passed", "passed: 4 of 4 steps passed" })
            QVERIFY2(page.contains(part), part);
        for (const char *never : { "<script", "<i>\\", "<a>", "<!--", "http:", "https:", "\u202e", "onload" })
            QVERIFY2(!page.contains(never), never);
        QVERIFY(!page.contains('\0'));
        // It is well-formed but for what HTML permits beside.
        QByteArray xml = page;
        for (const char *open : { "<!doctype html>", "<br>" })
            xml.replace(open, "");
        xml.replace("<meta charset=\"utf-8\">", "");
        xml.replace("style-src 'unsafe-inline'\">", "style-src 'unsafe-inline'\"/>");
        xml.replace("width=device-width\">", "width=device-width\"/>");
        QXmlStreamReader reader(xml);
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    /// Before anything is played; what stood there stays.
    void saysThatAReportCannotBeWritten()
    {
        const QString nowhere = m_temporary.filePath(u"nothing/report.html"_s);
        const Ending refused
            = testsupport::run(Lockctl, { u"run"_s, u"latch"_s, u"--report"_s, nowhere }, inTemporary());
        QCOMPARE(refused.status, 3);
        QVERIFY2(refused.err.contains(QByteArray("writing " + nowhere.toUtf8())), refused.err.constData());
        QVERIFY(refused.out.isEmpty());
        const Ending unnamed = testsupport::run(Lockctl, { u"run"_s, u"latch"_s, u"--report="_s }, inTemporary());
        QCOMPARE(unnamed.status, 2);
    }

    /// What was known by then is in it.
    void writesTheReportOfARunThatIsEndedInTheMiddle()
    {
        const QString file = write(R"({ "name": "long", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "50s" } ] })");
        const QString report = m_temporary.filePath(u"ended.html"_s);
        Program program(Lockctl, { u"run"_s, file, u"--report"_s, report }, inTemporary());
        QVERIFY(!program.lineWith("# long").isEmpty());
        program.signal(SIGINT);
        QCOMPARE(program.end().status, 1);
        const QByteArray page = read(report);
        QVERIFY(page.contains("not begun") || page.contains("not finished"));
    }

    void saysWhatCannotBePlayed()
    {
        const Ending unknown = testsupport::run(Lockctl, { u"run"_s, u"nothing"_s });
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.err.contains("there is no scenario 'nothing'"));
        const Ending missing = testsupport::run(Lockctl, { u"run"_s, u"./nothing.json"_s });
        QCOMPARE(missing.status, 3);
        QVERIFY(missing.err.contains("reading ./nothing.json"));
        const QString file = write("{ \"name\": \"n\",\n  \"titel\": \"t\" }");
        const Ending wrong = testsupport::run(Lockctl, { u"run"_s, file });
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("line 2, column 12: \"titel\" is not known here"), wrong.err.constData());
        const Ending without
            = testsupport::run(Lockctl, { u"run"_s, u"latch"_s }, { { u"PATH"_s, m_temporary.path() } });
        QCOMPARE(without.status, 3);
        QVERIFY2(without.err.contains("redis-server is not installed"), without.err.constData());
        QCOMPARE(without.out, QByteArray());
        const Ending all = testsupport::run(Lockctl, { u"run"_s, u"--all"_s }, { { u"PATH"_s, m_temporary.path() } });
        QCOMPARE(all.status, 3);
        QCOMPARE(all.out, QByteArray());
    }

    /// Before anything runs.
    void saysWhatARedissonNeeds()
    {
        const QString scenario = u"redisson-crashes"_s;
        const QString servers = m_temporary.filePath(u"no-java"_s);
        QVERIFY(QDir().mkpath(servers));
        QVERIFY(QFile::link(QStandardPaths::findExecutable(u"redis-server"_s), servers + u"/redis-server"_s));
        const Environment noJava{ { u"PATH"_s, servers }, { u"JAVA_HOME"_s, {} } };
        const Ending without = testsupport::run(Lockctl, { u"run"_s, scenario }, noJava);
        QCOMPARE(without.status, 3);
        QVERIFY2(without.err.contains("Java is not installed; install a JDK"), without.err.constData());
        QCOMPARE(without.out, QByteArray());
        // A Java without a compiler does not run what is handed to it as a source.
        QFile java(servers + u"/java"_s);
        QVERIFY(java.open(QIODevice::WriteOnly) && java.write("#!/bin/sh\n") > 0);
        QVERIFY(java.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        java.close();
        const Ending noCompiler = testsupport::run(Lockctl, { u"run"_s, scenario }, noJava);
        QCOMPARE(noCompiler.status, 3);
        QVERIFY2(noCompiler.err.contains("has no compiler; install a JDK"), noCompiler.err.constData());
        QVERIFY(QFile::copy(java.fileName(), servers + u"/javac"_s));
        const Ending noJars = testsupport::run(Lockctl, { u"run"_s, scenario }, noJava);
        QCOMPARE(noJars.status, 3);
        QVERIFY2(
            noJars.err.contains("Redisson is missing: LOCKSCOPE_REDISSON or --redisson names"), noJars.err.constData());
        const Ending nowhere
            = testsupport::run(Lockctl, { u"run"_s, u"--redisson"_s, u"/nowhere.jar"_s, scenario }, noJava);
        QCOMPARE(nowhere.status, 3);
        QVERIFY2(nowhere.err.contains("/nowhere.jar of LOCKSCOPE_REDISSON or --redisson does not exist"),
            nowhere.err.constData());
    }

    void knowsOnesOwnByName()
    {
        const QString folder = m_temporary.filePath(u"data/lockscope/scenarios"_s);
        QVERIFY(QDir().mkpath(folder));
        const Environment environment{ { u"XDG_DATA_HOME"_s, m_temporary.filePath(u"data"_s) } };
        const auto save = [&](const QString &name, const QByteArray &text) {
            QFile file(folder + u'/' + name + u".json"_s);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        save(u"mine"_s, R"({ "name": "mine", "title": "My own", "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "x", "expect": { "outcome": "acquired" } } ] })");
        save(u"half"_s, "{ \"name\": \"half\",\n  \"titel\": 1 }");
        const Ending list = testsupport::run(Lockctl, { u"scenarios"_s }, environment);
        QVERIFY2(list.out.contains("My own") && list.out.contains("yours"), list.out.constData());
        const Ending json = testsupport::run(Lockctl, { u"--json"_s, u"scenarios"_s }, environment);
        const QJsonArray all = QJsonDocument::fromJson(json.out).array();
        const QJsonObject half = all.at(all.size() - 2).toObject();
        QCOMPARE(half[u"name"_s].toString(), u"half"_s);
        QVERIFY(half[u"own"_s].toBool() && half[u"title"_s].isNull());
        QVERIFY(half[u"problem"_s].toString().startsWith(u"line 2, column 12"_s));
        const Ending played = testsupport::run(Lockctl, { u"run"_s, u"mine"_s }, environment);
        QVERIFY2(played.status == 0 && played.out.contains("ok 1 - mine, 1: A x.lock()"), played.err.constData());
        const Ending wrong = testsupport::run(Lockctl, { u"run"_s, u"half"_s }, environment);
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("half.json") && wrong.err.contains("line 2, column 12"), wrong.err.constData());
        const Ending text = testsupport::run(Lockctl, { u"scenarios"_s, u"--print"_s, u"half"_s }, environment);
        QCOMPARE(text.out.trimmed(), QByteArray("{ \"name\": \"half\",\n  \"titel\": 1 }"));
    }

    /// A port that was free a moment ago may be somebody else's by the time that the server wants it.
    void takesAnotherPortWhereOneIsTaken()
    {
        const QString folder = m_temporary.filePath(u"taking"_s);
        QVERIFY(QDir().mkpath(folder));
        QFile program(folder + u"/redis-server"_s);
        QVERIFY(program.open(QIODevice::WriteOnly));
        // Takes the port of the first server that is started.
        program.write(QStringLiteral(R"(#!/bin/sh
if mkdir "%1/taken" 2>/dev/null; then
    port=$(sed -n 's/^port //p' "$1")
    "%2" --port "$port" --bind 127.0.0.1 --save '' >/dev/null 2>&1 &
    echo $! >"%1/taken/pid"
    until redis-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.05; done
fi
exec "%2" "$@"
)")
                          .arg(folder, QStandardPaths::findExecutable(u"redis-server"_s))
                          .toUtf8());
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const QString file
            = write(R"({ "name": "two", "title": "t", "servers": { "independent": 2 }, "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "x", "wait": "5s" } ] })");
        Environment environment = inTemporary();
        environment[u"PATH"_s] = folder + u':' + qEnvironmentVariable("PATH");
        const Ending played = Program(Lockctl, { u"run"_s, file }, environment).end(PlayTakesMs);
        QFile taker(folder + u"/taken/pid"_s);
        QVERIFY(taker.open(QIODevice::ReadOnly));
        const int process = taker.readAll().trimmed().toInt();
        QVERIFY(process > 0);
        ::kill(process, SIGKILL);
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
        QVERIFY2(isTidy(), qPrintable(leftovers()));
    }

    /// A step that failed, and no end of the run; what the dead have no part in is moved.
    void movesNoSlotToOrFromTheDead()
    {
        const QString file
            = write(R"({ "name": "moves", "title": "t", "servers": "cluster", "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "b" }, { "do": "killServer", "server": 3 },
            { "do": "moveSlot", "lock": "b", "server": 3 }, { "do": "moveSlot", "lock": "x", "server": 1 },
            { "do": "moveSlot", "lock": "b", "server": 2 },
            { "do": "check", "expect": { "redis": [{ "key": "b", "server": 2, "fields": { "$A:1": "1" } }] } } ] })");
        const Ending played = Program(Lockctl, { u"run"_s, file }, inTemporary()).end(PlayTakesMs);
        QCOMPARE(played.status, 1);
        QVERIFY2(played.out.contains("not ok 3 - moves, 3:"), QByteArray(played.out + played.err).constData());
        QVERIFY2(played.out.contains("  # it failed: an error after"), played.out.constData());
        QVERIFY2(played.out.contains("not ok 4 - moves, 4:"), played.out.constData());
        QVERIFY2(played.out.contains("\nok 5 - moves, 5:") && played.out.contains("\nok 6 - moves, 6:"),
            played.out.constData());
        QVERIFY2(isTidy(), qPrintable(leftovers()));
    }

    /// A start that the next step ends has failed, and is not waited for.
    void endsAStartThatIsCutShort()
    {
        const QString file = write(R"({ "name": "short", "title": "t", "clients": ["A"], "steps": [
            { "do": "crash", "client": "A" }, { "do": "start", "client": "A", "meanwhile": true },
            { "do": "crash", "client": "A" } ] })");
        Ending played;
        for (int i = 0; i < 20 && played.status != 1; ++i) // on a busy machine it may be ready before that
            played = Program(Lockctl, { u"run"_s, file }, inTemporary()).end(PlayTakesMs);
        QCOMPARE(played.status, 1);
        QVERIFY2(played.out.contains("# it was killed before it was ready"), played.out.constData());
    }

    /// Clients find it by its path, and what is done to it stands in an audit log.
    void findsAServerThatWasStartedAgain()
    {
        const QString file = write(R"({ "name": "again", "title": "t", "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" }, { "do": "killServer" }, { "do": "startServer" },
            { "do": "lock", "client": "A", "lock": "y", "retry": "20s",
              "expect": { "seen": [{ "lock": "y", "holders": ["$A:1"] }] } },
            { "do": "forceRelease", "lock": "y", "expect": { "outcome": "released" } } ] })");
        const Ending played = Program(Lockctl, { u"run"_s, file }, inTemporary()).end(PlayTakesMs);
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
        QVERIFY2(isTidy(), qPrintable(leftovers()));
    }

    void leavesNothingWhenItIsEndedInTheMiddle_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGKILL") << SIGKILL;
    }
    void leavesNothingWhenItIsEndedInTheMiddle()
    {
        QFETCH(const int, signal);
        // A client stands still meanwhile: it does not see the end of its input.
        const QString file = write(R"({ "name": "long", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" }, { "do": "pause", "client": "A" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "50s" } ] })");
        Program program(Lockctl, { u"run"_s, file }, inTemporary());
        const QByteArray ours = m_temporary.path().toUtf8() + "/lockscope-demo-";
        QTRY_VERIFY_WITH_TIMEOUT(processesWith("client\0--watchdog"_ba).size() >= 2, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!processesWith(ours).isEmpty(), 60'000);
        program.signal(signal);
        program.end();
        QTRY_VERIFY_WITH_TIMEOUT(isTidy(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(ours).isEmpty(), 60'000);
    }

private:
    Environment inTemporary() const { return { { u"TMPDIR"_s, m_temporary.path() } }; }
    QString leftovers() const
    {
        return QDir(m_temporary.path()).entryList({ u"lockscope-*"_s, u"lockctl-*"_s }, QDir::Dirs).join(u' ');
    }
    bool isTidy() const { return leftovers().isEmpty(); }

    QString write(const QByteArray &text)
    {
        const QString path = m_temporary.filePath(u"scenario-%1.json"_s.arg(++m_written));
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? path : QString();
    }

    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir m_temporary;
    int m_written = 0;
};

QTEST_GUILESS_MAIN(TestLockctlRun)
#include "tst_lockctl_run.moc"
