// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/scenario_prefix.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

namespace lockui::lab {

namespace {

/// The key of a lock is its name; in the names of its other keys that stands in braces, unless it has some itself.
std::string keyWithPrefix(
    const std::string &key, const std::vector<lockcore::LockName> &names, const std::string &prefix)
{
    for (const lockcore::LockName &name : names) {
        const std::string braced = name.find('{') == std::string::npos ? '{' + name + '}' : name;
        const std::size_t at = key == name ? 0 : key.find(braced);
        if (at == std::string::npos)
            continue;
        std::string text = key;
        return text.insert(at + (key != name && braced != name ? 1 : 0), prefix);
    }
    return prefix + key;
}

} // namespace

std::vector<lockcore::LockName> locksIn(const Scenario &scenario)
{
    std::set<lockcore::LockName> all;
    for (const Step &step : scenario.steps) {
        all.insert(step.locks.begin(), step.locks.end());
        if (!step.lock.empty())
            all.insert(step.lock);
    }
    std::vector<lockcore::LockName> names(all.begin(), all.end());
    std::ranges::stable_sort(names, std::greater(), &lockcore::LockName::size);
    return names;
}

Scenario withPrefix(Scenario scenario, const std::string &prefix)
{
    // Of `a` and `a:b` it is the second, the longer one, that a key `{a:b}:timeout` belongs to.
    const auto names = locksIn(scenario);
    for (Step &step : scenario.steps) {
        if (!step.lock.empty())
            step.lock.insert(0, prefix);
        for (lockcore::LockName &name : step.locks)
            name.insert(0, prefix);
        for (KeyExpectation &key : step.expects.redis)
            key.key = keyWithPrefix(key.key, names, prefix);
        for (SeenExpectation &seen : step.expects.seen)
            seen.lock.insert(0, prefix);
        for (EventExpectation &event : step.expects.events)
            event.lock.insert(0, prefix);
    }
    return scenario;
}

} // namespace lockui::lab
