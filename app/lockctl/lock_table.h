// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/table.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/snapshot.h"

#include <QString>
#include <memory>
#include <string>
#include <vector>

namespace lockctl {

/// What the table has to say of the servers besides.
struct TableView {
    const lockcore::monitor::Snapshot &snapshot; // of which the locks are
    lockcore::MonoTime now;
    bool nodes = false; // there are several: say where each lock is
    bool quorum = false; // they are independent: say on how many a lock is held
    bool oneLook = false; // nothing can last: say also what may be wrong
};

using Locks = std::vector<std::shared_ptr<const lockcore::monitor::LockState>>;

std::vector<std::string> lockTable(const Locks &locks, const TableView &view, std::optional<int> width);
TableView tableView(const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now);

std::string ttlText(const lockcore::monitor::LockState &lock, lockcore::MonoTime now);
std::string heldText(const lockcore::monitor::LockState &lock, lockcore::MonoTime seenUntil, lockcore::MonoTime now);
std::string kindText(const lockcore::monitor::LockState &lock);
std::string stateText(const lockcore::monitor::LockState &lock); // of a counter: permits, or the count of a latch
QString quorumCount(const lockcore::monitor::Quorum &quorum); // `2 of 3, 1 unknown`
std::string quorumText(const lockcore::monitor::LockState &lock);

} // namespace lockctl
