// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/support/event_store.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockui {

/// The free permits of a semaphore, or the count of a latch, over a while.
struct CountCurve {
    struct Step {
        lockcore::WallTime from; // until the next one
        std::optional<std::int64_t> value; // absent: there was none, its key was gone
        bool operator==(const Step &) const = default;
    };
    struct Span {
        lockcore::WallTime from;
        lockcore::WallTime to;
        bool operator==(const Span &) const = default;
    };

    std::vector<Step> steps; // oldest first; the first one may be from before the while
    std::vector<Span> unseen; // in between, oldest first: nobody knows what it was then
    std::int64_t least = 0; // of what is shown, and zero
    std::int64_t most = 0;

    std::optional<lockcore::WallTime> seenFrom() const; // nothing is known before
    bool operator==(const CountCurve &) const = default;
};

/// `readAt`: when the lock was found as it is, which is known where no event tells of it.
CountCurve countCurve(const EventStore &store, const lockcore::monitor::LockState &lock, lockcore::WallTime readAt,
    lockcore::WallTime from, lockcore::WallTime to);

} // namespace lockui
