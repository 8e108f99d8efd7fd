// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/palette_source.h"

class QMenu;
class QWidget;

namespace lockui {

/// What the visible buttons of a part of the window do, and the entries of their menus, as `Events: Copy`: so whatever
/// a page offers is found without the page's help.
std::vector<PaletteEntry> commandsOf(const QWidget &part, const QString &title);

/// What the bar of a page that is not shown offers: `show` shows the page first, and then it is done, if it is possible
/// there. What stands deeper in the page is about what is chosen there, which nobody sees now; and what changes a lock
/// of others is offered only where it is known to be possible. `toBeEnabled`: what a button waits for that is disabled;
/// nothing: the page itself, which is told only when it is shown what there is.
std::vector<PaletteEntry> commandsOfHidden(
    const QWidget &page, const QString &title, const std::function<void()> &show, const PaletteNeed &toBeEnabled);

/// The entries of one menu, each after the title.
std::vector<PaletteEntry> commandsOf(const QMenu &menu, const QString &title);

} // namespace lockui
