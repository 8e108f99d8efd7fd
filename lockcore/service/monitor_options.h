// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/lock_filter.h"
#include "lockcore/monitor/snapshot.h"

#include <QString>
#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// The connection over which something is done, as the person calls it. Empty: it has no name, or no environment.
struct AuditedConnection {
    std::string name;
    std::string environment; // `PROD`, `TEST`, free text
    std::string actor = {}; // empty: the user of the operating system who runs this program

    auto operator<=>(const AuditedConnection &) const = default;
};

/// How a monitor watches.
struct MonitorOptions {
    std::string keyPattern; // SCAN MATCH; empty: all keys
    /// The locks of the pattern have keys and channels by their own names, given by no NameMapper: then the monitor
    /// listens to these channels alone, and has changes of these keys alone announced.
    bool plainNames = false;
    /// Names of strings that are locks of other libraries, written by SET NX PX: patterns as of SCAN's MATCH.
    /// Each costs one SCAN more a page. Up to ten, of 1 to 1,000 bytes each; else nothing is opened, and the status
    /// says why.
    std::vector<std::string> tokenNames;
    std::optional<LockName> onlyLock; // nothing is swept, and only this lock is looked at
    monitor::LockFilter suspectsOf; // what is wrong with other locks is not listed
    Millis sweepEvery{ 60'000 }; // pause between background sweeps
    bool unattended = false; // nobody looks at it now: background sweeps come an eighth as often
    int snapshotsPerSecond = 100; // at the most; whoever is slower gets the newest
    std::optional<monitor::Feed> feed; // chosen by hand; absent: the best that the server permits
    QString auditFile; // empty: no action is possible
    AuditedConnection auditedConnection; // as which it is recorded there
    Millis actionLimit{ 15'000 }; // from the order on; later nothing is sent and nothing that was sent is done
};

} // namespace lockcore::service
