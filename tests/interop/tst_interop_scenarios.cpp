// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/interop/peer_process.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using interop::Language;
using testsupport::Ending;
using testsupport::Program;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int PlayTakesMs = 240'000; // on a busy computer

QStringList scenariosWithRedisson()
{
    const Ending list = testsupport::run(Lockctl, { u"--json"_s, u"scenarios"_s });
    QStringList names;
    for (const auto &each : QJsonDocument::fromJson(list.out).array()) {
        if (each.toObject()[u"needs"_s].toString().contains(u"Redisson"_s))
            names << each.toObject()[u"name"_s].toString();
    }
    return names;
}

} // namespace

/// Scenarios of the library in which a client is a real Redisson.
class TestInteropScenarios : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_temporary.isValid());
    }

    void eachPassesWithEachVersion_data()
    {
        QTest::addColumn<QString>("scenario");
        QTest::addColumn<Language>("language");
        const QStringList names = scenariosWithRedisson();
        QVERIFY(names.size() >= 2);
        for (const QString &scenario : names) {
            for (const Language language : { Language::Redisson3, Language::Redisson4 })
                QTest::addRow("%s, %s", qPrintable(scenario), interop::name(language)) << scenario << language;
        }
    }
    void eachPassesWithEachVersion()
    {
        QFETCH(const QString, scenario);
        QFETCH(const Language, language);
        NEED_PEER(language);
        const QString temporary = m_temporary.filePath(u"tmp"_s);
        QVERIFY(QDir().mkpath(temporary));
        Program program(
            Lockctl, { u"run"_s, u"--redisson"_s, folderOf(language), scenario }, { { u"TMPDIR"_s, temporary } });
        const Ending played = program.end(PlayTakesMs);
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
        QVERIFY2(!played.out.contains("not ok") && !played.out.contains("# SKIP"), played.out.constData());
        QCOMPARE(QDir(temporary).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    }

    /// In a cluster older ones publish their messages in another way than newer ones: ours hear both.
    void wakesInACluster_data()
    {
        QTest::addColumn<Language>("language");
        QTest::newRow("redisson-3") << Language::Redisson3;
        QTest::newRow("redisson-4") << Language::Redisson4;
    }
    void wakesInACluster()
    {
        QFETCH(const Language, language);
        NEED_PEER(language);
        QFile file(m_temporary.filePath(u"cluster.json"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({ "name": "c", "title": "t", "servers": "cluster",
            "clients": ["A", { "name": "R", "program": "redisson" }], "steps": [
            { "do": "lock", "client": "R", "lock": "x" },
            { "do": "lock", "client": "A", "lock": "x", "id": "A waits", "wait": "50s", "meanwhile": true,
              "expect": { "outcome": "acquired", "took": ["0ms", "20s"] } },
            { "do": "unlock", "client": "R", "lock": "x", "pause": "1s" },
            { "do": "lock", "client": "R", "lock": "x", "after": "A waits", "id": "R waits", "wait": "50s",
              "meanwhile": true, "expect": { "outcome": "acquired", "took": ["0ms", "20s"] } },
            { "do": "unlock", "client": "A", "lock": "x", "pause": "1s" },
            { "do": "unlock", "client": "R", "lock": "x", "after": "R waits" } ] })");
        file.close();
        Program program(Lockctl, { u"run"_s, u"--redisson"_s, folderOf(language), file.fileName() });
        const Ending played = program.end(PlayTakesMs);
        QVERIFY2(played.status == 0, QByteArray(played.out + played.err).constData());
    }

    /// Each client gets the one that it names, wherever it is.
    void picksTheVersionThatIsNamed()
    {
        NEED_PEER(Language::Redisson3);
        NEED_PEER(Language::Redisson4);
        const QString folder3 = folderOf(Language::Redisson3);
        const QString folder4 = folderOf(Language::Redisson4);
        const QString file = m_temporary.filePath(u"fenced.json"_s);
        const auto play = [&](const QByteArray &version, const QString &places) {
            QFile scenario(file);
            if (scenario.open(QIODevice::WriteOnly))
                scenario.write(R"({ "name": "fenced", "title": "t", "clients": [
                    { "name": "R", "program": "redisson", "version": ")"
                    + version + R"(" }], "steps": [
                    { "do": "lock", "client": "R", "lock": "x", "kind": "fenced" } ] })");
            scenario.close();
            Program program(Lockctl, { u"run"_s, file }, { { u"LOCKSCOPE_REDISSON"_s, places } });
            return program.end(PlayTakesMs);
        };
        const Ending newer = play("4", folder3 + u':' + folder4);
        QVERIFY2(newer.status == 0, QByteArray(newer.out + newer.err).constData());
        const Ending older = play("3.16.8", folder4 + u':' + folder3);
        QCOMPARE(older.status, 1);
        QVERIFY2(older.out.contains("this version has no getFencedLock"), older.out.constData());
        const Ending other = play("3.16.8", folder4);
        QCOMPARE(other.status, 3);
        QVERIFY2(other.err.contains("Redisson 3.16.8 is missing, there is 4."), other.err.constData());
        QVERIFY2(other.out.isEmpty(), other.out.constData());
    }

private:
    /// With links to all jars.
    QString folderOf(Language language)
    {
        const QString folder = m_temporary.filePath(QLatin1String(interop::name(language)));
        QDir().mkpath(folder);
        for (const QString &jar : interop::jarsOf(language))
            QFile::link(jar, folder + u'/' + QFileInfo(jar).fileName());
        return folder;
    }

    QTemporaryDir m_temporary;
};

QTEST_GUILESS_MAIN(TestInteropScenarios)
#include "tst_interop_scenarios.moc"
