// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/hold_sight.h"
#include "lockcore/monitor/snapshot.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

struct StatisticsLimits {
    std::chrono::minutes forgetAfter{ 60 }; // nothing happened to the lock for so long
    std::chrono::minutes forgetPassingAfter{ 2 }; // the same, of a lock that was taken but once
    std::size_t locks = 120'000;
    std::size_t durations = 500'000; // of all locks together, for the percentiles
};

/// Where it comes from how long all were kept waiting for a lock.
enum class WaitsKnown : std::uint8_t {
    FromQueues, // see queueSeen()
    AsTold, // by who saw the queues, see setBlocked()
};

/// Counts and measures what happens to each lock. The same hold on several servers is one hold.
class StatisticsStore {
public:
    explicit StatisticsStore(StatisticsLimits limits = {}, WaitsKnown waits = WaitsKnown::FromQueues);

    void heard(const Event &event, MonoTime now);
    /// Who is known to listen in its queue is kept waiting, since when its state says. Who does not listen any more is
    /// kept waiting no longer, and of who was never known to listen only a wait that it got the lock by counts.
    void queueSeen(const LockState &lock, MonoTime now);
    void queueGone(const LockState &lock, MonoTime now); // with the lock itself
    void queueMoved(const LockState &before, const std::string &node); // that server keeps it now
    void setBlocked(const LockName &lock, Millis blocked, std::optional<MonoTime> until, MonoTime now);
    /// Since when each server is lost; absent: it is seen. Empty name: all of them. What goes on there is not known to
    /// go on; of one that was lost and is not named any more nothing new is known.
    void lookAtServers(const std::map<std::string, std::optional<MonoTime>> &unseenSince);
    std::shared_ptr<const StatisticsList> list(MonoTime now); // the same while nothing changes
    const LockStatistics *of(const LockName &lock) const; // null: nothing was seen

private:
    using Micros = std::chrono::microseconds;
    using NodeId = std::uint16_t;

    struct OpenHold { // of one owner on one node
        std::size_t owner = 0; // hash
        NodeId node = 0;
        HoldSight sight{};
        int times = 1; // 2: it reads and writes
        std::optional<MonoTime> began{}; // absent: before it was seen
        std::optional<MonoTime> renewedAt{};
    };
    enum class Life : std::uint8_t {
        Unknown, // whether it waits still
        Listens,
        Ghost, // does not wait
    };
    struct OpenWait {
        std::size_t owner = 0;
        MonoTime since; // it began, or was found
        NodeId node = 0;
        bool isWhole = true; // false: it was found, and began before, or was out of sight
        Life life = Life::Unknown;
        std::optional<MonoTime> until{}; // when it was found to be a ghost, or went out of sight
    };
    struct EndedWait { // the last one of its owner
        std::size_t owner = 0;
        MonoTime since;
    };
    struct Record {
        std::shared_ptr<LockStatistics> numbers;
        bool listed = false; // `numbers` is shared: to be copied before it is changed
        bool changed = false; // is in m_changed
        bool durationsChanged = false;
        std::vector<OpenHold> holds;
        std::vector<OpenWait> waits;
        std::vector<EndedWait> ended; // that an older picture of the queue may show still
        std::optional<std::size_t> lastOwner;
        std::vector<std::uint32_t> durations; // in ms, a ring
        std::size_t nextDuration = 0;
        Micros held{ 0 }, waited{ 0 }, gaps{ 0 };
        Micros blocked{ 0 }; // by waits that are over
        std::optional<MonoTime> blockedUntil{}; // as told
        std::int64_t gapCount = 0;
        MonoTime touchedAt;
    };

    using Entry = std::map<LockName, Record>::value_type;

    Entry &entry(const LockName &lock, MonoTime now);
    void touch(Entry &entry);
    void listAll(MonoTime now);
    void listChanges(MonoTime now);
    LockStatistics &change(Record &record);
    MonoTime seenUntil(NodeId node, MonoTime now) const;
    Micros waitedUntil(const OpenWait &wait, MonoTime now) const;
    MonoTime lastSeen(const OpenWait &wait, MonoTime now) const;
    Micros blockedAt(const Record &record, MonoTime now) const;
    std::optional<MonoTime> blockedUntil(const Record &record, MonoTime now) const;
    void dropFound(Entry &entry, NodeId node, const std::vector<Waiter> &queue, MonoTime now);
    static bool wasOver(Record &record, const Waiter &waiter);
    void waiterSeen(Entry &entry, const LockState &lock, const Waiter &waiter);
    std::vector<OpenWait>::iterator close(Record &record, std::vector<OpenWait>::iterator wait, MonoTime now);
    void queued(Record &record, std::size_t owner, NodeId node, Certainty certainty, MonoTime now);
    void gap(const Event &event, MonoTime now);
    void masterChanged(const Event &event);
    void moveWaits(Record &record, NodeId from, NodeId to);
    static void loseSight(OpenWait &wait, MonoTime since);
    void began(Record &record, std::size_t owner, NodeId node, const Event &event, std::optional<MonoTime> began);
    static void wentOn(Record &record, std::size_t owner, NodeId node, const Event &event);
    void ended(Record &record, std::size_t owner, NodeId node, const Event &event, MonoTime now);
    void renewed(Record &record, std::size_t owner, NodeId node, const Event &event, MonoTime now);
    void waitEnded(Record &record, std::size_t owner, const Event &event, MonoTime now);
    void addDuration(Record &record, Millis duration);
    void finish(Record &record, MonoTime now);
    bool forget(MonoTime now); // true: something was
    NodeId nodeId(const std::string &node);

    const StatisticsLimits m_limits;
    const WaitsKnown m_waitsKnown;
    std::map<LockName, Record> m_records;
    std::map<std::string, NodeId> m_nodes;
    std::map<NodeId, MonoTime> m_unseenSince;
    std::optional<MonoTime> m_allUnseenSince;
    std::shared_ptr<const StatisticsList> m_list;
    std::vector<Entry *> m_changed; // since the last list; where somebody waits, always
    MonoTime m_forgetAt;
};

} // namespace lockcore::monitor
