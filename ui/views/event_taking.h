// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/event_choice.h"
#include "ui/views/copy_menu.h"

namespace lockui {

class ClientNames;
class EventModel;

/// All events up to `end` that are chosen, newest first, and the times in which nothing was seen.
ExportTable eventsExport(const EventStore &store, const EventChoice &choice, EventStore::Place end,
    const ClientNames &names, ExportFormat format);

/// Which of them were chosen, and how far back they go.
std::vector<ExportTable::Fact> choiceFacts(const EventStore &store, const EventChoice &choice);

/// In JSON each row is the object of `lockctl watch --json`; of one that stands for several the newest.
CopyTarget eventTarget(const EventModel &events, const std::vector<int> &rows, const Origin &origin);

} // namespace lockui
