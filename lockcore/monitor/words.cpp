// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/words.h"

namespace lockcore {

namespace {

std::string pair(std::int64_t large, std::string_view largeUnit, std::int64_t small, std::string_view smallUnit)
{
    const std::string digits = std::to_string(small);
    return std::to_string(large)
        .append(largeUnit)
        .append(digits.size() < 2 ? " 0" : " ")
        .append(digits)
        .append(smallUnit);
}

} // namespace

std::string inWords(Millis duration)
{
    constexpr Millis ShownInSeconds{ 100 };
    if (duration < Millis{ 1 })
        return "less than 1 ms";
    if (duration < ShownInSeconds)
        return std::to_string(duration.count()) + " ms";
    const auto seconds = duration.count() / 1'000;
    if (seconds < 60)
        return std::to_string(seconds) + "." + std::to_string(duration.count() % 1'000 / 100) + " s";
    if (seconds < 3'600)
        return pair(seconds / 60, " m", seconds % 60, " s");
    if (seconds < 86'400)
        return pair(seconds / 3'600, " h", seconds / 60 % 60, " m");
    return std::to_string(seconds / 86'400) + " d " + std::to_string(seconds / 3'600 % 24) + " h";
}

} // namespace lockcore
