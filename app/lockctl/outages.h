// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace lockctl {

/// For how long each server could not be seen while it was watched.
class Outages {
public:
    void start(const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now);
    void heard(const lockcore::monitor::EventList &events, lockcore::MonoTime now); // of gaps that are over

    /// The time for which every server was seen that could be seen at the start.
    lockcore::Millis watched(const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now) const;
    /// Of each server that was not seen all the time.
    std::vector<lockcore::Error> errors(const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now) const;

private:
    struct Gaps {
        lockcore::Millis sum{ 0 };
        lockcore::MonoTime until;
    };

    lockcore::Millis missed(const lockcore::monitor::NodeStatus &node, lockcore::MonoTime now) const;
    lockcore::Millis rest(lockcore::Millis missed, lockcore::MonoTime now) const;

    lockcore::MonoTime m_since;
    std::set<std::string> m_unseen; // at the start
    std::map<std::string, Gaps> m_gaps; // by the server
};

} // namespace lockctl
