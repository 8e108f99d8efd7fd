// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/audit_export.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/text/audit_text.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lockui {

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::synchronizers;

namespace {

struct AuditExport {
    Q_DECLARE_TR_FUNCTIONS(AuditExport)
};

std::string title(const char *text) { return AuditExport::tr(text).toStdString(); }

std::string momentBytes(const std::optional<WallTime> &at)
{
    return at ? QDateTime::fromMSecsSinceEpoch(at->time_since_epoch().count(), Qt::UTC)
                    .toString(Qt::ISODateWithMs)
                    .toStdString()
              : std::string();
}

std::string endBytes(const std::optional<AuditedEnd> &end)
{
    return end ? end->at ? momentBytes(end->at) : title(QT_TRANSLATE_NOOP("AuditExport", "never")) : std::string();
}

std::string yesBytes(bool isSo) { return isSo ? title(QT_TRANSLATE_NOOP("AuditExport", "yes")) : std::string(); }

template <typename Range, typename ToText>
std::string listBytes(const Range &range, ToText toText)
{
    std::string text;
    for (const auto &each : range)
        text += (text.empty() ? "" : ", ") + toText(each);
    return text;
}

std::string foundBytes(const HolderReading &reading)
{
    const std::string mode = reading.mode ? std::string(":") + nameOf(*reading.mode) : std::string();
    return toString(reading.owner) + mode;
}

std::vector<std::string> rowFor(const AuditEntry &entry, WallTime now, ExportFormat format)
{
    const AuditOutcome outcome = entry.outcome.value_or(AuditOutcome());
    return { momentBytes(entry.begunAt), entry.user, entry.host, entry.program,
        entry.process ? std::to_string(*entry.process) : std::string(), entry.action, entry.endpoint,
        entry.connection.name, entry.connection.environment, lockNameCell(entry.lock, format), entry.kind,
        auditTarget(entry), yesBytes(entry.onlyThese), entry.ttl ? std::to_string(entry.ttl->count()) : std::string(),
        entry.reason, auditStateText(entry, now).toStdString(), momentBytes(outcome.at), outcome.endpoint,
        yesBytes(outcome.isUnsent), yesBytes(outcome.published), listBytes(outcome.found, foundBytes),
        endBytes(entry.seenEnd), endBytes(outcome.foundEnd),
        listBytes(outcome.waiting, [](const OwnerId &owner) { return toString(owner); }),
        outcome.isAnew ? anewText(entry).toStdString() : std::string(), outcome.code, outcome.error,
        listBytes(entry.notAsked, [](const std::string &server) { return server; }), entry.id };
}

} // namespace

ExportTable auditExport(
    const std::vector<std::reference_wrapper<const AuditEntry>> &entries, WallTime now, ExportFormat format)
{
    ExportTable table;
    table.columns = { { "at", title(QT_TRANSLATE_NOOP("AuditExport", "When (UTC)")) },
        { "user", title(QT_TRANSLATE_NOOP("AuditExport", "Who")) },
        { "host", title(QT_TRANSLATE_NOOP("AuditExport", "Computer")) },
        { "program", title(QT_TRANSLATE_NOOP("AuditExport", "Program")) },
        { "process", title(QT_TRANSLATE_NOOP("AuditExport", "Process")) },
        { "action", title(QT_TRANSLATE_NOOP("AuditExport", "Action")) },
        { "endpoint", title(QT_TRANSLATE_NOOP("AuditExport", "Where")) },
        { "connection", title(QT_TRANSLATE_NOOP("AuditExport", "Connection")) },
        { "environment", title(QT_TRANSLATE_NOOP("AuditExport", "Environment")) },
        { "lock", title(QT_TRANSLATE_NOOP("AuditExport", "Lock")) },
        { "kind", title(QT_TRANSLATE_NOOP("AuditExport", "Kind")) },
        { "aimedAt", title(QT_TRANSLATE_NOOP("AuditExport", "Aimed at")) },
        { "onlyThese", title(QT_TRANSLATE_NOOP("AuditExport", "These readers alone")) },
        { "ttlMs", title(QT_TRANSLATE_NOOP("AuditExport", "New TTL (ms)")) },
        { "reason", title(QT_TRANSLATE_NOOP("AuditExport", "Reason")) },
        { "outcome", title(QT_TRANSLATE_NOOP("AuditExport", "Outcome")) },
        { "endedAt", title(QT_TRANSLATE_NOOP("AuditExport", "Ended (UTC)")) },
        { "answeredBy", title(QT_TRANSLATE_NOOP("AuditExport", "Answered by")) },
        { "unsent", title(QT_TRANSLATE_NOOP("AuditExport", "Not sent")) },
        { "published", title(QT_TRANSLATE_NOOP("AuditExport", "Waiters told")) },
        { "found", title(QT_TRANSLATE_NOOP("AuditExport", "Holders found")) },
        { "seenEnd", title(QT_TRANSLATE_NOOP("AuditExport", "Would end, as seen (UTC)")) },
        { "foundEnd", title(QT_TRANSLATE_NOOP("AuditExport", "Would end, as found (UTC)")) },
        { "waiting", title(QT_TRANSLATE_NOOP("AuditExport", "Queue found")) },
        { "anew", title(QT_TRANSLATE_NOOP("AuditExport", "Held or waited anew")) },
        { "code", title(QT_TRANSLATE_NOOP("AuditExport", "Error code")) },
        { "error", title(QT_TRANSLATE_NOOP("AuditExport", "Error")) },
        { "notAsked", title(QT_TRANSLATE_NOOP("AuditExport", "Servers not asked")) },
        { "id", title(QT_TRANSLATE_NOOP("AuditExport", "Record")) } };
    for (const AuditEntry &entry : entries)
        table.rows.push_back(rowFor(entry, now, format));
    return table;
}

} // namespace lockui
