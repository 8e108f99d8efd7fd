// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"

#include <QString>

namespace lockui {

class ClientNames;

/// `Renewal late`
QString suspectTitle(lockcore::monitor::SuspectKind kind);

/// What was seen, with its numbers: one sentence or more.
QString observationText(const lockcore::monitor::Observation &seen);

/// What was seen, and of whom: one line. What is concluded says so.
QString suspectText(const lockcore::monitor::Suspect &suspect, const ClientNames *names);

/// The figures of one lock since the connection was opened, in one line; empty: nothing was seen to happen.
/// Holds were seen from beginning to end: before that numbers tell little more than for how long one has looked.
inline bool sawWholeHolds(const lockcore::monitor::LockStatistics &numbers) { return numbers.holds > 0; }
QStringList statisticsTexts(const lockcore::monitor::LockStatistics &numbers); // each of one kind of figure
QString statisticsText(const lockcore::monitor::LockStatistics &numbers); // all of them

/// Who waits for what, and who holds that, once around.
QString cycleText(const lockcore::monitor::WaitCycle &cycle, const ClientNames *names);

} // namespace lockui
