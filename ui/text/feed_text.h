// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>

namespace lockui {

QString feedText(lockcore::monitor::Feed feed); // `client tracking`; none: empty

/// Why changes reach us as they do, and what that leaves out: one sentence or more; empty: no feed.
QString feedReasonText(const lockcore::monitor::SourceStatus &status);

} // namespace lockui
