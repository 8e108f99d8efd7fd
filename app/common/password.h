// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/endpoint.h"

#include <optional>
#include <string>

namespace app {

/// Takes the password from LOCKSCOPE_PASSWORD, unless the URL brought one.
void addPasswordFromEnvironment(lockcore::Endpoint &endpoint);

/// Asks on the controlling terminal, without echo; nothing where there is none.
std::optional<std::string> askPassword(const std::string &question);

} // namespace app
