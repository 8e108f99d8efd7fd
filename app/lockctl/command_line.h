// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/requests.h"
#include "lockcore/base/result.h"
#include "lockcore/service/actions/audit_entry.h"
#include "lockcore/transport/deployment.h"

#include <QString>
#include <string>
#include <vector>

namespace lockctl {

struct Globals {
    lockcore::transport::Deployment deployment;
    bool demo = false; // then the deployment is the demo's
    bool json = false;
    std::vector<std::string> tokenNames = {}; // as MonitorOptions::tokenNames
    lockcore::service::AuditedConnection connection = {}; // the window's, as it is recorded
    QString secret = {}; // where the keychain may have the password; empty: it was told, or is not kept
};

struct CommandLine {
    Globals globals;
    Request request;
};

/// Errors: local/invalid-argument with one sentence for the person at the shell; local/read-only-mode for a profile
/// that
///         forbids what is asked.
[[nodiscard]] lockcore::Result<CommandLine> parseCommandLine(int argc, char **argv);

} // namespace lockctl
