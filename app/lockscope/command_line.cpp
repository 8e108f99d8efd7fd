// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockscope/command_line.h"

#include "app/common/arguments.h"
#include "app/common/saved_connections.h"
#include "app/common/words.h"
#include "lockcore/version.h"
#include "ui/dialogs/connection_store.h"
#include "ui/lab/scenario_library.h"
#include "ui/views/page.h"

#include <QFile>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>
#include <array>
#include <utility>

namespace app {

using lockcore::Result;
using lockui::Theme;

namespace {

using Optional = std::optional<std::string>;

Optional given(const Arguments &arguments, const char *name)
{
    return arguments.has(name) ? Optional(arguments.value(name)) : std::nullopt;
}

Result<void> readTheme(const Arguments &arguments, CommandLine &commandLine)
{
    static constexpr std::array<std::pair<const char *, Theme::Mode>, 3> Themes{ { { "dark", Theme::Dark },
        { "light", Theme::Light }, { "system", Theme::System } } };
    const Optional wanted = given(arguments, "theme");
    if (!wanted)
        return {};
    for (const auto &[name, mode] : Themes) {
        if (*wanted == name) {
            commandLine.theme = mode;
            return {};
        }
    }
    return usageError(Words::tr("--theme is dark, light or system, not '%1'").arg(QString::fromStdString(*wanted)));
}

QString pageIds()
{
    QStringList ids;
    for (const lockui::PageName &name : lockui::PageNames)
        ids += QString::fromLatin1(name.id);
    return ids.join(QStringLiteral(", "));
}

Result<void> readPage(const Arguments &arguments, CommandLine &commandLine)
{
    const std::string_view usual = commandLine.scenario ? std::string_view("lab") : lockui::PageNames.front().id;
    commandLine.page = given(arguments, "page").value_or(std::string(usual));
    if (std::ranges::find(lockui::PageNames, commandLine.page, &lockui::PageName::id) != lockui::PageNames.end())
        return {};
    return usageError(
        Words::tr("there is no page '%1'; there is: %2").arg(QString::fromStdString(commandLine.page), pageIds()));
}

Result<void> readScenario(const Arguments &arguments, CommandLine &commandLine)
{
    if (!arguments.has("scenario"))
        return {};
    const std::string word = arguments.value("scenario");
    auto choice = chooseScenario(word);
    if (!choice)
        return tl::unexpected(choice.error());
    if (choice->isFile && lockui::lab::builtInScenario(choice->scenario.name))
        return usageError(Words::tr("%1 is called '%2', as one that comes with the program: in the window it needs a "
                                    "name of its own")
                              .arg(raw(word), raw(choice->scenario.name)));
    if (choice->isFile)
        commandLine.scenarioFile
            = QFile::encodeName(QFileInfo(QFile::decodeName(word.c_str())).absoluteFilePath()).toStdString();
    commandLine.scenario = std::move(*choice);
    return {};
}

Result<void> readSize(const Arguments &arguments, CommandLine &commandLine)
{
    constexpr int Most = 16'384;
    const Optional text = given(arguments, "size");
    if (!text)
        return {};
    const QStringList parts = QString::fromLatin1(text->c_str()).split(u'x');
    const QSize size(parts.value(0).toInt(), parts.value(1).toInt());
    if (parts.size() != 2 || size.isEmpty() || size.width() > Most || size.height() > Most)
        return usageError(
            Words::tr("--size is WIDTHxHEIGHT, as in 1440x900, not '%1'").arg(QString::fromStdString(*text)));
    commandLine.size = size;
    return {};
}

Result<void> readPicture(const Arguments &arguments, CommandLine &commandLine)
{
    const auto after = arguments.millis("after", 0);
    const Optional file = given(arguments, "screenshot");
    if (!after)
        return tl::unexpected(after.error());
    if (!file && *after)
        return usageError(Words::tr("--after goes with --screenshot FILE"));
    if (file && file->empty())
        return usageError(Words::tr("--screenshot needs the name of a file"));
    if (file)
        commandLine.picture = Picture{ *file, after->value_or(lockcore::Millis(0)) };
    return {};
}

Result<void> readServer(const Arguments &arguments, CommandLine &commandLine)
{
    return readServerArguments(arguments).and_then([&](const ServerArguments &server) -> Result<void> {
        commandLine.demo = server.demo;
        commandLine.tokenNames = server.tokenNames;
        if (server.urlGiven)
            commandLine.deployment = lockui::withClientName(server.deployment);
        if (server.tokenNames && !server.urlGiven && !server.demo)
            return usageError(
                Words::tr("--also goes with --url or --demo; a connection's own settings have a field for it"));
        return {};
    });
}

Result<void> readRecording(const Arguments &arguments, CommandLine &commandLine)
{
    commandLine.recording = arguments.value("replay");
    if (!arguments.has("replay"))
        return {};
    if (commandLine.recording.empty())
        return usageError(Words::tr("--replay needs the name of a file"));
    if (arguments.has("url") || commandLine.demo)
        return usageError(
            Words::tr("--replay shows a recording, without a server: it goes neither with --url nor with --demo"));
    return {};
}

std::shared_ptr<CLI::App> makeProgram()
{
    auto program = newProgram();
    addServerOptions(*program);
    addFlag(
        *program, "--demo", Words::tr("a private redis-server with a small shop at work on it, gone with the window"));
    addOption(*program, "--replay", "FILE", Words::tr("a recording, without a server"));
    addOption(*program, "--theme", "THEME", Words::tr("dark, light or system"));
    addOption(*program, "--page", "PAGE", Words::tr("the page to show: %1").arg(pageIds()));
    addOption(*program, "--select", "NAME", Words::tr("the lock that is chosen, on that page and on all others"));
    addOption(*program, "--scenario", "FILE|NAME", Words::tr("plays it in the contention lab, on servers of its own"));
    addOption(*program, "--size", "WxH", Words::tr("of the window"));
    addOption(*program, "--screenshot", "FILE", Words::tr("writes a picture of the window and ends;"));
    addOption(*program, "--after", "MS",
        Words::tr("… so long after the first look at the server is complete, or the scenario has begun"));
    addOption(*program, "--config", "FILE", Words::tr("settings, instead of those in XDG_CONFIG_HOME"));
    addFlag(*program, "-h,--help", Words::tr("this text"));
    addFlag(*program, "-v,--version", Words::tr("the version"));
    return program;
}

std::string helpText(const CLI::App &program)
{
    return Words::tr("lockscope: shows, live, the distributed locks that Redisson clients keep in Redis\n\n"
                     "Usage: lockscope [--url URL | --demo | --replay FILE] [--also PATTERN] [OPTION…]\n\n")
               .toStdString()
        + optionsText(program)
        + Words::tr("\nThe password can come from LOCKSCOPE_PASSWORD, the login at sentinels themselves from "
                    "LOCKSCOPE_SENTINEL_USER and\nLOCKSCOPE_SENTINEL_PASSWORD.\n")
              .toStdString();
}

} // namespace

Result<CommandLine> parseCommandLine(int argc, char **argv)
{
    const auto program = makeProgram();
    if (const auto parsed = parse(*program, argc, argv); !parsed)
        return tl::unexpected(parsed.error());
    const Arguments arguments(*program);
    CommandLine commandLine;
    if (arguments.has("help"))
        commandLine.print = helpText(*program);
    else if (arguments.has("version"))
        commandLine.print = std::string("lockscope ") + lockcore::version() + '\n';
    if (commandLine.print)
        return commandLine;
    commandLine.select = given(arguments, "select");
    commandLine.configFile = arguments.value("config");
    if (arguments.has("config")) {
        if (const auto usable = checkSettingsFile(commandLine.configFile); !usable)
            return tl::unexpected(usable.error());
    }
    if (const auto words = arguments.words(); !words.empty())
        return usageError(Words::tr("'%1' is not an option").arg(QString::fromStdString(words.front())));
    for (const auto read : { readServer, readRecording, readTheme, readScenario, readPage, readSize, readPicture }) {
        if (auto done = read(arguments, commandLine); !done)
            return tl::unexpected(done.error());
    }
    return commandLine;
}

} // namespace app
