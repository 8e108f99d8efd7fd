// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/wait_count.h"
#include "lockcore/recording/recording.h"

#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore::recording {

class RecordedEvents;
class RecordedFrames;
class RecordedGaps;
class RecordedWaits;
class RecordingDatabase;

/// Reads a recording. All times are those of its time line, also in the snapshots that it gives.
/// Errors: local/file-failed.
/// Thread: the one that opened it.
class LOCKCORE_EXPORT Player {
public:
    [[nodiscard]] static Result<std::unique_ptr<Player>> open(const QString &file);
    ~Player();

    const RecordedSpan &span() const { return m_span; }
    /// When it was recorded; between them nobody looked.
    const std::vector<RecordedSpan> &sessions() const { return m_sessions; }
    /// The same, each from the first picture in it on: before that at() tells of the session before.
    const std::vector<RecordedSpan> &sessionFrames();
    /// Which server it is of, by the last picture that can be read; empty: none can.
    std::string server();
    /// As many as replaying tells: with the untold gaps.
    std::int64_t eventCount() const { return m_eventCount; }
    /// Gaps of which no event was recorded: of all servers between each two sessions, when nobody looked, and of a
    /// server that was lost when a session ended. Those that are over after `after` and not after `to`, oldest first.
    std::vector<monitor::Event> untoldGaps(MonoTime after, MonoTime to) const;

    /// What the wall clock said at a moment.
    WallTime wallAt(MonoTime moment) const;
    /// The moment at which the wall clock said so; where it did so twice, because it was set back, the later one.
    /// Absent: it never did while something was recorded.
    std::optional<MonoTime> momentAt(WallTime wall) const;
    /// What a person should know of the recording as a whole, as an error that is none; absent: it is as it was made.
    std::optional<Error> warning() const;
    /// Places that could not be read so far, of which the rest is told as if they were not there: gaps, whether a
    /// server was seen when a session ended, since when something was that a session began with, and what
    /// told() leaves out. Each once, as it was found.
    const std::vector<Error> &damage() const { return m_damage; }

    std::string context() const; // which recording, for errors

    /// What was seen at that moment; between two sessions, or in a gap, what was seen last, stale. That includes gaps
    /// that were noticed only later: the picture of that time was recorded as if it were live.
    [[nodiscard]] Result<std::shared_ptr<const monitor::Snapshot>> at(MonoTime moment);

    /// Those after `after` and not after `to`, oldest first; of too many the last.
    [[nodiscard]] Result<std::vector<monitor::Event>> events(MonoTime after, MonoTime to, int most);
    /// All that is told of a time, untold gaps as well.
    struct Told {
        std::vector<RecordedEvent> events; // oldest first
        MonoTime after; // nothing is missing from then on; later than was asked for where there are too many, or
        bool isDamaged = false; // some cannot be read
    };
    Told told(MonoTime after, MonoTime to, int most);
    /// All events that can be read, until `visit` says false. Failed: some cannot be, the first of them there.
    [[nodiscard]] Result<void> visitEvents(
        MonoTime after, MonoTime to, const std::function<bool(const monitor::Event &)> &visit);
    /// The moment at which the next event, or the one before, is first to be seen; absent: there is none.
    std::optional<MonoTime> nextEvent(MonoTime after);
    std::optional<MonoTime> previousEvent(MonoTime before);
    /// When all keys of a server, or without its name of all, had been looked at again, at that moment or later;
    /// absent: not as far as was recorded. A session begins with what its monitor knew by then, which is as good as a
    /// look.
    [[nodiscard]] Result<std::optional<MonoTime>> lookFrom(MonoTime moment, const std::string &node = {});
    /// How many waited for locks without a queue, and which clients of the program that recorded it: as it was at
    /// `from`, and what changed after it and not after `to`.
    /// `from` comes out later where there is too much of it.
    std::vector<monitor::WaitCount> waitCounts(MonoTime &from, MonoTime to);
    std::vector<monitor::WaitCount> waitChanges(MonoTime after, MonoTime to);
    /// How many events there were in each of so many equal parts; none where that is damaged.
    std::vector<std::int64_t> density(int parts);
    /// Times of which nothing was seen, told or not; and ends of sessions that cannot be read: nothing tells whether
    /// anything was seen then.
    std::vector<RecordedSpan> gaps() const;

private:
    /// From `first` on the time line is so much ahead of the wall clock.
    struct ClockSpan {
        MonoTime first;
        MonoTime::duration ahead;
    };

    explicit Player(std::unique_ptr<RecordingDatabase> database);

    Result<void> readExtent();
    Result<void> readSessions(MonoTime firstFrame);
    Result<void> readClock();
    const monitor::Snapshot *beginningAt(MonoTime at);
    void tellWhatWasKnown(monitor::Event &event, MonoTime at);
    std::vector<RecordedEvent> untoldEvents(MonoTime after, MonoTime to) const;
    void passOver(const std::vector<Error> &damage);
    MonoTime firstSeen(MonoTime event);

    std::unique_ptr<RecordingDatabase> m_database;
    std::unique_ptr<RecordedEvents> m_events;
    std::unique_ptr<RecordedFrames> m_frames;
    std::unique_ptr<RecordedWaits> m_waits;
    std::unique_ptr<RecordedGaps> m_gaps; // once its extent is known
    RecordedSpan m_span;
    std::vector<RecordedSpan> m_sessions;
    std::vector<ClockSpan> m_clock; // by time, and never empty
    std::vector<Error> m_damage;
    std::int64_t m_eventCount = 0;
    std::optional<std::vector<RecordedSpan>> m_sessionFrames; // absent: not asked for yet
    std::optional<MonoTime> m_beginningAt; // absent: none was asked for
    std::shared_ptr<const monitor::Snapshot> m_beginning; // what a session began with; null: none begins then
};

} // namespace lockcore::recording
