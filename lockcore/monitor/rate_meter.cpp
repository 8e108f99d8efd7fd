// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/rate_meter.h"

#include "lockcore/monitor/hold_sight.h"

#include <algorithm>
#include <chrono>

namespace lockcore::monitor {

namespace {

std::int64_t secondOf(MonoTime now) { return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count(); }

/// None: no rate is counted of these.
double Rates::*rateOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Acquired:
        return &Rates::acquires;
    case EventKind::Renewed:
        return &Rates::renewals;
    case EventKind::Released:
    case EventKind::ForceReleased:
        return &Rates::releases;
    case EventKind::Expired:
        return &Rates::expiries;
    default:
        return nullptr;
    }
}

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
    m_since = m_concludedSince = now;
    m_computedSecond = secondOf(now);
    m_quiet = false;
}

void RateMeter::count(EventKind kind, Certainty certainty, MonoTime now)
{
    const auto rate = rateOf(kind);
    if (!rate)
        return;
    const bool mayBeOfTheGap = m_since && now < *m_since + NoticedSoon;
    if (certainty == Certainty::Seen)
        ++(bucket(now).seen.*rate);
    else if (mayBeOfTheGap) // when it was nobody knows
        m_concludedSince = *m_since + NoticedSoon;
    else
        ++(bucket(now).concluded.*rate);
    if (m_quiet)
        m_computedSecond = secondOf(now);
    m_quiet = false;
}

Rates RateMeter::rates(MonoTime now)
{
    const auto current = secondOf(now);
    const MonoTime to{ std::chrono::seconds{ current } };
    const auto countedSince = [&](std::optional<MonoTime> since) -> std::chrono::duration<double> {
        const auto tenBefore = to - std::chrono::seconds{ Seconds };
        return to - std::max(since.value_or(tenBefore), tenBefore);
    };
    const auto seen = countedSince(m_since);
    const auto concluded = countedSince(m_concludedSince);
    Rates rates;
    rates.areUnknown = std::min(seen, concluded) < std::chrono::seconds{ 1 };
    m_quiet = !rates.areUnknown;
    m_computedSecond = current;
    for (const auto &bucket : m_buckets) {
        const auto age = current - bucket.second;
        if (bucket.second < 0 || age > Seconds)
            continue;
        m_quiet = false;
        if (age == 0)
            continue;
        for (const auto rate : { &Rates::acquires, &Rates::renewals, &Rates::releases })
            rates.*rate += bucket.seen.*rate / seen.count() + bucket.concluded.*rate / concluded.count();
        rates.expiries += bucket.seen.expiries / seen.count();
        rates.mayHaveMoreExpiries = rates.mayHaveMoreExpiries || bucket.concluded.expiries > 0;
    }
    return rates.areUnknown ? Rates{ .areUnknown = true } : rates;
}

std::optional<MonoTime> RateMeter::changesAt() const
{
    if (m_quiet)
        return std::nullopt;
    return MonoTime{ std::chrono::seconds{ m_computedSecond + 1 } };
}

} // namespace lockcore::monitor
