// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/rates.h"

namespace lockcore {

namespace {

std::int64_t secondOf(MonoTime now) { return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count(); }

} // namespace

RateMeter::Bucket &RateMeter::bucket(MonoTime now)
{
    const auto second = secondOf(now);
    auto &bucket = m_buckets[static_cast<std::size_t>(second) % m_buckets.size()];
    if (bucket.second != second)
        bucket = Bucket{ .second = second };
    return bucket;
}

void RateMeter::count(EventKind kind, MonoTime now)
{
    switch (kind) {
    case EventKind::Acquired:
        ++bucket(now).acquires;
        break;
    case EventKind::Renewed:
        ++bucket(now).renewals;
        break;
    case EventKind::Released:
    case EventKind::ForceReleased:
        ++bucket(now).releases;
        break;
    case EventKind::Expired:
        ++bucket(now).expiries;
        break;
    default:
        return;
    }
    if (m_quiet)
        m_computedSecond = secondOf(now);
    m_quiet = false;
}

Rates RateMeter::rates(MonoTime now)
{
    const auto current = secondOf(now);
    Rates sum;
    m_quiet = true;
    for (const auto &bucket : m_buckets) {
        const auto age = current - bucket.second;
        if (bucket.second < 0 || age > Seconds)
            continue;
        m_quiet = false;
        if (age == 0)
            continue;
        sum.acquires += bucket.acquires;
        sum.renewals += bucket.renewals;
        sum.releases += bucket.releases;
        sum.expiries += bucket.expiries;
    }
    m_computedSecond = current;
    const double window = Seconds;
    return { sum.acquires / window, sum.renewals / window, sum.releases / window, sum.expiries / window };
}

std::optional<MonoTime> RateMeter::changesAt() const
{
    if (m_quiet)
        return std::nullopt;
    return MonoTime{ std::chrono::seconds{ m_computedSecond + 1 } };
}

} // namespace lockcore
