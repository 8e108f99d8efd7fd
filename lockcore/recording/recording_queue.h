// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/recording/recording.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockcore {

/// What was seen and is not written yet. Watching never waits for the disk: what is too much for a slow one is left
/// out, snapshots in favour of newer ones, events in favour of a gap.
/// Thread: any.
class RecordingQueue {
public:
    struct Reported {
        EventList events;
        Now at;
    };
    struct Content {
        std::deque<std::shared_ptr<const Snapshot>> snapshots;
        std::vector<Reported> reports;
    };

    void put(std::shared_ptr<const Snapshot> snapshot);
    void put(EventList events, Now now);
    Content take(Now now);

private:
    std::mutex m_mutex;
    Content m_content;
    std::size_t m_events = 0;
    std::optional<Now> m_lostSince;
};

} // namespace lockcore
