// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockcore {

/// The one lock of a cluster that is looked at. While its slot moves, who gives it away is asked first: what that node
/// has no more has arrived by then.
class SoughtLock {
public:
    using Go = std::function<void(bool mayBeHere)>;

    void setKeeper(std::string node); // of its slot; empty: nobody
    bool isKeptBy(const std::string &node) const { return m_keeper == node; }

    void keeperSaid(bool isElsewhere);
    void keeperIsLost() { keeperSaid(true); }
    void whenKeeperSaid(QObject *context, Go go); // at once if it has
    void otherSaid(bool isThere); // of a node that is not the keeper

    /// The keeper has sent us on, and nobody else has it: it may be there in parts.
    bool isOutOfSight() const { return m_isElsewhere.value_or(false) && !m_isFound; }

private:
    void letGo(bool mayBeHere);

    std::string m_keeper;
    std::optional<bool> m_isElsewhere; // as the keeper said last
    bool m_isFound = false; // elsewhere
    std::vector<std::pair<QPointer<QObject>, Go>> m_waiting;
};

} // namespace lockcore
