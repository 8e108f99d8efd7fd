// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockcore::protocol {

/// A command with its arguments, each one bytes.
using Command = std::vector<std::string>;

/// The command as it goes over the wire.
std::string format(const Command &command);

} // namespace lockcore::protocol
