// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <string>

namespace lockcore {

/// When a frame is, on the time line of the recording: microseconds since the epoch, which never run backwards.
struct FrameTime {
    MonoTime at;
    WallTime wall; // what the wall clock said, however it was set since
    MonoTime::duration toLine{}; // from the steady clock of the snapshot to the time line
};

/// What is in `next` and not in `previous`; previous null: all of it.
std::string encodeFrame(const Snapshot &next, const Snapshot *previous, const FrameTime &time);

} // namespace lockcore
