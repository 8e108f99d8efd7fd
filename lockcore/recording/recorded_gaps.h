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
        bool isBetweenSessions = false;
    };

    /// Finds those that no event tells of: between sessions, and since a server was lost until its session ended.
    /// What cannot be read goes to `damage`.
    RecordedGaps(RecordedEvents &events, RecordedFrames &frames, const std::vector<RecordedSpan> &sessions,
        std::vector<Error> &damage);

    const std::vector<Gap> &untold() const { return m_untold; } // by their ends
    /// Makes stale what was not seen at that moment. Events of gaps are read when this is asked for the first time.
    void makeStale(monitor::Snapshot &picture, MonoTime moment, std::vector<Error> &damage);
    /// All of them; and ends of sessions that cannot be read: nothing tells whether anything was seen then.
    std::vector<RecordedSpan> spans(std::vector<Error> &damage);

private:
    /// Whose event was recorded.
    struct ToldGap : Gap {
        /// Who kept the same before its node became the master in this time; absent: not asked for yet.
        std::optional<std::vector<std::string>> formerMasters{};
    };

    void findLosses(const RecordedSpan &session, std::vector<Error> &damage);
    std::vector<ToldGap> &told(std::vector<Error> &damage);
    void makeStale(monitor::Snapshot &picture, ToldGap &gap);

    RecordedEvents &m_events;
    RecordedFrames &m_frames;
    MonoTime m_first; // of the recording
    std::vector<Gap> m_untold;
    std::vector<Gap> m_unreadEnds; // of sessions
    std::optional<std::vector<ToldGap>> m_told; // absent: not asked for yet
};

} // namespace lockcore::recording
