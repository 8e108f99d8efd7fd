// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/single_lock_search.h"

namespace lockcore::service {

void SingleLockSearch::setSlotOwner(std::string node)
{
    if (m_slotOwner == node && !node.empty())
        return;
    m_slotOwner = std::move(node);
    m_isElsewhere.reset();
    m_isFound = false;
    if (m_slotOwner.empty())
        slotOwnerIsLost();
    else
        letGo(true); // it may be the slot owner itself that waits
}

void SingleLockSearch::slotOwnerSaid(bool isElsewhere)
{
    m_isFound = m_isFound && m_isElsewhere == isElsewhere;
    m_isElsewhere = isElsewhere;
    letGo(isElsewhere);
}

void SingleLockSearch::whenSlotOwnerSaid(QObject *context, Go go)
{
    if (m_isElsewhere)
        return go(*m_isElsewhere);
    m_waiting.emplace_back(context, std::move(go));
}

void SingleLockSearch::otherSaid(bool isThere) { m_isFound = m_isFound || isThere; }

void SingleLockSearch::letGo(bool mayBeHere)
{
    for (const auto &[context, go] : std::exchange(m_waiting, {})) {
        if (context)
            go(mayBeHere);
    }
}

} // namespace lockcore::service
