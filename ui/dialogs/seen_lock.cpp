// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/seen_lock.h"

#include "ui/text/lock_text.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

/// How often its watchdog renews it: when a third of the lease is over that it set last.
std::optional<Millis> renewedEvery(const LockState &lock)
{
    constexpr int TicksOfALease = 3;
    if (lock.lease != Lease::Watchdog)
        return std::nullopt;
    const auto last = std::find_if(
        lock.ttlHistory.rbegin(), lock.ttlHistory.rend(), [](const TtlCorner &corner) { return corner.renewal; });
    const auto lease = last == lock.ttlHistory.rend() ? lock.leaseSeen : std::optional(last->after);
    return lease ? std::optional(*lease / TicksOfALease) : std::nullopt;
}

} // namespace

std::vector<ExpectedHolder> expectedHolders(const LockState &lock)
{
    std::vector<ExpectedHolder> expected;
    for (const Holder &holder : lock.holders)
        expected.push_back({ holder.owner, holder.mode });
    std::sort(expected.begin(), expected.end());
    return expected;
}

std::optional<SeenEnd> seenEnd(const LockState &lock)
{
    const bool isOfOne = lock.holders.size() == 1 && lock.members.empty() && lock.kind != Kind::FasterMulti
        && lock.holders.front().mode != HoldMode::Read;
    return isOfOne ? std::optional(SeenEnd{ lock.expiresAt, renewedEvery(lock) }) : std::nullopt;
}

namespace {

bool isLater(const Holder &before, const Holder &after) { return before.since.at < after.since.at; }

bool endsEarlier(const Holder &before, const Holder &after)
{
    return after.expiresAt && (!before.expiresAt || *after.expiresAt + SameEnd < *before.expiresAt);
}

/// Of one that has the lock to itself: no watchdog is known, or it was not due.
bool endsLater(const LockState &seen, const LockState &now)
{
    const auto before = seenEnd(seen);
    const auto after = seenEnd(now);
    if (!before || !before->at || !after || (after->at && *after->at <= *before->at + SameEnd))
        return false;
    return !after->at || !after->renewedEvery || *after->at < *before->at + *after->renewedEvery - SameEnd;
}

/// Whether something is true of one of these holders as it was seen, and as it is now.
template <typename Differ>
bool anyDiffers(
    const LockState &seen, const LockState &now, const std::vector<ExpectedHolder> &holders, const Differ &differ)
{
    return std::ranges::any_of(holders, [&](const ExpectedHolder &meant) {
        const auto isMeant
            = [&](const Holder &holder) { return holder.owner == meant.owner && holder.mode == meant.mode; };
        const auto before = std::ranges::find_if(seen.holders, isMeant);
        const auto after = std::ranges::find_if(now.holders, isMeant);
        return before != seen.holders.end() && after != now.holders.end() && differ(*before, *after);
    });
}

} // namespace

bool isTakenAnew(const LockState &seen, const LockState &now, const std::vector<ExpectedHolder> &holders)
{
    return anyDiffers(seen, now, holders,
        [](const Holder &before, const Holder &after) { return isLater(before, after) && after.since.exact; });
}

bool mayBeTakenAnew(const LockState &seen, const LockState &now, const std::vector<ExpectedHolder> &holders)
{
    return endsLater(seen, now) || anyDiffers(seen, now, holders, [](const Holder &before, const Holder &after) {
        return endsEarlier(before, after) || isLater(before, after);
    });
}

bool isElsewhere(const LockState &seen, const LockState &now)
{
    return seen.members.empty() && now.members.empty() && seen.node != now.node;
}

SeenLock::SeenLock(Lock seen)
    : m_seen(std::move(seen))
    , m_same(m_seen)
    , m_current(m_seen)
{
}

void SeenLock::setCurrent(Lock lock)
{
    m_current = std::move(lock);
    m_wasElsewhere = m_wasElsewhere || (m_current && isElsewhere(*m_seen, *m_current));
    const Sight now = sight();
    m_mayBeAnew = m_mayBeAnew || now == Sight::MayBeAnew;
    if (now == Sight::Same)
        m_same = m_current;
}

void SeenLock::lookAgain()
{
    m_mayBeAnew = false;
    m_wasElsewhere = false;
    if (m_current)
        m_seen = m_same = m_current;
}

SeenLock::Sight SeenLock::sight() const
{
    if (!m_current)
        return Sight::Gone;
    if (isFree(*m_current))
        return Sight::Free;
    const auto seen = expectedHolders(*m_seen);
    if (expectedHolders(*m_current) != seen || isTakenAnew(*m_same, *m_current, seen))
        return Sight::Changed;
    if (m_wasElsewhere)
        return Sight::Elsewhere;
    return m_mayBeAnew || mayBeTakenAnew(*m_same, *m_current, seen) ? Sight::MayBeAnew : Sight::Same;
}

const LockState &SeenLock::shown() const { return sight() == Sight::Same ? *m_current : *m_seen; }

} // namespace lockui
