// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "lockcore/client/lock_request.h"
#include "lockcore/monitor/lock_filter.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/recording/recording.h"
#include "lockcore/synchronizers/admin_command.h"

#include <QStringList>
#include <optional>
#include <string>
#include <variant>

namespace lockctl {

struct LsRequest {
    lockcore::monitor::LockFilter filter;
};

struct ShowRequest {
    lockcore::LockName name;
};

struct WatchRequest {
    lockcore::monitor::LockFilter filter;
    std::optional<lockcore::monitor::Feed> feed; // absent: the best that the server permits
};

struct DiagnoseRequest {
    std::optional<lockcore::LockName> name; // absent: all locks
    lockcore::monitor::LockFilter filter;
    std::optional<lockcore::Millis> watchFor; // absent: as long as it takes, within limits
};

struct HoldRequest {
    lockcore::client::LockTarget target;
    std::optional<lockcore::Millis> lease;
    std::optional<lockcore::Millis> wait;
    std::optional<lockcore::Millis> holdFor;
};

/// Acts on what others hold. The kind of the lock, and the half that an expected holder has, are only found out.
struct ActRequest {
    lockcore::synchronizers::AdminCommand command;
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
    lockcore::recording::RecordingLimits limits;
    std::optional<lockcore::monitor::Feed> feed;
};

/// A moment of a recording; both absent: none was said.
struct RecordedMoment {
    std::optional<lockcore::WallTime> at;
    std::optional<lockcore::Millis> after; // so long after the beginning
};

struct ReplayRequest {
    std::string file;
    RecordedMoment moment; // the locks as they were then; none: the events
    bool json = false;
};

/// A scenario of a part of a recording.
struct MakeScenarioRequest {
    std::string file;
    RecordedMoment from; // none: its beginning
    RecordedMoment to; // none: its end
    std::vector<lockcore::LockName> locks; // empty: all
    lockcore::Millis longestPause{ 1'000 };
    std::string out; // empty: standard output
};

/// Plays scenarios of the contention lab, on private servers.
struct RunRequest {
    std::vector<std::string> scenarios; // names of those built in, or paths of files
    bool all = false; // those built in
    std::size_t repeat = 1;
    bool json = false;
    std::string report; // a file for the whole of it; empty: none
    QStringList redisson = {}; // where it is looked for
    bool onForeign = false; // on the server of the command line, else on private ones
};

struct ScenariosRequest {
    std::optional<std::string> text; // of this one, to be saved and changed; absent: the list
    bool json = false;
};

/// A client that lines on standard input tell what to do.
struct ClientRequest {
    lockcore::client::LockClientOptions options;
    bool givesBack = false; // at the end of its input, what it holds
    std::optional<std::string> cleanUp; // instead: removes the keys of a play that have this prefix
};

/// Help, the version, or what can stand at the end of a line in the shell.
struct PrintRequest {
    std::string text;
};

using Request
    = std::variant<PrintRequest, LsRequest, ShowRequest, WatchRequest, DiagnoseRequest, HoldRequest, ActRequest,
        AuditRequest, RecordRequest, ReplayRequest, MakeScenarioRequest, RunRequest, ScenariosRequest, ClientRequest>;

/// From the arguments of a command to what is asked.
/// Errors: local/invalid-argument with one sentence for the person at the shell.
[[nodiscard]] lockcore::Result<Request> toLs(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toShow(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toWatch(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toDiagnose(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toHold(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toForceRelease(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toRenew(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toDropWaiter(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toReturnPermit(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toAudit(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toRecord(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toReplay(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toMakeScenario(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toRun(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toScenarios(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toClient(const app::Arguments &arguments);

} // namespace lockctl
