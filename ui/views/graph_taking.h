// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chain_export.h"
#include "ui/views/copy_menu.h"
#include "ui/views/picture_menu.h"

namespace lockui {

class ChainTableModel;
class WaitGraphView;

/// The chains of the table, in its order.
ExportTable chainsExport(
    const ChainTableModel &chains, const ChainText &text, const lockcore::Now &now, ExportFormat format);

/// The menu of a right click or the menu key: copies what stands there, or the picture, or leads to all of a client.
void offerNodeMenu(WaitGraphView &view, const ViewClock &clock, const std::function<const Origin &()> &origin,
    const MakePicture &picture, const TellWritten &told, const std::function<void(const std::string &)> &showClient);
void offerChainCopies(DataTable &table, const ChainTableModel &chains, const ViewClock &clock,
    const std::function<const Origin &()> &origin);

} // namespace lockui
