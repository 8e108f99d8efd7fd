// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::recording {

/// When a frame is, on the time line of the recording: microseconds since the epoch, which never run backwards.
struct FrameTime {
    MonoTime at;
    WallTime wall; // what the wall clock said, however it was set since
    MonoTime::duration toLine{}; // from the clock of the snapshot to the time line
};

/// What is in `next` and not in `previous`; previous null: all of it.
std::string encodeFrame(const monitor::Snapshot &next, const monitor::Snapshot *previous, const FrameTime &time);

/// When all keys of a server, or without its name of all, had been looked at for the last time, as that frame tells;
/// absent: it does not tell of it, or there was something that could not be seen then.
std::optional<MonoTime> lastLookIn(std::string_view frame, MonoTime at, bool isNumbered, const std::string &node = {});

/// What had been seen up to a frame, put together from a whole frame and those after it. Its clock is the time
/// line of the recording.
class Replayed {
public:
    /// `isNumbered`: whether the fields in its frames have numbers, as they have since version 3.
    explicit Replayed(bool isNumbered)
        : m_isNumbered(isNumbered)
    {
    }

    [[nodiscard]] Result<void> start(std::string_view wholeFrame, MonoTime at);
    [[nodiscard]] Result<void> add(std::string_view frame, MonoTime at);

    MonoTime frameAt() const { return m_at; }
    WallTime wall() const { return m_frame.takenAt.wall; } // of the frame
    const monitor::LockList &locks() const { return m_locks; }
    const std::shared_ptr<const std::vector<monitor::KnownWait>> &knownWaits() const { return m_frame.knownWaits; }
    const std::shared_ptr<const std::vector<monitor::KnownHold>> &knownHolds() const { return m_frame.knownHolds; }
    /// `at` is not before the frame.
    std::shared_ptr<monitor::Snapshot> snapshot(MonoTime at);

private:
    class Reader;

    bool m_isNumbered;
    MonoTime m_at;
    monitor::Snapshot m_frame; // all but what the others keep
    monitor::LockList m_locks;
    bool m_analysed = false;
    bool m_analysisChanged = false;
    monitor::Analysis m_analysis;
    monitor::StatisticsList m_statistics;
    std::uint64_t m_revision = 0;
};

} // namespace lockcore::recording
