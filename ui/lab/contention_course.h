// SPDX-License-Identifier: GPL-3.0-or-later
// What a client of free play does next, and for how long: a function of random numbers.
#pragma once

#include "ui/lab/free_play.h"

#include <functional>
#include <optional>

namespace lockui::lab {

using RandomNumber = std::function<double()>; // from 0 up to, but not including, 1

Micros drawTime(const DrawnTime &time, double random);

/// The moments of a client's round.
enum class CourseStep { Think, Lock, Hold, Unlock };

struct NextStep {
    CourseStep step = CourseStep::Think;
    Micros time{ 0 }; // to think or to hold
    std::optional<lockcore::synchronizers::HoldMode> mode{}; // to lock: of a read/write lock

    bool operator==(const NextStep &) const = default;
};

/// `acquired`: how the lock ended; of other steps nothing is asked.
NextStep nextStep(CourseStep last, bool acquired, const GroupSettings &settings, const RandomNumber &random);

/// Until the next crash in a group; absent: there is none.
std::optional<Micros> nextCrash(const GroupSettings &settings, const RandomNumber &random);

/// Whether one more may hold the lock beside those who do, each with its mode.
bool maySharePlace(const GroupSettings &settings,
    const std::vector<std::optional<lockcore::synchronizers::HoldMode>> &holders,
    std::optional<lockcore::synchronizers::HoldMode> another);

} // namespace lockui::lab
