// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace app {

/// Where actions are recorded unless told otherwise: lockscope/audit.jsonl in XDG_STATE_HOME.
/// Both programs write the same log.
std::string auditPath();

/// The same, with the folder made that it lies in, or another path, whose folder has to be there: a slip of the pen is
/// no place for a log.
QString preparedAuditFile(const std::string &path);

} // namespace app
