// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"

#include <optional>

namespace lockcore::monitor {

/// After a gap, or an upheaval: what is concluded to have ended may have ended in it.
constexpr Millis NoticedSoon{ 2'000 };

/// Whether one hold was in sight since it began, as its events tell. Over a gap without anything told of it, it is the
/// same one: its deadline was, where it has one.
class HoldSight {
public:
    HoldSight() = default;
    explicit HoldSight(const Event &begin)
        : m_hasDeadline(begin.ttl.has_value())
    {
    }

    void gap(WallTime end) { m_unseenUntil = end; }
    bool isUnseen() const { return m_unseenUntil.has_value(); } // nothing was told of it since a gap
    bool mayGoOn() const { return m_hasDeadline; } // over a gap

    /// False: it may be another hold of the same owner.
    bool goesOn(const Event &event)
    {
        const bool isSame = !isUnseen() || (event.certainty == Certainty::Seen && isSameDeadline(event));
        *this = HoldSight(event);
        return isSame;
    }

    /// False: it ended in a gap, or it may have been another one.
    bool sees(const Event &end) const
    {
        const bool wasLost = end.certainty != Certainty::Seen && isUnseen() && end.at <= *m_unseenUntil + NoticedSoon;
        return !isUnseen() || (isSameDeadline(end) && !wasLost);
    }

private:
    bool isSameDeadline(const Event &event) const { return m_hasDeadline && event.ttl; }

    bool m_hasDeadline = false;
    std::optional<WallTime> m_unseenUntil;
};

} // namespace lockcore::monitor
