// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/statistics.h"

#include <memory>
#include <vector>

namespace lockcore::service {

/// The statistics of a recording that is played. Those that were recorded count from when the monitor was opened, which
/// was before the recording began; these count what the recording itself tells.
class ReplayFigures {
public:
    void restart(); // what was told is told once more, or from another moment on
    void heard(const monitor::Event &event, MonoTime at);
    /// As it was recorded, with the statistics of what was heard until then.
    std::shared_ptr<const monitor::Snapshot> in(std::shared_ptr<const monitor::Snapshot> recorded, MonoTime at);

private:
    std::unique_ptr<monitor::StatisticsStore> m_store = std::make_unique<monitor::StatisticsStore>();
    MonoTime m_at; // of what was counted last
    std::shared_ptr<const monitor::Analysis> m_recorded;
    std::shared_ptr<const monitor::Analysis> m_shown; // the same one while nothing changes
};

} // namespace lockcore::service
