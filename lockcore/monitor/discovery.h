// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/engine_io.h"
#include "lockcore/monitor/read_queue.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lockcore::monitor {

/// Sweeps over all keys, page by page, one page at a time: the first as fast as the server answers, later ones with a
/// rest after each answer, the longer the more time that took: their share of the server is small, and smaller while
/// others keep it busy.
/// Where nothing else tells of new locks, sweeps follow each other closely: they take up to an eleventh of the server's
/// time, and how long they take is how soon a new lock is found.
class Discovery {
public:
    explicit Discovery(const EngineSettings &settings)
        : m_settings(settings)
    {
    }

    void start(MonoTime now); // anew, at full speed
    void stop();
    void hurry(MonoTime now); // the next sweep begins now, or as soon as the one that runs is done
    void setAlone(bool alone, MonoTime now); // nothing else tells of new locks
    void pauseChanged(); // the settings say so: it counts from the end of the last sweep

    /// The page to ask for now, if any. Waits while many names of earlier pages are still to be read.
    std::optional<action::ScanPage> take(WorkId id, MonoTime now, std::size_t namesToRead);
    /// False: not the page that was asked for.
    bool scanned(const input::PageScanned &page, MonoTime now);
    bool failed(WorkId scan, MonoTime now, bool refused);
    void sweptRead(MonoTime sentAt, MonoTime now); // a batch of what pages told of
    SweptReads sweptReads(MonoTime now) const;
    /// True once: all pages are there, and all names on them have been read.
    bool finishes(MonoTime now, std::size_t namesToRead);

    bool isFirst() const { return m_first; }
    bool isRefused() const { return m_refused; } // we may not sweep
    MonoTime startedAt() const { return m_startedAt; }
    double progress() const;
    const SweepInfo &sweep() const { return m_sweep; }
    std::optional<MonoTime> next(MonoTime now, std::size_t namesToRead) const;
    /// While nothing else tells of new locks: one that is held for less may be missed. Absent: not known yet.
    std::optional<Millis> findsWithin() const { return m_findsWithin; }

private:
    enum class State { Stopped, Resting, Paused, Asked, Reading };
    using Duration = MonoTime::duration;

    bool mayAsk(std::size_t namesToRead) const;
    void rest(Duration answerTook, MonoTime now);
    Millis pause() const;
    void promise(Millis sweepTook);

    const EngineSettings &m_settings;
    State m_state = State::Stopped;
    bool m_first = true;
    bool m_refused = false;
    bool m_alone = false;
    bool m_paced = false; // the running sweep rests as those do that are alone
    std::optional<Millis> m_findsWithin;
    bool m_again = false; // what the running sweep has passed may have changed
    synchronizers::SweepPosition m_position;
    std::int64_t m_keysPassed = 0;
    WorkId m_scan{};
    MonoTime m_startedAt;
    MonoTime m_dueAt;
    MonoTime m_askedAt;
    MonoTime m_restUntil;
    std::optional<Duration> m_fastest; // answer
    SweepInfo m_sweep;
};

} // namespace lockcore::monitor
