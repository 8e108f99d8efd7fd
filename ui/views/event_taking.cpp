// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/event_taking.h"

#include "ui/models/event_model.h"
#include "ui/text/event_export.h"
#include "ui/text/lock_json.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct EventTaking {
    Q_DECLARE_TR_FUNCTIONS(EventTaking)
};

} // namespace

ExportTable eventsExport(const EventStore &store, const EventChoice &choice, EventStore::Place end,
    const ClientNames &names, ExportFormat format)
{
    ExportTable table = emptyEventExport();
    EventMatcher matcher(store, choice);
    for (EventStore::Place place = std::min(end, store.end()); place > store.first(); --place)
        if (matcher.matches(place - 1))
            addEvent(table, store.event(place - 1), store.contextOfOne(place - 1), &names, format);
    return table;
}

std::vector<ExportTable::Fact> choiceFacts(const EventStore &store, const EventChoice &choice)
{
    std::vector<ExportTable::Fact> facts;
    QStringList kinds;
    for (std::size_t kind = 0; kind < choice.kinds.size(); ++kind)
        if (choice.kinds.test(kind))
            kinds << eventText(static_cast<EventKind>(kind));
    if (!kinds.isEmpty())
        facts.push_back(
            { "kinds", EventTaking::tr("Kinds").toStdString(), kinds.join(QStringLiteral(", ")).toStdString() });
    if (store.since() && !store.hasDropped())
        facts.push_back({ "heardSince", EventTaking::tr("Heard since").toStdString(), isoTime(*store.since()) });
    if (store.hasDropped())
        facts.push_back({ "earlier", EventTaking::tr("Earlier events").toStdString(),
            EventTaking::tr("were heard and are not kept").toStdString() });
    return facts;
}

CopyTarget eventTarget(const EventModel &events, const std::vector<int> &rows, const Origin &origin)
{
    CopyTarget target;
    std::vector<std::pair<Event, EventContext>> chosen;
    for (const int row : rows) {
        const auto event = events.eventAt(row);
        if (!event)
            continue;
        chosen.emplace_back(*event, events.contextAt(row));
        const auto lock = events.lockAt(row); // its name may be empty
        if (lock && std::ranges::find(target.locks, *lock, &CopyTarget::Lock::name) == target.locks.end())
            target.locks.push_back({ *lock, origin.snapshot ? origin.snapshot->locks.find(*lock) : nullptr });
        if (event->owner && std::ranges::find(target.owners, *event->owner) == target.owners.end())
            target.owners.push_back(*event->owner);
    }
    if (!chosen.empty())
        target.json = [chosen] {
            std::string text;
            for (const auto &[event, context] : chosen)
                text += (text.empty() ? "" : "\n") + eventObject(event, context);
            return text;
        };
    return target;
}

} // namespace lockui
