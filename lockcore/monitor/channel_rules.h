// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lockcore {

/// A channel that clients listen on though nothing keeps them from taking what they wait for.
/// `locks`: those of that name that are seen.
/// Source: wire format, sections 8.6, 11.5, 12.
std::optional<Finding> findingOf(
    const ChannelState &channel, const std::vector<const LockState *> &locks, MonoTime freeSince, MonoTime now);

/// Whether its clients are counted more often than channels are listed. Of a counter that is so where nothing but its
/// row tells of it: a semaphore that does not exist.
bool isCountedOften(const LockState &lock);

/// How long it must stay so: of many channels, each is asked for less often.
Millis channelHoldOff(std::size_t channels);

/// The same for what has a row: so many rows have their clients counted in turn.
Millis countHoldOff(std::size_t rows);

} // namespace lockcore
