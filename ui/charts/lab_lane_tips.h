// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of things on the lanes of a play: a line each.
#pragma once

#include "ui/lab/lanes.h"

#include <QStringList>

namespace lockui {

QStringList holdTip(
    const lab::PlayRecord &record, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneHold &hold);
QStringList waitTip(
    const lab::PlayRecord &record, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneWait &wait);
QStringList ghostTip(
    const lab::PlayRecord &record, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneGhost &ghost);
QStringList renewalTip(const lab::PlayRecord &record, const lab::LaneRow &row, const lab::LaneRenewal &renewal);
QStringList markTip(const lab::PlayRecord &record, const lab::LaneMark &mark);
QStringList stateTip(const lab::PlayRecord &record, const lab::LaneState &state);
QStringList serverMarkTip(const lab::PlayRecord &record, const lab::ServerMark &mark);
QStringList serverStateTip(const lab::PlayRecord &record, const lab::ServerState &state);
QStringList gapTip(const lab::PlayRecord &record, const lab::LaneGap &gap);

/// The same in a word or two, beside what is drawn.
QString labelOf(lab::LaneMark::What what);
QString labelOf(lab::ServerMark::What what);

} // namespace lockui
