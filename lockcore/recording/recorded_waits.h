// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/wait_count.h"
#include "lockcore/recording/frame.h"

#include <QVariant>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lockcore::recording {

class RecordingDatabase;

/// How many waited for locks without a queue, and which clients of the program that recorded it, over time, as the
/// pictures of a recording tell: events do not. What was read is kept, so that no way to and fro reads a picture twice;
/// of too much the oldest goes. What is damaged is left out: it fails where it is shown.
/// Cost: a jump reads no more than so many frames back, each in some ten microseconds.
/// Thread: that of the database.
class RecordedWaits {
public:
    static constexpr std::size_t Most = 200'000; // changes
    static constexpr int MostFrames = 5'000; // back from a moment
    static constexpr qint64 MostBytes = 4'000'000; // of these

    explicit RecordedWaits(RecordingDatabase &database);

    /// All from one moment until another is known afterwards; if there is too much of it, from a later one on.
    void read(MonoTime from, MonoTime to);
    MonoTime since() const { return m_since; } // it is known from then on
    /// As they were at that moment, without those for which nobody waited.
    std::vector<monitor::WaitCount> at(MonoTime moment, WallTime wall) const;
    /// What is to be told to who knows how it was at the first moment. Where `since` is in between, what led there was
    /// left out: who waited then, by that moment's wall time, and who of those before did no longer.
    std::vector<monitor::WaitCount> changes(MonoTime after, MonoTime to, WallTime since) const;

private:
    struct Change {
        MonoTime at;
        monitor::WaitCount count;
    };
    /// A wait that is known apart from the server.
    struct Standing {
        MonoTime since;
        WallTime wall; // likewise
    };
    using Standings = std::map<std::pair<LockName, OwnerId>, Standing>;

    bool leadsTo(MonoTime from) const;
    MonoTime earliestBefore(MonoTime to, MonoTime after);
    void begin(MonoTime from);
    void forgetBefore(MonoTime moment);
    void take(const QVariantList &row, const QVariant &sum);
    template <typename Visit>
    void visitChanges(bool isSameLine, Visit visit);
    bool beginsSession(MonoTime frameBefore, MonoTime frame);
    Standings standings(bool isSameLine) const;
    std::optional<bool> hasGot(const LockName &lock, const OwnerId &owner, MonoTime since) const;

    RecordingDatabase &m_database;
    Replayed m_replayed;
    monitor::LockList m_locks; // of the last frame that was read
    std::shared_ptr<const std::vector<monitor::KnownWait>> m_knownWaits; // likewise
    Standings m_standings; // these
    std::int64_t m_sum = 0; // the checksum of that one
    bool m_isWhole = false; // m_replayed: no frame is missing before the next one
    bool m_isBroken = false; // one was missing since the last whole one
    MonoTime m_since;
    std::optional<MonoTime> m_reached; // absent: nothing was read
    monitor::WaitCountState m_atFirst; // at m_since
    std::deque<Change> m_changes; // after that
    std::vector<monitor::WaitCount> m_left; // who waited when it was begun anew, on the way of the last reading
};

} // namespace lockcore::recording
