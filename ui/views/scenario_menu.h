// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <QString>
#include <functional>
#include <vector>

class QMenu;

namespace lockui {

class EventStore;

/// What a person has before their eyes.
struct ScenarioSight {
    lockcore::WallTime from;
    lockcore::WallTime to;
    std::vector<lockcore::LockName> locks;
    QString source; // the connection, or the recording
};

/// An entry that makes a scenario of it, and asks for a file; or says why there can be none.
void addScenarioEntry(
    QMenu &menu, const QString &text, const EventStore &events, const std::function<ScenarioSight()> &sight);

} // namespace lockui
