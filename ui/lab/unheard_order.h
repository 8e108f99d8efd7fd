// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario.h"

#include <cstddef>
#include <vector>

namespace lockui::lab {

/// A step that its client's process can never carry out.
struct UnheardOrder {
    enum class Why { HasCrashed, StandsStill, RunsAlready };

    std::size_t step = 0;
    Why why = Why::HasCrashed;
    std::size_t since = 0; // the step that made it so; of who runs already: none
};

/// All of them, in their order. What is found is certain: steps begin in the order of the file.
std::vector<UnheardOrder> findUnheardOrders(const Scenario &scenario);

} // namespace lockui::lab
