// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using testsupport::Environment;
using testsupport::Program;

namespace {

const QByteArray Mine = R"({"name": "mine", "title": "Mine", "clients": ["A"],
  "steps": [{"client": "A", "do": "lock", "lock": "orders"}]}
)";

/// Windows of a person's, one after the other or at once, with the same files.
struct Home {
    QTemporaryDir folder;

    QString scenario(const char *file) const
    {
        return folder.filePath(QStringLiteral("lockscope/scenarios/") + QString::fromLatin1(file));
    }
    bool write(const char *file, const QByteArray &text) const
    {
        QFile written(scenario(file));
        return QDir().mkpath(scenario("")) && written.open(QIODevice::WriteOnly) && written.write(text) == text.size();
    }
    QByteArray read(const char *file) const
    {
        QFile opened(scenario(file));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    /// With hands that type this into the scenario; empty: that answer what is asked, and read.
    Program window(const QString &typed) const
    {
        return { QStringLiteral(LOCKSCOPE),
            { QStringLiteral("--config"), folder.filePath(QStringLiteral("settings.ini")), QStringLiteral("--page"),
                QStringLiteral("lab") },
            Environment{ { QStringLiteral("XDG_DATA_HOME"), folder.path() },
                { QStringLiteral("QT_PLUGIN_PATH"), QStringLiteral(HANDS) },
                { QStringLiteral("QT_QPA_GENERIC_PLUGINS"), QStringLiteral("hands:") + typed } } };
    }
};

QByteArray told(Program &window, const QByteArray &what)
{
    return QByteArray::fromBase64(window.lineWith(what + ' ').trimmed().mid(what.size() + 1));
}

} // namespace

class LockscopeEnded : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void offersWhatWasNotSavedAtTheNextStart()
    {
        const Home home;
        QVERIFY(home.write("mine.json", Mine));
        Program before = home.window(QStringLiteral("unsaved"));
        const QByteArray written = told(before, "text");
        QVERIFY2(written.contains("unsaved"), written.constData());
        before.signal(SIGTERM);
        QCOMPARE(before.end().status, 0);
        QCOMPARE(home.read("mine.json"), Mine);

        Program after = home.window({});
        QCOMPARE(told(after, "asked"), QByteArray("Changes of “mine” were not saved when the program was ended."));
        QCOMPARE(told(after, "text"), written);
        after.signal(SIGTERM);
        QCOMPARE(after.end().status, 0);
    }

    void losesNothingOfTwoWindowsThatEndAtOnce()
    {
        const Home home;
        QVERIFY(home.write("mine.json", Mine));
        Program one = home.window(QStringLiteral("one"));
        Program two = home.window(QStringLiteral("two"));
        QVERIFY(!told(one, "text").isEmpty() && !told(two, "text").isEmpty());
        for (Program *each : { &one, &two })
            each->signal(SIGTERM);
        for (Program *each : { &one, &two })
            QCOMPARE(each->end().status, 0);
        QVERIFY(QFile::remove(home.scenario("mine.json"))); // somebody does that meanwhile

        Program after = home.window({});
        const QByteArray asked = told(after, "asked");
        QVERIFY2(asked.contains("“mine”") && asked.contains("“mine-2”"), asked.constData());
        QVERIFY(!told(after, "text").isEmpty());
        const QByteArray all = home.read("mine.json") + home.read("mine-2.json");
        QVERIFY(all.contains("one") && all.contains("two"));
    }
};

QTEST_GUILESS_MAIN(LockscopeEnded)
#include "tst_lockscope_ended.moc"
