// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/run.h"

#include "app/common/exit_status.h"
#include "app/common/signal_watch.h"
#include "app/common/words.h"
#include "app/lab/scenario_choice.h"
#include "app/lab/scenario_needs.h"
#include "app/lockctl/output.h"
#include "app/lockctl/table.h"
#include "lockcore/transport/clock.h"
#include "lockcore/version.h"
#include "ui/lab/own_scenarios.h"
#include "ui/lab/report.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_reader.h"
#include "ui/lab/step_text.h"
#include "ui/text/json.h"

#include <QCoreApplication>
#include <QFile>
#include <QSaveFile>
#include <QTimer>
#include <chrono>
#include <functional>

namespace lockctl {

using app::Play;
using app::shown;
using app::Words;
using lockcore::ErrorCode;
using lockcore::Result;
using lockcore::transport::Deployment;
using lockui::JsonValue;
using lockui::lab::OwnScenarios;
using lockui::lab::Scenario;
using lockui::lab::Step;
using lockui::lab::StepProgress;
using lockui::lab::StepState;

namespace {

using namespace std::chrono_literals;

constexpr auto SilentFor = 3s; // a clean-up
constexpr auto LongestCleanUp = 120s; // that is waited for

/// What stands in TAP behind a number: a # would begin a directive.
std::string tapText(const QString &text)
{
    QString plain = text;
    return plain.replace(u'#', QStringLiteral("\\#")).toStdString();
}

/// Who does what, why, and what came out; of a look, what is to be found.
QString lineText(const Step &step, const Scenario &scenario, const StepProgress &progress)
{
    QStringList words;
    if (const QString who = lockui::lab::whoText(step, scenario); !who.isEmpty())
        words << who;
    words << lockui::lab::stepText(step);
    // A look has no outcome that would say what it was about.
    const bool isLook = step.act == lockui::lab::Act::Check;
    if (const QString more = isLook ? lockui::lab::expectedInShort(step, scenario) : lockui::lab::noteText(step);
        !more.isEmpty())
        words << QStringLiteral("-") << more;
    if (const QString seen = lockui::lab::seenText(progress); !seen.isEmpty())
        words << QStringLiteral("(%1)").arg(seen);
    return words.join(u' ');
}

lockcore::Error notWritten(const QSaveFile &file, const std::string &path)
{
    return app::complaint(ErrorCode::FileFailed, file.errorString(), "writing " + path);
}

/// Before anything runs. What is there stays.
Result<void> mayWrite(const std::string &path)
{
    QSaveFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::WriteOnly))
        return tl::unexpected(notWritten(file, path));
    file.cancelWriting();
    return {};
}

/// As a whole or not at all.
Result<void> writeFile(const std::string &path, const QByteArray &text)
{
    QSaveFile file(QFile::decodeName(path.c_str()));
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return {};
    return tl::unexpected(notWritten(file, path));
}

Result<std::vector<Scenario>> wantedScenarios(const RunRequest &request)
{
    if (request.all)
        return lockui::lab::builtInScenarios();
    std::vector<Scenario> scenarios;
    for (const std::string &word : request.scenarios) {
        auto choice = app::chooseScenario(word);
        if (!choice)
            return tl::unexpected(choice.error());
        scenarios.push_back(std::move(choice->scenario));
    }
    return scenarios;
}

/// Those that cannot be played here are left out where all were asked for, and said to be so; else they are an error.
Result<std::vector<PlannedPlay>> planOf(
    const RunRequest &request, const std::function<Result<void>(const Scenario &)> &check)
{
    const auto scenarios = wantedScenarios(request);
    if (!scenarios)
        return tl::unexpected(scenarios.error());
    if (const auto may = request.report.empty() ? Result<void>() : mayWrite(request.report); !may)
        return tl::unexpected(may.error());
    std::vector<PlannedPlay> plays;
    for (const Scenario &scenario : *scenarios) {
        const auto checked = check(scenario);
        if (!checked && !request.all)
            return tl::unexpected(checked.error());
        plays.push_back({ scenario, checked ? QString() : app::raw(checked.error().message) });
    }
    return plays;
}

} // namespace

