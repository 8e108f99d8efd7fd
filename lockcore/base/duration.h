// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace lockcore {

/// Which durations a person may type.
struct DurationRules {
    std::optional<Millis> alone{}; // what a number without a unit counts; absent: it needs one
    Millis least{ 0 };
    Millis most = Millis::max();
};

/// A whole number with its unit, as people type it: `500ms`, `90s`, `10m`, `2 h`. Absent: it is none, or out of bounds.
inline std::optional<Millis> parseDuration(std::string_view text, const DurationRules &rules)
{
    using namespace std::chrono_literals;
    constexpr std::pair<std::string_view, Millis> Units[]{ { "ms", 1ms }, { "s", 1s }, { "m", 1min }, { "h", 1h } };
    std::int64_t number = 0;
    const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || text.front() == '-')
        return std::nullopt;
    std::string_view unit = text.substr(static_cast<std::size_t>(behind - text.data()));
    std::optional<Millis> each = unit.empty() ? rules.alone : std::nullopt;
    if (unit.starts_with(' '))
        unit.remove_prefix(1);
    for (const auto &[name, millis] : Units) {
        if (unit == name)
            each = millis;
    }
    if (!each || number > rules.most / *each || number * *each < rules.least)
        return std::nullopt;
    return number * *each;
}

} // namespace lockcore
