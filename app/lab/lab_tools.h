// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/player.h"

#include <QString>

namespace app {

/// The program whose processes are the clients of a play: beside this one, or in the PATH; empty: there is none.
QString lockctlProgram();

/// What the window plays scenarios with.
lockui::lab::LabTools labTools();

} // namespace app
