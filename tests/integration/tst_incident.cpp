// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/play.h"
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"
#include "ui/lab/incident.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_reader.h"
#include "ui/lab/scenario_writer.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace lockui::lab;
using namespace Qt::StringLiterals;
using lockcore::monitor::EventKind;
using testsupport::Ending;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int PlayTakesMs = 240'000; // on a busy computer

/// Who got which lock, in order, by the monitor's events.
std::vector<std::string> acquiresIn(const PlayRecord &record)
{
    std::vector<std::string> acquires;
    for (const auto &event : record.events) {
        const bool begins = event.kind == EventKind::Acquired || event.kind == EventKind::Appeared
            || event.kind == EventKind::Reentered;
        for (const auto &[name, lives] : record.clientIds) {
            if (begins && event.owner && std::ranges::find(lives, event.owner->client) != lives.end())
                acquires.push_back(event.lock + ' ' + event.owner->thread);
        }
    }
    return acquires;
}

bool hasStep(const Scenario &scenario, Act act)
{
    return std::ranges::find(scenario.steps, act, &Step::act) != scenario.steps.end();
}

/// Between two looks of the monitor somebody may hold a lock unseen, on a busy machine: then that cannot be told again.
bool sawEachHold(const PlayRecord &played)
{
    std::ptrdiff_t taken = 0;
    for (std::size_t i = 0; i < played.progress.size(); ++i)
        taken += played.scenario.steps[i].act == Act::Lock && played.progress[i].outcome == Outcome::Acquired ? 1 : 0;
    return std::ranges::count_if(played.events, [](const auto &event) {
        return event.kind == EventKind::Acquired || event.kind == EventKind::Reentered;
    }) >= taken;
}

} // namespace

/// What was seen of locks becomes a scenario that passes.
class TestIncident : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_temporary.isValid());
    }

    /// What the monitor told of a play of the library is told again, and the locks are taken in the same order.
    void tellsAPlayAgain_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : { "mutual-exclusion", "re-entry", "holder-crashes", "lease-too-short", "waiting",
                 "fair-order", "fair-ghost", "multi-lock", "fencing", "force-release", "deadlock", "network-cut" })
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void tellsAPlayAgain()
    {
        QFETCH(const QString, name);
        const PlayRecord played = playSeenWhole(*builtInScenario(name.toStdString()));
        QVERIFY(played.end);
        Incident incident;
        incident.from = played.start->wall;
        incident.to = played.end->wall + lockcore::Millis(1'000);
        incident.events = played.events;
        const auto scenario = scenarioOf(incident, { .locks = {}, .source = name });
        QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error()));
        const QByteArray text = scenarioText(*scenario);
        const auto again = readScenario(text.toStdString());
        QVERIFY2(again, again ? "" : qPrintable(again.error().message));
        const PlayRecord replayed = playSeenWhole(*again);
        for (std::size_t i = 0; i < replayed.progress.size(); ++i)
            QVERIFY2(replayed.progress[i].state == StepState::Passed,
                qPrintable(u"step %1: "_s.arg(i + 1) + replayed.progress[i].problems.join(u"; "_s) + u'\n'
                    + QString::fromUtf8(text))); // what is long is cut off at its end
        QCOMPARE(acquiresIn(replayed), acquiresIn(played));
        if (name == u"holder-crashes"_s || name == u"fair-ghost"_s)
            QVERIFY(hasStep(*again, Act::Crash));
        if (name == u"force-release"_s)
            QVERIFY(hasStep(*again, Act::ForceRelease));
    }

    /// A recording of the demo, where many clients work at once, becomes a scenario that passes.
    void makesAScenarioOfARecordingOfTheDemo()
    {
        const QString recording = m_temporary.filePath(u"demo.rec"_s);
        const QString file = m_temporary.filePath(u"demo.json"_s);
        const Ending recorded = run({ u"--demo"_s, u"record"_s, recording, u"--for"_s, u"6s"_s });
        QVERIFY2(recorded.status == 0, recorded.err.constData());
        const Ending made = run({ u"make-scenario"_s, recording, u"--from"_s, u"+1s"_s, u"--out"_s, file });
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY(made.out.isEmpty());
        QFile scenario(file);
        QVERIFY(scenario.open(QIODevice::ReadOnly));
        const QByteArray text = scenario.readAll();
        QVERIFY(text.contains("Made from demo.rec"));
        QVERIFY(text.contains("not seen: since when it holds it"));
        QVERIFY(text.contains("\"mode\": \"read\""));
        QVERIFY(text.contains("Left out: gate:upload (Semaphore)"));
        const Ending played = run({ u"run"_s, file });
        QVERIFY2(played.status == 0, QByteArray(text + played.out + played.err).constData());
        QVERIFY(played.out.count("\nok ") > 20);

        const Ending one = run({ u"make-scenario"_s, recording, u"--lock"_s, u"checkout:coupon:BF26"_s, u"--to"_s,
            u"+4s"_s, u"--longest-pause"_s, u"50ms"_s });
        QVERIFY2(one.status == 0, one.err.constData());
        const auto read = readScenario(one.out.toStdString());
        QVERIFY2(read, one.out.constData());
        for (const Step &step : read->steps)
            QVERIFY((step.lock.empty() || step.lock == "checkout:coupon:BF26") && step.pause <= lockcore::Millis(50));

        const Ending late = run({ u"make-scenario"_s, recording, u"--from"_s, u"+9h"_s });
        QCOMPARE(late.status, 2);
        QVERIFY2(late.err.contains("the recording has no such moment: it reaches from "), late.err.constData());
        const Ending nothing = run({ u"make-scenario"_s, recording, u"--lock"_s, u"nothing"_s });
        QCOMPARE(nothing.status, 2);
        QVERIFY2(nothing.err.contains("that clients of a scenario could do again"), nothing.err.constData());
        const Ending backwards = run({ u"make-scenario"_s, recording, u"--from"_s, u"+3s"_s, u"--to"_s, u"+2s"_s });
        QCOMPARE(backwards.status, 2);
        const Ending missing = run({ u"make-scenario"_s, m_temporary.filePath(u"none.rec"_s) });
        QCOMPARE(missing.status, 3);
        const Ending unwritable = run({ u"make-scenario"_s, recording, u"--out"_s, m_temporary.filePath(u"no/x"_s) });
        QCOMPARE(unwritable.status, 3);
        QVERIFY2(unwritable.err.contains("writing "), unwritable.err.constData());
    }

private:
    PlayRecord playSeenWhole(const Scenario &scenario)
    {
        PlayRecord played = play(scenario);
        for (int triesLeft = 5; triesLeft > 0 && !sawEachHold(played); --triesLeft)
            played = play(scenario);
        return played;
    }

    PlayRecord play(const Scenario &scenario)
    {
        app::Play play(scenario, app::PlayOptions{ .clientProgram = Lockctl });
        QSignalSpy finished(&play, &app::Play::finished);
        QSignalSpy failed(&play, &app::Play::failed);
        play.start();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty() || !failed.isEmpty(), PlayTakesMs); }();
        return play.record();
    }

    Ending run(const QStringList &arguments)
    {
        testsupport::Program program(Lockctl, arguments, { { u"TMPDIR"_s, m_temporary.path() } });
        return program.end(PlayTakesMs);
    }

    QTemporaryDir m_temporary;
};

QTEST_GUILESS_MAIN(TestIncident)
#include "tst_incident.moc"
