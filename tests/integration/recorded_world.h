// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <map>
#include <memory>
#include <random>

namespace recordingtest {

/// Locks that change at random, seen as the monitor sees them: what does not change keeps its pointer.
class World {
public:
    explicit World(unsigned seed, int locks = 60)
        : m_random(seed)
        , m_size(locks)
    {
    }

    /// Some locks changed, some are gone, some new.
    std::shared_ptr<const lockcore::monitor::Snapshot> next(lockcore::Now now, int changes);
    lockcore::monitor::Event event(lockcore::Now now);

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
    bool maybe() { return below(2) == 0; }
    std::string text(int length);
    lockcore::OwnerId owner();
    lockcore::synchronizers::Kind anyKind();
    lockcore::LockName name() { return "lock:" + std::to_string(below(m_size)) + std::string("\xff\0x", 3); }
    lockcore::monitor::LockState lock(
        const lockcore::LockName &name, lockcore::Now now, const lockcore::monitor::LockState *before);
    lockcore::monitor::SourceStatus status(lockcore::Now now);
    std::shared_ptr<const lockcore::monitor::Analysis> analysis(lockcore::Now now);

    std::minstd_rand m_random;
    int m_size;
    std::uint64_t m_revision = 0;
    std::map<lockcore::LockName, std::shared_ptr<const lockcore::monitor::LockState>> m_locks;
    std::map<lockcore::LockName, std::shared_ptr<const lockcore::monitor::LockStatistics>> m_statistics;
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::shared_ptr<const std::vector<lockcore::monitor::ChannelState>> m_channels;
    std::shared_ptr<const std::vector<lockcore::monitor::KnownWait>> m_knownWaits;
    std::shared_ptr<const std::vector<lockcore::monitor::KnownHold>> m_knownHolds;
};

} // namespace recordingtest
