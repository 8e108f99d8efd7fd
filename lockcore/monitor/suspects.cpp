// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/suspects.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockcore {

namespace {

constexpr std::size_t MostOfOnePlace = 20;
constexpr Millis Soon{ 5'000 };

/// One trouble may grow into another.
SuspectKind rootOf(SuspectKind kind)
{
    switch (kind) {
    case SuspectKind::MissedRenewal:
        return SuspectKind::LateRenewal;
    case SuspectKind::LeakedChannel:
        return SuspectKind::FreeButWaitedFor;
    default:
        return kind;
    }
}

bool disproves(EventKind event, SuspectKind kind)
{
    const bool taken = event == EventKind::Acquired || event == EventKind::Appeared || event == EventKind::Reentered;
    switch (rootOf(kind)) {
    case SuspectKind::LateRenewal:
        return taken || event == EventKind::Renewed;
    case SuspectKind::OutlivedHold:
    case SuspectKind::NoTtl:
        return taken;
    case SuspectKind::OrphanQueue:
        return taken || event == EventKind::Dequeued || event == EventKind::WaiterTimedOut;
    case SuspectKind::FreeButWaitedFor:
        return taken || event == EventKind::PermitsChanged || event == EventKind::CountChanged;
    default:
        return false;
    }
}

bool graver(const Suspect &a, const Suspect &b)
{
    return std::tie(a.kind, a.since, a.lock, a.node, a.subject) < std::tie(b.kind, b.since, b.lock, b.node, b.subject);
}

} // namespace

void SuspectBook::enter(const TroublePlace &place, std::vector<Finding> findings, MonoTime now)
{
    const auto known = m_troubles.find(place);
    if (findings.empty()) {
        if (known != m_troubles.end())
            m_troubles.erase(known);
        return;
    }
    if (findings.size() > MostOfOnePlace)
        findings.resize(MostOfOnePlace);
    std::vector<Trouble> troubles;
    for (auto &finding : findings) {
        MonoTime since = now;
        if (known != m_troubles.end()) {
            const auto same = std::find_if(known->second.begin(), known->second.end(), [&](const Trouble &other) {
                return rootOf(other.finding.kind) == rootOf(finding.kind) && other.finding.subject == finding.subject;
            });
            if (same != known->second.end())
                since = same->since;
        }
        troubles.push_back({ std::move(finding), since });
    }
    m_troubles.insert_or_assign(place, std::move(troubles));
}

void SuspectBook::heard(const Event &event)
{
    if (m_troubles.empty())
        return;
    auto place = m_troubles.lower_bound({ event.lock, {}, {} });
    while (place != m_troubles.end() && place->first.lock == event.lock) {
        std::erase_if(
            place->second, [&](const Trouble &trouble) { return disproves(event.kind, trouble.finding.kind); });
        place = place->second.empty() ? m_troubles.erase(place) : std::next(place);
    }
}

void SuspectBook::forgetIf(const std::function<bool(const TroublePlace &)> &forget)
{
    std::erase_if(m_troubles, [&](const auto &entry) { return forget(entry.first); });
}

std::size_t SuspectBook::ripe(MonoTime now) const
{
    return count([now](const Trouble &trouble) { return trouble.lasts(now); });
}

std::size_t SuspectBook::soonRipe(MonoTime now) const
{
    return count([now](const Trouble &trouble) { return !trouble.lasts(now) && trouble.finding.holdOff <= Soon; });
}

template <typename Condition>
std::size_t SuspectBook::count(Condition condition) const
{
    std::size_t number = 0;
    for (const auto &[place, troubles] : m_troubles)
        number += static_cast<std::size_t>(std::count_if(troubles.begin(), troubles.end(), condition));
    return number;
}

std::vector<Suspect> SuspectBook::suspects(MonoTime now, std::size_t most) const
{
    std::vector<Suspect> suspects;
    for (const auto &[place, troubles] : m_troubles) {
        for (const auto &[finding, since] : troubles) {
            if (now - since < finding.holdOff)
                continue;
            suspects.push_back(
                { finding.kind, place.lock, place.node, finding.subject, finding.evidence, finding.certainty, since });
        }
    }
    std::sort(suspects.begin(), suspects.end(), graver);
    if (suspects.size() > most)
        suspects.resize(most);
    return suspects;
}

} // namespace lockcore
