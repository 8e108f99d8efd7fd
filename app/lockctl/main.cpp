// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/arguments.h"
#include "app/common/exit_status.h"
#include "app/common/signal_watch.h"
#include "app/lockctl/audit.h"
#include "app/lockctl/make_command.h"
#include "app/lockctl/make_scenario.h"
#include "app/lockctl/output.h"
#include "app/lockctl/record.h"
#include "app/lockctl/run.h"
#include "app/lockctl/session.h"

#include <QCoreApplication>
#include <cstdio>

namespace lockctl {
namespace {

int fail(const lockcore::Error &error)
{
    app::complain("lockctl", error);
    return app::exitStatus(error);
}

int run(const CommandLine &commandLine)
{
    app::SignalWatch signalWatch;
    Session session(commandLine.globals);
    const std::unique_ptr<Command> command = makeCommand(commandLine);
    bool started = false;

    QCoreApplication *application = QCoreApplication::instance();
    // Queued: whoever reports the end is not destroyed under its own feet.
    QObject::connect(
        command.get(), &Command::finished, application, [](int status) { QCoreApplication::exit(status); },
        Qt::QueuedConnection);
    QObject::connect(&session, &Session::failed, application,
        [](const lockcore::Error &error) { QCoreApplication::exit(fail(error)); });
    QObject::connect(&session, &Session::ready, command.get(), [&](const lockcore::transport::Deployment &deployment) {
        started = true;
        command->start(deployment);
    });
    QObject::connect(&signalWatch, &app::SignalWatch::interrupted, application, [&] {
        if (started)
            command->interrupt();
        else
            command->abandon();
    });
    session.open();
    return QCoreApplication::exec();
}

int start(int argc, char **argv)
{
    const QCoreApplication application(argc, argv); // with it come the translations
    const auto commandLine = parseCommandLine(argc, argv);
    if (!commandLine)
        return fail(commandLine.error());
    if (const auto *print = std::get_if<PrintRequest>(&commandLine->request)) {
        std::fputs(print->text.c_str(), stdout);
        return app::Done;
    }
    if (const auto *audit = std::get_if<AuditRequest>(&commandLine->request))
        return printAudit(*audit);
    if (const auto *replay = std::get_if<ReplayRequest>(&commandLine->request))
        return printRecording(*replay);
    if (const auto *incident = std::get_if<MakeScenarioRequest>(&commandLine->request))
        return makeScenario(*incident);
    if (const auto *scenarios = std::get_if<RunRequest>(&commandLine->request); scenarios && !scenarios->onForeign)
        return runScenarios(*scenarios);
    if (const auto *list = std::get_if<ScenariosRequest>(&commandLine->request))
        return listScenarios(*list);
    return run(*commandLine);
}

} // namespace
} // namespace lockctl

int main(int argc, char **argv)
{
    app::useUtf8Locale();
    lockctl::prepareOutput();
    return lockctl::finishOutput(lockctl::start(argc, argv));
}
