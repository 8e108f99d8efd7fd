// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/client/lock_client.h"
#include "lockcore/monitor/lock_filter.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/recording/recording.h"
#include "lockcore/synchronizers/admin_command.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockctl {

struct CommandRow;

struct LsRequest {
    lockcore::LockFilter filter;
};

struct ShowRequest {
    lockcore::LockName name;
};

struct WatchRequest {
    lockcore::LockFilter filter;
    std::optional<lockcore::Feed> feed; // absent: the best that the server permits
};

struct DiagnoseRequest {
    std::optional<lockcore::LockName> name; // absent: all locks
    lockcore::LockFilter filter;
    std::optional<lockcore::Millis> watchFor; // absent: as long as it takes, within limits
};

struct HoldRequest {
    lockcore::LockTarget target;
    std::optional<lockcore::Millis> lease;
    std::optional<lockcore::Millis> wait;
    std::optional<lockcore::Millis> holdFor;
};

/// Acts on what others hold. The kind of the lock, and the half that an expected holder has, are only found out.
struct ActRequest {
    lockcore::AdminCommand command;
    std::string auditFile;
};

struct AuditRequest {
    std::string auditFile;
    bool isNamed = false; // by the person, so it should be there
    std::optional<std::string> lock; // entries of this lock only
    std::optional<lockcore::WallTime> since;
    std::optional<lockcore::WallTime> until;
    bool json = false;
};

struct RecordRequest {
    std::string file;
    std::optional<lockcore::Millis> recordFor;
    lockcore::RecordingLimits limits;
    std::optional<lockcore::Feed> feed;
};

struct ReplayRequest {
    std::string file;
    std::optional<lockcore::WallTime> at; // the locks at that moment; both absent: the events
    std::optional<lockcore::Millis> after; // or so long after the beginning
    bool json = false;
};

struct HelpRequest {
    const CommandRow *command = nullptr; // null: all of them
};

struct VersionRequest { };

/// For the shell: what can stand at the end of these words.
struct CompleteRequest {
    std::vector<std::string> words;
};

using Request = std::variant<HelpRequest, VersionRequest, CompleteRequest, LsRequest, ShowRequest, WatchRequest,
    DiagnoseRequest, HoldRequest, ActRequest, AuditRequest, RecordRequest, ReplayRequest>;

} // namespace lockctl
