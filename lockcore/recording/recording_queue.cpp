// SPDX-License-Identifier: Apache-2.0
#include "lockcore/recording/recording_queue.h"

#include <utility>

namespace lockcore {

namespace {
constexpr std::size_t MostSnapshots = 500; // five seconds of them
constexpr std::size_t MostEvents = 200'000;
} // namespace

void RecordingQueue::put(std::shared_ptr<const Snapshot> snapshot)
{
    const std::lock_guard guard(m_mutex);
    if (m_content.snapshots.size() == MostSnapshots)
        m_content.snapshots.pop_back();
    m_content.snapshots.push_back(std::move(snapshot));
}

void RecordingQueue::put(EventList events, Now now)
{
    const std::lock_guard guard(m_mutex);
    if (m_events + events->size() > MostEvents) {
        if (!m_lostSince)
            m_lostSince = now;
        return;
    }
    m_events += events->size();
    m_content.reports.push_back({ std::move(events), now });
}

RecordingQueue::Content RecordingQueue::take(Now now)
{
    const std::lock_guard guard(m_mutex);
    if (const auto lost = std::exchange(m_lostSince, std::nullopt)) {
        Event gap;
        gap.at = now.wall;
        gap.kind = EventKind::Gap;
        gap.ttl = std::chrono::duration_cast<Millis>(now.mono - lost->mono);
        m_content.reports.push_back({ std::make_shared<const std::vector<Event>>(1, gap), now });
    }
    m_events = 0;
    return std::exchange(m_content, {});
}

} // namespace lockcore
