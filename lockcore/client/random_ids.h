// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace lockcore {

std::string randomUuid(); // version 4, lower case
std::string randomRequestId(); // 32 lower-case hex digits

} // namespace lockcore
