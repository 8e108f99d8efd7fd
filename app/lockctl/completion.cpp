// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/saved_connections.h"
#include "app/lockctl/commands.h"
#include "app/lockctl/option_names.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace lockctl {
namespace {

using Line = std::span<const std::string>;

struct Candidates {
    std::string_view prefix;
    std::string lines = {};

    void add(std::string_view word, std::string_view help = {})
    {
        // A line break would make two of one, and nothing that is offered needs one.
        if (!word.starts_with(prefix) || word.find('\n') != word.npos)
            return;
        lines += word;
        if (!help.empty())
            lines += '\t' + std::string(help.substr(0, help.find('\n')));
        lines += '\n';
    }
};

void addProfiles(const std::string &settings, Candidates &candidates)
{
    for (const app::SavedConnection &each : app::savedConnections(*app::openSettings(settings)))
        candidates.add(each.title(), each.deployment.display());
}

/// By the word that stands for the value in the help text.
void addValues(const CLI::Option &option, const std::string &settings, Candidates &candidates)
{
    const std::string value = option.get_type_name();
    const auto addAll = [&](const std::vector<const char *> &names) {
        for (const char *name : names)
            candidates.add(name);
    };
    if (value == "FILE")
        candidates.lines = ":files\n";
    else if (value == "KIND")
        addAll(holdKindNames());
    else if (value == "FEED")
        addAll(feedNames());
    else if (option.check_lname("mode"))
        addAll({ nameOf(lockcore::synchronizers::HoldMode::Read), nameOf(lockcore::synchronizers::HoldMode::Write) });
    else if (option.check_lname("profile"))
        addProfiles(settings, candidates);
}

bool isFlag(const CLI::Option &option) { return option.get_items_expected_max() == 0; }

/// Of a line that may be wrong or unfinished, so that CLI11 does not parse it.
struct Sight {
    const CLI::App *command = nullptr;
    bool hasCommand = false; // also one that does not exist
    const CLI::Option *open = nullptr; // its value comes next
    std::set<const CLI::Option *> given = {};
    std::string settings = {}; // the value of --config
};

/// The option that a word is, without its value; null: it is none.
const CLI::Option *optionNamed(const std::string &word, const CLI::App &program, const CLI::App *command)
{
    if (!word.starts_with("--"))
        return nullptr;
    const CLI::Option *own = command ? command->get_option_no_throw(word) : nullptr;
    return own ? own : program.get_option_no_throw(word);
}

Sight look(const Program &program, Line words)
{
    Sight sight;
    for (const std::string &word : words) {
        if (const CLI::Option *valued = std::exchange(sight.open, nullptr)) {
            if (valued->check_lname("config"))
                sight.settings = word;
            continue;
        }
        if (const CLI::Option *option = optionNamed(word, *program.app, sight.command)) {
            sight.given.insert(option);
            sight.open = isFlag(*option) ? nullptr : option;
        } else if (!sight.hasCommand && !word.starts_with('-')) {
            sight.hasCommand = true;
            const auto found = std::ranges::find_if(
                program.commands, [&](const Program::Command &each) { return each.arguments->get_name() == word; });
            sight.command = found == program.commands.end() ? nullptr : found->arguments;
        }
    }
    return sight;
}

void addOptions(const CLI::App &command, const Sight &sight, Candidates &candidates)
{
    for (const CLI::Option *each : command.get_options()) {
        const bool repeats = each->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
        if (!each->get_positional() && (repeats || !sight.given.contains(each)))
            candidates.add(each->get_name(), each->get_description());
    }
}

} // namespace

std::string completions(const Program &program, const std::vector<std::string> &words)
{
    if (words.empty())
        return {};
    Candidates candidates{ words.back() };
    const Sight sight = look(program, Line(words).first(words.size() - 1));
    if (sight.open) {
        addValues(*sight.open, sight.settings, candidates);
    } else if (candidates.prefix.starts_with('-')) {
        if (sight.command)
            addOptions(*sight.command, sight, candidates);
        addOptions(*program.app, sight, candidates);
    } else if (!sight.hasCommand) {
        for (const Program::Command &each : program.commands)
            candidates.add(each.arguments->get_name(), each.arguments->get_description());
    }
    return candidates.lines;
}

} // namespace lockctl
