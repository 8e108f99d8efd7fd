// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command_line.h"

#include "app/common/saved_connections.h"
#include "app/common/words.h"
#include "app/lockctl/commands.h"
#include "lockcore/version.h"

#include <QStringList>
#include <algorithm>
#include <utility>

namespace lockctl {

using app::Arguments;
using app::usageError;
using app::Words;
using lockcore::Result;
using TokenNames = std::vector<std::string>;

namespace {

constexpr std::string_view Complete = "complete"; // what completion scripts call; not for people

bool takesOrChangesLocks(const Request &request)
{
    const auto *run = std::get_if<RunRequest>(&request);
    return (run && run->onForeign) || std::holds_alternative<HoldRequest>(request)
        || std::holds_alternative<ActRequest>(request) || std::holds_alternative<ClientRequest>(request);
}

/// What the window has saved. What is said on the command line and in the environment goes before it.
Result<void> applyProfile(const Arguments &arguments, const Request &request, Globals &globals)
{
    const std::string name = arguments.value("profile");
    if (arguments.has("url") || globals.demo)
        return usageError(Words::tr("--profile goes neither with --url nor with --demo"));
    const std::string settings = arguments.value("config");
    if (arguments.has("config")) {
        if (const auto usable = app::checkSettingsFile(settings); !usable)
            return tl::unexpected(usable.error());
    }
    const auto saved = app::connectionNamed(*app::openSettings(settings), name);
    if (!saved)
        return tl::unexpected(saved.error());
    if (saved->readOnlyLocked && takesOrChangesLocks(request)) {
        return tl::unexpected(app::complaint(lockcore::ErrorCode::ReadOnlyMode,
            Words::tr("the profile '%1' is locked to read-only").arg(QString::fromStdString(name)),
            arguments.command()));
    }
    const lockcore::transport::Deployment told = std::exchange(globals.deployment, saved->deployment);
    for (lockcore::transport::Endpoint &seed : globals.deployment.seeds) {
        seed.password = told.seeds.front().password;
        if (arguments.has("ca-file"))
            seed.tls.caFile = arguments.value("ca-file");
    }
    if (!told.sentinelUser.empty())
        globals.deployment.sentinelUser = told.sentinelUser;
    globals.deployment.sentinelPassword = told.sentinelPassword;
    if (!arguments.has("also"))
        globals.tokenNames = saved->tokenNames;
    globals.connection = { saved->name.toStdString(), saved->environment.toStdString() };
    if (saved->rememberPassword && told.seeds.front().password.empty())
        globals.secret = saved->url;
    return {};
}

Result<Globals> toGlobals(const Arguments &arguments, const Request &request)
{
    const auto server = app::readServerArguments(arguments);
    if (!server)
        return tl::unexpected(server.error());
    Globals globals{ server->deployment, server->demo, arguments.has("json"),
        server->tokenNames.value_or(TokenNames()) };
    if (arguments.has("config") && !arguments.has("profile"))
        return usageError(Words::tr("--config goes with --profile"));
    if (arguments.has("profile")) {
        if (const auto applied = applyProfile(arguments, request, globals); !applied)
            return tl::unexpected(applied.error());
    }
    for (lockcore::transport::Endpoint &seed : globals.deployment.seeds)
        seed.clientName = lockcore::transport::CommandLineName;
    return globals;
}

Result<CommandLine> toCommandLine(const Program::Command &command)
{
    const Arguments arguments(*command.arguments);
    return command.toRequest(arguments).and_then([&](const Request &request) {
        return toGlobals(arguments, request).map([&](const Globals &globals) {
            return CommandLine{ globals, request };
        });
    });
}

QString missingCommand(const Program &program)
{
    QStringList names;
    for (const Program::Command &each : program.commands)
        names << QString::fromStdString(Arguments(*each.arguments).command());
    return Words::tr("a command is missing: one of %1").arg(names.join(QStringLiteral(", ")));
}

} // namespace

Result<CommandLine> parseCommandLine(int argc, char **argv)
{
    const Program program = makeProgram();
    if (argc > 1 && argv[1] == Complete)
        return CommandLine{ {}, PrintRequest{ completions(program, { argv + 2, argv + argc }) } };
    if (const auto parsed = app::parse(*program.app, argc, argv); !parsed)
        return tl::unexpected(parsed.error());
    const auto given = std::ranges::find_if(
        program.commands, [](const Program::Command &each) { return app::wasGiven(*each.arguments); });
    const bool isGiven = given != program.commands.end();
    const Arguments globals(*program.app);
    if (globals.has("help"))
        return CommandLine{ {}, PrintRequest{ helpText(program, isGiven ? given->arguments : nullptr) } };
    if (globals.has("version"))
        return CommandLine{ {}, PrintRequest{ std::string("lockctl ") + lockcore::version() + '\n' } };
    if (const auto words = globals.words(); !words.empty())
        return usageError(Words::tr("there is no command '%1'").arg(QString::fromStdString(words.front())));
    return isGiven ? toCommandLine(*given) : usageError(missingCommand(program));
}

} // namespace lockctl
