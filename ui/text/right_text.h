// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/right.h"
#include "lockcore/service/rights/connection_probe.h"

#include <QString>
#include <QStringList>

namespace lockui {

/// One sentence or more: what is refused, what that costs, and the ACL rule that permits it or what the server said.
QString missingRightText(const lockcore::monitor::MissingRight &missing);

/// Who of several servers answered when a connection was tried: one line on all, then one each; of one server: none.
QStringList answerLines(const lockcore::service::ConnectionReport &report);

} // namespace lockui
