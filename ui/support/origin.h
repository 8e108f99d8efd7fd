// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/deployment.h"
#include "ui/text/table_export.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

class ViewClock;

/// Where what the pages show comes from: what is taken elsewhere says so, and commands lead back there.
struct Origin {
    QString title = {}; // of the connection, or the file of the recording
    std::optional<lockcore::transport::Deployment> deployment = {}; // absent: nothing is open, or not known
    std::vector<std::string> tokenNames = {}; // as MonitorOptions::tokenNames
    bool isRecording = false;
    bool hasNextEvent = false; // the recording, after the moment that is shown
    std::shared_ptr<const lockcore::monitor::Snapshot> snapshot = {}; // null: nothing is shown yet
    QString filter = {};

    /// A recording says only then which servers it is of; not whether they want TLS or a login.
    void show(std::shared_ptr<const lockcore::monitor::Snapshot> shown);
};

/// The moment that is shown.
lockcore::Now momentOf(const ViewClock &clock);

/// Of which servers, of which moment and how chosen: `server`, `at`, `state` and, if there is one, `filter`.
std::vector<ExportTable::Fact> factsOf(const Origin &origin, const ViewClock &clock);

/// The same on a line, for pictures.
QString subtitleOf(const Origin &origin, const ViewClock &clock);

} // namespace lockui
