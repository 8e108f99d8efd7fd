// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/endless_wait.h"

#include "lockcore/synchronizers/catalog.h"

#include <algorithm>
#include <map>

namespace lockui::lab {

using lockcore::synchronizers::Kind;

namespace {

std::vector<lockcore::LockName> lockNamesOf(const Step &step)
{
    return step.locks.empty() ? std::vector{ step.lock } : step.locks;
}

bool isAboutLock(const Step &step, const lockcore::LockName &lock)
{
    const auto locks = lockNamesOf(step);
    return std::ranges::find(locks, lock) != locks.end();
}

std::string ownerIn(const Step &step) { return step.client + ':' + step.thread; }

/// Excludes all others, and is left only by what a step does.
bool isForKeeps(const Scenario &scenario, const Step &step)
{
    const auto client = std::ranges::find(scenario.clients, step.client, &ScenarioClient::name);
    const bool excludes = step.kind == Kind::Reentrant || step.kind == Kind::Fair || step.kind == Kind::Fenced
        || step.mode == lockcore::synchronizers::HoldMode::Write;
    return excludes && !step.lease && !step.isMeanwhile && client != scenario.clients.end() && client->renews
        && (step.expects.outcome ? step.expects.outcome == Outcome::Acquired : !step.wait); // else it may be in vain
}

bool changesClient(Act act)
{
    return lockcore::rowOf(Acts, act).actor == Actor::Client && !lockcore::rowOf(Acts, act).needsLock;
}

/// Who certainly holds what, while one reads the steps in their order.
class Holders {
public:
    explicit Holders(const Scenario &scenario)
        : m_scenario(scenario)
    {
    }

    std::optional<EndlessWait> waitIn(std::size_t index) const
    {
        const Step &step = m_scenario.steps[index];
        if (step.act != Act::Lock || step.wait || lockcore::synchronizers::isSemaphore(step.kind))
            return {};
        for (const lockcore::LockName &lock : lockNamesOf(step)) {
            const auto held = m_holders.find(lock);
            if (held != m_holders.end() && held->second != ownerIn(step) && !canEnd(index, lock, held->second))
                return EndlessWait{ index, lock, held->second };
        }
        return {};
    }

    void follow(const Step &step)
    {
        if (lockcore::rowOf(Acts, step.act).actor == Actor::Server)
            return m_holders.clear();
        if (changesClient(step.act)) {
            std::erase_if(m_holders, [&](const auto &each) { return each.second.starts_with(step.client + ':'); });
            return;
        }
        for (const lockcore::LockName &lock : lockNamesOf(step)) {
            if (step.act == Act::Lock && isForKeeps(m_scenario, step))
                m_holders[lock] = ownerIn(step);
            else if (step.act == Act::Unlock || step.act == Act::Renew || step.act == Act::ForceRelease)
                m_holders.erase(lock);
        }
    }

private:
    /// Whether a step that begins before this one has ended may let it go on.
    bool canEnd(std::size_t waiting, const lockcore::LockName &lock, const std::string &holder) const
    {
        const Step &waiter = m_scenario.steps[waiting];
        for (std::size_t i = waiting + 1; waiter.isMeanwhile && i < m_scenario.steps.size(); ++i) {
            const Step &step = m_scenario.steps[i];
            if (std::ranges::find(step.after, waiter.id) != step.after.end())
                return false;
            const bool frees = (step.act == Act::Unlock || step.act == Act::Renew || step.act == Act::ForceRelease)
                && isAboutLock(step, lock);
            const bool isOfThem = step.client == waiter.client || holder.starts_with(step.client + ':');
            if (frees || (changesClient(step.act) && isOfThem)
                || lockcore::rowOf(Acts, step.act).actor == Actor::Server)
                return true;
        }
        return false;
    }

    const Scenario &m_scenario;
    std::map<lockcore::LockName, std::string> m_holders;
};

} // namespace

std::optional<EndlessWait> findEndlessWait(const Scenario &scenario)
{
    Holders holders(scenario);
    for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
        if (auto endless = holders.waitIn(i))
            return endless;
        holders.follow(scenario.steps[i]);
    }
    return {};
}

} // namespace lockui::lab
