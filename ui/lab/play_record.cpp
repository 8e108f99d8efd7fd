// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/play_record.h"

#include <algorithm>
#include <utility>

namespace lockui::lab {

/// Before its start there was nothing to hold back.
void endHeldBack(PlayRecord &record, lockcore::MonoTime at)
{
    const auto since = std::exchange(record.heldSince, std::nullopt);
    if (since && record.start)
        record.heldBack += std::chrono::duration_cast<lockcore::Millis>(at - std::max(*since, record.start->mono));
}

void endUnfinished(PlayRecord &record, const lockcore::Now &at)
{
    endHeldBack(record, at.mono);
    if (record.start && !record.end)
        record.end = at;
    for (StepProgress &each : record.progress) {
        if (each.state == StepState::Running)
            each.state = StepState::Stopped;
        else if (each.state == StepState::Waiting)
            each.state = StepState::NotReached;
    }
}

} // namespace lockui::lab