Run::Run(std::vector<PlannedPlay> plays, const RunRequest &request, std::optional<Deployment> foreign, QObject *parent)
    : QObject(parent)
    , m_plays(std::move(plays))
    , m_request(request)
    , m_foreign(std::move(foreign))
{
}

void Run::start()
{
    std::size_t steps = 0;
    for (const PlannedPlay &play : m_plays)
        steps += play.whyNot.isEmpty() ? play.scenario.steps.size() : 1;
    if (!m_request.json)
        printLine("TAP version 13\n1.." + std::to_string(steps * m_request.repeat));
    playNext();
}

void Run::interrupt()
{
    if (!m_request.json)
        printLine(Words::tr("Bail out! Ended by %1").arg(QString::fromLatin1(app::SignalWatch::nameOfLast())));
    if (!m_play) {
        leaveCleanUp();
        return finish(app::AnswerIsNo);
    }
    keepForReport();
    endPlay([this] { finish(app::AnswerIsNo); });
}

void Run::playNext()
{
    if (m_next == m_plays.size() * m_request.repeat)
        return finish(m_failures == 0 ? app::Done : app::AnswerIsNo);
    const PlannedPlay &planned = m_plays[m_next++ % m_plays.size()];
    const Scenario &scenario = planned.scenario;
    if (!planned.whyNot.isEmpty())
        return skip(planned);
    if (!m_request.json)
        printLine("# " + tapText(shown(scenario.name) + QStringLiteral(": ") + shown(scenario.title)));
    app::PlayOptions options{ .clientProgram = QCoreApplication::applicationFilePath(),
        .redisson = m_request.redisson };
    if (m_foreign) {
        options.foreign = { *m_foreign, app::newLabPrefix() };
        m_cleanUp = std::make_unique<app::CleanUpProcess>(options.clientProgram, *options.foreign);
        options.cleanUp = m_cleanUp.get();
        if (!m_request.json)
            printLine("# "
                + tapText(Words::tr("on %1, under names that begin with %2")
                              .arg(shown(m_foreign->display()), shown(options.foreign->prefix))));
    }
    m_play = std::make_unique<Play>(scenario, std::move(options));
    connect(m_play.get(), &Play::stepChanged, this, &Run::tell);
    connect(m_play.get(), &Play::finished, this, &Run::playEnded, Qt::QueuedConnection);
    connect(m_play.get(), &Play::failed, this, &Run::fail, Qt::QueuedConnection);
    m_play->start();
}

void Run::playEnded(bool allPassed)
{
    if (!allPassed)
        ++m_failures;
    keepForReport();
    endPlay([this] { playNext(); });
}

/// The clients go first.
void Run::endPlay(const std::function<void()> &then)
{
    m_play.reset();
    if (!m_cleanUp)
        return then();
    connect(m_cleanUp.get(), &app::CleanUpProcess::cleaned, this, [this, then](bool isClean) {
        m_isSomethingLeft = m_isSomethingLeft || !isClean;
        m_cleanUp.release()->deleteLater(); // it is the one that says so
        then();
    });
    QTimer::singleShot(SilentFor, m_cleanUp.get(), [this] {
        note(Words::tr("still removing what the scenario left on %1; it goes on by itself when you press Ctrl+C")
                 .arg(shown(m_foreign->display())));
    });
    QTimer::singleShot(LongestCleanUp, m_cleanUp.get(), [this, then] {
        leaveCleanUp();
        then();
    });
    m_cleanUp->begin();
}

void Run::leaveCleanUp()
{
    if (!m_cleanUp)
        return;
    m_isSomethingLeft = true;
    note(Words::tr("a process goes on removing what the scenario left on %1, and says here what it cannot remove")
             .arg(shown(m_foreign->display())));
    m_cleanUp->disconnect(this);
    m_cleanUp.release()->deleteLater(); // this may be one of its own calls
}

