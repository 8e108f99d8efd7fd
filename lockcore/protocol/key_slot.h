// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lockcore::protocol {

constexpr int SlotCount = 16384; // of every cluster

/// The cluster slot of a key, 0 to 16383: that of its hash tag `{…}` if it has one that is not empty.
int keySlot(std::string_view key);

} // namespace lockcore::protocol
