// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/recording/frame.h"
#include "lockcore/recording/recording.h"
#include "lockcore/recording/recording_database.h"

#include <QString>
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockcore::recording {

/// How a limit is divided: the pages in use hold two segments, of which the older one goes when a third begins; the
/// rest is for the write-ahead log, in which a whole frame passes once.
class SizeBudget {
public:
    explicit SizeBudget(std::optional<std::int64_t> limit)
        : m_limit(limit)
    {
    }

    bool isLimited() const { return m_limit.has_value(); }
    bool isSmall() const { return m_limit && *m_limit < Small; }

    /// How far the log grows before it is brought into the file, and a transaction as well.
    std::int64_t checkpointBytes() const { return isSmall() ? SmallCheckpoint : Checkpoint; }

    /// Of a file with whole frames of that size.
    std::int64_t fileBytes(std::int64_t whole) const { return *m_limit - logBytes(whole, checkpointBytes()); }

    /// Of the changes after a whole frame, until the next is worth while: a jump to any moment reads no more.
    std::int64_t segmentBytes(std::int64_t whole) const
    {
        if (!m_limit)
            return std::max(Segment, whole / 2);
        const auto wanted = std::max(std::min(Segment, *m_limit / 16), whole / 2);
        return std::min(wanted, std::max(fileBytes(whole) / 2 - onDisk(whole), whole / 8));
    }

    bool holds(std::int64_t whole) const
    {
        return !m_limit || fileBytes(whole) >= 2 * onDisk(whole + whole / 8) + Rest;
    }

    /// The least limit that does, with some room for locks that grow.
    static std::int64_t leastFor(std::int64_t whole)
    {
        const auto file = 2 * onDisk(whole + whole / 2) + Rest;
        const auto small = file + logBytes(whole, SmallCheckpoint);
        const auto least = small < Small ? small : file + logBytes(whole, Checkpoint);
        return (least / 100'000 + 1) * 100'000;
    }

    static std::int64_t onDisk(std::int64_t bytes) { return bytes + bytes / 32 + (16 << 10); }

private:
    static constexpr std::int64_t Segment = 2 << 20;
    static constexpr std::int64_t Small = 16 << 20;
    static constexpr std::int64_t SmallCheckpoint = 64 << 10;
    static constexpr std::int64_t Checkpoint = 512 << 10;
    static constexpr std::int64_t Rest = 64 << 10; // pages that are there, or written, whatever is recorded

    static std::int64_t logBytes(std::int64_t whole, std::int64_t checkpoint)
    {
        return onDisk(whole) + 2 * checkpoint + Rest;
    }

    std::optional<std::int64_t> m_limit;
};

/// What was seen and is not written yet. Watching never waits for the disk: what is too much for a slow one is left
/// out, snapshots in favour of newer ones, events in favour of a gap.
/// Thread: any.
class RecordingQueue {
public:
    struct Reported {
        monitor::EventList events;
        Now at;
    };
    struct Content {
        std::deque<std::shared_ptr<const monitor::Snapshot>> snapshots;
        std::vector<Reported> reports;
    };

    void put(std::shared_ptr<const monitor::Snapshot> snapshot);
    void put(monitor::EventList events, Now now);
    bool hasSnapshot() const;
    Content take(Now now);

private:
    mutable std::mutex m_mutex;
    Content m_content;
    std::size_t m_events = 0;
    std::optional<Now> m_lostSince;
};

/// Writes what is seen to a file. After a crash it ends with the last transaction: a call of `write`, or a part of one
/// that is too much for a limit at once.
/// Thread: the one that opened it.
class RecordingWriter {
public:
    [[nodiscard]] static Result<std::unique_ptr<RecordingWriter>> open(
        const QString &file, const RecordingLimits &limits, Now now);

    ~RecordingWriter();

    /// Writes only what changed. After a failure nothing more can be written.
    [[nodiscard]] Result<void> write(const RecordingQueue::Content &content, Now now);
    RecordingProgress progress(Now now);

private:
    RecordingWriter(std::unique_ptr<RecordingDatabase> database, const RecordingLimits &limits, Now now);

    bool prepare();
    bool insert(const char *statement, QVariantList values); // and their checksum
    bool noteClock(Now now);
    bool writeAll(const RecordingQueue::Content &content, Now now);
    bool writeFrame(const std::shared_ptr<const monitor::Snapshot> &snapshot);
    bool writeWhole(const std::shared_ptr<const monitor::Snapshot> &snapshot, const FrameTime &time);
    bool insertFrame(const std::shared_ptr<const monitor::Snapshot> &snapshot, const FrameTime &time,
        const std::string &data, bool whole);
    bool writeEvents(const RecordingQueue::Reported &reported);
    bool writeAppeared(const monitor::Snapshot &snapshot, MonoTime at);
    bool writeAppeared(const monitor::LockState &lock, const monitor::Snapshot &snapshot, MonoTime at);
    bool writeEvent(const monitor::Event &event, MonoTime at);
    bool beginSegment(MonoTime at);
    bool commitPart(MonoTime last);
    bool setEnd(MonoTime last);
    bool needsWhole(const monitor::Snapshot &snapshot, MonoTime at) const;
    bool keepAge(MonoTime now);
    bool keepSize(std::int64_t more);
    bool dropSegments(std::int64_t most, std::int64_t youngest);
    bool dropBefore(MonoTime segment);
    bool giveBack();
    Error tooSmall(std::size_t locks, std::int64_t whole) const;
    MonoTime onLine(MonoTime time) const { return time + m_toLine; }

    std::unique_ptr<RecordingDatabase> m_database;
    const RecordingLimits m_limits;
    const SizeBudget m_budget;
    const Now m_begun;
    MonoTime::duration m_toLine{};
    MonoTime::duration m_wallToLine{}; // until the wall clock is set
    std::int64_t m_session = 0;
    std::shared_ptr<const monitor::Snapshot> m_last; // the last one that was written
    MonoTime m_firstFrame;
    MonoTime m_lastFrame;
    std::int64_t m_frameSum = 0; // of the last frame
    std::optional<MonoTime::duration> m_lineAhead; // of the wall clock, as noted last
    FrameTime m_seen; // when m_last was
    MonoTime m_wholeAt;
    std::int64_t m_bytesOfWhole = 0;
    std::int64_t m_bytesSince = 0; // of frames and events since the last whole frame
    std::int64_t m_framesSince = 0;
    std::int64_t m_bytesUncommitted = 0;
    std::int64_t m_events = 0;
    std::optional<Error> m_refused; // by us rather than by the database
};

} // namespace lockcore::recording
