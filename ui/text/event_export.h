// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "ui/text/event_text.h"
#include "ui/text/table_export.h"

namespace lockui {

class ClientNames;

/// For events, which are added one by one.
ExportTable emptyEventExport();

/// The object that `lockctl watch --json` prints, and what it means.
std::string eventObject(const lockcore::monitor::Event &event, const EventContext &context);

/// In JSON it is that object. `names` may be null.
void addEvent(ExportTable &table, const lockcore::monitor::Event &event, const EventContext &context,
    const ClientNames *names, ExportFormat format);

} // namespace lockui
