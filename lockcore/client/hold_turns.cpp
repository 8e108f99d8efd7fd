// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/hold_turns.h"

#include <utility>

namespace lockcore {

void HoldTurns::take(const std::string &place, Rank rank, std::function<void()> go)
{
    const auto [waiting, isFree] = m_waiting.try_emplace(place);
    if (isFree)
        go();
    else if (rank == Rank::First)
        waiting->second.push_front(std::move(go));
    else
        waiting->second.push_back(std::move(go));
}

void HoldTurns::end(const std::string &place)
{
    const auto waiting = m_waiting.find(place);
    if (waiting->second.empty())
        return void(m_waiting.erase(waiting));
    const auto next = std::move(waiting->second.front());
    waiting->second.pop_front();
    next();
}

} // namespace lockcore
