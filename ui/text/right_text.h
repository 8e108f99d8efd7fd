// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/right.h"
#include "lockcore/service/rights/connection_probe.h"

#include <QString>

namespace lockui {

/// One sentence or more: what is refused, what that costs, and the ACL rule that permits it or what the server said.
QString missingRightText(const lockcore::monitor::MissingRight &missing);

/// Who of several servers answered when a connection was tried, in a line; of one server: empty.
QString answersText(const lockcore::service::ConnectionReport &report);
QString answerText(const lockcore::service::ServerAnswer &answer);
/// Whether all of them did, and keep all slots of a cluster.
bool isAllReached(const lockcore::service::ConnectionReport &report);

} // namespace lockui
