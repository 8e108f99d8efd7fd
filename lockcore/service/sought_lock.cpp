// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sought_lock.h"

namespace lockcore {

void SoughtLock::setKeeper(std::string node)
{
    if (m_keeper == node && !node.empty())
        return;
    m_keeper = std::move(node);
    m_isElsewhere.reset();
    m_isFound = false;
    if (m_keeper.empty())
        keeperIsLost();
    else
        letGo(true); // it may be the keeper itself that waits
}

void SoughtLock::keeperSaid(bool isElsewhere)
{
    m_isFound = m_isFound && m_isElsewhere == isElsewhere;
    m_isElsewhere = isElsewhere;
    letGo(isElsewhere);
}

void SoughtLock::whenKeeperSaid(QObject *context, Go go)
{
    if (m_isElsewhere)
        return go(*m_isElsewhere);
    m_waiting.emplace_back(context, std::move(go));
}

void SoughtLock::otherSaid(bool isThere) { m_isFound = m_isFound || isThere; }

void SoughtLock::letGo(bool mayBeHere)
{
    for (const auto &[context, go] : std::exchange(m_waiting, {})) {
        if (context)
            go(mayBeHere);
    }
}

} // namespace lockcore
