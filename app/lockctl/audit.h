// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/requests.h"

namespace lockctl {

/// Prints the audit log: a line an action, or the entries as they stand in the file.
/// Returns the exit status.
int printAudit(const AuditRequest &request);

} // namespace lockctl
