// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace app {

/// Where actions are recorded unless told otherwise: lockscope/audit.jsonl in XDG_STATE_HOME.
/// Both programs write the same log.
std::string auditPath();

/// The same or another path, with the folder made that it lies in.
QString preparedAuditFile(const std::string &path);

} // namespace app
