// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "tests/bench/painted_frames.h"
#include "tests/bench/rounds.h"

namespace lockbench {

/// What is measured of the window.
struct UiPlan : Rounds {
    int lanes = 500; // of the timeline
    int events = 2'000'000; // in the hour that it shows
    int locks = 100'000; // that are held all the time
    int changes = 1'000; // a second, of further locks
    lockcore::Millis settles{ 5'000 }; // after each change of the window
    lockcore::Millis watched{ 20'000 }; // while something changes
    bool isRestWhole = true; // at rest: from one background sweep to the next; else only so long, with or without one
};

class UiBenchmark : protected BenchmarkInRounds {
public:
    UiBenchmark(const UiPlan &plan, FrameWatcher &frames)
        : BenchmarkInRounds(plan)
        , m_plan(plan)
        , m_frames(frames)
    {
    }

protected:
    /// Of all that were painted since the watcher began.
    void addFrames(const QString &name)
    {
        constexpr double Most = 1'000 / 60.0; // milliseconds
        const FrameWatcher::Frames &frames = m_frames.frames();
        if (frames.milliseconds.empty())
            return;
        const auto figure = [&](QStringView what, const std::vector<double> &times, double share, bool isGoal) {
            add({ .name = name + what,
                    .unit = QStringLiteral("ms"),
                    .better = Better::Lower,
                    .goal = isGoal ? std::optional(Most) : std::nullopt },
                percentile(times, share));
        };
        figure(u", median frame", frames.milliseconds, 0.5, true);
        figure(u", p99", frames.milliseconds, 0.99, true);
        figure(u", p99 of the processor", frames.busy, 0.99, false);
    }

    const UiPlan m_plan;
    FrameWatcher &m_frames;
};

std::vector<Row> timelineFigures(const UiPlan &plan, FrameWatcher &frames);
std::vector<Row> eventFigures(const UiPlan &plan, FrameWatcher &frames);
std::vector<Row> windowFigures(const UiPlan &plan, FrameWatcher &frames);

} // namespace lockbench
