// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/seen_lock.h"

#include "ui/text/lock_text.h"

#include <algorithm>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

std::vector<ExpectedHolder> expectedHolders(const LockState &lock)
{
    std::vector<ExpectedHolder> expected;
    for (const Holder &holder : lock.holders)
        expected.push_back({ holder.owner, holder.mode });
    std::sort(expected.begin(), expected.end());
    return expected;
}

bool isTakenAnew(const LockState &seen, const LockState &now)
{
    return std::ranges::any_of(now.holders, [&](const Holder &holder) {
        const auto before = std::ranges::find(seen.holders, holder.owner, &Holder::owner);
        return before != seen.holders.end() && before->mode == holder.mode && before->since.at < holder.since.at;
    });
}

SeenLock::SeenLock(Lock seen)
    : m_seen(std::move(seen))
    , m_current(m_seen)
{
}

void SeenLock::lookAgain()
{
    if (m_current)
        m_seen = m_current;
}

SeenLock::Sight SeenLock::sight() const
{
    if (!m_current)
        return Sight::Gone;
    if (isFree(*m_current))
        return Sight::Free;
    const bool isSame = expectedHolders(*m_current) == expectedHolders(*m_seen) && !isTakenAnew(*m_seen, *m_current);
    return isSame ? Sight::Same : Sight::Changed;
}

const LockState &SeenLock::shown() const { return sight() == Sight::Same ? *m_current : *m_seen; }

} // namespace lockui
