// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/free_play.h"

namespace lockui::lab {

using lockcore::synchronizers::Kind;

bool losesPermits(const GroupSettings &settings, const ContenderState &client)
{
    const bool mayGet = client.phase == ClientPhase::Waiting || client.waitsForMore;
    const bool neverEnds
        = settings.kind == Kind::Semaphore || (settings.kind == Kind::PermitExpirableSemaphore && !settings.lease);
    return neverEnds && (client.holds > 0 || mayGet);
}

/// Of a fair lock the queue in Redis tells who waits.
std::vector<HandHold> handHolds(const FreePlayState &state)
{
    std::vector<HandHold> holds;
    for (const GroupState &group : state.groups) {
        for (const ContenderState &client : group.clients) {
            const bool waits = client.phase == ClientPhase::Waiting && group.settings.kind != Kind::Fair;
            if (client.isByHand && (waits || client.holds > 0))
                holds.push_back({ group.lock, { client.id, HandThread }, waits, client.since });
        }
    }
    return holds;
}

std::vector<lockcore::monitor::KnownWait> knownWaits(const std::vector<HandHold> &hands)
{
    std::vector<lockcore::monitor::KnownWait> waits;
    for (const HandHold &hand : hands) {
        if (hand.waits)
            waits.push_back({ hand.owner, hand.lock, hand.since });
    }
    return waits;
}

std::vector<lockcore::monitor::KnownHold> knownHolds(const std::vector<HandHold> &hands)
{
    std::vector<lockcore::monitor::KnownHold> holds;
    for (const HandHold &hand : hands) {
        if (!hand.waits)
            holds.push_back({ hand.owner, hand.lock });
    }
    return holds;
}

} // namespace lockui::lab
