// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockcore::monitor {

/// Counts events per second over the last ten whole seconds, or since it was started.
class RateMeter {
public:
    void start(MonoTime now); // nothing is known of before
    void count(EventKind kind, Certainty certainty, MonoTime now);
    Rates rates(MonoTime now);
    std::optional<MonoTime> changesAt() const; // absent: all is quiet

private:
    static constexpr std::int64_t Seconds = 10;
    struct Bucket {
        std::int64_t second = -1;
        Rates seen{}; // of that second: as many as happened in it
        Rates concluded{};
    };
    Bucket &bucket(MonoTime now);

    std::array<Bucket, Seconds + 1> m_buckets; // the additional one is for the second that still runs
    std::optional<MonoTime> m_since; // absent: for long
    std::optional<MonoTime> m_concludedSince; // what is concluded is counted from then on; absent: for long
    std::int64_t m_computedSecond = 0;
    bool m_quiet = true;
};

} // namespace lockcore::monitor
