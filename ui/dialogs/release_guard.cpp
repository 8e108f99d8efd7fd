// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/release_guard.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;

std::vector<ExpectedHolder> expectedHolders(const LockState &lock)
{
    std::vector<ExpectedHolder> expected;
    for (const Holder &holder : lock.holders)
        expected.push_back({ holder.owner, holder.mode });
    std::sort(expected.begin(), expected.end());
    return expected;
}

ReleaseGuard::ReleaseGuard(Lock seen)
    : m_seen(std::move(seen))
    , m_current(m_seen)
{
}

void ReleaseGuard::lookAgain()
{
    if (m_current)
        m_seen = m_current;
}

ReleaseGuard::Sight ReleaseGuard::sight() const
{
    if (!m_live)
        return Sight::Stale;
    if (!m_current)
        return Sight::Gone;
    if (m_current->holders.empty())
        return Sight::Free;
    return expectedHolders(*m_current) == expectedHolders(*m_seen) ? Sight::Same : Sight::Changed;
}

const LockState &ReleaseGuard::shown() const { return sight() == Sight::Same ? *m_current : *m_seen; }

ForceRelease ReleaseGuard::command(std::string reason) const
{
    return { m_seen->name, shown().kind, expectedHolders(*m_seen), std::move(reason) };
}

} // namespace lockui
