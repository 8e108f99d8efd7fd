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

std::size_t hashOf(const std::string &subject) { return std::hash<std::string>()(subject); }

bool isGraver(const Suspect &a, const Suspect &b)
{
    return std::tie(a.kind, a.since, a.lock, a.node, a.subject) < std::tie(b.kind, b.since, b.lock, b.node, b.subject);
}

} // namespace

bool SuspectStore::Trouble::isOf(const Finding &finding) const
{
    return rootOf(kind) == rootOf(finding.kind) && subject == hashOf(finding.subject);
}

void SuspectStore::enter(const TroublePlace &place, std::vector<Finding> findings, MonoTime now)
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
    troubles.reserve(findings.size());
    for (const auto &finding : findings) {
        const auto isSame = [&](const Trouble &other) { return other.isOf(finding); };
        if (std::any_of(troubles.begin(), troubles.end(), isSame))
            continue;
        MonoTime since = now;
        if (known != m_troubles.end()) {
            const auto same = std::find_if(known->second.begin(), known->second.end(), isSame);
            if (same != known->second.end())
                since = same->since;
        }
        troubles.push_back({ finding.kind, hashOf(finding.subject), finding.holdOff, since });
    }
    m_troubles.insert_or_assign(place, std::move(troubles));
}

bool SuspectStore::concerns(const LockName &lock) const
{
    const auto place = m_troubles.lower_bound({ lock, {}, {} });
    return place != m_troubles.end() && place->first.lock == lock;
}

void SuspectStore::heard(const Event &event)
{
    if (m_troubles.empty())
        return;
    auto place = m_troubles.lower_bound({ event.lock, {}, {} });
    while (place != m_troubles.end() && place->first.lock == event.lock) {
        std::erase_if(place->second, [&](const Trouble &trouble) { return disproves(event.kind, trouble.kind); });
        place = place->second.empty() ? m_troubles.erase(place) : std::next(place);
    }
}

void SuspectStore::forgetIf(const std::function<bool(const TroublePlace &)> &forget)
{
    std::erase_if(m_troubles, [&](const auto &entry) { return forget(entry.first); });
}

std::size_t SuspectStore::ripe(MonoTime now, const IsWanted &isWanted) const
{
    return count([now](const Trouble &trouble) { return trouble.lasts(now); }, isWanted);
}

std::size_t SuspectStore::soonRipe(MonoTime now, const IsWanted &isWanted) const
{
    return count([now](const Trouble &trouble) { return !trouble.lasts(now) && trouble.holdOff <= Soon; }, isWanted);
}

template <typename Condition>
std::size_t SuspectStore::count(Condition condition, const IsWanted &isWanted) const
{
    std::size_t number = 0;
    for (const auto &[place, troubles] : m_troubles)
        if (!isWanted || isWanted(place.lock))
            number += static_cast<std::size_t>(std::count_if(troubles.begin(), troubles.end(), condition));
    return number;
}

std::vector<Suspect> SuspectStore::suspects(
    MonoTime now, std::size_t most, const FindingsAt &findingsAt, const IsWanted &isWanted) const
{
    std::vector<Entry> ripe;
    for (const auto &[place, troubles] : m_troubles) {
        if (isWanted && !isWanted(place.lock))
            continue;
        for (const auto &trouble : troubles) {
            if (trouble.lasts(now))
                ripe.emplace_back(&place, &trouble);
        }
    }
    const auto listed = ripe.begin() + static_cast<std::ptrdiff_t>(std::min(most, ripe.size()));
    std::partial_sort(ripe.begin(), listed, ripe.end(), [](const Entry &a, const Entry &b) {
        return std::tie(a.second->kind, a.second->since, *a.first, a.second->subject)
            < std::tie(b.second->kind, b.second->since, *b.first, b.second->subject);
    });

    std::vector<Suspect> suspects;
    std::map<const TroublePlace *, std::vector<Finding>> found;
    std::for_each(ripe.begin(), listed, [&](const Entry &entry) {
        const auto *place = entry.first;
        const auto *trouble = entry.second;
        const auto [here, isNew] = found.try_emplace(place);
        if (isNew)
            here->second = findingsAt(*place);
        const auto &findings = here->second;
        const auto finding = std::find_if(
            findings.begin(), findings.end(), [&](const Finding &other) { return trouble->isOf(other); });
        if (finding != findings.end())
            suspects.push_back({ finding->kind, place->lock, place->node, finding->subject, finding->evidence,
                finding->certainty, trouble->since });
    });
    std::sort(suspects.begin(), suspects.end(), isGraver);
    return suspects;
}

} // namespace lockcore
