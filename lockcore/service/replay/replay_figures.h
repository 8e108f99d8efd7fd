// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/rate_meter.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/statistics.h"
#include "lockcore/recording/recording.h"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore::service {

/// The statistics and rates of a recording that is played. Those that were recorded count from when the monitor was
/// opened, which was before the recording began; these count what the recording itself tells. How long was waited does
/// not follow from events alone, which tell neither of ghosts nor of who waited already: of that it is what was added
/// to the recorded figure while something was recorded, and what they had waited by then who stood in a queue when that
/// began.
class ReplayFigures {
public:
    /// What was recorded until that moment; null: it cannot be read.
    using Recorded = std::function<std::shared_ptr<const monitor::Snapshot>(MonoTime)>;

    ReplayFigures() { restart({}); }

    /// `sessions`: from their first frames on.
    void setRecording(std::vector<recording::RecordedSpan> sessions, Recorded recorded);
    void restart(MonoTime since); // what was told is told once more, or from another moment on
    void heard(const monitor::Event &event, MonoTime at);
    /// As it was recorded, with the statistics of what was heard until then.
    std::shared_ptr<const monitor::Snapshot> in(std::shared_ptr<const monitor::Snapshot> recorded, MonoTime at);

private:
    struct Waited {
        Millis blocked{ 0 }; // as it was recorded: since the monitor was opened
        MonoTime until; // as above: those who wait are counted in it
        std::vector<MonoTime> since; // those in its queue that were known to wait

        Millis before(MonoTime counted) const;
    };
    using Waits = std::map<LockName, Waited>;

    /// What is to be added to the recorded figures of one session.
    struct Sums {
        MonoTime since;
        std::size_t session = 0;
        std::map<LockName, Millis> waited; // below zero: until it began
        bool isReadable = true; // false: how much of the figures is from before it began is not known
    };

    void sumUp(MonoTime at);
    std::optional<Waits> waitsAt(MonoTime moment); // absent: they cannot be read
    void takeWaits(const std::shared_ptr<const monitor::StatisticsList> &recorded);
    void countRatesFrom(MonoTime moment);

    std::vector<recording::RecordedSpan> m_sessions;
    Recorded m_recordedAt;
    std::map<MonoTime, Waits> m_ends; // and beginnings of sessions: to find what was recorded then takes a while
    MonoTime m_since;
    std::optional<Sums> m_sums;
    std::shared_ptr<const monitor::StatisticsList> m_taken; // as they were added to the sums; null: not yet
    std::unique_ptr<monitor::StatisticsStore> m_store;
    monitor::RateMeter m_rates;
    std::optional<MonoTime> m_ratesSince; // absent: what was recorded as rates is right
    MonoTime m_at; // of what was counted last
    std::shared_ptr<const monitor::Analysis> m_recorded;
    std::shared_ptr<const monitor::Analysis> m_shown; // the same one while nothing changes
};

} // namespace lockcore::service
