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
        bool begins = false; // of another hold, or after a gap: nothing leads here from the point before
        bool inferred = false; // that it fell to here was not seen: it had the same end before and after
        bool operator==(const Point &) const = default;
    };
    struct Span {
        double from = 0;
        double to = 0;
        bool operator==(const Span &) const = default;
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
    std::vector<Span> unseen; // in between, oldest first: the connection was lost
    std::vector<Span> passedOver; // likewise: it was seen, and is not in the lock's history
    std::optional<double> seenFrom; // nothing is known before; absent: all of it was seen
    bool beginsWithHold = false; // it was seen to be taken at `seenFrom`: what was before is of others
    std::optional<double> endlessFrom; // it is held since then without a time to live
    double fullTtl = 30;
};

/// A time of which nothing was seen.
struct UnseenTime {
    lockcore::MonoTime from;
    lockcore::MonoTime to;
    bool operator==(const UnseenTime &) const = default;
};

/// Units: `window` in milliseconds, ending at `now`. `unseen`: what is known beside the lock's own history.
/// `passedOver`: the lock changed in that time, of which its history does not tell.
TtlCurve ttlCurve(const lockcore::monitor::LockState &lock, lockcore::MonoTime now, lockcore::Millis window,
    const std::vector<UnseenTime> &unseen = {}, const std::optional<UnseenTime> &passedOver = {});

} // namespace lockui
