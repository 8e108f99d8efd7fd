// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockcore::monitor {

/// Of which keys a feed is to tell. Limited while other keys are written too often.
struct FeedScope {
    enum class Extent { Everything, Prefixes, Nothing };

    Extent extent = Extent::Everything;
    std::vector<std::string> prefixes; // none is the beginning of another
    bool trial = false; // everything, to find out whether it has calmed
    int nonLockKeys = 0; // keys a second that are no locks, when it was limited

    bool operator==(const FeedScope &) const = default;
};

} // namespace lockcore::monitor
