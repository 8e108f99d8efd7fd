// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/client/lock_client.h"
#include "lockcore/monitor/lock_filter.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/deployment.h"

#include <QStringList>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockctl {

struct Globals {
    lockcore::Deployment deployment;
    bool demo = false; // then the deployment is the demo's
    bool json = false;
};

struct LsRequest {
    lockcore::LockFilter filter;
};

struct ShowRequest {
    lockcore::LockName name;
};

struct WatchRequest {
    lockcore::LockFilter filter;
};

struct HoldRequest {
    lockcore::LockTarget target;
    std::optional<lockcore::Millis> lease;
    std::optional<lockcore::Millis> wait;
    std::optional<lockcore::Millis> holdFor;
};

struct ForceReleaseRequest {
    lockcore::LockName name;
    std::vector<lockcore::ExpectedHolder> expected;
    std::string reason;
    std::string auditFile;
};

struct AuditRequest {
    std::string auditFile;
};

struct HelpRequest { };
struct VersionRequest { };

using Request = std::variant<HelpRequest, VersionRequest, LsRequest, ShowRequest, WatchRequest, HoldRequest,
    ForceReleaseRequest, AuditRequest>;

struct CommandLine {
    Globals globals;
    Request request;
};

/// Errors: local/invalid-argument with one sentence for the person at the shell.
[[nodiscard]] lockcore::Result<CommandLine> parseCommandLine(const QStringList &byteArguments);

extern const char *const HelpText;

} // namespace lockctl
