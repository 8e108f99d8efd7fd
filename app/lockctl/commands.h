// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "app/lockctl/requests.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockctl {

/// What the shell can offer in place of a value.
enum class Offer { Nothing, Files, Kinds, Modes, Profiles, Feeds };

struct OptionRow {
    const char *name;
    const char *value; // `MS`; null: a flag
    const char *help; // lines
    Offer offer = Offer::Nothing;
};

/// A command with all that parsing, help and completion have to know of it.
struct CommandRow {
    const char *name;
    const char *words; // `NAME`, or empty
    const char *summary; // of one line
    const char *details; // paragraphs for its own help, or empty
    std::vector<OptionRow> options;
    lockcore::Result<Request> (*toRequest)(const app::Arguments &);
    enum class Need { NoServer, ReadOnly, OwnHold, Writable } need = Need::ReadOnly;
};

std::span<const CommandRow> commands();
const CommandRow *commandNamed(std::string_view name); // null: there is none
std::span<const OptionRow> globalOptions();

/// Usage of all commands, or of one with its options.
std::string helpText(const CommandRow *command);

/// A line each: `word`, or `word<TAB>what it is`; or `:files` for the names of files.
std::string completions(const std::vector<std::string> &words);

} // namespace lockctl
