// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/contention_course.h"

#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <cmath>

namespace lockui::lab {

using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;

Micros drawTime(const DrawnTime &time, double random)
{
    const auto mean = static_cast<double>(Micros(time.mean).count());
    switch (time.spread) {
    case Spread::Fixed:
        return time.mean;
    case Spread::Uniform:
        return Micros(std::llround(2 * mean * random));
    case Spread::Exponential:
        return Micros(std::llround(-mean * std::log1p(-random)));
    }
    return time.mean;
}

NextStep nextStep(CourseStep last, bool acquired, const GroupSettings &settings, const RandomNumber &random)
{
    switch (last) {
    case CourseStep::Think: {
        NextStep next{ .step = CourseStep::Lock };
        if (settings.kind == Kind::ReadWrite)
            next.mode = random() * 100 < settings.readersPercent ? HoldMode::Read : HoldMode::Write;
        return next;
    }
    case CourseStep::Lock:
        if (acquired)
            return { .step = CourseStep::Hold, .time = drawTime(settings.hold, random()) };
        break;
    case CourseStep::Hold:
        return { .step = CourseStep::Unlock };
    case CourseStep::Unlock:
        break;
    }
    return { .step = CourseStep::Think, .time = drawTime(settings.think, random()) };
}

std::optional<Micros> nextCrash(const GroupSettings &settings, const RandomNumber &random)
{
    if (settings.crashesPerMinute <= 0)
        return std::nullopt;
    constexpr double Minute = 60'000;
    const lockcore::Millis mean(std::llround(Minute / settings.crashesPerMinute));
    return drawTime({ Spread::Exponential, mean }, random());
}

bool maySharePlace(
    const GroupSettings &settings, const std::vector<std::optional<HoldMode>> &holders, std::optional<HoldMode> another)
{
    if (isSemaphore(settings.kind))
        return static_cast<std::int64_t>(holders.size()) < settings.permits;
    if (settings.kind == Kind::ReadWrite && another == HoldMode::Read)
        return std::ranges::all_of(holders, [](const auto &mode) { return mode == HoldMode::Read; });
    return holders.empty();
}

} // namespace lockui::lab
