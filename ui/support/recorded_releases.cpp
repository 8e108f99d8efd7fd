// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/recorded_releases.h"

#include <algorithm>
#include <memory>
#include <string_view>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;

namespace {

constexpr std::size_t MostReleases = 1'000;
constexpr int MostLookedThrough = 1'024; // events of one lock in the time of a record

/// An address of this computer itself, as a port alone.
std::string withoutLoopbackName(const std::string &address)
{
    for (const std::string_view name : { "localhost:", "127.0.0.1:", "[::1]:" }) {
        if (address.starts_with(name))
            return address.substr(name.size() - 1);
    }
    return address;
}

/// What stands behind the name of a server; nothing: it is the first.
bool isDatabase(std::string_view text)
{
    const auto isNumber = [](std::string_view digits) {
        return std::ranges::all_of(digits, [](char each) { return each >= '0' && each <= '9'; });
    };
    constexpr std::string_view OfSocket = "?db=";
    return text.empty() || (text.starts_with('/') && isNumber(text.substr(1)))
        || (text.starts_with(OfSocket) && isNumber(text.substr(OfSocket.size())));
}

/// By its holder, as it seems, or by nothing in particular: most events are none.
bool isInferredEnd(const Event &event)
{
    return event.certainty == Certainty::Inferred && endsHold(event.kind) && event.owner;
}

/// Its message was heard, which does not say whose release it was.
bool isSeenForce(const Event &event)
{
    return event.certainty == Certainty::Seen && event.kind == EventKind::ForceReleased && event.owner;
}

} // namespace

void RecordedReleases::begin(int database)
{
    *this = {};
    m_database = database;
}

void RecordedReleases::beginRecording()
{
    *this = {};
    m_database.reset();
}

void RecordedReleases::restart() { m_releases = m_all; }

/// As Endpoint::displayWithDatabase writes it. A server's name in an event has no database. Of two programs on this
/// computer one may have been told another of its own names.
bool RecordedReleases::isHere(const std::string &endpoint, const std::string &node) const
{
    const std::string there = withoutLoopbackName(endpoint);
    const std::string here = withoutLoopbackName(node);
    if (!m_database)
        return there.starts_with(here) && isDatabase(std::string_view(there).substr(here.size()));
    const std::string number = std::to_string(*m_database);
    return *m_database == 0 ? there == here : there == here + '/' + number || there == here + "?db=" + number;
}

/// Only where the clock of the log is the one by which events are told.
std::optional<RecordedReleases::Release> RecordedReleases::releaseOf(const AuditEntry &entry)
{
    const bool isDone = entry.outcome && entry.outcome->end == nameOf(AuditEnd::Done);
    if (entry.action != nameOf(AuditAction::ForceRelease) || !isDone || entry.host != auditHost() || !entry.begunAt
        || !entry.outcome->at)
        return std::nullopt;
    const AuditOutcome &outcome = *entry.outcome;
    Release release{ entry.lock, outcome.endpoint.empty() ? entry.endpoint : outcome.endpoint, {}, *entry.begunAt,
        *outcome.at };
    for (const auto &holder : entry.expected)
        release.owners.push_back(holder.owner);
    return release;
}

/// While one looks on, the window knows itself which releases were its own.
bool RecordedReleases::mayBeRecorded(const Event &event) const
{
    return isInferredEnd(event) || (!m_database && isSeenForce(event));
}

bool RecordedReleases::isEndOf(const Release &release, const Event &event) const
{
    return mayBeRecorded(event) && event.lock == release.lock && isHere(release.endpoint, event.node)
        && event.at >= release.from && event.at <= release.to + EventStore::HeardWithin
        && std::ranges::find(release.owners, *event.owner) != release.owners.end();
}

bool RecordedReleases::isNew(const std::string &id)
{
    if (std::ranges::find(m_known, id) != m_known.end())
        return false;
    m_known.push_back(id);
    if (m_known.size() > MostReleases)
        m_known.pop_front();
    return true;
}

EventList RecordedReleases::told(const EventList &events)
{
    std::shared_ptr<std::vector<Event>> corrected;
    for (std::size_t i = 0; i < events->size() && !m_releases.empty(); ++i) {
        const Event &event = (*events)[i];
        if (!mayBeRecorded(event))
            continue;
        const auto release
            = std::ranges::find_if(m_releases, [&](const Release &each) { return isEndOf(each, event); });
        if (release == m_releases.end())
            continue;
        if (!corrected)
            corrected = std::make_shared<std::vector<Event>>(*events);
        (*corrected)[i].kind = EventKind::ForceReleased;
        (*corrected)[i].certainty = Certainty::Recorded;
        release->owners.erase(std::ranges::find(release->owners, *event.owner));
    }
    if (!events->empty())
        std::erase_if(m_releases, [&](const Release &release) {
            return release.owners.empty() || release.to + EventStore::HeardWithin < events->back().at;
        });
    return corrected ? corrected : events;
}

/// Of several that may be it the first: what came after it was taken anew.
void RecordedReleases::correct(Release &release, EventStore &store, std::vector<Event> &corrected) const
{
    std::vector<EventStore::Place> ends;
    auto place = store.newestOf(release.lock);
    for (int looks = 0; place && looks < MostLookedThrough && store.record(*place).at >= release.from;
         ++looks, place = store.beforeOfLock(*place))
        if (isEndOf(release, store.event(*place)))
            ends.push_back(*place);
    std::ranges::reverse(ends);
    for (const EventStore::Place end : ends) {
        const Event event = store.event(end);
        const auto owner = std::ranges::find(release.owners, *event.owner);
        if (owner == release.owners.end())
            continue;
        release.owners.erase(owner);
        store.correct(end, EventKind::ForceReleased, Certainty::Recorded);
        corrected.push_back(event);
    }
}

void RecordedReleases::keep(std::deque<Release> &releases, const Release &release)
{
    releases.push_back(release);
    if (releases.size() > MostReleases)
        releases.pop_front();
}

std::vector<Event> RecordedReleases::take(const AuditNews &news, EventStore &store)
{
    std::vector<Event> corrected;
    for (const auto *entries : { &news.begun, &news.ended }) {
        for (const AuditEntryPtr &entry : *entries) {
            auto release = releaseOf(*entry);
            if (!release || !isNew(entry->id))
                continue;
            if (!m_database)
                keep(m_all, *release);
            correct(*release, store, corrected);
            if (!release->owners.empty())
                keep(m_releases, *release);
        }
    }
    return corrected;
}

} // namespace lockui
