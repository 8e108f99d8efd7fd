// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/palette_source.h"

class QMenu;
class QWidget;

namespace lockui {

/// What the visible buttons of a part of the window do, and the entries of their menus, as `Events: Copy`: so whatever
/// a page offers is found without the page's help.
std::vector<PaletteEntry> commandsOf(const QWidget &part, const QString &title);

/// The entries of one menu, each after the title.
std::vector<PaletteEntry> commandsOf(const QMenu &menu, const QString &title);

} // namespace lockui
