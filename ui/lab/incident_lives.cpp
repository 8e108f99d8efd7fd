// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/incident_lives.h"

#include <algorithm>

namespace lockui::lab {

using lockcore::Millis;
using lockcore::OwnerId;
using lockcore::WallTime;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::synchronizers::Kind;

namespace {

/// Only its client itself does that.
bool isSignOfLife(EventKind kind)
{
    switch (kind) {
    case EventKind::Acquired:
    case EventKind::Reentered:
    case EventKind::Renewed:
    case EventKind::PartlyReleased:
    case EventKind::Released:
    case EventKind::Queued:
    case EventKind::Dequeued:
        return true;
    default:
        return false;
    }
}

class LifeReader {
public:
    explicit LifeReader(const Incident &incident)
        : m_incident(incident)
    {
    }

    /// The last sign of life before that event; BeforeAll: none.
    std::size_t signBefore(std::size_t event) const
    {
        for (std::size_t i = event; i-- > 0;) {
            if (isSignOf(i, event))
                return i;
        }
        return IncidentLives::BeforeAll;
    }

    bool livesAfter(std::size_t event) const
    {
        for (std::size_t i = event + 1; i < events().size(); ++i) {
            if (isSignOf(i, event))
                return true;
        }
        return false;
    }

    /// Of the hold that this event ends.
    bool wasRenewed(std::size_t event) const
    {
        for (std::size_t i = event; i-- > 0 && !isBeginOf(i, event);) {
            if (events()[i].kind == EventKind::Renewed && isSameHold(i, event))
                return true;
        }
        return false;
    }

private:
    const std::vector<Event> &events() const { return m_incident.events; }
    bool isSignOf(std::size_t sign, std::size_t event) const
    {
        return events()[sign].owner && isSignOfLife(events()[sign].kind)
            && events()[sign].owner->client == events()[event].owner->client;
    }
    bool isSameHold(std::size_t one, std::size_t other) const
    {
        return events()[one].lock == events()[other].lock && events()[one].owner == events()[other].owner;
    }
    bool isBeginOf(std::size_t begin, std::size_t event) const
    {
        const EventKind kind = events()[begin].kind;
        return (kind == EventKind::Acquired || kind == EventKind::Appeared) && isSameHold(begin, event);
    }

    const Incident &m_incident;
};

} // namespace

IncidentLives livesIn(const Incident &incident, const std::function<bool(const Event &)> &isChosen)
{
    IncidentLives lives;
    const LifeReader reader(incident);
    for (std::size_t i = 0; i < incident.events.size(); ++i) {
        const Event &event = incident.events[i];
        if (event.lockKind) {
            Kind &kind = lives.kinds.emplace(event.lock, *event.lockKind).first->second;
            kind = kind == Kind::Reentrant ? *event.lockKind : kind; // a fair lock without a queue looks like one
        }
        if (event.kind == EventKind::Acquired && event.at <= incident.to && isChosen(event))
            ++lives.takings;
        if (event.at > incident.to || !event.owner || !isChosen(event))
            continue;
        if (event.kind != EventKind::Expired && event.kind != EventKind::WaiterTimedOut)
            continue;
        if (!reader.livesAfter(i)) {
            lives.fates[i] = Fate::Died;
            lives.deaths[reader.signBefore(i)].insert(event.owner->client);
        } else if (event.kind == EventKind::Expired && reader.wasRenewed(i)) {
            lives.fates[i] = Fate::StoodStill;
            lives.stops[reader.signBefore(i)].insert(event.owner->client);
        } else {
            lives.fates[i] = Fate::RanOut;
        }
    }
    return lives;
}

} // namespace lockui::lab
