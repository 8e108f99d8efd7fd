// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_outline.h"
#include "ui/lab/json_syntax.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_prefix.h"
#include "ui/lab/scenario_reader.h"
#include "ui/lab/scenario_writer.h"
#include "ui/text/json.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace lockui::lab;
using namespace std::chrono_literals;

namespace {

/// A scenario whose steps are these lines of JSON, of which the first is line 5.
std::string withSteps(const QString &steps, const QString &more = {})
{
    return QStringLiteral(
        "{ \"name\": \"n\", \"title\": \"t\",\n%1\n\"clients\": [\"A\", \"B\"],\n\"steps\": [\n%2\n] }\n")
        .arg(more, steps)
        .toStdString();
}

} // namespace

class TestScenarioReader : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatAStepSays()
    {
        const auto scenario = readScenario(withSteps(
            QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"kind\": \"fair\", \"wait\": "
                           "\"3s\", \"id\": \"first\","
                           " \"expect\": { \"outcome\": \"acquired\", \"took\": [\"0ms\", \"2s\"] } },\n"
                           "{ \"do\": \"check\", \"after\": \"first\", \"pause\": \"250ms\", \"scalable\": true, "
                           "\"expect\": { \"redis\": ["
                           "{ \"key\": \"x\", \"fields\": { \"$A:1\": \"1\" } }] } }")));
        QVERIFY(scenario);
        QCOMPARE(scenario->steps.size(), 2U);
        const Step &lock = scenario->steps[0];
        QCOMPARE(lock.id, std::string("first"));
        QCOMPARE(lock.kind, lockcore::synchronizers::Kind::Fair);
        QVERIFY(lock.wait == 3s);
        QVERIFY(!lock.lease);
        QVERIFY(lock.expects.outcome == Outcome::Acquired);
        QVERIFY(lock.expects.took->has(2s) && !lock.expects.took->has(2'001ms));
        QCOMPARE(lock.line, 5U);
        const Step &check = scenario->steps[1];
        QCOMPARE(check.id, std::string("2"));
        QCOMPARE(check.after, std::vector<std::string>{ "first" });
        QVERIFY(check.pause == 250ms && check.isScalable);
        QCOMPARE(check.expects.redis.front().fields->at("$A:1"), std::string("1"));
        QCOMPARE(check.line, 6U);
    }

    void readsWhatItIsAbout()
    {
        const QString step = QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" }");
        const auto scenario = readScenario(withSteps(
            step, QStringLiteral("\"group\": \"leases\", \"about\": [\"a\", \"b\"], \"forYourCode\": \"c\",")));
        QVERIFY(scenario);
        QVERIFY(scenario->group == Group::Leases);
        QCOMPARE(scenario->about.size(), 2U);
        QCOMPARE(scenario->forYourCode, std::string("c"));
        QVERIFY(!readScenario(withSteps(step))->group);
        const auto unknown = readScenario(withSteps(step, QStringLiteral("\"group\": \"leaks\",")));
        QVERIFY(!unknown);
        QVERIFY(unknown.error().message.contains(QStringLiteral("expected one of basics, leases")));
    }

    void saysWhereItIsWrongAndWhatWasExpected_data()
    {
        QTest::addColumn<QString>("steps");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *steps, int line, int column, const char *says) {
            QTest::newRow(name) << QString::fromLatin1(steps) << line << column << QString::fromLatin1(says);
        };
        row("a comma too many", "{ \"do\": \"check\", }", 5, 18,
            "this is no JSON: expected another name: behind the last value there is no comma");
        row("no comma", "{ \"do\": \"check\" \"id\": 1 }", 5, 17,
            "this is no JSON: expected a comma before this, or }");
        row("text without end", "{ \"do\": \"check,\n  \"id\": 1 }", 5, 16,
            "this is no JSON: expected a quotation mark that ends this text in its line");
        row("no colon", "{ \"do\" \"check\" }", 5, 8, "this is no JSON: expected a colon behind the name");
        row("word without marks", "{ \"do\": check }", 5, 9, "this is no JSON: expected a value: a text in quotation");
        row("name without marks", "{ do: \"check\" }", 5, 3,
            "this is no JSON: expected a name in quotation marks, or }");
        row("wrong bracket", "{ \"do\": \"check\" ]", 5, 17,
            "this is no JSON: expected }, which closes the { of line 5");
        row("no number", "{ \"do\": 01 }", 5, 9, "this is no JSON: expected a value");
        row("endless number", "{ \"do\": 1e999 }", 5, 9, "this is no JSON: expected a value");
        row("escape", "{ \"do\": \"a\\q\" }", 5, 11, "this is no JSON: expected one of \" \\ / b f n r t u behind");
        row("half a character", "{ \"do\": \"\\ud800\" }", 5, 10, "this is no JSON: expected two escapes");
        row("control character", "{ \"do\": \"a\tb\" }", 5, 11, "this is no JSON: expected an escape");
        row("unknown act", "{ \"do\": \"lokc\" }", 5, 9, "expected one of lock, unlock");
        row("unknown member", "{ \"do\": \"check\",\n  \"expects\": {} }", 6, 14, "\"expects\" is not known here");
        row("no client", "{ \"do\": \"lock\", \"lock\": \"x\" }", 5, 1, "\"client\" is missing");
        row("unknown client", "{ \"do\": \"lock\", \"client\": \"C\", \"lock\": \"x\" }", 5, 27,
            "there is no client \"C\"");
        row("no lock", "{ \"do\": \"unlock\", \"client\": \"A\" }", 5, 1, "\"lock\" is missing");
        row("unknown kind", "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"kind\": \"fare\" }", 5, 53,
            "expected one of reentrant, fair");
        row("no mode", "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"kind\": \"readWrite\" }", 5, 1,
            "\"mode\" read or write");
        row("no duration", "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"wait\": 5 }", 5, 53,
            "expected a duration");
        row("endless wait", "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"wait\": \"99h\" }", 5, 53,
            "of up to an hour");
        row("a time before its predecessor",
            "{ \"do\": \"crash\", \"client\": \"A\" },\n{ \"do\": \"start\", \"client\": \"A\", \"pause\": \"-2s\" }",
            6, 42, "expected a duration");
        row("nobody lets go",
            "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" },\n{ \"do\": \"lock\", \"client\": \"B\", "
            "\"lock\": "
            "\"x\" },\n{ \"do\": \"unlock\", \"client\": \"A\", \"lock\": \"x\" }",
            6, 1, "this waits without end: A:1 holds \"x\"");
        row("lets go only afterwards",
            "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" },\n{ \"do\": \"lock\", \"client\": \"B\", "
            "\"lock\": "
            "\"x\", \"meanwhile\": true, \"id\": \"w\" },\n{ \"do\": \"unlock\", \"client\": \"A\", \"lock\": \"x\", "
            "\"after\": \"w\" }",
            6, 1, "this waits without end: A:1 holds \"x\"");
        row("crosswise",
            "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" },\n{ \"do\": \"lock\", \"client\": \"B\", "
            "\"lock\": "
            "\"y\" },\n{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"y\", \"meanwhile\": true },\n{ \"do\": "
            "\"lock\", \"client\": \"B\", \"lock\": \"x\" }",
            7, 1, "this waits without end: B:1 holds \"y\"");
        row("a step of later",
            "{ \"do\": \"check\", \"after\": \"b\", \"expect\": {} },\n{ \"do\": \"check\", \"id\": \"b\" }", 5, 27,
            "no earlier step has the id \"b\"");
        row("twice the same id",
            "{ \"do\": \"crash\", \"client\": \"A\", \"id\": \"a\" },\n{ \"do\": \"crash\", \"client\": \"B\", \"id\": "
            "\"a\" }",
            6, 39, "there is a step \"a\" already");
        row("no such server", "{ \"do\": \"killServer\", \"server\": 2 }", 5, 33,
            "expected a whole number from 1 to 1");
        row("window upside down",
            "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"expect\": { \"took\": [\"2s\", \"1s\"] } }", 5,
            65, "its end is not after its beginning");
        row("owner of nobody",
            "{ \"do\": \"check\", \"expect\": { \"seen\": [{ \"lock\": \"x\", \"holders\": [\"$C:1\"] }] } }", 5, 66,
            "behind $ stands the name of a client");
        row("scalable without a pause", "{ \"do\": \"crash\", \"client\": \"A\", \"scalable\": true }", 5, 45,
            "there is none");
        row("check of nothing", "{ \"do\": \"check\" }", 5, 1, "a check needs \"expect\"");
        row("slot without a cluster", "{ \"do\": \"moveSlot\", \"lock\": \"x\", \"server\": 1 }", 5, 9,
            "there are slots only where");
        row("cut without a replica", "{ \"do\": \"cutReplication\" }", 5, 9, "there is a replica only where");
        row("start of who runs", "{ \"do\": \"start\", \"client\": \"A\" }", 5, 9, "A runs already");
        row("start of who stands still",
            "{ \"do\": \"pause\", \"client\": \"A\" },\n{ \"do\": \"start\", \"client\": \"A\" }", 6, 9,
            "A runs already");
        row("start of who was started again",
            "{ \"do\": \"crash\", \"client\": \"A\" },\n{ \"do\": \"start\", \"client\": \"A\" },\n{ \"do\": "
            "\"start\", "
            "\"client\": \"A\" }",
            7, 9, "A runs already");
        row("an order to the dead",
            "{ \"do\": \"crash\", \"client\": \"A\", \"id\": \"end\" },\n{ \"do\": \"lock\", \"client\": \"A\", "
            "\"lock\": "
            "\"x\", \"meanwhile\": true },\n{ \"do\": \"start\", \"client\": \"A\" }",
            6, 27, "A has crashed in step \"end\": expected a \"start\"");
        row("an order to who stands still",
            "{ \"do\": \"pause\", \"client\": \"A\" },\n{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" },\n"
            "{ \"do\": \"resume\", \"client\": \"A\" }",
            6, 27, "A stands still since step \"1\"");
        row("an order that is waited for before its client goes on",
            "{ \"do\": \"pause\", \"client\": \"A\" },\n{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", "
            "\"id\": \"l\", "
            "\"meanwhile\": true },\n{ \"do\": \"resume\", \"client\": \"A\", \"after\": \"l\" }",
            6, 27, "A stands still since step \"1\"");
    }
    void saysWhereItIsWrongAndWhatWasExpected()
    {
        QFETCH(const QString, steps);
        QFETCH(const int, line);
        QFETCH(const int, column);
        QFETCH(const QString, says);
        const auto scenario = readScenario(withSteps(steps));
        QVERIFY(!scenario);
        QVERIFY2(scenario.error().message.contains(says), qPrintable(scenario.error().message));
        QCOMPARE(static_cast<int>(scenario.error().at.line), line);
        QCOMPARE(static_cast<int>(scenario.error().at.column), column);
    }

    /// Whatever letter is lost, wrong or too many.
    void agreesWithTheParserOnWhatIsJson()
    {
        const std::string sample
            = "\xEF\xBB\xBF{ \"a\": [1, -2.5e+3, true, \"\\u00e4 \\\"\", {}, []],\n \"b\": null }\n";
        QVERIFY(!firstFault(sample));
        const auto agrees = [](const std::string &text) {
            const auto fault = firstFault(text);
            if (fault.has_value() == lockui::JsonValue::accept(text))
                qWarning("%s\n%s", text.c_str(), fault ? qPrintable(fault->message) : "no fault");
            return fault.has_value() != lockui::JsonValue::accept(text) && (!fault || fault->offset <= text.size());
        };
        for (std::size_t at = 3; at < sample.size(); ++at) {
            std::string text = sample;
            text.erase(at, 1);
            QVERIFY(agrees(text));
            QVERIFY(agrees(sample.substr(0, at)));
            for (const char letter : std::string_view("\"{}[],:\\ \n\t0.-eE+ntu\x01\xff/")) {
                text = sample;
                text[at] = letter;
                QVERIFY(agrees(text));
                text = sample;
                text.insert(at, 1, letter);
                QVERIFY(agrees(text));
            }
        }
    }

    /// What may come to an end is played: the reader refuses only what it is sure of.
    void takesWaitsThatEnd_data()
    {
        QTest::addColumn<QString>("steps");
        const QString held = QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" },");
        const QString waits
            = QStringLiteral("{ \"do\": \"lock\", \"client\": \"B\", \"lock\": \"x\", \"meanwhile\": true },");
        const QString lease
            = QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"lease\": \"1s\" },");
        const QString then = QStringLiteral("{ \"do\": \"lock\", \"client\": \"B\", \"lock\": \"x\" }");
        QTest::newRow("a lease runs out") << lease + then;
        QTest::newRow("a later unlock") << held + waits
                + QStringLiteral("{ \"do\": \"unlock\", \"client\": \"A\", \"lock\": \"x\" }");
        QTest::newRow("a later crash") << held + waits + QStringLiteral("{ \"do\": \"crash\", \"client\": \"A\" }");
        QTest::newRow("an earlier crash") << held + QStringLiteral("{ \"do\": \"crash\", \"client\": \"A\" },") + then;
        QTest::newRow("an operator") << held + waits + QStringLiteral("{ \"do\": \"forceRelease\", \"lock\": \"x\" }");
        QTest::newRow("a try in vain") << QStringLiteral(
            "{ \"do\": \"lock\", \"client\": \"B\", \"lock\": \"x\", \"lease\": "
            "\"1s\" }, { \"do\": \"lock\", \"client\": \"A\", \"lock\": "
            "\"x\", \"wait\": \"0ms\" }, { \"do\": \"lock\", \"client\": "
            "\"B\", \"lock\": \"x\", \"thread\": 2 }");
        QTest::newRow("re-entry") << held + QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" }");
    }
    void takesWaitsThatEnd()
    {
        QFETCH(const QString, steps);
        const auto scenario = readScenario(withSteps(steps));
        QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error().message));
    }

    /// Who is dead or stands still may be told nothing until it runs again; all else may be.
    void takesOrdersThatAreHeard_data()
    {
        QTest::addColumn<QString>("steps");
        const QString crash = QStringLiteral("{ \"do\": \"crash\", \"client\": \"A\" },");
        const QString pause = QStringLiteral("{ \"do\": \"pause\", \"client\": \"A\" },");
        const QString lock = QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" }");
        const QString meanwhile
            = QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\", \"meanwhile\": true },");
        QTest::newRow("started again") << crash + QStringLiteral("{ \"do\": \"start\", \"client\": \"A\" },") + lock;
        QTest::newRow("goes on") << pause + QStringLiteral("{ \"do\": \"resume\", \"client\": \"A\" },") + lock;
        QTest::newRow("goes on later") << pause + meanwhile
                + QStringLiteral("{ \"do\": \"resume\", \"client\": \"A\" }");
        QTest::newRow("dies later") << pause + meanwhile + QStringLiteral("{ \"do\": \"crash\", \"client\": \"A\" }");
        QTest::newRow("another client") << crash
                + QStringLiteral("{ \"do\": \"lock\", \"client\": \"B\", \"lock\": \"x\" }");
        QTest::newRow("its hold, by an operator")
            << crash + QStringLiteral("{ \"do\": \"forceRelease\", \"lock\": \"x\" }");
    }
    void takesOrdersThatAreHeard()
    {
        QFETCH(const QString, steps);
        const auto scenario = readScenario(withSteps(steps));
        QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error().message));
    }

    /// Every name and every key of a lock, and nothing else.
    void putsAPrefixBeforeAllNames()
    {
        const auto scenario = readScenario(withSteps(QStringLiteral(
            "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"a\", \"kind\": \"fair\" },\n"
            "{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"a{b}\" },\n"
            "{ \"do\": \"lock\", \"client\": \"B\", \"locks\": [\"c\", \"a:c\"], \"expect\": { \"redis\": ["
            "{ \"key\": \"a\", \"exists\": true }, { \"key\": \"redisson_lock_queue:{a}\", \"exists\": false },"
            "{ \"key\": \"{a:c}:$A:1:rwlock_timeout:1\", \"exists\": false },"
            "{ \"key\": \"redisson_lock_token:a{b}\", \"exists\": false }, { \"key\": \"other\", \"exists\": false }],"
            "\"seen\": [{ \"lock\": \"a\", \"holders\": [\"$A:1\"] }],"
            "\"events\": [{ \"event\": \"acquired\", \"lock\": \"a\" }] } }")));
        QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error().message));
        const Scenario there = withPrefix(*scenario, "p:");
        QCOMPARE(there.steps[0].lock, std::string("p:a"));
        QCOMPARE(there.steps[1].lock, std::string("p:a{b}"));
        QCOMPARE(there.steps[2].locks, (std::vector<std::string>{ "p:c", "p:a:c" }));
        const Expectation &expects = there.steps[2].expects;
        std::vector<std::string> keys;
        for (const KeyExpectation &key : expects.redis)
            keys.push_back(key.key);
        QCOMPARE(keys,
            (std::vector<std::string>{ "p:a", "redisson_lock_queue:{p:a}", "{p:a:c}:$A:1:rwlock_timeout:1",
                "redisson_lock_token:p:a{b}", "p:other" }));
        QCOMPARE(expects.seen.front().lock, std::string("p:a"));
        QCOMPARE(*expects.seen.front().holders, std::vector<std::string>{ "$A:1" });
        QCOMPARE(expects.events.front().lock, std::string("p:a"));
    }

    void saysAllThatIsWrong()
    {
        const std::string text
            = withSteps(QStringLiteral("{ \"do\": \"lokc\", \"id\": \"a\" },\n"
                                       "{ \"do\": \"crash\", \"client\": \"A\", \"after\": \"a\" },\n"
                                       "{ \"do\": \"crash\", \"client\": \"C\" }"));
        const ScenarioReading reading = readThrough(text);
        QCOMPARE(reading.errors.size(), 2U);
        QVERIFY(reading.errors[0].path == JsonPath({ std::string("steps"), std::size_t{ 0 }, std::string("do") }));
        QCOMPARE(reading.errors[1].at.line, 7U);
        QCOMPARE(text.substr(reading.errors[1].at.offset, 3), std::string("\"C\""));
    }

    void countsCharactersAndRefusesWhatStandsTwice()
    {
        const auto umlauts = readScenario("{ \"title\": \"äöü€\", \"name\": 1 }");
        QCOMPARE(umlauts.error().at.column, 28U);
        const auto twice
            = readScenario(withSteps(QStringLiteral("{ \"do\": \"crash\", \"client\": \"A\", \"do\": \"start\" }")));
        QVERIFY(twice.error().message.contains(QStringLiteral("there is a \"do\" already")));
        QCOMPARE(twice.error().at.column, 33U);
        for (const char *bracket : { "[", "{\"a\":" })
            QVERIFY(!readScenario(QByteArray(bracket).repeated(100'000).toStdString()));
        QVERIFY(!readScenario(std::string(100'000, '[') + std::string(100'000, ']')));
    }

    void neverStumbles()
    {
        const std::string whole = withSteps(QStringLiteral("{ \"do\": \"lock\", \"client\": \"A\", \"lock\": \"x\" }"));
        QVERIFY(readScenario(whole));
        for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
            const auto scenario = readScenario(whole.substr(0, size));
            QVERIFY(!scenario);
            QVERIFY(scenario.error().at.line >= 1 && scenario.error().at.column >= 1);
        }
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string broken = whole;
            broken[i] = '\x01';
            readScenario(broken);
        }
    }

    void findsEveryValue()
    {
        const std::string json = "{\"a\": [1, {\"b\\\"c\": \"]}\"}, [ ]],\n \"d\": true}";
        const auto at = [&](const JsonPath &path) {
            const TextPosition place = positionOf(json, path);
            return std::pair(place.line, place.column);
        };
        QCOMPARE(at({}), std::pair(std::size_t{ 1 }, std::size_t{ 1 }));
        QCOMPARE(at({ std::string("a"), std::size_t{ 0 } }), std::pair(std::size_t{ 1 }, std::size_t{ 8 }));
        QCOMPARE(at({ std::string("a"), std::size_t{ 1 }, std::string("b\"c") }),
            std::pair(std::size_t{ 1 }, std::size_t{ 20 }));
        QCOMPARE(at({ std::string("a"), std::size_t{ 2 } }), std::pair(std::size_t{ 1 }, std::size_t{ 27 }));
        QCOMPARE(at({ std::string("d") }), std::pair(std::size_t{ 2 }, std::size_t{ 7 }));
    }

    void theLibraryIsWhole()
    {
        const auto &scenarios = builtInScenarios();
        QVERIFY(scenarios.size() >= 17);
        std::set<std::string> names;
        for (const Scenario &scenario : scenarios) {
            QVERIFY2(names.insert(scenario.name).second, scenario.name.c_str());
            QVERIFY2(!scenario.about.empty(), scenario.name.c_str());
            QVERIFY2(scenario.group && !scenario.forYourCode.empty(), scenario.name.c_str());
            const bool checks = std::ranges::any_of(scenario.steps, [](const Step &step) {
                return step.expects.outcome || !step.expects.redis.empty() || !step.expects.seen.empty();
            });
            QVERIFY2(checks, scenario.name.c_str());
            const auto again = readScenario(builtInText(scenario.name).toStdString());
            QVERIFY2(again && again->name == scenario.name, scenario.name.c_str());
        }
    }

    /// What is written of each scenario of the library is read as the same again.
    void readsWhatIsWritten_data()
    {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t i = 0; i < builtInScenarios().size(); ++i)
            QTest::newRow(builtInScenarios()[i].name.c_str()) << i;
    }
    void readsWhatIsWritten()
    {
        QFETCH(const std::size_t, index);
        compareWithWritten(builtInScenarios()[index]);
    }

    /// What no scenario of the library has.
    void writesAllThatAFileCanSay()
    {
        const auto scenario
            = readScenario(R"({ "name": "n", "title": "t \u202e", "fairWait": "1500ms", "watchdog": "1h",
            "servers": { "independent": 3 }, "clients": [{ "name": "A", "renews": false }, "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x", "variant": "spin", "thread": 7, "wait": "0ms", "retry": "2m",
              "id": "1", "expect": { "took": ["0ms", "1001ms"], "outcome": "error" } },
            { "do": "lock", "client": "B", "locks": ["x", "y"], "lease": "90s", "id": "the second",
              "expect": { "error": "notHeld", "tokenAbove": "1" } },
            { "do": "check", "after": ["1", "the second"], "expect": { "order": ["1", "the second"],
              "redis": [{ "key": "k", "server": 3, "value": "v", "exists": true, "elements": [], "ttl": ["1s", "2s"] },
                        { "key": "$A", "fields": {} }],
              "seen": [{ "lock": "x", "held": false, "holders": [], "waiters": ["$B:1"], "lease": "fixed",
                         "freePermits": 0, "count": 3, "quorum": 2, "suspect": "noTtl" }],
              "events": [{ "event": "expired", "lock": "x", "certainty": "inferred" }],
              "within": "90s", "stays": "1s" } },
            { "do": "check", "expect": {} },
            { "do": "setCount", "client": "A", "lock": "l", "count": 0, "pause": "1m" } ] })");
        QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error().message));
        compareWithWritten(*scenario);
    }

private:
    static void compareWithWritten(Scenario scenario)
    {
        const QByteArray text = scenarioText(scenario);
        auto again = readScenario(text.toStdString());
        QVERIFY2(again, again ? "" : qPrintable(again.error().message));
        for (Scenario *each : { &scenario, &*again }) {
            for (Step &step : each->steps)
                step.line = 0; // the text is laid out otherwise
        }
        QVERIFY2(scenario == *again, text.constData());
        QCOMPARE(scenarioText(*again), text);
    }
};

QTEST_GUILESS_MAIN(TestScenarioReader)
#include "tst_scenario_reader.moc"
