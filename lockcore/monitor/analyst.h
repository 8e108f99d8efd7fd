// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/lost_holds.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/statistics.h"
#include "lockcore/monitor/suspects.h"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockcore {

struct AnalystSettings {
    std::string keyPattern{}; // what other locks do is not seen
    std::size_t suspects = 1'000; // at most so many are listed
    std::size_t rechecks = 2'000; // locks looked at again in one run though nothing happened to them
    std::size_t channels = 5'000; // looked at in one run
};

/// Draws conclusions from all that the monitor sees: statistics, suspects, who waits for whom.
/// A run costs little where little changed: what did not is not looked at.
/// Thread: any (no shared state).
class Analyst {
public:
    explicit Analyst(AnalystSettings settings = {});

    void heard(const std::vector<Event> &events, MonoTime now);
    /// To be called about once a second; never null, the same value while nothing changes.
    std::shared_ptr<const Analysis> look(const Snapshot &snapshot, Now now);

private:
    using Lock = std::shared_ptr<const LockState>;
    struct Known {
        Lock lock;
        MonoTime lookAt; // MonoTime::max(): when it changes
        bool suspected = false;
    };

    void follow(const Snapshot &snapshot);
    void replaced(const LockState &before, const LockState &after);
    void lookAtNodes(const Snapshot &snapshot);
    void lookAtLocks();
    void examine(Known &known, const LockState *twin);
    std::size_t examineOne(const LockState &lock, const LockState *twin);
    const LockState *twinOf(std::size_t place) const;
    void lookAtChannels(const Snapshot &snapshot);
    void drawGraph();
    const LockState *find(const LockName &lock) const;
    bool isStale(const std::string &node) const;

    const AnalystSettings m_settings;
    StatisticsBook m_statistics;
    SuspectBook m_suspects;
    LostHolds m_lostHolds;
    Now m_now;
    std::vector<Known> m_known; // by name
    std::size_t m_nextRecheck = 0;
    std::set<std::string> m_staleNodes;
    std::set<std::string> m_silentNodes; // their changes are not announced
    bool m_allStale = false;
    bool m_allLive = false;
    bool m_queuesChanged = false;
    std::map<TroublePlace, MonoTime> m_freeSince; // of channels
    std::map<WaitCycle, MonoTime> m_cycles; // and since when
    WaitGraph m_graphNow;
    std::shared_ptr<const WaitGraph> m_graph; // without what has not lasted
    std::shared_ptr<const Analysis> m_last;
};

} // namespace lockcore
