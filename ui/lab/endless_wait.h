// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lockui::lab {

/// A step that waits without limit for a lock that nobody lets go of before it has ended.
struct EndlessWait {
    std::size_t step = 0;
    lockcore::LockName lock;
    std::string holder; // A:1
};

/// The first one; absent: there is none, as far as one can tell without playing it. What is found is certain.
std::optional<EndlessWait> findEndlessWait(const Scenario &scenario);

} // namespace lockui::lab
