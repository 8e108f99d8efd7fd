// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"

#include <QByteArray>
#include <QCache>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

/// Which holds of which lock began and ended lately. A snapshot does not tell of a lock that is gone.
class RecentEvents {
public:
    void add(const std::vector<lockcore::monitor::Event> &events);
    void clear();

    std::vector<lockcore::monitor::Event> beginningsOf(const lockcore::LockName &lock) const; // oldest first
    std::vector<lockcore::monitor::Event> gapsOf(const std::string &node) const; // and of all nodes, oldest first
    std::optional<lockcore::monitor::Event> endOf(
        const lockcore::LockName &lock) const; // absent: held since, or not seen

private:
    static constexpr qsizetype MostLocks = 200;

    std::deque<lockcore::monitor::Event> m_gaps;
    QCache<QByteArray, std::vector<lockcore::monitor::Event>> m_events{ MostLocks }; // each bounded too
};

} // namespace lockui
