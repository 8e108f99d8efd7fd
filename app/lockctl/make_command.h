// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command.h"

#include <memory>

namespace lockctl {

/// For a request that needs a server.
std::unique_ptr<Command> makeCommand(const CommandLine &commandLine);

} // namespace lockctl
