// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario.h"

#include <QByteArray>
#include <string>

namespace lockui::lab {

/// The text of a scenario's file: what readScenario() reads as the same scenario. Only what differs from what the
/// reader takes for granted stands in it, each step on one line where it has the room. A name of a lock that is not
/// UTF-8 cannot stand in a file: it is written as it is shown, with `\xNN`.
QByteArray scenarioText(const Scenario &scenario);

std::string durationWord(lockcore::Millis duration); // `3s`, `250ms`

} // namespace lockui::lab
