// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/duration_histogram.h"
#include "ui/support/event_store.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockui {

/// How long something took each time, of what was heard of it.
struct SeenDurations {
    static constexpr std::size_t MostListed = 12;

    DurationHistogram measured; // seen whole, and of holds also those of which it is concluded how they ended
    std::int64_t seenWhole = 0;
    std::int64_t inferred = 0; // the beginning or the end was concluded
    std::int64_t inPart = 0; // the beginning was not seen: it took at least what was seen of it, or nobody knows;
                             // or it was before a recording
    std::vector<SeenTime> newest; // the newest first; those of which nothing is known are not there

    /// `isWatched`: it began after the watching did; that of a recording may know since when it was.
    void add(const std::optional<SeenTime> &time, bool measuresInferred, bool isWatched);
    bool operator==(const SeenDurations &) const = default;
};

/// How long one lock was held each time, and how long was waited for it in its queue, until an end that was heard.
struct HoldTimes {
    SeenDurations holds;
    SeenDurations waits;
    std::optional<lockcore::WallTime> since; // what ended before is not known; absent: nothing was heard at all

    bool operator==(const HoldTimes &) const = default;
};

/// `areCopies`: independent servers tell of the same hold; the first of them counts.
/// Cost: looks at the last ten thousand events of the lock, and at a few beside each.
HoldTimes holdTimesOf(const EventStore &store, const lockcore::LockName &lock, bool areCopies);

} // namespace lockui
