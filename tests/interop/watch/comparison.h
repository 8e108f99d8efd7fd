// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/events.h"
#include "tests/interop/watch/true_course.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace crowdwatch {

/// A suspect of the monitor, and when it had it first.
struct TimedSuspect {
    lockcore::monitor::Suspect suspect;
    Moment at{};
};

/// What the monitor told, and what is known of the clients that it told of.
struct Told {
    std::vector<lockcore::monitor::Event> events;
    std::vector<TimedSuspect> suspects;
    std::map<std::string, Moment> killed; // clients, and when
    std::map<std::string, bool> leavesLatches; // whether an unlock of that client differs from a force release
};

/// Holds that were not told of, by how long they lasted.
struct MissedHolds {
    static constexpr std::array<int, 5> Limits{ 1, 2, 5, 20, 100 }; // ms
    std::array<int, Limits.size() + 1> numbers{}; // below each limit, and longer
    int all() const;
    int tooLong() const { return all() - numbers[0]; }
};

struct Comparison {
    int holds = 0;
    int told = 0; // beginnings that are of one of them
    int appeared = 0; // of these: told without when they began
    MissedHolds missed;
    int invented = 0;
    int split = 0; // holds told as two
    int otherStories = 0; // of the same traces, told as inferred
    int wrongEnds = 0;
    int wrongOwners = 0;
    int neverEnded = 0;
    int renewalsTold = 0;
    int queuesTold = 0; // of what happened in queues
    int numbersTold = 0; // of semaphores
    int gaps = 0;
    Moment gapsTotal{};
    Moment delayMedian{}; // from a beginning to the event
    Moment delayP99{};
    Moment delayLongest{};
    int falseSuspects = 0;
    int otherSuspects = 0; // true ones, and those that nothing here can judge
    std::vector<std::string> violations; // a sentence each
};

Comparison compare(const std::map<std::string, TrueCourse> &truth, const Told &told);

/// As it is printed: when, which lock, what, who.
std::string sentence(const lockcore::monitor::Event &event);

} // namespace crowdwatch
