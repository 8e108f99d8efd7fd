// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/reader_leases.h"

#include <algorithm>

namespace lockcore::monitor {

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
