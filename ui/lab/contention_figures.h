// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace lockui::lab {

/// How evenly shares are spread: 1 where all are equal, 1/n where one of n has everything. Absent: nobody has anything.
/// Source: R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination, 1984.
std::optional<double> jainIndex(const std::vector<double> &shares);

/// The smallest of the values that so large a part of them does not exceed; absent: there are none.
std::optional<Micros> quantile(std::vector<Micros> values, double part);

/// What the clients of one group got, second by second. A client that was away for a part of the last while (paused,
/// crashed, in somebody's hand, not there yet) counts for Jain's index by what it got in the time that it took part.
class ContentionFigures {
public:
    using Client = std::uint64_t; // a number of its own, never given again

    explicit ContentionFigures(lockcore::MonoTime start)
        : m_start(start)
    {
    }

    void takesPart(Client client, bool does, lockcore::MonoTime at);
    void acquired(Client client, Micros waited, lockcore::MonoTime at);
    void advance(lockcore::MonoTime now); // closes the seconds that are over

    GroupFigures group() const;
    /// Share and waits over the last while.
    void describe(Client client, ContenderState &state) const;

private:
    struct Second {
        std::vector<Micros> waits; // one an acquire
        Micros active{ 0 };
    };
    struct Course {
        std::optional<lockcore::MonoTime> activeSince;
        Second running;
        std::deque<Second> seconds; // of the last while, the newest last
    };

    void closeSecond();
    void leaveOff(Course &course, lockcore::MonoTime at);
    lockcore::MonoTime secondStart() const { return m_start + std::chrono::seconds(m_closed); }
    std::optional<double> fairness() const;
    std::vector<Micros> waitsOf(const Course &course) const;

    lockcore::MonoTime m_start;
    std::int64_t m_closed = 0; // seconds
    std::map<Client, Course> m_courses;
    std::deque<SecondFigures> m_seconds;
};

} // namespace lockui::lab
