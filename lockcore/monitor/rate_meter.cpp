// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/rate_meter.h"

#include "lockcore/monitor/hold_sight.h"

#include <algorithm>
#include <chrono>

namespace lockcore::monitor {

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

void RateMeter::start(MonoTime now)
{
    m_buckets = {};
    m_since = now;
    m_computedSecond = secondOf(now);
    m_quiet = false;
}

void RateMeter::count(EventKind kind, Certainty certainty, MonoTime now)
{
    const bool mayBeOfTheGap = m_since && now < *m_since + NoticedSoon;
    if (certainty != Certainty::Seen && mayBeOfTheGap)
        return; // when it was nobody knows
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
        ++(certainty == Certainty::Seen ? bucket(now).expiries : bucket(now).likelyExpiries);
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
    const MonoTime to{ std::chrono::seconds{ current } };
    const auto tenBefore = to - std::chrono::seconds{ Seconds };
    const std::chrono::duration<double> seen = to - std::max(m_since.value_or(tenBefore), tenBefore);
    Rates sum;
    sum.areUnknown = seen < std::chrono::seconds{ 1 };
    m_quiet = !sum.areUnknown;
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
        sum.mayHaveMoreExpiries = sum.mayHaveMoreExpiries || bucket.likelyExpiries > 0;
    }
    m_computedSecond = current;
    if (sum.areUnknown)
        return { .areUnknown = true };
    for (double Rates::*each : { &Rates::acquires, &Rates::renewals, &Rates::releases, &Rates::expiries })
        sum.*each /= seen.count();
    return sum;
}

std::optional<MonoTime> RateMeter::changesAt() const
{
    if (m_quiet)
        return std::nullopt;
    return MonoTime{ std::chrono::seconds{ m_computedSecond + 1 } };
}

} // namespace lockcore::monitor
