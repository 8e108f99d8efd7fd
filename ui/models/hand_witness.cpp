// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/hand_witness.h"

#include <algorithm>

namespace lockui {

using lab::ClientPhase;
using lab::ContenderState;
using lockcore::monitor::Since;
using lockcore::monitor::Snapshot;
using lockcore::monitor::SourcePhase;

/// Where the monitor names nobody, as with semaphores, a hold is never seen, and its end is not either.
void HandWitness::look(const lab::FreePlayState &state, const Snapshot &snapshot)
{
    if (snapshot.status.phase != SourcePhase::Live)
        return lookAway();
    std::map<Key, Hold> holds;
    for (const lab::GroupState &group : state.groups) {
        const auto lock = group.settings.byHand ? snapshot.locks.find(group.lock) : nullptr;
        for (const ContenderState &client : group.clients) {
            if (!group.settings.byHand || client.phase != ClientPhase::Holding)
                continue;
            const Key key{ group.settings.id, client.name };
            const auto before = m_holds.find(key);
            const bool isSame
                = before != m_holds.end() && before->second.id == client.id && before->second.since == client.since;
            Hold hold = isSame ? before->second : Hold{ .id = client.id, .since = client.since };
            const lockcore::OwnerId owner{ client.id, lab::HandThread };
            const bool isNamed = lock && hasOwner(lock->holders, owner);
            if (isNamed)
                hold.gone.reset();
            else if (hold.wasSeen && !hold.gone)
                hold.gone = Since{ lock ? lock->readAtMono : snapshot.takenAt.mono, !m_lookedAway };
            hold.wasSeen = hold.wasSeen || isNamed;
            holds.emplace(key, std::move(hold));
        }
    }
    m_holds = std::move(holds);
    m_lookedAway = false;
}

void HandWitness::tell(lab::GroupState &group) const
{
    for (ContenderState &client : group.clients) {
        const auto known = m_holds.find({ group.settings.id, client.name });
        if (known == m_holds.end() || known->second.since != client.since)
            continue;
        const auto &gone = known->second.gone;
        if (!gone && known->second.wasSeen && !m_lookedAway && !client.unansweredSince)
            client.unseenSince.reset();
        if (gone && !client.hasLostIt)
            client.goneSince = gone;
        else if (gone)
            client.lostAt = std::min(client.lostAt, gone->at);
    }
}

void tellLost(lab::GroupState &group, lockcore::MonoTime since)
{
    for (ContenderState &client : group.clients) {
        if (!client.isByHand || !client.isAlive())
            continue;
        client.unansweredSince = std::min(client.unansweredSince.value_or(since), since);
        const auto lastSeen = std::max(since, client.since); // what it got later was confirmed then
        if (client.phase == ClientPhase::Holding)
            client.unseenSince = std::min(client.unseenSince.value_or(lastSeen), lastSeen);
    }
}

} // namespace lockui
