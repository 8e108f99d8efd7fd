// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"

#include <chrono>
#include <optional>

namespace lockcore::protocol {

/// The reply to TIME.
[[nodiscard]] Result<WallTime> parseTime(const Reply &reply);

/// What time it is at a server at the latest. It was so late there as it said at some moment between the question and
/// the answer; several answers narrow that down, until one contradicts them, since a clock was set or goes wrong.
class LatestTime {
public:
    /// It is told too late by no more than this, also where answers are slow: what is reckoned from it is over when
    /// this has passed, too.
    static constexpr Millis MostAhead{ 1'000 };

    void said(WallTime time, MonoTime asked, MonoTime answered);
    void forget() { m_ahead.reset(); }
    std::optional<WallTime> at(MonoTime now) const; // absent: nothing is known

private:
    /// The server's clock is so far ahead of the steady one here.
    struct Ahead {
        std::chrono::microseconds least;
        std::chrono::microseconds most;
    };
    std::optional<Ahead> m_ahead;
};

} // namespace lockcore::protocol
