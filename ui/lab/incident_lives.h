// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/incident_source.h"

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace lockui::lab {

/// What kept a client from ending a hold, or from coming to its turn in a queue, as far as that can be told.
enum class Fate {
    Died, // nothing was ever seen of it again
    StoodStill, // it did not renew, and was seen again later
    RanOut, // a lease that nobody renews
};

/// What is concluded from an incident as a whole, before it is told step by step.
struct IncidentLives {
    std::map<std::size_t, Fate> fates; // by the event that tells of the end
    std::map<std::size_t, std::set<std::string>> deaths; // after this event, the clients' ids; see BeforeAll
    std::map<std::size_t, std::set<std::string>> stops; // the same: they stand still from then on
    std::map<lockcore::LockName, lockcore::synchronizers::Kind> kinds; // as exactly as anything told
    std::size_t takings = 0; // that are told

    static constexpr std::size_t BeforeAll = static_cast<std::size_t>(-1);
};

/// `isChosen` says which events are told.
IncidentLives livesIn(const Incident &incident, const std::function<bool(const lockcore::monitor::Event &)> &isChosen);

} // namespace lockui::lab
