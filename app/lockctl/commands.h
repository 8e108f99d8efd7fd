// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "app/lockctl/requests.h"

namespace lockctl {

/// All commands with their options, as parsing, help and completion read them.
struct Program {
    using ToRequest = lockcore::Result<Request> (*)(const app::Arguments &);
    struct Command {
        CLI::App *arguments;
        ToRequest toRequest;
    };

    std::shared_ptr<CLI::App> app;
    std::vector<Command> commands;
};

Program makeProgram();

/// Usage of all commands, or of one with its options.
std::string helpText(const Program &program, const CLI::App *command);

/// A line each: `word`, or `word<TAB>what it is`; or `:files` for the names of files.
std::string completions(const Program &program, const std::vector<std::string> &words);

} // namespace lockctl
