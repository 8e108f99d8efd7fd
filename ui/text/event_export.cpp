// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/event_export.h"

#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/lock_json.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct EventExport {
    Q_DECLARE_TR_FUNCTIONS(EventExport)
};

std::string heading(const char *text) { return EventExport::tr(text).toStdString(); }

std::vector<std::string> rowFor(
    const Event &event, const std::string &meaning, const ClientNames *names, ExportFormat format)
{
    const OwnerId owner = event.owner.value_or(OwnerId());
    const bool isLease = event.kind != EventKind::Gap && !isOfServer(event.kind);
    const std::string duration = event.ttl ? std::to_string(event.ttl->count()) : std::string();
    return { isoTime(event.at), nameOf(event.kind), isLease ? lockNameCell(event.lock, format) : event.lock,
        event.lockKind ? nameOf(*event.lockKind) : "", owner.client, owner.thread,
        names == nullptr ? std::string() : names->nameOf(owner.client).toStdString(),
        event.count ? std::to_string(*event.count) : std::string(), isLease ? duration : std::string(),
        isLease ? std::string() : duration, event.command, event.key, nameOf(event.certainty), event.node,
        event.byLockscope ? "lockscope" : "", meaning };
}

} // namespace

ExportTable emptyEventExport()
{
    ExportTable table;
    table.columns = { { "at", heading(QT_TRANSLATE_NOOP("EventExport", "When (UTC)")) },
        { "event", heading(QT_TRANSLATE_NOOP("EventExport", "Event")) },
        { "lock", heading(QT_TRANSLATE_NOOP("EventExport", "Lock")) },
        { "kind", heading(QT_TRANSLATE_NOOP("EventExport", "Kind")) },
        { "client", heading(QT_TRANSLATE_NOOP("EventExport", "Client")) },
        { "thread", heading(QT_TRANSLATE_NOOP("EventExport", "Thread")) },
        { "clientName", heading(QT_TRANSLATE_NOOP("EventExport", "Client, as named here")) },
        { "count", heading(QT_TRANSLATE_NOOP("EventExport", "Count then")) },
        { "ttlMs", heading(QT_TRANSLATE_NOOP("EventExport", "TTL then (ms)")) },
        { "lengthMs", heading(QT_TRANSLATE_NOOP("EventExport", "Length (ms)")) },
        { "command", heading(QT_TRANSLATE_NOOP("EventExport", "Command")) },
        { "key", heading(QT_TRANSLATE_NOOP("EventExport", "Key")) },
        { "certainty", heading(QT_TRANSLATE_NOOP("EventExport", "Certainty")) },
        { "node", heading(QT_TRANSLATE_NOOP("EventExport", "Server")) },
        { "sentBy", heading(QT_TRANSLATE_NOOP("EventExport", "Sent by")) },
        { "meaning", heading(QT_TRANSLATE_NOOP("EventExport", "Meaning")) } };
    return table;
}

std::string eventObject(const Event &event, const EventContext &context)
{
    JsonValue object = eventJson(event);
    object["meaning"] = eventMeaning(event, context).toStdString();
    return json::line(object);
}

void addEvent(
    ExportTable &table, const Event &event, const EventContext &context, const ClientNames *names, ExportFormat format)
{
    if (format == ExportFormat::Json)
        table.objects.push_back(eventObject(event, context));
    else
        table.rows.push_back(rowFor(event, eventMeaning(event, context).toStdString(), names, format));
}

} // namespace lockui
