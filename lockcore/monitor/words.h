// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lockcore {

/// `42 ms`, `0.4 s`, `16.0 s`, `4 m 12 s`, `2 h 05 m`, as the window writes them
std::string inWords(Millis duration);

/// `1 client`, `3 clients`
inline std::string counted(std::int64_t number, std::string_view one)
{
    return std::to_string(number).append(" ").append(one).append(number == 1 ? "" : "s");
}

} // namespace lockcore
