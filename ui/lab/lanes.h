// SPDX-License-Identifier: GPL-3.0-or-later
// A play as lanes over time: what each client held and waited for, and what was done to it.
#pragma once

#include "ui/lab/lane.h"
#include "ui/lab/play_record.h"

#include <cstdint>

namespace lockui::lab {

/// What is known of a play at `now`, which may lie in its past: what came later is left out. Where a client and the
/// monitor say different things, the client is believed: it was answered by Redis, and the monitor looks from outside.
/// A play that has not begun: lanes without anything on them, from `now` to `now`.
Lanes lanesOf(const PlayRecord &record, lockcore::MonoTime now);

/// What lets a hold last, by which it is coloured.
enum class HoldTerm : std::uint8_t {
    Watchdog,
    Lease, // a time that was given, as far as is known: nobody was seen to renew it, as a watchdog does
    Permits, // of a semaphore: they have no watchdog
};
HoldTerm termOf(const PlayRecord &record, const LaneRow &row, const LaneHold &hold);

/// How bad it is, by which a mark is coloured.
enum class MarkWeight : std::uint8_t { Plain, Good, Doubtful, Bad };
MarkWeight weightOf(LaneMark::What what);
MarkWeight weightOf(ServerMark::What what);

/// The last moment of which something is known, or its end: where the lanes of a play that is over end.
lockcore::MonoTime lastMoment(const PlayRecord &record);

/// The event's time on the clock of the steps. Only of a play that has begun.
lockcore::MonoTime momentOf(const PlayRecord &record, const lockcore::monitor::Event &event);

} // namespace lockui::lab
