// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/recording/recording.h"

#include <QString>
#include <memory>
#include <vector>

namespace lockcore {

/// A recording that is being made.
struct RecordingState {
    QString file;
    RecordingProgress progress;
};

/// What is in a recording, by its time line.
struct ReplayOverview {
    WallTime first;
    WallTime last;
    WallTime wallAtLast; // what the wall clock said then: it may have been set meanwhile, which the line is not
    std::int64_t events = 0;
    std::vector<std::int64_t> density; // events in each of so many equal parts
    std::vector<RecordedSpan> gaps; // of which nothing was seen
};

/// Where in a recording we are.
struct ReplayState {
    QString file;
    std::shared_ptr<const ReplayOverview> overview; // null: still being opened
    WallTime at; // on the time line
    WallTime wall; // what the wall clock said then
    double speed = 1;
    bool playing = false;
};

} // namespace lockcore
