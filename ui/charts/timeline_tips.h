// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline.h"

#include <QStringList>

namespace lockui {

class ClientNames;

/// What a place of the timeline says: lines of plain text. What happened after `now` is not known yet.

/// `unseenSince`: of what goes on in its row; absent: it is seen.
QStringList holdTip(const TimelineSpan &hold, const Timeline &timeline, const ClientNames &names,
    lockcore::WallTime now, std::optional<lockcore::WallTime> unseenSince);
QStringList waitTip(const TimelineSpan &wait, const Timeline &timeline, const ClientNames &names,
    lockcore::WallTime now, std::optional<lockcore::WallTime> unseenSince);
QStringList markTip(
    const TimelineMark &mark, const Timeline &timeline, const ClientNames &names, lockcore::WallTime now);
QStringList stepTip(const TimelineLane &lane, lockcore::WallTime at, lockcore::WallTime now);
QString severalTip(bool areWaits, qint64 count, lockcore::WallTime from, lockcore::WallTime to, lockcore::WallTime now);
QString gapTip(const TimelineGap &gap, lockcore::WallTime now);
QString beforeKnownTip(lockcore::WallTime knownFrom, lockcore::WallTime now);
QString beforeKeptTip(lockcore::WallTime keptFrom, lockcore::WallTime now); // it was dropped for want of room
QString beforeCountedTip(lockcore::WallTime countedFrom, lockcore::WallTime now);
/// What a lock was that is gone; empty: that is not known.
QString laneKindText(const TimelineLane &lane);
/// `isDoubtful`: they may wait for a lock of the same name in another database.
QString countedTip(const TimelineCount &counted, bool isDoubtful, lockcore::WallTime now);
/// How many wait now; empty: nobody.
/// `snapshot`: as of `waitingText`.
QString laneWaits(const lockcore::monitor::LockState &lock, const lockcore::monitor::Snapshot *snapshot = nullptr);
/// `lock`: as it is now; null: it is gone.
QStringList laneTip(
    const TimelineLane &lane, const lockcore::monitor::LockState *lock, const lockcore::monitor::Snapshot *snapshot);

} // namespace lockui
