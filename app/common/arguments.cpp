// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/arguments.h"

#include "app/common/words.h"
#include "lockcore/base/duration.h"
#include "lockcore/synchronizers/token_recognition.h"
#include "ui/text/error_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>
#include <limits>

namespace app {

using lockcore::Millis;
using lockcore::Result;

namespace {

constexpr std::int64_t MostMillis = std::numeric_limits<int>::max(); // 24 days

constexpr const char *WordsOption = "words"; // the positional option of every command
constexpr const char *EndOfOptions = "--";
constexpr const char *EndOfCommand = "++";

const CLI::Option *find(const CLI::App *command, const char *name)
{
    for (; command; command = command->get_parent()) {
        if (const CLI::Option *option = command->get_option_no_throw(std::string("--") + name))
            return option;
    }
    return nullptr;
}

/// It takes no value, and so has the result "true" when it is given.
bool isFlag(const CLI::Option &option) { return option.get_items_expected_max() == 0; }

/// `--name=` gives an empty value; CLI11 would take the next argument for it.
std::vector<std::string> argumentList(int argc, char **argv)
{
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string_view each = argv[i];
        if (each.starts_with("--") && each.size() > 3 && each.find('=') == each.size() - 1) {
            arguments.emplace_back(each.substr(0, each.size() - 1));
            arguments.emplace_back();
        } else {
            arguments.emplace_back(each);
        }
    }
    std::ranges::reverse(arguments); // as CLI11 takes a list
    return arguments;
}

Result<void> refuseValuesOfFlags(const CLI::App &program)
{
    const auto hasValue = [](const CLI::Option *option) {
        return isFlag(*option)
            && std::ranges::any_of(option->results(), [](const auto &each) { return each != "true"; });
    };
    std::vector<const CLI::App *> parsed = program.get_subcommands([](const CLI::App *each) { return each->parsed(); });
    parsed.push_back(&program);
    for (const CLI::App *each : parsed) {
        for (const CLI::Option *option : each->get_options(hasValue))
            return usageError(Words::tr("unexpected value after '%1'").arg(QString::fromStdString(option->get_name())));
    }
    return {};
}

/// CLI11 takes it for itself, as what ends a command, and would say nothing of it.
Result<void> refuseEndOfCommand(int argc, char **argv)
{
    for (int i = 1; i < argc && std::strcmp(argv[i], EndOfOptions) != 0; ++i) {
        if (std::strcmp(argv[i], EndOfCommand) == 0)
            return usageError(
                Words::tr("'++' by itself is taken for no name: write it behind '--', or as the value in --option=++"));
    }
    return {};
}

Result<void> refuseUnknownOptions(const CLI::App &program)
{
    for (const std::string &each : program.remaining()) {
        if (each == EndOfOptions)
            break;
        if (each.size() > 1 && each.starts_with('-')) {
            const std::string name = each.substr(std::min(each.find_first_not_of('-'), each.size()));
            return usageError(
                Words::tr("unknown option '%1'").arg(QString::fromStdString(name.substr(0, name.find('=')))));
        }
    }
    return {};
}

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : std::string();
}

} // namespace

std::shared_ptr<CLI::App> newProgram()
{
    auto program = std::make_shared<CLI::App>();
    program->set_help_flag(); // CLI11's would be looked at too late, behind errors of other options
    program->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    program->allow_extras(); // we say ourselves what is unknown
    program->allow_windows_style_options(false);
    program->require_subcommand(0, 1); // a lock may have the name of a command
    return program;
}

CLI::App &addCommand(CLI::App &program, const std::string &name, const std::string &words, const QString &summary,
    const QString &details)
{
    // A number, where CLI11 would also take "unlimited": that would split a word such as [a,b] into two.
    constexpr int MostWords = 1'000'000;
    CLI::App *command = program.add_subcommand(name, summary.toStdString())->footer(details.toStdString());
    command->fallthrough();
    command->add_option(WordsOption)
        ->expected(MostWords)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name(words);
    return *command;
}

void addFlag(CLI::App &command, const std::string &name, const QString &help)
{
    command.add_flag(name)->description(help.toStdString());
}

void addOption(CLI::App &command, const std::string &name, const std::string &value, const QString &help)
{
    command.add_option(name)->description(help.toStdString())->type_name(value);
}

