// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <QString>

namespace lockui {

/// One line: where it is, its part, slots, how it is seen and how many locks it has.
/// Where the clocks differ by what a person would notice: `server clock 15 min ahead`; else empty.
QString clockDifferenceText(const lockcore::SourceStatus &status);

QString nodeText(const lockcore::NodeStatus &node);

QString feedText(lockcore::Feed feed); // `client tracking`; none: empty

} // namespace lockui
