// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lease_inference.h"

#include <algorithm>
#include <cstdlib>

namespace lockcore::monitor {

namespace {

constexpr std::uint8_t RenewalsThatProve = 3;

Millis clearlyBelowTwoThirds(Millis lease) { return lease * 55 / 100; }

} // namespace

void LeaseInference::renewed(MonoTime at, Millis ttlBefore, Millis ttlAfter, Millis leaseSeen)
{
    const bool toFull = std::abs((ttlAfter - leaseSeen).count()) <= leaseSeen.count() / 20 + 50;
    if (!toFull)
        m_renewalsToFull = 0;
    else if (m_renewalsToFull < RenewalsThatProve)
        ++m_renewalsToFull;
    const bool isFirst = m_lastRenewal == Never;
    const bool steady
        = toFull && !isFirst && at - m_lastRenewal >= leaseSeen / 5 && at - m_lastRenewal <= leaseSeen / 2;
    const bool onTime = toFull && isFirst && ttlBefore >= leaseSeen * 62 / 100 && ttlBefore <= leaseSeen * 68 / 100;
    m_lastRenewal = at;
    if (steady || onTime || m_renewalsToFull == RenewalsThatProve)
        m_lease = Lease::Watchdog;
    else if (m_lease == Lease::Fixed)
        m_lease = Lease::Unknown;
}

void LeaseInference::looked(Millis ttl, Millis leaseSeen)
{
    if (m_lease == Lease::Unknown && m_lastRenewal == Never && ttl <= clearlyBelowTwoThirds(leaseSeen))
        m_lease = Lease::Fixed;
}

void LeaseInference::restarted()
{
    m_lastRenewal = Never;
    m_renewalsToFull = 0;
    if (m_lease == Lease::Fixed)
        m_lease = Lease::Unknown;
}

MonoTime LeaseInference::verdictAt(MonoTime expiresAt, Millis leaseSeen)
{
    return expiresAt - clearlyBelowTwoThirds(leaseSeen);
}

const ReaderLeases::Judgement *ReaderLeases::of(const OwnerId &owner) const
{
    const auto known = std::ranges::find(m_readers, owner, &Reader::owner);
    return known == m_readers.end() ? nullptr : &known->judgement;
}

void ReaderLeases::began(const OwnerId &owner, Judgement judgement)
{
    std::erase_if(m_readers, [&](const Reader &reader) { return reader.owner == owner; });
    m_readers.push_back({ owner, judgement });
}

void ReaderLeases::looked(const OwnerId &owner, const HoldCourse &course, MonoTime at, Millis before, Millis after)
{
    const auto known = std::ranges::find(m_readers, owner, &Reader::owner);
    if (known == m_readers.end() || course.isNew)
        return began(owner, { {}, after });
    auto &[lease, leaseSeen] = known->judgement;
    if (course.restarted) {
        lease.restarted();
        leaseSeen = after;
        return;
    }
    leaseSeen = std::max(leaseSeen, after);
    if (course.renewed)
        lease.renewed(at, before, after, leaseSeen);
    lease.looked(after, leaseSeen);
}

void ReaderLeases::keepOnly(const std::vector<Holder> &holders)
{
    std::erase_if(m_readers, [&](const Reader &reader) {
        return std::none_of(
            holders.begin(), holders.end(), [&](const Holder &holder) { return holder.owner == reader.owner; });
    });
}

} // namespace lockcore::monitor
