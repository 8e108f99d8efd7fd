// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/command_line.h"

namespace lockctl {

/// Prints the audit log, a line an entry, as it stands in the file.
/// Returns the exit status.
int printAudit(const AuditRequest &request);

} // namespace lockctl
