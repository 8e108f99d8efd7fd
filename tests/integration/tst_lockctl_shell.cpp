// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/server_test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QStandardPaths>
#include <csignal>

using testsupport::Ending;
using testsupport::Program;
using testsupport::ServerTest;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const QString Client = u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2"_s;

Ending shell(const QString &script, const QStringList &arguments = {})
{
    return testsupport::run(
        u"bash"_s, QStringList{ u"--norc"_s, u"-c"_s, script, Lockctl } + arguments, { { u"LC_ALL"_s, u"C.UTF-8"_s } });
}

QByteArray lastLine(const QByteArray &text) { return text.trimmed().split('\n').last().trimmed(); }

} // namespace

/// How lockctl gets on with the shell, pipes, terminals and other tools.
class LockctlShell : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void completesInBash_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("offers");
        QTest::newRow("command") << u"lockctl sh"_s << QStringList{ u"show"_s };
        QTest::newRow("after an option with a colon")
            << u"lockctl --url redis://host:6379 --json aud"_s << QStringList{ u"audit"_s };
        QTest::newRow("option") << u"lockctl ls --fi"_s << QStringList{ u"--filter"_s };
        QTest::newRow("option of the command only") << u"lockctl ls --exp"_s << QStringList();
        QTest::newRow("option not given yet") << u"lockctl --json ls --js"_s << QStringList();
        QTest::newRow("option that repeats") << u"lockctl renew a --expect b:1 --exp"_s << QStringList{ u"--expect"_s };
        QTest::newRow("value") << u"lockctl hold a --kind f"_s << QStringList{ u"fair"_s, u"fenced"_s };
        QTest::newRow("mode") << u"lockctl hold a --mode "_s << QStringList{ u"read"_s, u"write"_s };
        QTest::newRow("no value") << u"lockctl hold a --lease "_s << QStringList();
        QTest::newRow("a name") << u"lockctl show "_s << QStringList();
        QTest::newRow("file") << u"lockctl audit --audit-file /etc/passw"_s << QStringList{ u"/etc/passwd"_s };
    }
    void completesInBash()
    {
        QFETCH(const QString, line);
        QFETCH(const QStringList, offers);
        QStringList found = completions(line);
        found.removeAll(u"/etc/passwd-"_s);
        QCOMPARE(found, offers);
    }

    /// What completion offers is what the program takes, and what its help tells.
    void offersAllThatThereIs()
    {
        const QStringList commands = completions(u"lockctl "_s);
        QVERIFY(commands.size() >= 9);
        const QByteArray help = testsupport::run(Lockctl, { u"--help"_s }).out;
        for (const QString &command : commands) {
            QVERIFY2(help.contains(QByteArray("\n  " + command.toLatin1())), qPrintable(command));
            const Ending own = testsupport::run(Lockctl, { command, u"--help"_s });
            QCOMPARE(own.status, 0);
            QVERIFY(own.out.startsWith(QByteArray("lockctl " + command.toLatin1() + ": ")));
            for (const QString &option : completions(u"lockctl %1 --"_s.arg(command)))
                QVERIFY2(own.out.contains(QByteArray("\n  " + option.toLatin1())), qPrintable(command + option));
            for (const QByteArray &text : { own.out, help }) {
                for (const QByteArray &each : text.split('\n'))
                    QVERIFY2(QString::fromUtf8(each).size() <= 120, each.constData());
            }
        }
    }

    void endsQuietlyWhenNobodyReads_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("help") << u"--help"_s;
        QTest::newRow("table") << u"ls"_s;
        QTest::newRow("JSON") << u"ls --json"_s;
        QTest::newRow("silent stream") << u"watch --json"_s;
    }
    void endsQuietlyWhenNobodyReads()
    {
        QFETCH(const QString, command);
        testsupport::Commands commands;
        testsupport::addLocks(commands, 2'000);
        testsupport::BlockingClient(m_server.socketPath().toStdString()).runAll(commands);
        const Ending ending
            = shell(u"\"$0\" --url \"$1\" %1 | true; echo ${PIPESTATUS[0]}"_s.arg(command), { m_server.socketUrl() });
        const QByteArray note
            = " things look suspect and take some seconds to tell: lockctl diagnose with the same options does\n";
        QVERIFY2(ending.err.isEmpty() || ending.err.endsWith(note), ending.err.constData());
        QCOMPARE(ending.err.count('\n'), ending.err.isEmpty() ? 0 : 1);
        QCOMPARE(ending.out, QByteArray("0\n"));
    }

    void streamsEventsIntoJq()
    {
        if (QStandardPaths::findExecutable(u"jq"_s).isEmpty())
            QSKIP("jq is not installed");
        Program watch(u"bash"_s,
            { u"-c"_s,
                u"\"$0\" --url \"$1\" --json watch | jq --unbuffered -c '[.event, .lock, .kind, .client, .thread,"_s
                    + u" .count, .ttlMs > 0, .certainty, (.at | type), (keys_unsorted | length)]'"_s,
                Lockctl, m_server.url() });
        Program holder(Lockctl, { u"--url"_s, m_server.url(), u"--json"_s, u"hold"_s, u"job"_s });
        const QString client = holder.jsonWith("\"acquired\"")[u"client"].toString();
        // Where it is seen first depends on who was faster.
        const QByteArray line = watch.lineWith(client.toLatin1());
        const QJsonArray event = QJsonDocument::fromJson(line).array();
        QVERIFY2(QStringList({ u"acquired"_s, u"appeared"_s }).contains(event.at(0).toString()), line.constData());
        QCOMPARE(event.at(1).toString(), u"job"_s);
        QCOMPARE(event.at(2).toString(), u"reentrant"_s);
        QCOMPARE(event.at(5).toInt(), 1);
        QCOMPARE(event.at(6).toBool(), true);
        QCOMPARE(event.at(8).toString(), u"string"_s);
        holder.signal(SIGINT);
        QVERIFY(!watch.lineWith("\"released\"").isEmpty());
    }

    void saysAfterAGapForHowLongNothingWasSeen()
    {
        Program watch(Lockctl, { u"--url"_s, m_server.url(), u"--json"_s, u"watch"_s });
        Program holder(Lockctl, { u"--url"_s, m_server.url(), u"--json"_s, u"hold"_s, u"job"_s });
        QVERIFY(!watch.lineWith("\"job\"").isEmpty());
        m_server.cli({ u"CLIENT"_s, u"KILL"_s, u"TYPE"_s, u"normal"_s });
        const QJsonObject gap = watch.jsonWith("\"gap\"");
        QVERIFY(gap[u"lock"].isNull() && gap[u"kind"].isNull() && gap[u"client"].isNull());
        QVERIFY(gap[u"ttlMs"].toInteger(-1) >= 0);
        QCOMPARE(gap.keys(),
            QStringList({ u"at"_s, u"certainty"_s, u"client"_s, u"count"_s, u"event"_s, u"kind"_s, u"lock"_s, u"node"_s,
                u"thread"_s, u"ttlMs"_s }));
        QCOMPARE(gap[u"node"], QJsonValue(QString::fromStdString(m_server.endpoint().display())));
        watch.signal(SIGINT);
        QCOMPARE(watch.end().status, 0);
    }

    void saysWhatReReadingMayMiss()
    {
        Program watch(Lockctl, { u"--url"_s, m_server.url(), u"--json"_s, u"watch"_s, u"--feed"_s, u"rereading"_s });
        QVERIFY(watch.complains("new ones are found by sweeps only, as chosen by hand. A lock held for less than "));
        QVERIFY(watch.complains(" s may not be seen.\n"));
        m_server.cli({ u"HSET"_s, u"job"_s, Client + u":1"_s, u"1"_s });
        QVERIFY(!watch.lineWith("\"job\"").isEmpty());
        watch.signal(SIGINT);
        QCOMPARE(watch.end().status, 0);
    }

    void neverWrapsOnATerminal_data()
    {
        QTest::addColumn<int>("columns");
        for (const int columns : { 40, 60, 80, 120 })
            QTest::addRow("%d", columns) << columns;
    }
    void neverWrapsOnATerminal()
    {
        QFETCH(const int, columns);
        m_server.cli({ u"HSET"_s, u"a lock with quite a long name, and what tells it apart at its very end: 4711"_s,
            Client + u":1"_s, u"1"_s });
        m_server.cli({ u"HSET"_s,
            u"\u5e93\u5b58\u9501\u5e93\u5b58\u9501\u5e93\u5b58\u9501\u5e93\u5b58\u9501"
            u"\u5e93\u5b58\u9501\u5e93\u5b58\u9501"_s,
            Client + u":1"_s, u"1"_s });
        m_server.cli({ u"HSET"_s, u"e\u0301e\u0301e\u0301\x1b[2J"_s, Client + u":1"_s, u"1"_s });
        const QString script
            = u"script -qec \"stty cols %1 rows 30; exec '$0' --url '$1' ls\" /dev/null"_s.arg(columns);
        const Ending ending = shell(script, { m_server.socketUrl() });
        QCOMPARE(ending.status, 0);
        QList<QByteArray> lines = ending.out.trimmed().split('\n');
        lines.removeIf([](const QByteArray &line) { return line.startsWith("lockctl: "); }); // from stderr
        QCOMPARE(lines.size(), 4);
        for (const QByteArray &line : std::as_const(lines)) {
            QVERIFY2(cells(QString::fromUtf8(line.trimmed())) <= columns, line.constData());
            QVERIFY(!line.contains('\x1b'));
        }
        QVERIFY(ending.out.contains("4711")); // names are cut in the middle
        QVERIFY(ending.out.contains(columns < 80 ? "\u2026" : "\\x1b[2J"));
        QVERIFY(ending.out.contains("Never ends?") || columns < 80);
    }

    void cutsNoEscapeInTwo()
    {
        m_server.cli({ u"HSET"_s, QString(30, u'\x1b'), Client + u":1"_s, u"1"_s });
        for (int columns = 60; columns < 68; ++columns) {
            const QString script
                = u"script -qec \"stty cols %1 rows 30; exec '$0' --url '$1' ls\" /dev/null"_s.arg(columns);
            const Ending ending = shell(script, { m_server.socketUrl() });
            const QString name
                = QString::fromUtf8(ending.out).section(u"\n\\"_s, 1, 1).section(u' ', 0, 0).prepend(u'\\');
            const QRegularExpression whole(u"^(\\\\x1b)+\u2026(\\\\x1b)*$"_s);
            QVERIFY2(whole.match(name).hasMatch(), ending.out.constData());
        }
    }

    void drawsALiveTableAndLeavesTheTerminalAsItWas()
    {
        m_server.cli({ u"HSET"_s, u"job"_s, Client + u":1"_s, u"1"_s });
        testsupport::BlockingClient waiter(m_server.socketPath().toStdString());
        waiter.run({ "SUBSCRIBE", "redisson_lock__channel:{waited for}" });
        const Ending ending
            = shell(u"script -qec \"stty cols 80 rows 10; exec timeout -s INT 3 '$0' --url '$1' watch\" /dev/null"_s,
                { m_server.socketUrl() });
        QVERIFY(ending.out.contains("\x1b[?1049h"));
        QVERIFY(ending.out.contains("job"));
        QVERIFY2(ending.out.contains("waited for"), "nobody holds it");
        QVERIFY2(lastLine(ending.out).endsWith("\x1b[?1049l"), ending.out.right(80).toHex().constData());
    }

private:
    /// What bash offers at the end of this line: by the script itself, in a real bash.
    QStringList completions(const QString &line) const
    {
        const QString script = u"PATH=\"${0%/*}:$PATH\"; source \"$1\"; COMP_LINE=$2; COMP_POINT=${#2}\n"
                               // As readline cuts words: at blanks, and at colons and equal signs.
                               "mapfile -t COMP_WORDS < <(grep -oE '[:=]+|[^[:space:]:=]+' <<< \"$2\")\n"
                               "[[ $2 == *' ' ]] && COMP_WORDS+=('')\n"
                               "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lockctl\n"
                               "((${#COMPREPLY[@]})) && printf '%s\\n' \"${COMPREPLY[@]}\"; true"_s;
        const Ending ending = shell(script, { QStringLiteral(COMPLETION "/lockctl.bash"), line });
        return QString::fromUtf8(ending.out + ending.err).split(u'\n', Qt::SkipEmptyParts);
    }

    static int cells(const QString &text)
    {
        int count = 0;
        for (const QChar each : text) {
            if (each.category() != QChar::Mark_NonSpacing)
                count += each.script() == QChar::Script_Han ? 2 : 1;
        }
        return count;
    }
};

QTEST_GUILESS_MAIN(LockctlShell)
#include "tst_lockctl_shell.moc"
