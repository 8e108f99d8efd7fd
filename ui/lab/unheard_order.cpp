// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/unheard_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace lockui::lab {

namespace {

/// Of a client's process that does not run: what became of it, and by which step.
struct Absence {
    UnheardOrder::Why why;
    std::size_t since;
};

/// Which clients run, while one reads the steps in their order.
class Processes {
public:
    explicit Processes(const Scenario &scenario)
        : m_scenario(scenario)
    {
    }

    std::optional<UnheardOrder> look(std::size_t index) const
    {
        const Step &step = m_scenario.steps[index];
        const ActRow &act = lockcore::rowOf(Acts, step.act);
        const auto absent = m_absent.find(step.client);
        const bool hasCrashed = absent != m_absent.end() && absent->second.why == UnheardOrder::Why::HasCrashed;
        if (step.act == Act::Start && !hasCrashed)
            return UnheardOrder{ index, UnheardOrder::Why::RunsAlready, 0 };
        if (act.actor != Actor::Client || !act.needsLock || absent == m_absent.end())
            return {};
        if (!hasCrashed && isHeardLater(index))
            return {};
        return UnheardOrder{ index, absent->second.why, absent->second.since };
    }

    void follow(std::size_t index)
    {
        const Step &step = m_scenario.steps[index];
        if (step.act == Act::Crash)
            m_absent[step.client] = { UnheardOrder::Why::HasCrashed, index };
        else if (step.act == Act::Pause)
            m_absent.emplace(step.client, Absence{ UnheardOrder::Why::StandsStill, index });
        else if (step.act == Act::Start)
            m_absent.erase(step.client);
        else if (const auto absent = m_absent.find(step.client); step.act == Act::Resume && absent != m_absent.end()
                 && absent->second.why == UnheardOrder::Why::StandsStill)
            m_absent.erase(absent);
    }

private:
    /// Whether its client, which stands still, goes on or dies before anything waits for the end of this step.
    bool isHeardLater(std::size_t index) const
    {
        const Step &order = m_scenario.steps[index];
        for (std::size_t i = index + 1; order.isMeanwhile && i < m_scenario.steps.size(); ++i) {
            const Step &step = m_scenario.steps[i];
            if (std::ranges::find(step.after, order.id) != step.after.end())
                return false;
            if (step.client == order.client && (step.act == Act::Resume || step.act == Act::Crash))
                return true;
        }
        return false;
    }

    const Scenario &m_scenario;
    std::map<std::string, Absence> m_absent;
};

} // namespace

std::vector<UnheardOrder> findUnheardOrders(const Scenario &scenario)
{
    std::vector<UnheardOrder> unheard;
    Processes processes(scenario);
    for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
        if (const auto order = processes.look(i))
            unheard.push_back(*order);
        processes.follow(i);
    }
    return unheard;
}

} // namespace lockui::lab
