// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lockcore {

/// Counts events per second over the last ten whole seconds.
class RateMeter {
public:
    void count(EventKind kind, MonoTime now);
    Rates rates(MonoTime now);
    std::optional<MonoTime> changesAt() const; // absent: all is quiet

private:
    static constexpr std::int64_t Seconds = 10;
    struct Bucket {
        std::int64_t second = -1;
        int acquires = 0, renewals = 0, releases = 0, expiries = 0;
    };
    Bucket &bucket(MonoTime now);

    std::array<Bucket, Seconds + 1> m_buckets; // one more for the second that still runs
    std::int64_t m_computedSecond = 0;
    bool m_quiet = true;
};

} // namespace lockcore
