// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <optional>
#include <vector>

namespace lockcore {

/// One lock at one moment, and what is known beside it.
struct LockMoment {
    const LockState &lock;
    Now now;
    bool announced = true; // changes are told; else much may happen between two looks
    const LockStatistics *statistics = nullptr;
    bool channelsShared = false; // whoever listens may wait for a lock of another database
};

/// The troubles that the lock seems to be in at this moment.
/// Source: facts about troubles with locks; wire format, sections 3.4, 4.3, 11.5.
std::vector<Finding> findingsOf(const LockMoment &moment);

/// The same lock as two servers of a cluster have it at once.
std::optional<Finding> findingOf(const LockState &lock, const LockState &twin);

/// When the same lock may look different though nothing happens to it; absent: never.
std::optional<MonoTime> nextLookAt(const LockState &lock, MonoTime now);

} // namespace lockcore
