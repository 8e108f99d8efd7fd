// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/lab/free_play.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace lockui {

/// Whether Redis still names the clients of free play that are led by hand as holders, as the window's monitor sees it.
/// The clients themselves are told only when they ask: their watchdogs do so every few seconds, without one nobody
/// does.
class HandWitness {
public:
    void look(const lab::FreePlayState &state, const lockcore::monitor::Snapshot &snapshot);
    void lookAway() { m_lookedAway = true; } // what ends meanwhile has ended at the latest when it is seen gone
    void forget() { m_holds.clear(); }
    void tell(lab::GroupState &group) const; // what was seen, beside what its clients say

private:
    struct Hold {
        std::string id; // of the client
        lockcore::MonoTime since; // by what the client says
        bool wasSeen = false;
        std::optional<lockcore::monitor::Since> gone{};
    };
    using Key = std::pair<lab::GroupId, std::string>; // the name of the client

    std::map<Key, Hold> m_holds;
    bool m_lookedAway = false;
};

/// The window has lost its connection to the server of these clients. Those that are led by hand do not reach it
/// either, though they may notice that only when their watchdogs come.
void tellLost(lab::GroupState &group, lockcore::MonoTime since);

} // namespace lockui
