// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline_lane.h"

#include <QString>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <initializer_list>

namespace lockui {

/// Of an axis of clock times: its labels stand at times that people count in. In milliseconds.
inline double timeAxisStep(double least)
{
    for (const double step : { 1., 2., 5., 10., 20., 50., 100., 200., 500., 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3,
             120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 7200e3, 21600e3, 43200e3 })
        if (step >= least)
            return step;
    return 86'400e3;
}

/// `90 s`, `15 min`
QString windowText(std::chrono::seconds window);

/// What stands at an axis that ends now, or at the moment that `end` names: `−90 s`, `now`.
QString momentBeforeText(std::chrono::seconds before, const QString &end);

/// How time lies on pixels.
struct TimeScale {
    double from = 0; // milliseconds since 1970, at the left edge
    double perPixel = 100;
    int width = 0;

    double pixel(lockcore::WallTime at) const { return (double(at.time_since_epoch().count()) - from) / perPixel; }
    lockcore::WallTime timeAt(double pixel) const
    {
        return lockcore::WallTime(lockcore::Millis(static_cast<std::int64_t>(std::floor(from + pixel * perPixel))));
    }
};

/// Visits what is to be seen of them, from left to right: `visit(left, right, first, last)` in whole pixels, for one
/// span, or for all of [first, last) where several fall into one pixel. Each span has at least a part of a pixel, and
/// no piece overlaps another. Nothing is shown beyond `now`. After a piece it goes on at `nextOf` the first free pixel.
/// Cost: a short search for each pixel at most, however many spans there are.
template <typename Spans, typename Visit, typename NextOf = std::identity>
void visitPieces(const Spans &spans, const TimeScale &scale, lockcore::WallTime now, Visit visit, NextOf nextOf = {})
{
    int x = nextOf(0);
    std::size_t i = firstEndingAfter(spans, scale.timeAt(x));
    const double end = std::min<double>(scale.width, scale.pixel(now)); // nothing is known beyond
    while (i < spans.size() && x < end && spans[i].from <= now) {
        const double begin = scale.pixel(spans[i].from);
        if (begin >= scale.width)
            break;
        const int left = std::max(x, static_cast<int>(begin));
        const double until = std::min<double>(scale.pixel(std::min(spans[i].to, now)), scale.width);
        const int right = std::max(left + 1, static_cast<int>(std::lround(until)));
        std::size_t next = i + 1;
        if (right == left + 1)
            next = std::max(next, firstEndingAfter(spans, scale.timeAt(right), next));
        visit(left, right, i, next);
        x = nextOf(right);
        i = next;
        if (i < spans.size() && scale.pixel(std::min(spans[i].to, now)) <= x) // it lies in a pixel that is taken
            i = firstEndingAfter(spans, scale.timeAt(x), i);
    }
}

} // namespace lockui
