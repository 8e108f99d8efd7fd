// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/chain_text.h"
#include "ui/text/table_export.h"

namespace lockui {

/// Chains of waiting in the order given, with all names of locks whole. In JSON also who is drawn, and what leads from
/// whom to whom. `ends` is a sentence, as the window says it.
ExportTable chainExport(
    const std::vector<const WaitChain *> &chains, const ChainText &text, const lockcore::Now &now, ExportFormat format);

} // namespace lockui
