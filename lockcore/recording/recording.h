// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/monitor/events.h"

#include <cstdint>
#include <optional>

namespace lockcore::recording {

/// What exceeds them is dropped from the beginning of the file, a segment at a time; the last one is always kept.
struct RecordingLimits {
    std::optional<std::int64_t> maxBytes;
    std::optional<Millis> maxAge;
};

/// How far a recording that is being made has come.
struct RecordingProgress {
    Millis elapsed{ 0 };
    std::int64_t bytes = 0; // of the file
    std::int64_t events = 0; // since the recording began
};

/// From one moment of a recording to another, on its time line: microseconds since the epoch, which never run backwards
/// however the wall clock was set meanwhile.
struct RecordedSpan {
    MonoTime first;
    MonoTime last;

    bool operator==(const RecordedSpan &) const = default;
};

/// An event, and when it is on the time line.
struct RecordedEvent {
    MonoTime at;
    monitor::Event event;

    bool operator==(const RecordedEvent &) const = default;
};

} // namespace lockcore::recording
