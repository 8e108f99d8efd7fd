// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"

#include <map>
#include <optional>
#include <string>

namespace lockui {

/// Until when each lock of a snapshot was seen, as lockcore's seenUntil() tells of one: the servers are looked at once,
/// for very many locks.
class SeenTimes {
public:
    SeenTimes() = default; // all is seen
    explicit SeenTimes(const lockcore::monitor::Snapshot &snapshot);

    lockcore::MonoTime seenUntil(const lockcore::monitor::LockState &lock, lockcore::MonoTime now) const;

private:
    bool m_isAnyStale = false;
    std::map<std::string, std::optional<lockcore::MonoTime>> m_staleSince; // of each server; absent: it is seen
    std::optional<lockcore::MonoTime> m_elsewhere; // of a lock on none of these
};

/// Whether the lock is to be shown, by what was seen of it: the same on each page.
bool matches(const lockcore::monitor::LockFilter &filter, const SeenTimes &seen,
    const lockcore::monitor::LockState &lock, lockcore::MonoTime now);

} // namespace lockui
