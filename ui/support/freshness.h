// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>
#include <set>
#include <string>

namespace lockui {

class ViewClock;

/// Of several servers one is enough: what the others had is said to be stale where it is shown.
bool isFresh(const lockcore::Snapshot &snapshot);

/// The servers that are lost while others are watched.
std::set<std::string> lostServers(const lockcore::Snapshot &snapshot);

/// `14:02:11`: when a picture was paused.
QString pauseText(lockcore::MonoTime since, const ViewClock &clock);

} // namespace lockui
