// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/lost_holds.h"

#include "lockcore/synchronizers/catalog.h"

#include <algorithm>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t Most = 10'000;

bool mayBeOnlyOne(const LockState &lock)
{
    return isExclusive(lock.kind) || (lock.kind == Kind::ReadWrite && lock.mode == HoldMode::Write);
}

} // namespace

/// The owner does not believe that it holds the lock, or it does hold it: nothing is lost.
void LostHolds::knows(const LockName &lock, const OwnerId &owner)
{
    if (const auto lost = m_lost.find(lock); lost != m_lost.end() && lost->second.owner == owner)
        m_lost.erase(lost);
}

void LostHolds::remember(const LockName &lock, Lost lost)
{
    if (m_lost.size() < Most)
        m_lost.insert_or_assign(lock, std::move(lost));
}

void LostHolds::heard(const Event &event, MonoTime now)
{
    switch (event.kind) {
    case EventKind::Acquired:
    case EventKind::Appeared:
        if (event.owner) {
            m_ended.erase({ event.lock, *event.owner });
            knows(event.lock, *event.owner);
        }
        break;
    case EventKind::Deleted:
        if (!event.owner)
            break;
        m_ended.emplace(event.lock, *event.owner);
        if (event.ttl.value_or(Millis{ 0 }) > Millis{ 0 })
            remember(event.lock, { *event.owner, now, now + *event.ttl });
        break;
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
        if (event.owner) {
            m_ended.emplace(event.lock, *event.owner);
            knows(event.lock, *event.owner);
        }
        break;
    default:
        break;
    }
}

void LostHolds::vanished(const LockState &last, MonoTime now)
{
    if (last.holders.size() != 1 || !mayBeOnlyOne(last) || !last.expiresAt || *last.expiresAt <= now
        || m_ended.contains({ last.name, last.holders.front().owner }))
        return;
    remember(last.name, { last.holders.front().owner, now, *last.expiresAt });
}

std::optional<Finding> LostHolds::rival(const LockState &lock, MonoTime now) const
{
    const auto lost = m_lost.find(lock.name);
    if (lost == m_lost.end() || lost->second.leaseEnds <= now || lock.holders.empty() || !mayBeOnlyOne(lock))
        return std::nullopt;
    const auto &owner = lost->second.owner;
    if (hasOwner(lock.holders, owner))
        return std::nullopt;
    Finding finding;
    finding.kind = SuspectKind::TwoHolders;
    finding.subject = toString(owner);
    finding.holdOff = HandOver;
    finding.evidence = { .what = Observed::TakenAfterLoss,
        .since = std::chrono::floor<Millis>(now - lost->second.at),
        .left = std::chrono::ceil<Millis>(lost->second.leaseEnds - now) };
    return finding;
}

void LostHolds::looked(const LockList &locks, MonoTime now)
{
    std::erase_if(m_ended, [&](const auto &ended) {
        const auto shown = locks.find(ended.first);
        return !shown || std::none_of(shown->holders.begin(), shown->holders.end(), [&](const Holder &holder) {
            return holder.owner == ended.second;
        });
    });
    std::erase_if(m_lost, [&](const auto &entry) { return entry.second.leaseEnds <= now; });
}

} // namespace lockcore::monitor
