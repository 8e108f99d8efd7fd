// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/actions/audit_entry.h"
#include "ui/text/table_export.h"

#include <functional>
#include <vector>

namespace lockui {

/// All that is recorded of these actions, to be taken elsewhere. Their ids lead back to the log.
ExportTable auditExport(const std::vector<std::reference_wrapper<const lockcore::service::AuditEntry>> &entries,
    lockcore::WallTime now, ExportFormat format);

} // namespace lockui