void Run::skip(const PlannedPlay &play)
{
    ++m_tests;
    ++m_leftOut;
    if (m_request.json)
        printLine(lockui::json::line(
            JsonValue{ { "scenario", play.scenario.name }, { "skipped", play.whyNot.toStdString() } }));
    else
        printLine("ok " + std::to_string(m_tests) + " - " + tapText(shown(play.scenario.name)) + " # SKIP "
            + lockui::printable(play.whyNot.toStdString()));
    playNext();
}

void Run::tell(std::size_t step)
{
    const StepState state = m_play->record().progress[step].state;
    if (state != StepState::Passed && state != StepState::Failed)
        return;
    ++m_tests;
    if (m_request.json)
        tellAsJson(step);
    else
        tellAsTap(step);
}

void Run::tellAsTap(std::size_t step)
{
    const StepProgress &progress = m_play->record().progress[step];
    const Step &what = m_play->record().scenario.steps[step];
    printLine((progress.state == StepState::Passed ? "ok " : "not ok ") + std::to_string(m_tests) + " - "
        + tapText(shown(m_play->record().scenario.name) + QStringLiteral(", ") + shown(what.id) + QStringLiteral(": ")
            + lineText(what, m_play->record().scenario, progress)));
    for (const QString &problem : progress.problems)
        printLine("  # " + problem.toStdString());
}

void Run::tellAsJson(std::size_t step)
{
    const StepProgress &progress = m_play->record().progress[step];
    const Step &what = m_play->record().scenario.steps[step];
    JsonValue problems = JsonValue::array();
    for (const QString &problem : progress.problems)
        problems.push_back(problem.toStdString());
    const auto since = [this](std::optional<lockcore::MonoTime> at) {
        return at ? JsonValue(std::chrono::duration_cast<lockcore::Millis>(*at - m_play->record().start->mono).count())
                  : JsonValue();
    };
    printLine(lockui::json::line(JsonValue{ { "scenario", m_play->record().scenario.name }, { "step", what.id },
        { "do", nameOf(what.act) }, { "client", what.client.empty() ? JsonValue() : JsonValue(what.client) },
        { "ok", progress.state == StepState::Passed }, { "beganMs", since(progress.beganAt) },
        { "endedMs", since(progress.endedAt) },
        { "outcome", progress.outcome ? JsonValue(nameOf(*progress.outcome)) : JsonValue() },
        { "tookMs", progress.took ? JsonValue(progress.took->count()) : JsonValue() }, { "problems", problems } }));
}

void Run::fail(const lockcore::Error &error)
{
    if (!m_play)
        return;
    keepForReport();
    if (!m_request.json)
        printLine("Bail out! " + lockui::printable(toString(error)));
    app::complain("lockctl", error);
    endPlay([this] { finish(app::ServerError); });
}

/// Of one that was ended in the middle what is known of it by then.
void Run::keepForReport()
{
    if (!m_play || m_request.report.empty())
        return;
    m_played.push_back(m_play->record());
    endUnfinished(m_played.back(), lockcore::transport::readClocks());
}

void Run::finish(int status)
{
    if (std::exchange(m_isFinished, true))
        return;
    if (!m_request.report.empty()) {
        const lockui::lab::ReportFacts facts{ .versions
            = { { QStringLiteral("Lockscope"), QString::fromLatin1(lockcore::version()) } },
            .writtenAt = lockcore::transport::wallNow(),
            .server = m_foreign ? shown(m_foreign->display()) : QString(),
            .leftOut = m_leftOut };
        if (const auto written = writeFile(m_request.report, lockui::lab::htmlReport(m_played, facts)); !written) {
            app::complain("lockctl", written.error());
            status = app::exitStatus(written.error());
        }
    }
    Q_EMIT finished(m_isSomethingLeft ? app::ServerError : status);
}

