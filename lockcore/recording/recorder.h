// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/recording/recording_database.h"
#include "lockcore/recording/recording_queue.h"

#include <QString>
#include <memory>
#include <optional>

namespace lockcore {

/// Writes what is seen to a file. Each call of `write` is one transaction: after a crash the file ends with the last.
/// Thread: the one that opened it.
class Recorder {
public:
    [[nodiscard]] static Result<std::unique_ptr<Recorder>> open(
        const QString &file, const RecordingLimits &limits, Now now);

    ~Recorder();

    /// Writes only what changed. After a failure nothing more can be written.
    [[nodiscard]] Result<void> write(const RecordingQueue::Content &content, Now now);
    RecordingProgress progress(Now now);

private:
    Recorder(std::unique_ptr<RecordingDatabase> database, const RecordingLimits &limits, Now now);

    bool prepare();
    bool writeAll(const RecordingQueue::Content &content, Now now);
    bool writeFrame(const std::shared_ptr<const Snapshot> &snapshot);
    bool writeEvents(const RecordingQueue::Reported &reported);
    bool writeEvent(const Event &event, MonoTime at);
    bool needsWhole(const Snapshot &snapshot, MonoTime at) const;
    bool keepBounds(MonoTime now);
    bool dropBefore(MonoTime segment);
    bool giveBack();
    std::int64_t segmentBytes() const;
    MonoTime onLine(MonoTime time) const { return time + m_toLine; }

    std::unique_ptr<RecordingDatabase> m_database;
    const RecordingLimits m_limits;
    const Now m_begun;
    MonoTime::duration m_toLine{};
    MonoTime::duration m_wallToLine{}; // until the wall clock is set
    std::int64_t m_session = 0;
    std::shared_ptr<const Snapshot> m_last; // as written
    MonoTime m_lastFrame;
    MonoTime m_wholeAt;
    std::int64_t m_bytesOfWhole = 0;
    std::int64_t m_bytesSince = 0; // of frames and events since the last whole frame
    std::int64_t m_framesSince = 0;
    bool m_wholeNext = true;
    std::int64_t m_events = 0;
};

} // namespace lockcore
