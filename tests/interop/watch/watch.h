// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/interop/peer_process.h"
#include "tests/interop/watch/comparison.h"

#include <QString>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace crowdwatch {

struct Plan {
    QString topology;
    std::chrono::seconds duration{ 600 };
    std::vector<interop::Language> peers; // a process each
    int workers = 6; // of each process
    std::chrono::milliseconds longestSection{ 4'000 };
    std::chrono::milliseconds watchdog{ 6'000 };
    std::chrono::seconds killEvery{ 20 };
    std::uint64_t seed = 1;
    QString events; // file for all that was told and all that is true; empty: none
};

/// What the peers said they did, beside what the servers did.
struct Course {
    Comparison comparison;
    int takenByPeers = 0;
    int lostByPeers = 0; // the lease ran out, or it was freed by force
    int kills = 0;
    int stuck = 0; // peers that did not end by themselves
    int leaving = 0; // peers that ended, and held a lock still
    int errors = 0; // of the peers
};

/// None: it could not be started, or was not to be followed to the end; stderr says why.
std::optional<Course> watchCrowd(const Plan &plan);

} // namespace crowdwatch
