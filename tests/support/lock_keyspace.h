// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/command.h"

#include <string>
#include <vector>

/// Commands that fill a server with locks, and with what is none.
namespace testsupport {

using Commands = std::vector<lockcore::protocol::Command>;

void addHold(Commands &commands, const std::string &name, const std::string &owner, int leaseMs);

/// A tenth fair with a waiter, a tenth read/write, the others reentrant; a third of the names with braces.
void addLocks(Commands &commands, int count);

/// `other:…`: a key of some type, now and then nearly a lock.
void addOther(Commands &commands, int number, int lifeMs = 90'000);
void addOthers(Commands &commands, int count);

} // namespace testsupport
