// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <memory>
#include <mutex>
#include <utility>

namespace lockcore::service {

/// Hands the newest snapshot from one thread to another; whoever is slow misses those in between.
/// Thread: any.
class SnapshotMailbox {
public:
    /// True: the reader has taken the one before, so it must be told of this one.
    bool put(std::shared_ptr<const monitor::Snapshot> snapshot)
    {
        const std::lock_guard guard(m_mutex);
        m_snapshot = std::move(snapshot);
        return std::exchange(m_taken, false);
    }
    void markTaken()
    {
        const std::lock_guard guard(m_mutex);
        m_taken = true;
    }
    std::shared_ptr<const monitor::Snapshot> latest() const
    {
        const std::lock_guard guard(m_mutex);
        return m_snapshot;
    }

private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const monitor::Snapshot> m_snapshot = std::make_shared<const monitor::Snapshot>();
    bool m_taken = true;
};

} // namespace lockcore::service
