// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/fencing_tokens.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lockcore::monitor {

namespace {

constexpr std::size_t MostFenced = 10'000; // locks

std::optional<OwnerId> holderOf(const LockState &lock)
{
    return lock.holders.empty() ? std::nullopt : std::optional(lock.holders.front().owner);
}

} // namespace

void FencingTokens::seen(const LockState &lock)
{
    if (!lock.token)
        return;
    const auto owner = holderOf(lock);
    const auto known = m_given.find(lock.name);
    if (known == m_given.end()) {
        if (m_given.size() < MostFenced)
            m_given.emplace(lock.name, Given{ *lock.token, owner, {} });
        return;
    }
    Given &given = known->second;
    const bool wasGone = std::exchange(given.wasGone, false);
    // The same number is given twice only where the count began anew. A lock that was merely out of sight has the
    // same holder still.
    const bool isGivenAgain = *lock.token == given.last && wasGone && owner && owner != given.owner;
    if (*lock.token < given.last || isGivenAgain)
        given.former = std::max(given.last, given.former.value_or(given.last));
    if (owner || *lock.token != given.last)
        given.owner = owner;
    given.last = *lock.token;
    if (given.former && given.last > *given.former)
        given.former.reset();
}

void FencingTokens::vanished(const LockName &lock)
{
    if (const auto known = m_given.find(lock); known != m_given.end())
        known->second.wasGone = true;
}

std::optional<Finding> FencingTokens::setBack(const LockState &lock) const
{
    const auto known = lock.token ? m_given.find(lock.name) : m_given.end();
    if (known == m_given.end() || !known->second.former || *lock.token > *known->second.former)
        return std::nullopt;
    Finding finding;
    finding.kind = SuspectKind::TokenWentBack;
    finding.evidence = { .what = Observed::TokenNotGrown, .number = *lock.token, .former = *known->second.former };
    finding.certainty = Certainty::Seen;
    return finding;
}

} // namespace lockcore::monitor
