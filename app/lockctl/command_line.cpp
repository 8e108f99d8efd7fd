// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command_line.h"

#include "app/common/arguments.h"
#include "app/common/audit_path.h"
#include "app/common/server_arguments.h"
#include "app/lockctl/names.h"

namespace lockctl {

using app::argumentBytes;
using app::Arguments;
using app::flagOption;
using app::usageError;
using app::valueOption;
using lockcore::Millis;
using lockcore::Result;

namespace {

Arguments argumentsOf(const QList<QCommandLineOption> &options)
{
    return Arguments(app::serverOptions() + QList{ flagOption("json"), flagOption("writable") } + options);
}

Result<lockcore::LockName> onlyName(const Arguments &arguments, const char *command)
{
    const QStringList words = arguments.words().mid(1);
    if (words.size() == 1)
        return argumentBytes(words.front());
    return usageError(std::string(command) + " takes the name of one lock");
}

Result<void> noWords(const Arguments &arguments, const char *command)
{
    if (arguments.words().size() == 1)
        return {};
    return usageError(
        std::string(command) + " does not know what to do with '" + argumentBytes(arguments.words().at(1)) + "'");
}

template <typename FilterRequest>
Result<Request> toFilterRequest(const Arguments &arguments, const char *command)
{
    return noWords(arguments, command)
        .and_then([&] { return lockcore::LockFilter::parse(arguments.value("filter")); })
        .map([](lockcore::LockFilter filter) -> Request { return FilterRequest{ std::move(filter) }; });
}

Result<Request> toLs(const Arguments &arguments) { return toFilterRequest<LsRequest>(arguments, "ls"); }
Result<Request> toWatch(const Arguments &arguments) { return toFilterRequest<WatchRequest>(arguments, "watch"); }

Result<Request> toShow(const Arguments &arguments)
{
    return onlyName(arguments, "show").map([](std::string name) -> Request { return ShowRequest{ std::move(name) }; });
}

Result<lockcore::LockTarget> toTarget(const Arguments &arguments)
{
    auto name = onlyName(arguments, "hold");
    if (!name)
        return tl::unexpected(name.error());
    lockcore::LockTarget target{ *name, lockcore::Kind::Reentrant, std::nullopt };
    if (arguments.has("kind")) {
        const auto kind = holdKindNamed(arguments.value("kind"));
        if (!kind)
            return usageError("--kind does not know '" + arguments.value("kind") + "', or cannot hold it alone");
        target.kind = kind->first;
        target.variant = kind->second;
    }
    if (arguments.has("mode")) {
        target.mode = modeNamed(arguments.value("mode"));
        if (!target.mode)
            return usageError("--mode is read or write, not '" + arguments.value("mode") + "'");
    }
    if ((target.kind == lockcore::Kind::ReadWrite) != target.mode.has_value())
        return usageError("--mode read or write goes with --kind readWrite, and only there");
    return target;
}

Result<Request> toHold(const Arguments &arguments)
{
    const auto target = toTarget(arguments);
    const auto lease = arguments.millis("lease", 1);
    const auto wait = arguments.millis("wait", 0);
    const auto holdFor = arguments.millis("for", 0);
    if (!target)
        return tl::unexpected(target.error());
    for (const auto *duration : { &lease, &wait, &holdFor }) {
        if (!*duration)
            return tl::unexpected(duration->error());
    }
    if (*lease && target->kind == lockcore::Kind::Semaphore)
        return usageError("a semaphore's permits have no lease: --lease does not go with --kind semaphore");
    return HoldRequest{ *target, *lease, *wait, *holdFor };
}

/// CLIENT:THREAD, for read/write locks with :read or :write where the same thread could have both.
Result<lockcore::ExpectedHolder> toExpectedHolder(std::string text)
{
    const std::string given = text;
    lockcore::ExpectedHolder holder;
    for (const auto mode : { lockcore::HoldMode::Read, lockcore::HoldMode::Write }) {
        const std::string suffix = std::string(":") + nameOf(mode);
        if (text.ends_with(suffix)) {
            text.resize(text.size() - suffix.size());
            holder.mode = mode;
            break;
        }
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
        return usageError("--expect takes CLIENT:THREAD as ls shows them, not '" + given + "'");
    holder.owner = { text.substr(0, colon), text.substr(colon + 1) };
    return holder;
}

Result<Request> toForceRelease(const Arguments &arguments)
{
    const QStringList words = arguments.words().mid(1);
    if (words.isEmpty())
        return usageError("force-release takes the name of one lock");
    if (!arguments.has("expect")) {
        return usageError("force-release needs --expect CLIENT:THREAD for every holder that you saw (lockctl "
                          "show tells them): who else holds the lock by then is left alone");
    }
    ForceReleaseRequest request{ argumentBytes(words.front()), {}, arguments.value("reason"), app::auditPath() };
    for (const QString &text : arguments.values("expect") + words.mid(1)) {
        auto holder = toExpectedHolder(argumentBytes(text));
        if (!holder)
            return tl::unexpected(holder.error());
        request.expected.push_back(*holder);
    }
    if (QString::fromStdString(request.reason).trimmed().isEmpty())
        return usageError("force-release needs --reason TEXT for the audit log");
    if (!arguments.has("writable"))
        return usageError("force-release changes the server; repeat it with --writable if that is what you want");
    if (arguments.has("audit-file"))
        request.auditFile = arguments.value("audit-file");
    return request;
}

Result<Request> toAudit(const Arguments &arguments)
{
    return noWords(arguments, "audit").map([&]() -> Request {
        return AuditRequest{ arguments.has("audit-file") ? arguments.value("audit-file") : app::auditPath() };
    });
}

struct CommandRow {
    const char *name;
    QList<QCommandLineOption> options;
    Result<Request> (*toRequest)(const Arguments &);
};

const std::vector<CommandRow> &commands()
{
    static const std::vector<CommandRow> rows{
        { "ls", { valueOption("filter") }, toLs },
        { "show", {}, toShow },
        { "watch", { valueOption("filter") }, toWatch },
        { "hold",
            { valueOption("kind"), valueOption("mode"), valueOption("lease"), valueOption("wait"), valueOption("for") },
            toHold },
        { "force-release", { valueOption("expect"), valueOption("reason"), valueOption("audit-file") },
            toForceRelease },
        { "audit", { valueOption("audit-file") }, toAudit },
    };
    return rows;
}

Result<Globals> toGlobals(const Arguments &arguments)
{
    return app::readServerArguments(arguments).map([&](const app::ServerArguments &server) {
        Globals globals{ server.deployment, server.demo, arguments.has("json") };
        for (lockcore::Endpoint &seed : globals.deployment.seeds)
            seed.clientName = "lockctl";
        return globals;
    });
}

Result<CommandLine> toCommandLine(const CommandRow &command, const QStringList &byteArguments)
{
    Arguments arguments = argumentsOf(command.options);
    if (auto parsed = arguments.parse(byteArguments); !parsed)
        return tl::unexpected(parsed.error());
    if (arguments.has("help"))
        return CommandLine{ {}, HelpRequest() };
    return toGlobals(arguments).and_then([&](const Globals &globals) {
        return command.toRequest(arguments).map([&](Request request) {
            return CommandLine{ globals, std::move(request) };
        });
    });
}

} // namespace

Result<CommandLine> parseCommandLine(const QStringList &byteArguments)
{
    Arguments globals = argumentsOf({});
    const auto name = globals.firstWord(byteArguments);
    if (!name)
        return tl::unexpected(name.error());
    if (globals.has("help"))
        return CommandLine{ {}, HelpRequest() };
    if (globals.has("version"))
        return CommandLine{ {}, VersionRequest() };
    for (const CommandRow &command : commands()) {
        if (*name == command.name)
            return toCommandLine(command, byteArguments);
    }
    return usageError(name->empty() ? "a command is missing: ls, show, watch, hold, force-release or audit"
                                    : "there is no command '" + *name + "'");
}

} // namespace lockctl
