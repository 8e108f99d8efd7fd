// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/lock_end.h"

#include "ui/support/event_store.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

LockEnd lockEnd(const EventStore &events, const LockState &last, Now goneAt, bool isRecorded)
{
    LockEnd end{ goneAt.mono, events.endOf(last.name), std::nullopt, std::nullopt };
    end.wentOn = events.wentOnAfter(last.name, last.readAt) || (isRecorded && !end.how);
    if (end.how && end.how->certainty == Certainty::Inferred)
        end.upheaval = events.upheavalBefore(*end.how);
    if (!end.how || end.how->certainty != Certainty::Seen)
        end.unseenSince = events.unseenBefore(end.how ? end.how->at : goneAt.wall, last.node, last.readAt);
    return end;
}

} // namespace lockui
