// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/finding.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockcore {

/// Where a trouble is.
struct TroublePlace {
    LockName lock;
    std::string node;
    std::string channel = {}; // empty: the lock itself

    auto operator<=>(const TroublePlace &) const = default;
};

/// Turns what is found again and again into suspects: each trouble keeps the time when it was first found, and counts
/// only when it has lasted.
class SuspectBook {
public:
    /// What is found there now, in place of what was found before.
    void enter(const TroublePlace &place, std::vector<Finding> findings, MonoTime now);
    /// Something happened: what it disproves is no longer found.
    void heard(const Event &event);
    void forgetIf(const std::function<bool(const TroublePlace &)> &forget);

    /// The gravest first, at most so many.
    std::vector<Suspect> suspects(MonoTime now, std::size_t most) const;
    std::size_t ripe(MonoTime now) const; // how many count
    std::size_t soonRipe(MonoTime now) const; // how many may, some seconds from now

private:
    struct Trouble {
        Finding finding;
        MonoTime since;
        bool lasts(MonoTime now) const { return now - since >= finding.holdOff; }
    };

    template <typename Condition>
    std::size_t count(Condition condition) const;

    std::map<TroublePlace, std::vector<Trouble>> m_troubles;
};

} // namespace lockcore