int runScenarios(const RunRequest &request)
{
    auto plays = app::checkServerProgram().and_then([&] {
        return planOf(
            request, [&](const Scenario &scenario) { return app::checkRedisson(scenario, request.redisson); });
    });
    if (!plays) {
        app::complain("lockctl", plays.error());
        return app::exitStatus(plays.error());
    }
    app::SignalWatch signalWatch;
    Run run(std::move(*plays), request);
    QObject::connect(
        &run, &Run::finished, QCoreApplication::instance(), [](int status) { QCoreApplication::exit(status); },
        Qt::QueuedConnection);
    QObject::connect(&signalWatch, &app::SignalWatch::interrupted, &run, &Run::interrupt);
    run.start();
    return QCoreApplication::exec();
}

void ForeignRun::start(const Deployment &deployment)
{
    auto plays = planOf(m_request, [&](const Scenario &scenario) { return app::checkForeign(scenario, deployment); });
    if (!plays)
        return fail(plays.error());
    m_run = std::make_unique<Run>(std::move(*plays), m_request, deployment);
    connect(m_run.get(), &Run::finished, this, &Command::finished);
    m_run->start();
}

void ForeignRun::interrupt()
{
    if (m_run)
        m_run->interrupt();
}

int listScenarios(const ScenariosRequest &request)
{
    if (request.text) {
        QByteArray text = lockui::lab::builtInText(*request.text);
        if (const auto own = OwnScenarios().find(*request.text); own && text.isEmpty())
            text = own->text;
        if (text.isEmpty()) {
            const lockcore::Error error = app::complaint(ErrorCode::InvalidArgument,
                Words::tr("there is no scenario '%1'").arg(app::raw(*request.text)), "scenarios");
            app::complain("lockctl", error);
            return app::exitStatus(error);
        }
        return printLine(std::string_view(text.trimmed().toStdString())) ? app::Done : app::ServerError;
    }
    const auto own = OwnScenarios().list();
    if (!own) {
        const auto error = app::complaint(ErrorCode::FileFailed, own.error().message, "scenarios");
        app::complain("lockctl", error);
        return app::exitStatus(error);
    }
    std::vector<Row> rows;
    JsonValue all = JsonValue::array();
    const auto tell = [&](const std::string &name, const Scenario &scenario, const QString &wrong, bool isOwn) {
        const JsonValue title = wrong.isEmpty() ? JsonValue(scenario.title) : JsonValue();
        const JsonValue needs
            = wrong.isEmpty() ? JsonValue(lockui::lab::needsText(scenario).toStdString()) : JsonValue();
        rows.push_back({ lockui::printable(name),
            wrong.isEmpty() ? lockui::printable(scenario.title)
                            : lockui::printable(Words::tr("broken: %1").arg(wrong).toStdString()),
            wrong.isEmpty() ? lockui::lab::needsText(scenario).toStdString() : std::string("-"),
            (isOwn ? Words::tr("yours") : Words::tr("Lockscope")).toStdString() });
        all.push_back({ { "name", name }, { "title", title }, { "needs", needs }, { "own", isOwn },
            { "problem", wrong.isEmpty() ? JsonValue() : JsonValue(wrong.toStdString()) } });
    };
    for (const Scenario &scenario : lockui::lab::builtInScenarios())
        tell(scenario.name, scenario, {}, false);
    for (const lockui::lab::OwnScenario &each : *own)
        tell(each.name, each.scenario, each.error ? placedText(*each.error) : QString(), true);
    if (request.json)
        printLine(lockui::json::line(all));
    else
        printTable({ { .title = Words::tr("NAME").toStdString() }, { .title = Words::tr("TITLE").toStdString() },
                       { .title = Words::tr("NEEDS").toStdString() }, { .title = Words::tr("FROM").toStdString() } },
            rows);
    return app::Done;
}

} // namespace lockctl
