// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/cluster_slots.h"

namespace lockcore::protocol {

/// An error reply which says that the request was not carried out, and where or when it would be.
struct Redirection {
    enum class Kind {
        Moved, // for good
        Ask, // this request alone, after ASKING
        Later, // TRYAGAIN: the slot is being moved
        Down, // CLUSTERDOWN: nobody keeps the slot now
        Demoted, // READONLY: this was a master
    };
    Kind kind = Kind::Later;
    int slot = 0; // Moved and Ask
    NodeAddress node; // Moved and Ask

    bool operator==(const Redirection &) const = default;
};

/// Absent: an ordinary reply. A node that announces no host is where `askedHost` is.
std::optional<Redirection> toRedirection(const Reply &reply, const std::string &askedHost);

} // namespace lockcore::protocol
