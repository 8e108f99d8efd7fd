// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/play_record.h"

namespace lockui::lab {

void endUnfinished(PlayRecord &record)
{
    for (StepProgress &each : record.progress) {
        if (each.state == StepState::Running)
            each.state = StepState::Stopped;
        else if (each.state == StepState::Waiting)
            each.state = StepState::NotReached;
    }
}

} // namespace lockui::lab
