// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QSettings>
#include <QTemporaryDir>

using testsupport::Ending;
using testsupport::RedisServer;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);

} // namespace

/// Connections that the window has saved.
class LockctlProfile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        QVERIFY(QDir(m_config.path()).mkdir(u"lockscope"_s));
        QSettings settings(m_config.filePath(u"lockscope/lockscope.ini"_s), QSettings::IniFormat);
        settings.beginWriteArray(u"recentConnections"_s);
        int index = 0;
        std::vector<std::pair<QString, bool>> profiles{ { u"test shop"_s, false }, { u"production"_s, true },
            { u"twice"_s, false }, { u"twice"_s, false }, { QString(), false } };
        for (int i = 0; i < 8; ++i)
            profiles.emplace_back(u"shop %1"_s.arg(i), false);
        for (const auto &[name, locked] : profiles) {
            settings.setArrayIndex(index++);
            settings.setValue(u"name"_s, name);
            settings.setValue(u"url"_s, u"redis://127.0.0.1:%1"_s.arg(m_server.port()));
            settings.setValue(u"readOnlyLocked"_s, locked);
        }
        settings.setArrayIndex(0);
        settings.setValue(u"environment"_s, u"PROD"_s);
        settings.endArray();
    }

    void connectsWhereTheWindowDid()
    {
        const Ending ending = run({ u"--profile"_s, u"test shop"_s, u"ls"_s });
        QCOMPARE(ending.err, QByteArray());
        QCOMPARE(ending.status, 0);
        QCOMPARE(run({ u"--profile"_s, u"test shop"_s, u"ls"_s }, u"wrong"_s).status, 3);
        const QString address = u"127.0.0.1:%1"_s.arg(m_server.port()); // that has no name of its own
        QCOMPARE(run({ u"--profile"_s, address, u"ls"_s }).status, 0);
        QCOMPARE(run({ u"--profile"_s, u"shop 7"_s, u"ls"_s }).status, 0);
    }

    void saysWhichThereAreNot()
    {
        QVERIFY(run({ u"--profile"_s, u"nowhere"_s, u"ls"_s }).err.contains("no connection named 'nowhere'"));
        QVERIFY(run({ u"--profile"_s, u"twice"_s, u"ls"_s }).err.contains("several"));
        QVERIFY(run({ u"--profile"_s, u"production"_s, u"--demo"_s, u"ls"_s }).err.contains("--demo"));
    }

    void takesThemFromAnotherFile()
    {
        const QString file = m_config.filePath(u"other.ini"_s);
        {
            QSettings settings(file, QSettings::IniFormat);
            settings.beginWriteArray(u"recentConnections"_s);
            settings.setArrayIndex(0);
            settings.setValue(u"name"_s, u"elsewhere"_s);
            settings.setValue(u"url"_s, u"redis://127.0.0.1:%1"_s.arg(m_server.port()));
            settings.setValue(u"readOnlyLocked"_s, false);
            settings.endArray();
        }
        QCOMPARE(run({ u"--config"_s, file, u"--profile"_s, u"elsewhere"_s, u"ls"_s }).status, 0);
        const Ending unknown = run({ u"--config"_s, file, u"--profile"_s, u"test shop"_s, u"ls"_s });
        QCOMPARE(unknown.status, 2);
        QVERIFY2(unknown.err.contains(file.toUtf8()), unknown.err.constData());
        QVERIFY(run({ u"--profile"_s, u"nowhere"_s, u"ls"_s }).err.contains("lockscope/lockscope.ini"));
        const Ending folder = run({ u"--config"_s, m_config.path(), u"--profile"_s, u"elsewhere"_s, u"ls"_s });
        QCOMPARE(folder.status, 2);
        QVERIFY2(folder.err.contains("is a directory"), folder.err.constData());
        QVERIFY(run({ u"--config"_s, file, u"ls"_s }).err.contains("--profile"));
        const Ending offered = run({ u"complete"_s, u"--config"_s, file, u"--profile"_s, QString() });
        QVERIFY2(offered.out.startsWith("elsewhere\t"), offered.out.constData());
    }

    void keepsALockedProfileReadOnly()
    {
        QCOMPARE(run({ u"--profile"_s, u"production"_s, u"ls"_s }).status, 0);
        for (const char *command : { "hold a", "force-release a --expect c:1 --reason r --writable" }) {
            const Ending ending
                = run(QStringList{ u"--profile"_s, u"production"_s } + QString::fromLatin1(command).split(u' '));
            QCOMPARE(ending.status, 2);
            QVERIFY2(ending.err.contains("locked to read-only"), ending.err.constData());
        }
        QCOMPARE(run({ u"--profile"_s, u"test shop"_s, u"hold"_s, u"a"_s, u"--for"_s, u"1"_s }).status, 0);
    }

    void recordsOnWhichConnectionItWas()
    {
        const QString owner = u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"_s;
        m_server.cli({ u"HSET"_s, u"order"_s, owner, u"1"_s });
        const QStringList here{ u"--audit-file"_s, m_config.filePath(u"audit.jsonl"_s) };
        const QStringList release{ u"--profile"_s, u"test shop"_s, u"--writable"_s, u"force-release"_s, u"order"_s,
            u"--expect"_s, owner, u"--reason"_s, u"r"_s };
        QCOMPARE(run(release + here).status, 0);
        const Ending log = run(QStringList{ u"audit"_s } + here);
        const QByteArray where = "PROD · test shop · 127.0.0.1:" + QByteArray::number(m_server.port());
        QVERIFY2(log.out.contains(where), log.out.constData());
    }

    void offersTheirNames()
    {
        const Ending ending = run({ u"complete"_s, u"--profile"_s, u"te"_s });
        QVERIFY2(ending.out.startsWith("test shop\t127.0.0.1:"), ending.out.constData());
        QCOMPARE(ending.out.count('\n'), 1);
    }

private:
    Ending run(const QStringList &arguments, const QString &password = u"open sesame"_s) const
    {
        return testsupport::run(
            Lockctl, arguments, { { u"XDG_CONFIG_HOME"_s, m_config.path() }, { u"LOCKSCOPE_PASSWORD"_s, password } });
    }

    RedisServer m_server{ { .password = u"open sesame"_s } };
    QTemporaryDir m_config;
};

QTEST_GUILESS_MAIN(LockctlProfile)
#include "tst_lockctl_profile.moc"
