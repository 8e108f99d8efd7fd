// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command_line.h"

#include "app/common/saved_connections.h"
#include "app/common/server_arguments.h"
#include "app/lockctl/commands.h"

namespace lockctl {

using app::Arguments;
using app::usageError;
using lockcore::Result;

namespace {

using Need = CommandRow::Need;

constexpr const char *Complete = "complete"; // what completion scripts call; not for people

QCommandLineOption toOption(const OptionRow &row)
{
    return row.value ? app::valueOption(row.name) : app::flagOption(row.name);
}

Arguments argumentsOf(std::span<const OptionRow> own)
{
    QList<QCommandLineOption> options;
    for (const auto rows : { globalOptions(), own }) {
        for (const OptionRow &row : rows) {
            const std::string_view name = row.name;
            if (name != "help" && name != "version") // these, every program has
                options.append(toOption(row));
        }
    }
    return Arguments(options);
}

/// What the window has saved. What is said on the command line and in the environment goes before it.
Result<void> applyProfile(const Arguments &arguments, const CommandRow &command, Globals &globals)
{
    const std::string name = arguments.value("profile");
    if (arguments.has("url") || globals.demo)
        return usageError("--profile goes neither with --url nor with --demo");
    const auto saved = app::connectionNamed(*app::openSettings(), name);
    if (!saved)
        return tl::unexpected(saved.error());
    if (saved->readOnlyLocked && (command.need == Need::OwnHold || command.need == Need::Writable)) {
        return lockcore::failure(
            lockcore::ErrorCode::ReadOnlyMode, "the profile '" + name + "' is locked to read-only", command.name);
    }
    const lockcore::Deployment told = std::exchange(globals.deployment, saved->deployment);
    for (lockcore::Endpoint &seed : globals.deployment.seeds) {
        seed.password = told.seeds.front().password;
        if (arguments.has("ca-file"))
            seed.tls.caFile = arguments.value("ca-file");
    }
    if (!told.sentinelUser.empty())
        globals.deployment.sentinelUser = told.sentinelUser;
    globals.deployment.sentinelPassword = told.sentinelPassword;
    if (saved->rememberPassword && told.seeds.front().password.empty())
        globals.secret = saved->url;
    return {};
}

Result<Globals> toGlobals(const Arguments &arguments, const CommandRow &command)
{
    const auto server = app::readServerArguments(arguments);
    if (!server)
        return tl::unexpected(server.error());
    Globals globals{ server->deployment, server->demo, arguments.has("json") };
    if (arguments.has("profile")) {
        if (const auto applied = applyProfile(arguments, command, globals); !applied)
            return tl::unexpected(applied.error());
    }
    for (lockcore::Endpoint &seed : globals.deployment.seeds)
        seed.clientName = "lockctl";
    return globals;
}

Result<CommandLine> toCommandLine(const CommandRow &command, const QStringList &byteArguments)
{
    Arguments arguments = argumentsOf(command.options);
    if (auto parsed = arguments.parse(byteArguments); !parsed)
        return tl::unexpected(parsed.error());
    if (arguments.has("help"))
        return CommandLine{ {}, HelpRequest{ &command } };
    return toGlobals(arguments, command).and_then([&](const Globals &globals) {
        return command.toRequest(arguments).map([&](Request request) {
            return CommandLine{ globals, std::move(request) };
        });
    });
}

std::string missingCommand()
{
    std::string names;
    for (const CommandRow &each : commands())
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    return "a command is missing: one of " + names;
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList &byteArguments)
{
    if (byteArguments.value(1) == QLatin1String(Complete)) {
        CompleteRequest request;
        for (const QString &word : byteArguments.mid(2))
            request.words.push_back(app::argumentBytes(word));
        return CommandLine{ {}, std::move(request) };
    }
    Arguments globals = argumentsOf({});
    const auto name = globals.firstWord(byteArguments);
    if (!name)
        return tl::unexpected(name.error());
    if (globals.has("help"))
        return CommandLine{ {}, HelpRequest() };
    if (globals.has("version"))
        return CommandLine{ {}, VersionRequest() };
    if (const CommandRow *command = commandNamed(*name))
        return toCommandLine(*command, byteArguments);
    return usageError(name->empty() ? missingCommand() : "there is no command '" + *name + "'");
}

} // namespace lockctl
