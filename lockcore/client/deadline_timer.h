// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <QTimer>
#include <cstdint>
#include <functional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockcore::client {

/// Many deadlines on one timer: those of thousands of waits and holds cost the event loop one. No deadline fires early.
/// Each belongs to an id; a set ordered by time finds the next one. To set one anew among 100,000 takes about a
/// microsecond, beside the tens of a request to Redis, so that a timer wheel would bring nothing.
/// Thread: that of the object.
class DeadlineTimer {
public:
    explicit DeadlineTimer(std::function<void(std::uint64_t id)> fired);

    void arm(std::uint64_t id, MonoTime at); // replaces the deadline that this id had
    void disarm(std::uint64_t id); // also one that has none
    void clear();
    void pause(); // until the next one is armed
    /// Takes out the deadlines up to that moment, the earliest first: whoever deals with one now may deal with those
    /// shortly after it too.
    std::vector<std::uint64_t> take(MonoTime until);

private:
    void fire();
    void restart();

    std::function<void(std::uint64_t)> m_fired;
    std::set<std::pair<MonoTime, std::uint64_t>> m_order;
    std::unordered_map<std::uint64_t, MonoTime> m_deadlines;
    QTimer m_timer; // may fire for nothing: starting it anew for each deadline costs more
    MonoTime m_firesAt;
    bool m_isFiring = false;
};

} // namespace lockcore::client
