// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lanes.h"

#include <algorithm>
#include <chrono>

namespace lockui {

/// Where things stand among the lanes of the lab, in pixels.
struct LabPlot {
    static constexpr int AxisHeight = 30;
    static constexpr int TitleLeft = 16;
    static constexpr int RightMargin = 18;
    static constexpr int LeastRowHeight = 30;
    static constexpr int LaneGap = 10; // below its rows

    lockcore::MonoTime from; // at the left end
    double length = 1; // seconds that are shown
    int left = 0; // behind the titles
    double width = 40;
    int spread = 0; // by which a row is higher than it must be

    double x(lockcore::MonoTime at) const
    {
        return left + std::chrono::duration<double>(at - from).count() / length * width;
    }
    int rowHeight() const { return LeastRowHeight + spread; }
    int barTop() const { return 3 + spread / 4; } // within a row
    int barHeight() const { return std::min(18 + spread / 3, 32); }
    double barMiddle() const { return barTop() + barHeight() / 2.0; }
    int waitTop() const { return barTop() + barHeight() + 2 + spread / 12; }
    static int rowsOf(const lab::ClientLane &lane) { return std::max(1, static_cast<int>(lane.rows.size())); }
    int laneHeight(const lab::ClientLane &lane) const { return rowsOf(lane) * rowHeight() + LaneGap; }
};

} // namespace lockui
