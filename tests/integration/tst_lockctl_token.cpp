// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/server_test.h"

#include <QDateTime>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSettings>
#include <QTemporaryDir>
#include <csignal>

using namespace Qt::StringLiterals;
using testsupport::Ending;
using testsupport::Program;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const QString Name = u"lock:order"_s;
const QString Hex = u"5a1d3c1e8a9f11ee8c990242ac120002"_s;
constexpr int Limit = 30'000;

QJsonArray arrayIn(const Ending &ending) { return QJsonDocument::fromJson(ending.out).array(); }

} // namespace

/// Locks of other libraries in every command.
class LockctlToken : public testsupport::ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void listsAndShowsThem()
    {
        set(Name, Hex);
        set(u"lock:forever"_s, u"ADDED:2024-11-20T14:02:11.380Z@worker-3"_s, false);
        QCOMPARE(arrayIn(run({ u"ls"_s, u"--json"_s })).size(), 0);
        const QJsonArray locks
            = arrayIn(run({ u"ls"_s, u"--json"_s, u"--also"_s, u"job:*"_s, u"--also"_s, u"lock:*"_s }));
        QCOMPARE(locks.size(), 2);
        const QJsonObject forever = locks.at(0).toObject();
        QCOMPARE(forever[u"kind"].toString(), u"token"_s);
        QCOMPARE(forever[u"ttlMs"], QJsonValue(QJsonValue::Null));
        QCOMPARE(forever[u"subscribers"], QJsonValue(QJsonValue::Null));
        QVERIFY(!forever.contains(u"mayBeNoLock"));
        const QJsonObject held = locks.at(1).toObject();
        QCOMPARE(held[u"holders"].toArray().at(0)[u"client"].toString(), Hex);
        QVERIFY(held[u"ttlMs"].toInt() > 30'000);
        QCOMPARE(held[u"keys"].toArray(), QJsonArray{ Name });
        QCOMPARE(arrayIn(also({ u"ls"_s, u"--json"_s, u"--filter"_s, u"kind:token ttl:none"_s })).size(), 1);

        const Ending table = also({ u"ls"_s });
        QVERIFY2(table.out.contains("5a1d3c1e…  "), table.out.constData());
        const Ending shown = also({ u"show"_s, u"lock:forever"_s });
        QVERIFY2(shown.out.contains("kind      token") && shown.out.contains("never ends")
                && shown.out.contains("ADDED:2024-11-20T14:02:11.380Z@worker-3, ")
                && !shown.out.contains("another program"),
            shown.out.constData());
        const Ending suspect = also({ u"diagnose"_s, u"lock:forever"_s, u"--for"_s, u"3s"_s });
        QVERIFY2(suspect.status == 1 && suspect.out.contains("no time to live"), suspect.out.constData());
        QVERIFY(run({ u"show"_s, Name }).err.contains("a string is there under this name"));
        QCOMPARE(run({ u"ls"_s, u"--also="_s }).status, 2);
        QVERIFY(run({ u"complete"_s, u"ls"_s, u"--al"_s }).out.startsWith("--also\t"));
        QVERIFY(run({ u"complete"_s, u"hold"_s, u"--kind"_s, u"to"_s }).out.contains("token"));
    }

    void watchesThem()
    {
        Program watch(
            Lockctl, arguments({ u"watch"_s, u"--json"_s, u"--also"_s, u"lock:*"_s, u"--filter"_s, u"kind:token"_s }));
        waitUntilWatched();
        set(Name, Hex);
        const QJsonObject acquired = watch.jsonWith("\"acquired\"");
        QCOMPARE(acquired[u"client"].toString(), Hex);
        QCOMPARE(acquired[u"thread"].toString(), QString());
        QCOMPARE(acquired[u"kind"].toString(), u"token"_s);
        m_server.cli({ u"PEXPIRE"_s, Name, u"90000"_s });
        QCOMPARE(watch.jsonWith("\"renewed\"")[u"certainty"].toString(), u"inferred"_s);
        m_server.cli({ u"DEL"_s, Name });
        QCOMPARE(watch.jsonWith("\"released\"")[u"certainty"].toString(), u"inferred"_s);
        m_server.cli({ u"SET"_s, Name, Hex, u"PX"_s, u"100"_s });
        QCOMPARE(watch.jsonWith("\"expired\"")[u"certainty"].toString(), u"seen"_s);
    }

    void holdsOneAsOtherLibrariesDo()
    {
        Program first(Lockctl, arguments({ u"hold"_s, Name, u"--kind"_s, u"token"_s, u"--json"_s }));
        const QJsonObject got = first.jsonWith("\"acquired\"");
        const QString token = got[u"client"].toString() + u':' + got[u"thread"].toString();
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), token.toUtf8());
        QCOMPARE(m_server.cli({ u"SET"_s, Name, u"theirs"_s, u"NX"_s, u"PX"_s, u"1000"_s }), QByteArray());
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toInt() > 20'000);
        m_server.cli({ u"PEXPIRE"_s, Name, u"15000"_s });
        QVERIFY(!first.jsonWith("\"renewed\"").isEmpty()); // its watchdog
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toInt() > 20'000);
        Program second(
            Lockctl, arguments({ u"hold"_s, Name, u"--kind"_s, u"token"_s, u"--json"_s, u"--lease"_s, u"300"_s }));
        QVERIFY(second.complains(QByteArray("waiting for lock:order, held by " + token.toUtf8())));
        first.signal(SIGINT);
        QCOMPARE(first.end().status, 0);
        QVERIFY(!second.jsonWith("\"acquired\"").isEmpty()); // it asks again and again
        QCOMPARE(second.end().status, 1); // its lease ran out
        set(Name, Hex);
        const Ending refused = run({ u"hold"_s, Name, u"--kind"_s, u"token"_s, u"--wait"_s, u"50"_s });
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("its holder has "), refused.err.constData());
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), Hex.toUtf8());
        m_server.cli({ u"DEL"_s, Name });
        m_server.cli({ u"HSET"_s, Name, u"a"_s, u"1"_s });
        QCOMPARE(run({ u"hold"_s, Name, u"--kind"_s, u"token"_s, u"--wait"_s, u"0"_s }).status, 3);
    }

    /// Another holder's token may begin as the one that was seen.
    void takesNoTokenForAnotherThatBeginsAlike()
    {
        set(Name, u"worker-17:pid999"_s);
        for (const QStringList &action :
            { QStringList{ u"force-release"_s, Name }, QStringList{ u"renew"_s, Name, u"--ttl"_s, u"1s"_s } }) {
            const Ending refused = act(action + QStringList{ u"--expect"_s, u"worker-1…"_s });
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("no whole token"), refused.err.constData());
        }
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), QByteArray("worker-17:pid999"));
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toInt() > 5'000);
    }

    void takesAnOwnerThatIsATokenAsItIsShown()
    {
        set(Name, u"5f3a305a-1d3c-4e8a-9f11-8c990242ac12:1"_s);
        const Ending unlike = act({ u"force-release"_s, Name, u"--expect"_s, u"5f3a305b…:1"_s });
        QCOMPARE(unlike.status, 1);
        const Ending freed = act({ u"force-release"_s, Name, u"--expect"_s, u"5f3a305a…:1"_s });
        QVERIFY2(freed.status == 0, freed.err.constData());
        set(Name, u"5f3a305a-1d3c-4e8a-9f11-8c990242ac12:job-runner-18"_s);
        for (const QString &another : { u"5f3a305a…:job-runner-17"_s, u"5f3a305a…:job-runn…"_s })
            QCOMPARE(act({ u"force-release"_s, Name, u"--expect"_s, another }).status, 1);
        QCOMPARE(act({ u"force-release"_s, Name, u"--expect"_s, u"5f3a305a…:job-runner-18"_s }).status, 0);
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("0"));
    }

    void actsOnThemByTheirToken_data()
    {
        QTest::addColumn<QString>("token");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << Hex << Hex;
        QTest::newRow("that ends like what is shortened") << u"worker-1…"_s << u"worker-1…"_s;
        QTest::newRow("with colons") << u"ADDED:2024-11-20T14:02:11.380Z@worker-3"_s
                                     << u"ADDED:2024-11-20T14:02:11.380Z@worker-3"_s;
        QTest::newRow("that ends as a half") << u"job:write"_s << u"job:write"_s;
    }
    void actsOnThemByTheirToken()
    {
        QFETCH(const QString, token);
        QFETCH(const QString, expected);
        set(Name, token);
        const Ending unlike = act({ u"force-release"_s, Name, u"--expect"_s, u"somebody:else"_s });
        QCOMPARE(unlike.status, 1);
        QVERIFY2(unlike.err.contains(QByteArray("it is held by " + token.toUtf8())), unlike.err.constData());
        const Ending renewed = act({ u"renew"_s, Name, u"--ttl"_s, u"10m"_s, u"--expect"_s, expected });
        QVERIFY2(renewed.status == 0 && renewed.out.contains(QByteArray("held by " + token.toUtf8())),
            renewed.err.constData());
        QVERIFY(m_server.cli({ u"PTTL"_s, Name }).toInt() > 500'000);
        const Ending freed = act({ u"force-release"_s, Name, u"--expect"_s, expected });
        QVERIFY2(freed.status == 0 && freed.out.contains(QByteArray("was held by " + token.toUtf8())),
            freed.err.constData());
        QVERIFY(!freed.out.contains("wakes"));
        QCOMPARE(m_server.cli({ u"EXISTS"_s, Name }), QByteArray("0"));
        QCOMPARE(run({ u"audit"_s, u"--json"_s, u"--audit-file"_s, audit() }).out.count("\"kind\":\"token\""), 3);
    }

    void saysWhatDoesNotApply()
    {
        set(Name, Hex);
        const Ending dropped = act({ u"drop-waiter"_s, Name, u"a:1"_s });
        QVERIFY2(dropped.status != 0 && dropped.err.contains("no queue"), dropped.err.constData());
        const Ending returned = act({ u"return-permit"_s, Name, Hex });
        QVERIFY2(returned.status != 0 && returned.err.contains("no permits"), returned.err.constData());
        QCOMPARE(m_server.cli({ u"GET"_s, Name }), Hex.toUtf8());
    }

    void recordsAndReplaysThem()
    {
        set(Name, Hex);
        const QString file = m_folder.filePath(u"tokens.lockrec"_s);
        Program record(Lockctl, arguments({ u"record"_s, file, u"--also"_s, u"lock:*"_s }));
        QVERIFY(!record.lineWith("recording ").isEmpty());
        const auto events = [&] { return testsupport::run(Lockctl, { u"replay"_s, file, u"--json"_s }).out; };
        // What the recording begins with may be of before the first sweep has come to the lock.
        const auto shownLately = [&] {
            const QString lately = QDateTime::currentDateTimeUtc().addMSecs(-500).toString(Qt::ISODateWithMs);
            return arrayIn(testsupport::run(Lockctl, { u"replay"_s, file, u"--json"_s, u"--at"_s, lately }));
        };
        QTRY_COMPARE_WITH_TIMEOUT(shownLately().at(0)[u"kind"].toString(), u"token"_s, Limit);
        m_server.cli({ u"DEL"_s, Name });
        QTRY_VERIFY_WITH_TIMEOUT(events().contains("\"released\""), Limit);
        record.signal(SIGINT);
        QCOMPARE(record.end().status, 0);
        QVERIFY2(events().contains("\"kind\": \"token\"") && events().contains(Hex.toUtf8()), events().constData());
    }

    /// The window's settings of a connection, unless others are said.
    void knowsThemFromTheProfile()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(u"lockscope"_s));
        {
            QSettings settings(m_folder.filePath(u"lockscope/lockscope.ini"_s), QSettings::IniFormat);
            settings.beginWriteArray(u"recentConnections"_s);
            settings.setArrayIndex(0);
            settings.setValue(u"name"_s, u"shop"_s);
            settings.setValue(u"url"_s, m_server.url());
            settings.setValue(u"alsoLocks"_s, QStringList{ u"lock:*"_s });
            settings.endArray();
        }
        set(Name, Hex);
        set(u"job:1"_s, Hex);
        const testsupport::Environment environment{ { u"XDG_CONFIG_HOME"_s, m_folder.path() } };
        const QStringList profile{ u"--profile"_s, u"shop"_s, u"ls"_s, u"--json"_s };
        const auto namesIn = [](const Ending &ending) {
            QStringList names;
            for (const auto &lock : arrayIn(ending))
                names << lock[u"name"].toString();
            return names;
        };
        QCOMPARE(namesIn(testsupport::run(Lockctl, profile, environment)), QStringList{ Name });
        QCOMPARE(namesIn(testsupport::run(Lockctl, profile + QStringList{ u"--also"_s, u"job:*"_s }, environment)),
            QStringList{ u"job:1"_s });
    }

