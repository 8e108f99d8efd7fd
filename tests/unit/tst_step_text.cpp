// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_reader.h"
#include "ui/lab/step_text.h"

#include <QTest>

using namespace lockui::lab;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

Scenario withStep(const char *step)
{
    const auto scenario = readScenario(
        QStringLiteral("{ \"name\": \"n\", \"title\": \"t\", \"clients\": [\"A\", \"B\"], \"servers\": \"replicated\", "
                       "\"steps\": [ { \"do\": \"check\", \"id\": \"first\", \"expect\": {} }, %1 ] }")
            .arg(QString::fromUtf8(step))
            .toStdString());
    if (!scenario)
        qFatal("%s", qPrintable(scenario.error().message));
    return *scenario;
}

} // namespace

class TestStepText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhoDoesWhatAndWhatIsExpected_data()
    {
        QTest::addColumn<QByteArray>("step");
        QTest::addColumn<QString>("who");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("when");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *step, const char *who, const char *text, const char *when,
                             const char *expected) {
            QTest::newRow(name) << QByteArray(step) << QString::fromUtf8(who) << QString::fromUtf8(text)
                                << QString::fromUtf8(when) << QString::fromUtf8(expected);
        };
        row("lock",
            R"({ "do": "lock", "client": "A", "lock": "x", "kind": "fair", "wait": "3s", "lease": "1500ms",
                 "thread": 2, "after": "first", "pause": "250ms", "meanwhile": true,
                 "expect": { "outcome": "acquired", "took": ["100ms", "2m"] } })",
            "A", "x.tryLock(3 s, lease 1500 ms) · Fair · thread 2",
            "after the end of \"first\"; 250 ms later; the next step does not wait for its end",
            "acquired|takes 100 ms to 2 m");
        row("one try", R"({ "do": "lock", "client": "B", "locks": ["x", "y"], "wait": "0ms",
                            "expect": { "error": "notHeld" } })",
            "B", "multiLock(x, y).tryLock()", "", "the error notHeld");
        row("permits", R"({ "do": "lock", "client": "B", "lock": "s", "kind": "semaphore", "count": 3,
                            "expect": { "seen": [{ "lock": "s", "freePermits": 2 }], "within": "20s" } })",
            "B", "s.acquire() · 3 permits", "", "the monitor shows 2 free permits of s|it becomes so within 20 s");
        row("server", R"({ "do": "killServer", "server": 2, "expect": { "stays": "2s",
                           "redis": [{ "key": "x", "server": 2, "fields": { "$A:1": "2" } }] } })",
            "server 2", "is killed (kill -9)", "",
            "in Redis x on server 2 has $A:1 → 2|it becomes so within 5 s|and stays so for 2 s");
        row("check", R"({ "do": "check", "expect": { "events": [{ "event": "expired", "lock": "x", "owner": "$A:1",
                          "certainty": "inferred" }] } })",
            "", "look at x", "", "the monitor tells of $A:1 on x: expired (inferred)|it becomes so within 5 s");
        row("check of many", R"({ "do": "check", "expect": { "stays": "1s",
                "redis": [{ "key": "a", "exists": true }, { "channel": "c", "subscribers": 1 }],
                "seen": [{ "lock": "b", "held": true }, { "lock": "a", "held": true }, { "lock": "d", "held": true }],
                "events": [{ "event": "released", "lock": "e" }] } })",
            "", "look at a, c, b and 2 more", "",
            "in Redis the key a|in Redis 1 listens to the channel c|the monitor shows b held|the monitor shows a held|"
            "the monitor shows d held|the monitor tells of e: released|it becomes so within 5 s|and stays so for 1 s");
        row("check of an order", R"({ "do": "check", "expect": { "order": ["first", "first"] } })", "",
            "look at the order", "", "these end one after the other: \"first\", \"first\"");
        row("check that says why",
            R"({ "do": "check", "note": "see", "expect": { "seen": [{ "lock": "b", "held": true }] } })", "", "see", "",
            "the monitor shows b held|it becomes so within 5 s");
        row("check of nothing", R"({ "do": "check", "expect": {} })", "", "look", "", "");
        row("strange names", R"({ "do": "forceRelease", "lock": "%2 <b> \u202e %1" })", "administrator",
            "force-release %2 <b> \\u{202e} %1", "", "");
    }
    void saysWhoDoesWhatAndWhatIsExpected()
    {
        QFETCH(const QByteArray, step);
        QFETCH(const QString, who);
        QFETCH(const QString, text);
        QFETCH(const QString, when);
        QFETCH(const QString, expected);
        const Scenario scenario = withStep(step.constData());
        const Step &what = scenario.steps.back();
        QCOMPARE(whoText(what, scenario), who);
        QCOMPARE(stepText(what), text);
        QCOMPARE(whenText(what), when);
        QCOMPARE(expectedTexts(what).join(u'|'), expected);
    }

    /// What one would find behind it, without how long that may take.
    void saysInShortWhatIsExpected()
    {
        const auto inShort = [](const char *expects) {
            const QByteArray step = QByteArrayLiteral("{ \"do\": \"check\", \"expect\": ") + expects + " }";
            const Scenario scenario = withStep(step.constData());
            return expectedInShort(scenario.steps.back(), scenario);
        };
        QCOMPARE(inShort("{}"), QString());
        QCOMPARE(
            inShort(R"({ "seen": [{ "lock": "b", "held": true }], "stays": "1s" })"), u"the monitor shows b held"_s);
        QCOMPARE(
            inShort(R"({ "redis": [{ "key": "a", "exists": true }], "seen": [{ "lock": "b", "holders": ["$A:1"] }] })"),
            u"in Redis the key a; the monitor shows b held by A:1"_s);
        QCOMPARE(inShort(R"({ "redis": [{ "key": "a", "exists": true }, { "key": "b", "exists": false },
                              { "key": "c", "exists": false }], "seen": [{ "lock": "b", "held": true }] })"),
            u"in Redis the key a; in Redis no key b; and 2 more"_s);
    }

    void saysWhatCameOut()
    {
        StepProgress progress;
        QCOMPARE(seenText(progress), QString());
        progress.outcome = Outcome::Acquired;
        progress.took = 42ms;
        progress.token = 1'234;
        QCOMPARE(seenText(progress), u"acquired after 42 ms, token 1,234"_s);
        progress = {};
        progress.outcome = Outcome::Failed;
        progress.took = 1'300ms;
        progress.said = u"notHeld, it is not %1"_s;
        QCOMPARE(seenText(progress), u"an error after 1.300 s: notHeld, it is not %1"_s);
    }

    /// What each step expects is said, but of those that expect no more than an answer.
    void hasWordsForAllOfTheLibrary()
    {
        for (const Scenario &scenario : builtInScenarios()) {
            for (const Step &step : scenario.steps) {
                QVERIFY(!stepText(step).isEmpty() && !stepText(step).contains(u'%'));
                const bool isEmpty = expectedTexts(step).isEmpty();
                const Expectation &expects = step.expects;
                QCOMPARE(isEmpty,
                    !expects.outcome && expects.redis.empty() && expects.seen.empty() && expects.events.empty()
                        && expects.order.empty() && !expects.took && !expects.tokenAbove);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestStepText)
#include "tst_step_text.moc"
