// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace app {

/// Where actions are recorded unless told otherwise: lockscope/audit.jsonl in XDG_STATE_HOME.
/// Both programs write the same log. The folder is made.
std::string auditPath();

} // namespace app
