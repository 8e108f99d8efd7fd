// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>

namespace lockui {

/// Where the clocks differ by what a person would notice: `server clock 15 m 00 s ahead`; else empty.
QString clockDifferenceText(const lockcore::monitor::SourceStatus &status);

/// One line: where it is, its part, slots, how it is seen and how many locks it has, as far as that is known.
QString nodeText(const lockcore::monitor::NodeStatus &node);

QString locksText(std::int64_t locks); // `1 lock`, `8,412 locks`

QString feedText(lockcore::monitor::Feed feed); // `client tracking`; none: empty

/// Why changes reach us as they do, and what that leaves out: one sentence or more; empty: no feed.
QString feedReasonText(const lockcore::monitor::SourceStatus &status);

} // namespace lockui
