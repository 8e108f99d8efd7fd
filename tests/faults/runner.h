// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace faults {

constexpr int NotPlayed = 77; // exit status: there is no server, or it does not start

struct RunnerOptions {
    std::uint64_t firstSeed = 1;
    std::optional<std::uint64_t> firstFreshSeed; // every other schedule goes on from here
    int schedules = 0; // 0: as many as the time allows
    std::optional<int> seconds;
    int parallel = 8;
    bool goesOn = false; // after a violation
    QString logs; // a folder for what was said in schedules with violations; empty: it is not kept
    QString only; // kinds of faults, separated by commas
};

/// Runs many schedules side by side, each one in a process of its own, so that a crash of one is a verdict like others.
/// Prints what went wrong with its seed, and a summary. Returns 0 if nothing did, and nearly all could be played.
int runSchedules(const RunnerOptions &options);

} // namespace faults
