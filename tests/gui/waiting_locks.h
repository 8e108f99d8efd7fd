// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "tests/gui/sample_snapshot.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui::test {

/// An owner by one word.
inline lockcore::OwnerId ownerOf(const std::string &client) { return { client, "1" }; }

/// A fair lock with a queue; `waits`: for how long the first one has waited, each other a second less.
inline std::shared_ptr<lockcore::monitor::LockState> fairLock(const lockcore::LockName &name, const std::string &holder,
    const std::vector<std::string> &waiters, lockcore::MonoTime now, lockcore::Millis waits = lockcore::Millis(10'000))
{
    auto lock = makeLock(name, now);
    lock->kind = lockcore::synchronizers::Kind::Fair;
    lock->holders.front().owner = ownerOf(holder);
    for (const std::string &waiter : waiters) {
        lock->waiters.push_back({ ownerOf(waiter), std::nullopt, { now - waits, true }, true });
        waits -= lockcore::Millis(1'000);
    }
    return lock;
}

/// Any other lock, with so many who listen.
inline std::shared_ptr<lockcore::monitor::LockState> listenedLock(
    const lockcore::LockName &name, const std::string &holder, std::int64_t listeners, lockcore::MonoTime now)
{
    auto lock = makeLock(name, now);
    lock->holders.front().owner = ownerOf(holder);
    lock->subscribers = listeners;
    return lock;
}

/// As it was found by the analysis: each holds what the one before waits for.
inline std::shared_ptr<const lockcore::monitor::Analysis> analysisWith(
    std::vector<lockcore::monitor::WaitCycle> cycles, lockcore::MonoTime now)
{
    auto graph = std::make_shared<lockcore::monitor::WaitGraph>();
    graph->cycles = std::move(cycles);
    auto analysis = std::make_shared<lockcore::monitor::Analysis>();
    analysis->at = now;
    analysis->graph = std::move(graph);
    analysis->statistics = std::make_shared<const lockcore::monitor::StatisticsList>();
    return analysis;
}

} // namespace lockui::test