private:
    void set(const QString &name, const QString &token, bool ends = true) const
    {
        m_server.cli(
            QStringList{ u"SET"_s, name, token } + (ends ? QStringList{ u"PX"_s, u"60000"_s } : QStringList()));
    }
    QString audit() const
    {
        return m_folder.filePath(QLatin1String(QTest::currentTestFunction()) + QLatin1String(QTest::currentDataTag()));
    }
    QStringList arguments(const QStringList &command) const
    {
        return QStringList{ u"--url"_s, m_server.url() } + command;
    }
    Ending run(const QStringList &command) const
    {
        return testsupport::run(Lockctl, command.front() == u"complete"_s ? command : arguments(command));
    }
    Ending also(const QStringList &command) const { return run(command + QStringList{ u"--also"_s, u"lock:*"_s }); }
    Ending act(const QStringList &command) const
    {
        return also(command + QStringList{ u"--writable"_s, u"--reason"_s, u"why"_s, u"--audit-file"_s, audit() });
    }
    void waitUntilWatched() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_server.cli({ u"CLIENT"_s, u"LIST"_s }).contains(" psub=1"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(m_server.cli({ u"CLIENT"_s, u"LIST"_s }).contains("flags=t"), Limit);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(LockctlToken)
#include "tst_lockctl_token.moc"
