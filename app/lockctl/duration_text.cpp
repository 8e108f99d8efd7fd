// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/duration_text.h"

#include <cstdint>
#include <cstdio>

namespace lockctl {

namespace {

std::string pair(std::int64_t large, const char *largeUnit, std::int64_t small, const char *smallUnit)
{
    char text[64];
    std::snprintf(text, sizeof text, "%lld %s %02lld %s", static_cast<long long>(large), largeUnit,
        static_cast<long long>(small), smallUnit);
    return text;
}

} // namespace

std::string durationText(lockcore::Millis duration)
{
    const std::int64_t seconds = duration.count() / 1'000;
    if (seconds < 60) {
        char text[32];
        const std::int64_t tenths = duration.count() / 100;
        std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(tenths) / 10);
        return text;
    }
    if (seconds < 3'600)
        return pair(seconds / 60, "m", seconds % 60, "s");
    return pair(seconds / 3'600, "h", seconds / 60 % 60, "m");
}

} // namespace lockctl
