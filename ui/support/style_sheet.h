// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/colors.h"

#include <QString>

namespace lockui {

/// The program's style sheet. Widgets opt in with the properties `role` (bar, side, title, section, muted, mono, chip,
/// danger, primary, …) and `tone` (accent, fixed, warning, danger, waiting, good).
QString styleSheet(const Colors &colors, const QString &monoFamily);

} // namespace lockui
