// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/text/table_export.h"

#include <memory>
#include <vector>

namespace lockui {

class ClientNames;

/// These locks of the snapshot, in their order, as they are at `now`. In JSON each is the object that
/// `lockctl ls --json` prints. `names` may be null.
ExportTable lockExport(const std::vector<std::shared_ptr<const lockcore::monitor::LockState>> &locks,
    const lockcore::Now &now, const lockcore::monitor::Snapshot &snapshot, const ClientNames *names,
    ExportFormat format);

} // namespace lockui
