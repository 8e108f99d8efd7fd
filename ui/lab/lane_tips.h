// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of things on the lanes of a play, where somebody points at them in the window or in a report: a line
// each.
#pragma once

#include "ui/lab/lanes.h"

#include <QStringList>

namespace lockui::lab {

QStringList holdTip(const PlayRecord &record, const ClientLane &lane, const LaneRow &row, const LaneHold &hold);
QStringList believedTip(
    const PlayRecord &record, const LaneHold &hold); // of one whose client was told of its end later
QStringList waitTip(const PlayRecord &record, const ClientLane &lane, const LaneRow &row, const LaneWait &wait);
QStringList ghostTip(const PlayRecord &record, const ClientLane &lane, const LaneRow &row, const LaneGhost &ghost);
QStringList renewalTip(const PlayRecord &record, const LaneRow &row, const LaneRenewal &renewal);
QStringList markTip(const PlayRecord &record, const LaneMark &mark);
QStringList stateTip(const PlayRecord &record, const LaneState &state);
QStringList serverMarkTip(const PlayRecord &record, const ServerMark &mark);
QStringList serverStateTip(const PlayRecord &record, const ServerState &state);
QStringList gapTip(const PlayRecord &record, const LaneGap &gap);

} // namespace lockui::lab
