// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockcore::service {

/// The one lock of a cluster that is looked at. While its slot moves, who gives it away is asked first: what that node
/// has no more has arrived by then.
class SingleLockSearch {
public:
    using Go = std::function<void(bool mayBeHere)>;

    void setSlotOwner(std::string node); // the node that owns the slot of the lock; empty: none does
    bool isKeptBy(const std::string &node) const { return m_slotOwner == node; }

    void slotOwnerSaid(bool isElsewhere);
    void slotOwnerIsLost() { slotOwnerSaid(true); }
    void whenSlotOwnerSaid(QObject *context, Go go); // at once if it has
    void otherSaid(bool isThere); // of a node that is not the slot owner

    /// The slot owner has sent us on, and nobody else has it: it may be there in parts.
    bool isOutOfSight() const { return m_isElsewhere.value_or(false) && !m_isFound; }

private:
    void letGo(bool mayBeHere);

    std::string m_slotOwner;
    std::optional<bool> m_isElsewhere; // the last answer of the slot owner
    bool m_isFound = false; // elsewhere
    std::vector<std::pair<QPointer<QObject>, Go>> m_waiting;
};

} // namespace lockcore::service
