// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/fencing_tokens.h"
#include "lockcore/monitor/lock_filter.h"
#include "lockcore/monitor/lost_holds.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/statistics.h"
#include "lockcore/monitor/suspects.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockcore::monitor {

struct AnalystSettings {
    std::string keyPattern{}; // what other locks do is not seen
    LockFilter suspectsOf{}; // what is wrong with other locks is neither listed nor counted
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
    struct FreeChannel {
        MonoTime since;
        Finding finding;
    };

    void follow(const LockList &locks);
    void gone(const LockState &lock);
    void replaced(const LockState &before, const LockState &after);
    void lookAtNodes(const Snapshot &snapshot);
    void lookAtLocks();
    MonoTime examine(const LockState &lock);
    bool examineOne(const LockState &lock);
    std::vector<Finding> findingsIn(const LockState &lock) const;
    std::vector<Finding> findingsAt(const FindingPlace &place) const;
    void lookAtChannels(const Snapshot &snapshot);
    bool stoodWhenLost(const WaitCycle &cycle) const;
    void drawGraph();
    const LockState *find(const LockName &lock) const;
    bool isWanted(const LockName &lock) const;
    bool isStale(const std::string &node) const;
    bool isStale(const LockState &lock) const;

    const AnalystSettings m_settings;
    StatisticsStore m_statistics;
    SuspectStore m_suspects;
    LostHolds m_lostHolds;
    FencingTokens m_tokens;
    Now m_now;
    LockList m_locks;
    std::vector<MonoTime> m_lookAt; // at each of them again; MonoTime::max(): when it changes
    std::size_t m_nextRecheck = 0;
    std::set<std::string> m_staleNodes;
    std::set<std::string> m_silentNodes; // their changes are not announced
    std::set<std::string> m_sharedNodes; // their channels are those of several databases
    bool m_allStale = false;
    bool m_allLive = false;
    bool m_queuesChanged = false;
    std::optional<MonoTime> m_lookAtAllFrom; // on: what was out of sight is read again until then
    std::map<FindingPlace, FreeChannel> m_freeChannels;
    std::map<WaitCycle, MonoTime> m_cycles; // and since when
    std::shared_ptr<const WaitGraph> m_graphNow;
    std::shared_ptr<const WaitGraph> m_graph; // without what has not lasted
    std::shared_ptr<const Analysis> m_last;
};

} // namespace lockcore::monitor