void addList(CLI::App &command, const std::string &name, const std::string &value, const QString &help)
{
    command.add_option(name)
        ->description(help.toStdString())
        ->type_name(value)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addServerOptions(CLI::App &program)
{
    addOption(program, "--url", "URL",
        Words::tr("redis://[[user]:password@]host[:port][/db]      one server\n"
                  "rediss://…                                      the same with TLS\n"
                  "unix:///path[?db=n]                             one server, by its socket\n"
                  "redis-sentinel://host[:port][,host…]/master[/db]\n"
                  "redis-cluster://host[:port][,host…][?messages=plain]\n"
                  "redis-nodes://host[:port][,host…]               servers of a RedLock (not for hold)\n"
                  "rediss-sentinel://, rediss-cluster://, rediss-nodes://: these three with TLS\n"
                  "without a URL: redis://127.0.0.1:6379"));
    addOption(
        program, "--ca-file", "FILE", Words::tr("for TLS: the authorities to trust, PEM, instead of the system's"));
    addList(program, "--also", "PATTERN",
        Words::tr("also strings of such names are locks, as other libraries write them (SET NX PX),\n"
                  "as in --also 'lock:*'; can be given several times"));
}

Result<void> parse(CLI::App &program, int argc, char **argv)
{
    if (auto told = refuseEndOfCommand(argc, argv); !told)
        return told;
    try {
        program.parse(argumentList(argc, argv));
    } catch (const CLI::ArgumentMismatch &) { // the arguments have ended before the value of an option
        return usageError(Words::tr("missing value after '%1'").arg(QString::fromUtf8(argv[argc - 1])));
    } catch (const CLI::Error &error) {
        return usageError(QString::fromUtf8(error.what()));
    }
    if (auto flags = refuseValuesOfFlags(program); !flags)
        return flags;
    return refuseUnknownOptions(program);
}

bool wasGiven(const CLI::App &command) { return command.parsed(); }

std::string twoColumns(const std::string &left, std::string_view right, std::size_t width)
{
    const std::string indent = '\n' + std::string(width + 2, ' ');
    std::string text = "  " + left + (left.size() + 1 < width ? std::string(width - left.size(), ' ') : indent);
    for (const char each : right)
        text += each == '\n' ? indent : std::string(1, each);
    return text + '\n';
}

std::string wordsText(const CLI::App &command) { return command.get_option(WordsOption)->get_type_name(); }

std::string optionsText(const CLI::App &command)
{
    constexpr std::size_t Width = 24;
    std::string text;
    for (const CLI::Option *option : command.get_options()) {
        if (option->get_positional())
            continue;
        const std::string value = isFlag(*option) ? "" : ' ' + option->get_type_name();
        text += twoColumns(option->get_name() + value, option->get_description(), Width);
    }
    return text;
}

std::string Arguments::command() const { return m_command->get_name(); }

bool Arguments::has(const char *name) const
{
    const CLI::Option *option = find(m_command, name);
    return option && option->count() > 0;
}

std::string Arguments::value(const char *name) const { return has(name) ? values(name).back() : std::string(); }

std::vector<std::string> Arguments::values(const char *name) const
{
    // The results as they came: what CLI11 makes of them knows signs of its own, such as {} for an empty list.
    const CLI::Option *option = find(m_command, name);
    return option ? option->results() : std::vector<std::string>();
}

std::vector<std::string> Arguments::words() const
{
    if (const CLI::Option *words = m_command->get_option_no_throw(WordsOption))
        return words->results();
    std::vector<std::string> words = m_command->remaining();
    if (const auto mark = std::ranges::find(words, EndOfOptions); mark != words.end())
        words.erase(mark);
    return words;
}

Result<std::optional<Millis>> Arguments::millis(const char *name, std::int64_t least) const
{
    if (!has(name))
        return std::nullopt;
    const auto millis = lockcore::parseDuration(value(name), { Millis(1), Millis(least), Millis(MostMillis) });
    if (!millis) {
        return usageError(
            Words::tr("--%1 takes milliseconds from %2 to %3, or a time such as 500ms, 5s, 2m or 1h, not '%4'")
                .arg(QString::fromLatin1(name))
                .arg(least)
                .arg(MostMillis)
                .arg(QString::fromStdString(value(name))));
    }
    return millis;
}

Result<ServerArguments> readServerArguments(const Arguments &arguments)
{
    ServerArguments server;
    server.demo = arguments.has("demo");
    server.urlGiven = arguments.has("url");
    if (server.demo && server.urlGiven)
        return usageError(Words::tr("--demo brings its own server and does not go with --url"));
    if (server.urlGiven) {
        auto deployment = lockcore::transport::parseDeployment(arguments.value("url"));
        if (!deployment)
            return tl::unexpected(deployment.error());
        server.deployment = *deployment;
    } else {
        server.deployment = lockcore::transport::Endpoint();
    }
    const std::string password = environment("LOCKSCOPE_PASSWORD");
    for (lockcore::transport::Endpoint &seed : server.deployment.seeds) {
        if (seed.tls.enabled)
            seed.tls.caFile = arguments.value("ca-file");
        if (seed.password.empty())
            seed.password = password;
    }
    if (arguments.has("also")) {
        server.tokenNames = arguments.values("also");
        if (const auto checked = lockcore::synchronizers::checkTokenNames(*server.tokenNames); !checked)
            return usageError(QStringLiteral("--also: ") + lockui::errorReason(checked.error()));
    }
    server.deployment.sentinelUser = environment("LOCKSCOPE_SENTINEL_USER");
    server.deployment.sentinelPassword = environment("LOCKSCOPE_SENTINEL_PASSWORD");
    return server;
}

tl::unexpected<lockcore::Error> usageError(const QString &message)
{
    return tl::unexpected(
        complaint(lockcore::ErrorCode::InvalidArgument, Words::tr("%1 (--help tells more)").arg(message)));
}

void useUtf8Locale()
{
    std::setlocale(LC_ALL, "");
    if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0)
        return;
    ::setenv("LC_ALL", "C.UTF-8", 1);
    std::setlocale(LC_ALL, "");
}

} // namespace app
