// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn on the lanes of a play, in words.
#pragma once

#include "ui/lab/lanes.h"

#include <QString>

namespace lockui::lab {

QString rowText(const LaneRow &row); // `order:17 · thread 2 · read`
QString markText(LaneMark::What what); // `lease ran out`
QString serverMarkText(const ServerMark &mark, const Scenario &scenario); // `server 2: killed`
QString stateText(LaneState::What what); // `dead`
QString stateText(ServerState::What what); // `down`
QString endText(SpanEnd end); // `released`
QString knownText(Known known); // `measured`, `seen`, `inferred`

QString sinceStartText(const Lanes &lanes, lockcore::MonoTime at); // `1.234 s`

/// A sentence each, for tool tips and for who cannot see the picture.
QString holdText(const Lanes &lanes, const LaneRow &row, const LaneHold &hold);
QString believedText(const Lanes &lanes, const LaneHold &hold); // of one whose client was told of its end only later
QString waitText(const Lanes &lanes, const LaneRow &row, const LaneWait &wait);
QString ghostText(const Lanes &lanes, const LaneRow &row, const LaneGhost &ghost);

} // namespace lockui::lab
