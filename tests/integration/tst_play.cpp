// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/play.h"
#include "tests/support/redis_server.h"
#include "ui/lab/scenario_reader.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace lockui::lab;
using namespace std::chrono_literals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
constexpr int PlayTakesMs = 240'000; // on a busy computer

Scenario scenarioWith(const char *steps)
{
    const auto scenario = readScenario(
        std::string(R"({ "name": "n", "title": "t", "clients": ["A", "B"], "steps": [)") + steps + "] }");
    if (!scenario)
        qFatal("%s", qPrintable(scenario.error().message));
    return *scenario;
}

} // namespace

/// A play by itself, without a program or a page around it.
class TestPlay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    /// Servers and clients are started before; nothing is held back then.
    void countsAPauseFromTheFirstStepOn()
    {
        app::Play play(scenarioWith(R"({ "do": "lock", "client": "A", "lock": "x" })"),
            app::PlayOptions{ .clientProgram = Lockctl });
        QSignalSpy finished(&play, &app::Play::finished);
        QElapsedTimer sinceStart;
        qint64 tookToStart = 0;
        connect(&play, &app::Play::begun, this, [&] {
            tookToStart = sinceStart.elapsed();
            play.setPaused(false);
        });
        play.setPaused(true);
        sinceStart.start();
        play.start();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), PlayTakesMs);
        QVERIFY(finished.front().front().toBool());
        QVERIFY2(play.record().heldBack.count() * 2 < tookToStart, qPrintable(QString::number(tookToStart)));
    }

    /// What a step says that it lasts is no reason to give it up.
    void waitsForAsLongAsAStepMayLast()
    {
        app::PlayOptions options{ .clientProgram = Lockctl };
        options.longestStep = 2s;
        app::Play play(scenarioWith(R"({ "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "3s", "expect": { "outcome": "notAcquired" } },
            { "do": "unlock", "client": "A", "lock": "x", "pause": "3s", "meanwhile": true },
            { "do": "check", "expect": { "within": "20s", "redis": [{ "key": "x", "exists": false }] } })"),
            options);
        QSignalSpy finished(&play, &app::Play::finished);
        play.start();
        QTRY_VERIFY_WITH_TIMEOUT(!finished.isEmpty(), PlayTakesMs);
        for (const StepProgress &step : play.record().progress)
            QVERIFY2(step.state == StepState::Passed, qPrintable(step.problems.join(QStringLiteral("; "))));
    }
};

QTEST_GUILESS_MAIN(TestPlay)
#include "tst_play.moc"
