// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what is drawn on the lanes of a play. The lines that are made of them are in lane_tips.h.
#pragma once

#include "ui/lab/lanes.h"

#include <QString>

namespace lockui::lab {

QString rowText(const LaneRow &row); // `order:17 · thread 2 · read`
QString markText(LaneMark::What what); // `lease ran out`
QString serverMarkText(const ServerMark &mark, const Scenario &scenario); // `server 2: killed with -9`
QString stateText(LaneState::What what); // `dead`
QString serverStateText(const ServerState &state, const Scenario &scenario); // `server 2: down`
QString endText(SpanEnd end); // `released`
QString knownText(Known known); // `measured by the play`, `seen by the monitor`, `inferred`

} // namespace lockui::lab
