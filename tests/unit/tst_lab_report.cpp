// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lane_text.h"
#include "ui/lab/play_text.h"
#include "ui/lab/report.h"
#include "ui/lab/scenario_reader.h"
#include "ui/lab/step_text.h"
#include "ui/text/meaning_colors.h"

#include <QTest>

using namespace lockui::lab;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using lockcore::MonoTime;

namespace {

const MonoTime Start{ 1'000s };

PlayRecord play(const char *steps)
{
    const auto scenario
        = readScenario(std::string(R"({"name": "n", "title": "A story", "clients": ["A"], "steps": )") + steps + "}");
    if (!scenario)
        qFatal("%s", qPrintable(scenario.error().message));
    PlayRecord record;
    record.scenario = *scenario;
    record.progress.resize(record.scenario.steps.size());
    record.start = lockcore::Now{ Start, lockcore::WallTime(1'700'000'000'000ms) };
    record.clientIds["A"] = { "id-of-a" };
    return record;
}

void end(PlayRecord &record, std::size_t step, StepState state, std::optional<Outcome> outcome = {})
{
    StepProgress &progress = record.progress[step];
    progress.beganAt = Start + 10ms;
    progress.endedAt = Start + 1'234ms;
    progress.state = state;
    progress.outcome = outcome;
}

QString reportOf(const std::vector<PlayRecord> &plays, const ReportFacts &facts = {})
{
    return QString::fromUtf8(htmlReport(plays, facts));
}

constexpr const char *Three = R"([{"client": "A", "do": "lock", "lock": "orders"},
    {"do": "check", "expect": {"seen": [{"lock": "orders", "holders": ["$A:1"]}]}},
    {"client": "A", "do": "unlock", "lock": "orders"}])";

} // namespace

class LabReportTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysInItsHeadingWhatFailedAndWhatWasNotPlayed()
    {
        PlayRecord record = play(Three);
        end(record, 0, StepState::Passed, Outcome::Acquired);
        QVERIFY(reportOf({ record }).contains(u"not finished: 1 of 3 steps passed, 2 not played to their end"_s));
        end(record, 1, StepState::Failed);
        QVERIFY(reportOf({ record }).contains(u"failed: 1 of 3 steps passed, 1 failed, 1 not played to its end"_s));
        PlayRecord whole = play(Three);
        for (std::size_t i = 0; i < 3; ++i)
            end(whole, i, StepState::Passed);
        QVERIFY(reportOf({ whole }).contains(u"passed: 3 of 3 steps passed<"_s));
        ReportFacts facts;
        facts.leftOut = 2;
        QVERIFY(reportOf({ record, whole }, facts)
                    .contains(u"<h1>Contention lab: 1 of 4 scenarios passed, 1 failed, 2 left out</h1>"_s));
    }

    /// After the end of a play nothing of it runs, and nothing waits for its turn.
    void saysOfWhatWasCutShortThatItWasStopped()
    {
        PlayRecord record = play(Three);
        end(record, 0, StepState::Passed, Outcome::Acquired);
        record.progress[1].state = StepState::Running;
        record.progress[1].beganAt = Start + 20ms;
        QVERIFY(reportOf({ record }).contains(u"running"_s));
        endUnfinished(record, { Start + 500ms, record.start->wall + 500ms });
        const QString report = reportOf({ record });
        QVERIFY(report.contains(u">stopped before it ended<"_s) && report.contains(u">not reached<"_s));
        QVERIFY(!report.contains(u"running"_s) && !report.contains(u"waiting<"_s));
        QVERIFY(report.contains(u"not finished: 1 of 3 steps passed, 2 not played to their end"_s));
        QVERIFY(record.progress[0].state == StepState::Passed);
    }

    void saysOfALookWhatWasSeen()
    {
        PlayRecord record = play(Three);
        end(record, 1, StepState::Passed);
        record.progress[1].seen = QStringList{ u"orders held by id-of-a:1"_s, u"nobody waits"_s };
        const QString report = reportOf({ record });
        QVERIFY2(report.contains(u"<ul><li>orders held by A:1</li><li>nobody waits</li></ul>"_s), qPrintable(report));
        QVERIFY(!report.contains(u"as expected<"_s));
        QVERIFY(report.contains(u"<li>the monitor shows orders held by A:1</li>"_s)); // expected, in the same words
    }

    /// The window and the report say the same of the same thing, in the same colours.
    void speaksAsTheWindowDoes()
    {
        PlayRecord record
            = play(R"([{"client": "A", "do": "setPermits", "lock": "seats", "kind": "semaphore", "count": 2},
            {"client": "A", "do": "lock", "lock": "seats", "kind": "semaphore"}, {"client": "A", "do": "crash"}])");
        for (std::size_t i = 0; i < 3; ++i)
            end(record, i, StepState::Passed, i == 1 ? std::optional(Outcome::Acquired) : std::nullopt);
        const Lanes lanes = lanesOf(record, lastMoment(record));
        const auto row
            = std::ranges::find_if(lanes.clients.front().rows, [](const LaneRow &each) { return !each.holds.empty(); });
        QVERIFY(row != lanes.clients.front().rows.end());
        QCOMPARE(termOf(record, *row, row->holds.front()), HoldTerm::Permits); // no watchdog renews them
        const QString report = reportOf({ record });
        QVERIFY(report.contains(u"hold permits"_s));
        QVERIFY(report.contains(markText(LaneMark::What::Killed)));
        QVERIFY(report.contains(u"--permits: #%1;"_s.arg(lockui::ColorsOnDark.good, 6, 16, QChar(u'0'))));
        QCOMPARE(momentText(record, Start + 1'234ms), u"1.234 s"_s);
        QVERIFY(report.contains(u">1.234<"_s)); // in the table
        QCOMPARE(stepText(record.scenario.steps[1]), u"seats.acquire()"_s);
        for (const Step &step : record.scenario.steps)
            QVERIFY(report.contains(stepText(step))); // said the same way everywhere
    }
};

QTEST_GUILESS_MAIN(LabReportTest)
#include "tst_lab_report.moc"
