// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/saved_connections.h"
#include "app/lockctl/commands.h"
#include "app/lockctl/names.h"

#include <algorithm>
#include <set>

namespace lockctl {
namespace {

using Words = std::span<const std::string>;

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

void addProfiles(Candidates &candidates)
{
    for (const app::SavedConnection &each : app::savedConnections(*app::openSettings()))
        candidates.add(each.title(), each.deployment.display());
}

void addValues(Offer offer, Candidates &candidates)
{
    switch (offer) {
    case Offer::Nothing:
        return;
    case Offer::Files:
        candidates.lines = ":files\n";
        return;
    case Offer::Kinds:
        for (const char *name : holdKindNames())
            candidates.add(name);
        return;
    case Offer::Modes:
        candidates.add(nameOf(lockcore::HoldMode::Read));
        candidates.add(nameOf(lockcore::HoldMode::Write));
        return;
    case Offer::Profiles:
        addProfiles(candidates);
        return;
    case Offer::Feeds:
        for (const char *name : feedNames())
            candidates.add(name);
        return;
    }
}

/// The option that a word is, without its value; null: it is none.
const OptionRow *optionNamed(std::string_view word, const CommandRow *command)
{
    if (!word.starts_with("--"))
        return nullptr;
    const auto own = command ? std::span<const OptionRow>(command->options) : std::span<const OptionRow>();
    for (const auto rows : { globalOptions(), own }) {
        const auto row = std::ranges::find_if(rows, [&](const OptionRow &each) { return word.substr(2) == each.name; });
        if (row != rows.end())
            return &*row;
    }
    return nullptr;
}

struct Sight {
    const CommandRow *command = nullptr;
    bool hasCommand = false; // also one that does not exist
    const OptionRow *open = nullptr; // its value comes next
    std::set<std::string_view> given = {};
};

Sight look(Words words)
{
    Sight sight;
    for (const std::string &word : words) {
        if (std::exchange(sight.open, nullptr))
            continue;
        if (const OptionRow *option = optionNamed(word, sight.command)) {
            sight.given.insert(option->name);
            sight.open = option->value ? option : nullptr;
        } else if (!sight.hasCommand && !word.starts_with('-')) {
            sight.hasCommand = true;
            sight.command = commandNamed(word);
        }
    }
    return sight;
}

void addOptions(std::span<const OptionRow> rows, const Sight &sight, Candidates &candidates)
{
    for (const OptionRow &each : rows) {
        const bool repeats = std::string_view(each.name) == "expect";
        if (repeats || !sight.given.contains(each.name))
            candidates.add(std::string("--") + each.name, each.help);
    }
}

} // namespace

std::string completions(const std::vector<std::string> &words)
{
    if (words.empty())
        return {};
    Candidates candidates{ words.back() };
    const Sight sight = look(Words(words).first(words.size() - 1));
    if (sight.open) {
        addValues(sight.open->offer, candidates);
    } else if (candidates.prefix.starts_with('-')) {
        if (sight.command)
            addOptions(sight.command->options, sight, candidates);
        addOptions(globalOptions(), sight, candidates);
    } else if (!sight.hasCommand) {
        for (const CommandRow &each : commands())
            candidates.add(each.name, each.summary);
    }
    return candidates.lines;
}

} // namespace lockctl
