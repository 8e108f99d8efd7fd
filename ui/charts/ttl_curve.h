// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <optional>
#include <vector>

namespace lockui {

/// The time to live of one lock over a while. Seconds; x counts from now, so it is negative.
struct TtlCurve {
    struct Point {
        double x = 0;
        double ttl = 0;
        bool begins = false; // of another hold: nothing leads here from the point before
        bool operator==(const Point &) const = default;
    };
    struct LateSpan {
        double from = 0; // when the renewal was due
        double to = 0; // when it came, or now
        double gap = 0; // since the renewal before
        bool operator==(const LateSpan &) const = default;
    };

    std::vector<Point> points;
    std::vector<Point> renewals; // where the time to live stood just after
    std::vector<LateSpan> late;
    std::optional<double> medianGap;
    std::optional<double> worstGap;
    std::optional<double> seenFrom; // nothing is known before; absent: all of it was seen
    double fullTtl = 30;
};

/// Units: `window` in milliseconds, ending at `now`.
TtlCurve ttlCurve(const lockcore::LockState &lock, lockcore::MonoTime now, lockcore::Millis window);

} // namespace lockui
