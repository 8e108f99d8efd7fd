// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/transport/deployment.h"

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace app {

/// The command lines of both programs are CLI11's. These functions declare them, so that every value is taken as the
/// bytes that were given: names of locks are anything.
///
/// A program whose options can stand before and behind its command. Options have names such as `-h,--help`.
std::shared_ptr<CLI::App> newProgram();
/// `words` is what stands behind the name in help texts; the summary has one line, the details are paragraphs.
CLI::App &addCommand(CLI::App &program, const std::string &name, const std::string &words, const QString &summary,
    const QString &details);
void addFlag(CLI::App &command, const std::string &name, const QString &help);
/// `value` stands for the value in help texts. What is given twice counts as given last.
void addOption(CLI::App &command, const std::string &name, const std::string &value, const QString &help);
/// The same, but all values count.
void addList(CLI::App &command, const std::string &name, const std::string &value, const QString &help);
void addServerOptions(CLI::App &program);

/// Errors: local/invalid-argument with one sentence for the person at the shell; not for words that nobody asked for,
///         see Arguments::words.
[[nodiscard]] lockcore::Result<void> parse(CLI::App &program, int argc, char **argv);

bool wasGiven(const CLI::App &command);
/// What addCommand was told of its words.
std::string wordsText(const CLI::App &command);
/// Lines of two columns, an option each.
std::string optionsText(const CLI::App &command);
std::string twoColumns(const std::string &left, std::string_view right, std::size_t width);

/// What was given to a program, or to one of its commands and, behind or before it, to the program.
class Arguments {
public:
    explicit Arguments(const CLI::App &command)
        : m_command(&command)
    {
    }

    std::string command() const; // its name
    bool has(const char *name) const;
    std::string value(const char *name) const;
    std::vector<std::string> values(const char *name) const;
    std::vector<std::string> words() const; // what is no option
    /// Milliseconds, or a number with ms, s, m or h, as a timer can wait for them; absent: not given.
    [[nodiscard]] lockcore::Result<std::optional<lockcore::Millis>> millis(const char *name, std::int64_t least) const;

private:
    const CLI::App *m_command;
};

/// Which servers, as said on the command line and in LOCKSCOPE_PASSWORD; the login at sentinels themselves in
/// LOCKSCOPE_SENTINEL_USER and LOCKSCOPE_SENTINEL_PASSWORD.
struct ServerArguments {
    bool demo = false; // then the deployment is the demo's
    bool urlGiven = false;
    lockcore::transport::Deployment deployment; // without a URL: the default server
    std::optional<std::vector<std::string>> tokenNames = {}; // as MonitorOptions::tokenNames; absent: none were said
};

[[nodiscard]] lockcore::Result<ServerArguments> readServerArguments(const Arguments &arguments);

/// local/invalid-argument, with the way to help.
tl::unexpected<lockcore::Error> usageError(const QString &message);

/// Qt insists on a UTF-8 locale and says so in three lines on stderr; this sees to it first.
/// To be called before there is an application or a thread.
void useUtf8Locale();

} // namespace app
