// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/right.h"

#include <QString>

namespace lockui {

/// One sentence or more: what is refused, what that costs, and the ACL rule that permits it or what the server said.
QString missingRightText(const lockcore::monitor::MissingRight &missing);

} // namespace lockui
