// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/incident_lives.h"

#include <unordered_map>
#include <utility>

namespace lockui::lab {

using lockcore::OwnerId;
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

/// What is known of clients and holds while one reads the events in their order.
class LifeReader {
public:
    explicit LifeReader(const std::vector<Event> &events)
        : m_events(events)
    {
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (isSign(events[i]))
                m_lastSigns[events[i].owner->client] = i;
        }
    }

    /// To be called for each event, after what is asked of it.
    void follow(std::size_t index)
    {
        const Event &event = m_events[index];
        if (isSign(event))
            m_signs[event.owner->client] = index;
        if (!event.owner)
            return;
        if (event.kind == EventKind::Renewed)
            m_renewed.emplace(event.lock, *event.owner);
        else if (event.kind == EventKind::Acquired || event.kind == EventKind::Appeared)
            m_renewed.erase({ event.lock, *event.owner });
    }

    /// The last sign of life before that event; BeforeAll: none.
    std::size_t signBefore(std::size_t event) const
    {
        const auto sign = m_signs.find(m_events[event].owner->client);
        return sign == m_signs.end() ? IncidentLives::BeforeAll : sign->second;
    }

    bool livesAfter(std::size_t event) const
    {
        const auto last = m_lastSigns.find(m_events[event].owner->client);
        return last != m_lastSigns.end() && last->second > event;
    }

    /// Of the hold that this event ends.
    bool wasRenewed(std::size_t event) const
    {
        return m_renewed.contains({ m_events[event].lock, *m_events[event].owner });
    }

private:
    static bool isSign(const Event &event) { return event.owner && isSignOfLife(event.kind); }

    const std::vector<Event> &m_events;
    std::unordered_map<std::string, std::size_t> m_signs; // the last ones up to here, by client
    std::unordered_map<std::string, std::size_t> m_lastSigns; // of all
    std::set<std::pair<lockcore::LockName, OwnerId>> m_renewed; // holds, since they began
};

/// What an event tells of a client that did not end a hold, or did not come to its turn.
void judge(const LifeReader &reader, const Event &event, std::size_t index, IncidentLives &lives)
{
    if (!reader.livesAfter(index)) {
        lives.fates[index] = Fate::Died;
        lives.deaths[reader.signBefore(index)].insert(event.owner->client);
    } else if (event.kind == EventKind::Expired && reader.wasRenewed(index)) {
        lives.fates[index] = Fate::StoodStill;
        lives.stops[reader.signBefore(index)].insert(event.owner->client);
    } else {
        lives.fates[index] = Fate::RanOut;
    }
}

} // namespace

IncidentLives livesIn(const Incident &incident, const std::function<bool(const Event &)> &isChosen)
{
    IncidentLives lives;
    LifeReader reader(incident.events);
    for (std::size_t i = 0; i < incident.events.size(); ++i) {
        const Event &event = incident.events[i];
        if (event.lockKind) {
            Kind &kind = lives.kinds.emplace(event.lock, *event.lockKind).first->second;
            kind = kind == Kind::Reentrant ? *event.lockKind : kind; // a fair lock without a queue looks like one
        }
        const bool isTold = event.at <= incident.to && isChosen(event);
        if (event.kind == EventKind::Acquired && isTold)
            ++lives.takings;
        const bool isEnd = event.kind == EventKind::Expired || event.kind == EventKind::WaiterTimedOut;
        if (isTold && isEnd && event.owner)
            judge(reader, event, i, lives);
        reader.follow(i);
    }
    return lives;
}

} // namespace lockui::lab
