// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <QTimer>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace lockcore {

/// Many deadlines on one timer: thousands of waits cost one.
/// Thread: that of the object.
class DeadlineQueue {
public:
    explicit DeadlineQueue(std::function<void(std::uint64_t)> fired);

    void arm(std::uint64_t id, MonoTime at); // replaces the one that this id had
    void disarm(std::uint64_t id);

private:
    void fire();
    void restart();

    std::function<void(std::uint64_t)> m_fired;
    std::set<std::pair<MonoTime, std::uint64_t>> m_order;
    std::map<std::uint64_t, MonoTime> m_deadlines;
    QTimer m_timer; // may fire for nothing: starting it anew for each deadline costs more
    MonoTime m_firesAt;
};

} // namespace lockcore
