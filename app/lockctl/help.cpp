// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/commands.h"

namespace lockctl {
namespace {

/// `  left    right`, with the further lines of the right below its first.
std::string twoColumns(const std::string &left, const std::string &right, std::size_t width)
{
    std::string text = "  " + left;
    if (left.size() + 1 < width)
        text += std::string(width - left.size(), ' ');
    else
        text += '\n' + std::string(width + 2, ' ');
    for (const char each : right)
        text += each == '\n' ? '\n' + std::string(width + 2, ' ') : std::string(1, each);
    return text + '\n';
}

std::string optionsText(std::span<const OptionRow> options)
{
    constexpr std::size_t Width = 24;
    std::string text;
    for (const OptionRow &option : options) {
        const std::string name = std::string("--") + option.name;
        text += twoColumns(option.value ? name + ' ' + option.value : name, option.help, Width);
    }
    return text;
}

std::string namesOf(const CommandRow &command)
{
    return command.name + (*command.words ? ' ' + std::string(command.words) : std::string());
}

std::string helpOf(const CommandRow &command)
{
    std::string text = "lockctl " + std::string(command.name) + ": " + command.summary + "\n\nUsage: lockctl [OPTION…] "
        + namesOf(command) + (command.options.empty() ? "" : " [OPTION…]") + "\n\n" + command.details;
    if (!command.options.empty())
        text += '\n' + optionsText(command.options);
    return text + "\nWith every command:\n" + optionsText(globalOptions());
}

} // namespace

std::string helpText(const CommandRow *command)
{
    if (command)
        return helpOf(*command);
    std::string text
        = "lockctl: the distributed locks that Redisson clients keep in Redis\n\n"
          "Usage: lockctl [--url URL | --profile NAME | --demo] [--json] [--writable] COMMAND [OPTION…]\n\n";
    for (const CommandRow &each : commands())
        text += twoColumns(namesOf(each), each.summary, 32);
    text += "\nlockctl COMMAND --help tells the options of a command. MS are milliseconds, or a number with a unit: "
            "500ms, 5s, 2m, 1h.\n\n"
        + optionsText(globalOptions());
    return text + R"(
The password can come from LOCKSCOPE_PASSWORD, or from the desktop's keychain with --profile; on a terminal it is asked
for when the server wants one. Sentinels that want a login of their own get LOCKSCOPE_SENTINEL_USER and
LOCKSCOPE_SENTINEL_PASSWORD.
Exit status: 0 done; 1 the answer is no; 2 wrong usage; 3 no connection, or the server's error.
)";
}

} // namespace lockctl
