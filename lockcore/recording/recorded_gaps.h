// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/recording/recorded_events.h"
#include "lockcore/recording/recording.h"

#include <optional>
#include <string>
#include <vector>

namespace lockcore::recording {

class RecordedFrames;

/// Times of which nothing was seen while something was recorded. The event of a gap is recorded when it is over; until
/// it was noticed, pictures were recorded as if they were live.
/// Thread: that of the readers, which outlive it.
class RecordedGaps {
public:
    struct Gap {
        RecordedSpan time;
        std::string node; // empty: all
    };

    /// Finds those that no event tells of: between sessions, and since a server was lost until its session ended.
    /// What cannot be read goes to `damage`.
    RecordedGaps(RecordedEvents &events, RecordedFrames &frames, const std::vector<RecordedSpan> &sessions,
        std::vector<Error> &damage);

    const std::vector<Gap> &untold() const { return m_untold; } // by their ends
    /// Makes stale what was not seen at that moment.
    void makeStale(monitor::Snapshot &picture, MonoTime moment);
    /// All of them; and ends of sessions that cannot be read: nothing tells whether anything was seen then.
    std::vector<RecordedSpan> spans() const;

private:
    /// Whose event was recorded.
    struct ToldGap : Gap {
        /// Who kept the same before its node became the master in this time; absent: not asked for yet.
        std::optional<std::vector<std::string>> formerMasters{};
    };

    void readTold(const std::vector<RecordedSpan> &sessions, std::vector<Error> &damage);
    void findLosses(const RecordedSpan &session, std::vector<Error> &damage);
    std::optional<MonoTime> toldUntil(const RecordedSpan &loss, const std::string &node) const;
    void makeStale(monitor::Snapshot &picture, ToldGap &gap);

    RecordedEvents &m_events;
    RecordedFrames &m_frames;
    std::vector<ToldGap> m_told;
    std::vector<Gap> m_untold;
    std::vector<RecordedSpan> m_between; // sessions, until the first picture of the next one
    std::vector<RecordedSpan> m_unreadEnds; // of sessions
};

} // namespace lockcore::recording
