// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_edit.h"
#include "ui/lab/own_scenarios.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_words.h"

#include "lockcore/base/error.h"
#include "lockcore/monitor/names.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <set>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace lockui;
using namespace lockui::lab;
using Problem = StoreProblem::Kind;

namespace {

QByteArray scenarioText(const QByteArray &name)
{
    return "{\n  \"name\": \"" + name
        + "\",\n  \"title\": \"mine\",\n  \"clients\": [\"A\"],\n  \"steps\": [{\"do\": \"crash\", \"client\": "
          "\"A\"}]\n}\n";
}

void write(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(nothing)");
}

std::set<std::string> asSet(const std::vector<std::string> &words) { return { words.begin(), words.end() }; }

template <typename Rows>
std::set<std::string> namesOf(const Rows &rows)
{
    std::set<std::string> names;
    for (const auto &row : rows)
        names.insert(row.name);
    return names;
}

} // namespace

class TestOwnScenarios : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Of two windows that are ended at once, too.
    void keepsAllThatWasNotSaved()
    {
        QTemporaryDir folder;
        const OwnScenarios store(folder.path());
        const QByteArray seen = scenarioText("mine");
        const QByteArray one = QByteArray(seen).replace("\"title\": \"mine\"", "\"title\": \"one\"");
        const QByteArray two = QByteArray(seen).replace("\"title\": \"mine\"", "\"title\": \"two\"");
        QVERIFY(store.save("mine", seen, std::nullopt));
        QVERIFY(store.keepUnsaved("mine", one, seen));
        QVERIFY(store.keepUnsaved("mine", two, seen));
        QVERIFY(store.keepUnsaved("mine", one, seen)); // as it is kept already
        QCOMPARE(store.unsavedNames(), (std::vector<std::string>{ "mine-2", "mine" }));
        QCOMPARE(store.unsaved("mine")->text, one);
        QCOMPARE(store.unsaved("mine")->seen, seen);
        QCOMPARE(store.unsaved("mine-2")->text, OwnScenarios::withName(two, "mine-2"));

        QVERIFY(store.giveFileBack("mine-2"));
        QVERIFY(!store.find("mine-2")->error);
        QCOMPARE(store.find("mine-2")->scenario.title, std::string("two"));
        QVERIFY(store.keepUnsaved("mine", two, seen, one)); // written on where it was taken up
        QCOMPARE(store.unsavedNames(), std::vector<std::string>{ "mine" });
        store.forgetUnsaved("mine", one); // which is not what is kept
        QCOMPARE(store.unsaved("mine")->text, two);
        QVERIFY(!store.giveFileBack("mine")); // it has one

        QVERIFY(store.remove("mine", seen));
        QCOMPARE(store.unsavedNames(), std::vector<std::string>{ "mine" });
        QVERIFY(store.freeName("mine") != "mine");
        QVERIFY(store.giveFileBack("mine"));
        QCOMPARE(store.find("mine")->text, two);
        QVERIFY(store.unsavedNames().empty());
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("deep/scenarios"));
    }

    void savesListsAndReads()
    {
        const OwnScenarios store(m_path);
        QVERIFY(store.list()->empty()); // there is no folder yet
        QVERIFY(store.save("mine", scenarioText("mine"), std::nullopt));
        QVERIFY(store.save("also-mine", scenarioText("also-mine"), std::nullopt));
        const auto all = store.list();
        QCOMPARE(all->size(), 2U);
        QCOMPARE(all->front().name, std::string("also-mine"));
        QVERIFY(!all->front().error);
        QCOMPARE(all->back().scenario.title, std::string("mine"));
        QCOMPARE(store.find("mine")->text, scenarioText("mine"));
        QVERIFY(!store.find("yours"));
    }

    void listsWhatIsBrokenWithItsError()
    {
        QDir().mkpath(m_path);
        const OwnScenarios store(m_path);
        write(m_path + QStringLiteral("/cut.json"), scenarioText("cut").left(40));
        write(m_path + QStringLiteral("/empty.json"), {});
        write(m_path + QStringLiteral("/other.json"), scenarioText("another"));
        write(m_path + QStringLiteral("/two words.json"), scenarioText("two words"));
        write(m_path + QStringLiteral("/watchdog.json"), scenarioText("watchdog"));
        write(m_path + QStringLiteral("/huge.json"), QByteArray(3 << 20, ' '));
        write(m_path + QStringLiteral("/bytes.json"), "{\"name\": \"\xff\xfe\0\"}");
        write(m_path + QStringLiteral("/note.txt"), "no scenario, and not listed");
        QDir().mkpath(m_path + QStringLiteral("/folder.json"));
        QVERIFY(QFile::link(m_path + QStringLiteral("/nowhere"), m_path + QStringLiteral("/dangling.json")));
        const auto all = store.list();
        QCOMPARE(all->size(), 7U);
        for (const OwnScenario &each : *all) {
            QVERIFY2(each.error, each.name.c_str());
            QVERIFY(!each.error->message.isEmpty());
        }
        const auto wrong = store.find("other");
        QCOMPARE(wrong->error->at.line, 2U);
        QCOMPARE(wrong->error->at.column, 11U);
        QVERIFY(wrong->error->message.contains(QStringLiteral("other.json")));
        QVERIFY(!store.find("huge")->isRead);
    }

    void hostileNamesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char *name : { "", "..", ".", "../out", "/etc/passwd", "a/b", "a\\b", "-rf", "a.json", ".hidden",
                 "two words", "a\nb", "ä", "\xff\xfe", "\xe2\x80\xaetxt", "a;rm", "$(id)", "%1" })
            QTest::newRow(name) << QByteArray(name);
        QTest::newRow("zero") << QByteArray("a\0b", 3);
        QTest::newRow("long") << QByteArray(65, 'a');
        QTest::newRow("built in") << QByteArray("watchdog");
    }
    void hostileNamesAreRefused()
    {
        QFETCH(const QByteArray, name);
        const OwnScenarios store(m_path);
        QVERIFY(!OwnScenarios::nameProblem(name.toStdString()).isEmpty());
        const auto saved = store.save(name.toStdString(), scenarioText("x"), std::nullopt);
        QVERIFY(!saved && saved.error().kind == Problem::NoName);
        QVERIFY(!store.find(name.toStdString()));
        QVERIFY(!QFile::exists(m_path)); // nothing was made
        const std::string free = store.freeName(name.toStdString());
        QVERIFY2(OwnScenarios::nameProblem(free).isEmpty(), free.c_str());
    }

    void overwritesNothingThatWasNotSeen()
    {
        const OwnScenarios store(m_path);
        const QByteArray first = scenarioText("mine");
        QVERIFY(store.save("mine", first, std::nullopt));
        const auto taken = store.save("mine", "{}", std::nullopt);
        QVERIFY(!taken && taken.error().kind == Problem::NameTaken);
        QVERIFY(store.save("mine", first + "\n", first));
        const auto changed = store.save("mine", "{}", first);
        QVERIFY(!changed && changed.error().kind == Problem::ChangedOnDisk);
        QCOMPARE(read(store.fileOf("mine")), first + "\n");
        const auto removed = store.remove("mine", first);
        QVERIFY(!removed && removed.error().kind == Problem::ChangedOnDisk);
        QFile::remove(store.fileOf("mine"));
        const auto gone = store.save("mine", "{}", first + "\n");
        QVERIFY(!gone && gone.error().kind == Problem::GoneFromDisk);
        QVERIFY(!QFile::exists(store.fileOf("mine")));
    }

    void renamesWithTheNameInTheText()
    {
        const OwnScenarios store(m_path);
        QVERIFY(store.save("mine", scenarioText("mine"), std::nullopt));
        QVERIFY(store.save("taken", scenarioText("taken"), std::nullopt));
        const auto taken = store.rename("mine", "taken", scenarioText("mine"));
        QVERIFY(!taken && taken.error().kind == Problem::NameTaken);
        QCOMPARE(*store.rename("mine", "yours", scenarioText("mine")), scenarioText("yours"));
        QVERIFY(!store.find("mine"));
        QVERIFY(!store.find("yours")->error);
        QVERIFY(store.remove("yours", scenarioText("yours")));
        QCOMPARE(store.list()->size(), 1U);
    }

    void copiesOfTheLibraryCanBePlayed()
    {
        const OwnScenarios store(m_path);
        for (const Scenario &each : builtInScenarios()) {
            const std::string name = store.freeName(each.name);
            QCOMPARE(name, each.name + "-2");
            const QByteArray text = OwnScenarios::withName(builtInText(each.name), name);
            QVERIFY(store.save(name, text, std::nullopt));
            QVERIFY2(!store.find(name)->error, name.c_str());
            QCOMPARE(store.freeName(each.name), each.name + "-3");
        }
        QCOMPARE(OwnScenarios::withName("no JSON", "x"), QByteArray("no JSON"));
        QCOMPARE(OwnScenarios::withName("[1]", "x"), QByteArray("[1]"));
    }

    void aFolderThatCannotBeMadeIsSaid()
    {
        write(m_folder->filePath(QStringLiteral("deep")), "a file where a folder is wanted");
        const OwnScenarios store(m_path);
        const auto saved = store.save("mine", scenarioText("mine"), std::nullopt);
        QVERIFY(!saved && saved.error().kind == Problem::Failed);
        QVERIFY(saved.error().message.contains(m_path));
    }

    void aReadOnlyFolderIsSaidAndNothingIsLost()
    {
        const OwnScenarios store(m_path);
        QVERIFY(store.save("mine", scenarioText("mine"), std::nullopt));
        const auto all = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther
            | QFile::ExeOther;
        for (const QString &path : { m_folder->path(), m_folder->filePath(QStringLiteral("deep")), m_path })
            QVERIFY(QFile::setPermissions(path, all));
        if (geteuid() == 0)
            setfsuid(65'534); // root may write everywhere
        const auto saved = store.save("mine", "{}", scenarioText("mine"));
        const auto other = store.save("other", scenarioText("other"), std::nullopt);
        const auto removed = store.remove("mine", scenarioText("mine"));
        setfsuid(geteuid());
        QVERIFY(!saved && saved.error().kind == Problem::Failed);
        QVERIFY(!other && !removed);
        QCOMPARE(store.find("mine")->text, scenarioText("mine"));
        QCOMPARE(store.list()->size(), 1U);
        for (const QString &path : { m_path, m_folder->filePath(QStringLiteral("deep")), m_folder->path() })
            QVERIFY(QFile::setPermissions(path, all | QFile::WriteOwner));
    }

    /// A limit of the system on the size of files stands for a disk that is full.
    void aFullDiskIsSaidAndNothingIsLost()
    {
        const OwnScenarios store(m_path);
        QVERIFY(store.save("mine", scenarioText("mine"), std::nullopt));
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{ 4'096, before.rlim_max };
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
        const auto saved = store.save("mine", scenarioText("mine") + QByteArray(100'000, '\n'), scenarioText("mine"));
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!saved && saved.error().kind == Problem::Failed);
        QCOMPARE(store.find("mine")->text, scenarioText("mine"));
        QCOMPARE(QDir(m_path).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    void aChangeOfOneValueLeavesAllElse_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<int>("what");
        QTest::addColumn<QByteArray>("after");
        const auto row = [](const char *name, const char *before, int what, const char *after) {
            QTest::newRow(name) << QByteArray(before) << what << QByteArray(after);
        };
        row("value", "{ \"s\" :[{\"a\":1 ,\t\"b\" : 2}]}", 0, "{ \"s\" :[{\"a\":\"new\" ,\t\"b\" : 2}]}");
        row("new on a line", "{\"s\": [{ \"b\": 2 }]}", 0, "{\"s\": [{ \"b\": 2, \"a\": \"new\" }]}");
        row("new without spaces", "{\"s\": [{\"b\": 2}]}", 0, "{\"s\": [{\"b\": 2, \"a\": \"new\"}]}");
        row("new on lines", "{\"s\": [\n  {\n    \"b\": 2\n  }\n]}", 0,
            "{\"s\": [\n  {\n    \"b\": 2,\n    \"a\": \"new\"\n  }\n]}");
        row("new alone", "{\"s\": [{}]}", 0, "{\"s\": [{ \"a\": \"new\" }]}");
        row("removed first", "{\"s\": [{\"a\": [1, \"]\"],  \"b\": 2}]}", 1, "{\"s\": [{\"b\": 2}]}");
        row("removed last", "{\"s\": [{\"b\": 2,  \"a\": {\"}\": 1} }]}", 1, "{\"s\": [{\"b\": 2 }]}");
        row("removed alone", "{\"s\": [{ \"a\": 1 }]}", 1, "{\"s\": [{}]}");
        row("removed nothing", "{\"s\": [{ \"b\": 1 }]}", 1, "{\"s\": [{ \"b\": 1 }]}");
        row("insert", "{\"s\": [ 1 ,\n 2]}", 2, "{\"s\": [ new,\n 1 ,\n 2]}");
        row("insert in nothing", "{\"s\": []}", 2, "{\"s\": [new]}");
        row("append", "{\"s\": [\n  1\n]}", 3, "{\"s\": [\n  1,\n  new\n]}");
        row("swap", "{\"s\": [ {\"x\": 1} , [2],3]}", 4, "{\"s\": [ [2] , {\"x\": 1},3]}");
        row("remove element", "{\"s\": [ 1 , 2,3]}", 5, "{\"s\": [ 2,3]}");
        row("umlauts", "{\"ä\": \"ß\\\"\", \"s\": [{\"a\": \"€\"}], \"z\": \"ü\"}", 0,
            "{\"ä\": \"ß\\\"\", \"s\": [{\"a\": \"new\"}], \"z\": \"ü\"}");
    }
    void aChangeOfOneValueLeavesAllElse()
    {
        QFETCH(const QByteArray, before);
        QFETCH(const int, what);
        QFETCH(const QByteArray, after);
        const std::string json = before.toStdString();
        const JsonPath list{ std::string("s") };
        const JsonPath first{ std::string("s"), std::size_t{ 0 } };
        const TextChange changes[]{ setMember(json, first, "a", "new"), removeMember(json, first, "a"),
            insertElement(json, list, 0, "new"), insertElement(json, list, 9, "new"),
            what == 4 ? swapWithNext(json, list, 0) : TextChange{},
            what == 5 ? removeElement(json, list, 0) : TextChange{} };
        QCOMPARE(QByteArray::fromStdString(changed(json, changes[what])), after);
    }

    void offersTheWordsOfTheProgram()
    {
        QVERIFY(asSet(wordsOf({ "steps" }, "do")) == namesOf(Acts));
        QVERIFY(asSet(wordsOf({ "steps", "expect" }, "error")) == namesOf(lockcore::ErrorCodes));
        QVERIFY(asSet(wordsOf({ "steps", "expect", "events" }, "event")) == namesOf(lockcore::monitor::EventKinds));
        QVERIFY(asSet(wordsOf({ "steps", "expect", "seen" }, "suspect")) == namesOf(lockcore::monitor::SuspectKinds));
        QVERIFY(asSet(wordsOf({ "steps", "expect", "seen" }, "lease")) == namesOf(lockcore::monitor::Leases));
        QVERIFY(wordsOf({ "steps" }, "note").empty());
        QVERIFY(asSet(membersOf({ "steps", "expect", "redis" })).contains("ttl"));
        QVERIFY(asSet(membersOf({ "clients" })).contains("renews"));
        QVERIFY(membersOf({ "nowhere" }).empty());
    }

    /// What the schema offers, the reader knows, and the other way round.
    void schemaAndReaderAgree()
    {
        for (const auto &[objects, around] :
            std::vector<std::pair<std::vector<std::string>, std::string>>{ { {}, "{%1}" },
                { { "steps" }, "{\"name\":\"n\",\"title\":\"t\",\"clients\":[\"A\"],\"steps\":[{%1}]}" },
                { { "steps", "expect" },
                    "{\"name\":\"n\",\"title\":\"t\",\"clients\":[\"A\"],\"steps\":[{\"do\":\"check\","
                    "\"expect\":{%1}}]}" } }) {
            const QString unknown = QString::fromStdString(around).arg(QStringLiteral("\"nobody\": 1"));
            const auto error = readScenario(unknown.toStdString());
            QVERIFY(!error);
            const QString list = error.error().message.section(QStringLiteral("expected one of "), 1);
            std::set<std::string> known;
            for (const QString &name : list.split(QStringLiteral(", ")))
                known.insert(name.toStdString());
            QVERIFY2(known == asSet(membersOf(objects)), qPrintable(list));
        }
    }

    void knowsWhereSomebodyWrites_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        const auto row = [](const char *text, const char *place) {
            QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(place);
        };
        row("{ \"na", "/ 3");
        row("{ \"steps\": [{ \"do\": \"lo", "steps/do 21");
        row("{ \"steps\": [{ \"do\": \"lock\", \"ki", "steps/ 29");
        row("{ \"steps\": [{}, { \"expect\": { \"seen\": [{\"lock\": \"", "steps/expect/seen/lock 49");
        row("{ \"steps\": [{ \"after\": [\"a\", \"b", "steps/after 30");
        row("{ \"steps\": [{ \"do\": \"lock\"", "none");
        row("{ \"title\": \"a \\\" {", "/title 12");
        row("{ \"title\": \"open\n  \"na", "/title 20");
        row("\"", "none");
        row("}]}]\"", "none");
        row("", "none");
    }
    void knowsWhereSomebodyWrites()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, place);
        const auto found = writingPlace(text.toStdString());
        QString said = QStringLiteral("none");
        if (found) {
            QStringList words;
            for (const std::string &each : found->objects)
                words << QString::fromStdString(each);
            said = words.join(u'/') + u'/' + QString::fromStdString(found->member) + u' '
                + QString::number(found->begin);
        }
        QCOMPARE(said, place);
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestOwnScenarios)
#include "tst_own_scenarios.moc"
