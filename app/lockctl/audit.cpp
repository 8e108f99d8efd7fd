// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/audit.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/output.h"
#include "app/lockctl/table.h"
#include "lockcore/service/actions/audit_reader.h"
#include "lockcore/transport/clock.h"
#include "ui/text/audit_text.h"

#include <QDateTime>
#include <QFile>

namespace lockctl {

using app::Words;
using lockcore::WallTime;
using lockcore::service::AuditEntry;
using lockcore::service::AuditEntryPtr;

namespace {

struct Log {
    std::vector<AuditEntryPtr> entries; // as they began
    std::int64_t damaged = 0; // lines
};

Log readLog(QFile &file)
{
    constexpr qint64 AtOnce = qint64{ 1024 } * 1024;
    lockcore::service::AuditParser parser;
    Log log;
    for (QByteArray bytes = file.read(AtOnce); !bytes.isEmpty(); bytes = file.read(AtOnce))
        addNews(log.entries, parser.take({ bytes.constData(), static_cast<std::size_t>(bytes.size()) }));
    addNews(log.entries, parser.finish());
    log.damaged = parser.damagedLines();
    return log;
}

bool isWanted(const AuditEntry &entry, const AuditRequest &request)
{
    const WallTime at = entry.begunAt.value_or(WallTime());
    return (!request.lock || entry.lock == *request.lock) && (!request.since || at >= *request.since)
        && (!request.until || at < *request.until);
}

std::string outcomeText(const AuditEntry &entry)
{
    std::string text = lockui::auditStateText(entry, lockcore::transport::wallNow()).toStdString();
    if (entry.outcome && entry.outcome->isAnew)
        text += ": " + lockui::anewText(entry).toStdString();
    if (const QString servers = lockui::notAskedText(entry); !servers.isEmpty())
        text += "; " + Words::tr("not asked: %1").arg(servers).toStdString();
    return text;
}

Row rowOf(const AuditEntry &entry)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(entry.begunAt.value_or(WallTime()).time_since_epoch().count());
    return { at.toOffsetFromUtc(at.offsetFromUtc()).toString(Qt::ISODate).replace(u'T', u' ').toStdString(),
        lockui::printable(entry.user), lockui::printable(entry.action), lockui::auditWhereText(entry).toStdString(),
        lockui::printable(entry.lock), lockui::printable(lockui::auditTarget(entry)), outcomeText(entry),
        lockui::printable(entry.reason) };
}

void print(const std::vector<AuditEntryPtr> &entries, bool asJson)
{
    const std::vector<Column> columns{ { .title = title(QT_TRANSLATE_NOOP("Words", "TIME")) },
        { .title = title(QT_TRANSLATE_NOOP("Words", "USER")), .least = 4, .priority = 2 },
        { .title = title(QT_TRANSLATE_NOOP("Words", "ACTION")), .least = 7 },
        { .title = title(QT_TRANSLATE_NOOP("Words", "WHERE")), .least = 6, .priority = 3, .elide = Elide::Middle },
        { .title = title(QT_TRANSLATE_NOOP("Words", "LOCK")), .least = 12, .elide = Elide::Middle },
        { .title = title(QT_TRANSLATE_NOOP("Words", "AIMED AT")), .least = 9, .priority = 1, .elide = Elide::Middle },
        { .title = title(QT_TRANSLATE_NOOP("Words", "OUTCOME")) },
        { .title = title(QT_TRANSLATE_NOOP("Words", "REASON")), .least = 8 } };
    std::vector<Row> rows;
    for (const AuditEntryPtr &entry : entries) {
        if (!asJson) {
            rows.push_back(rowOf(*entry));
            continue;
        }
        for (const std::string &line : entry->lines) {
            if (!printLine(lockui::withoutControls(line)))
                return;
        }
    }
    if (!asJson && rows.empty())
        printLine(Words::tr("Nothing is recorded that matches."));
    else if (!asJson)
        printTable(columns, rows);
}

} // namespace

int printAudit(const AuditRequest &request)
{
    const lockcore::Error error{ lockcore::ErrorCode::FileFailed, {},
        Words::tr("reading %1").arg(QString::fromStdString(request.auditFile)).toStdString() };
    QFile file(QFile::decodeName(request.auditFile.c_str()));
    if (!request.isNamed && !file.exists())
        return app::Done;
    if (!file.open(QIODevice::ReadOnly)) {
        app::complain("lockctl", { error.code, file.errorString().toStdString(), error.context });
        return app::ServerError;
    }
    Log log = readLog(file);
    if (log.damaged > 0) {
        app::complain("lockctl",
            app::complaint(error.code, Words::tr("damaged lines, left out: %1").arg(log.damaged), error.context));
    }
    std::erase_if(log.entries, [&](const AuditEntryPtr &entry) { return !isWanted(*entry, request); });
    print(log.entries, request.json);
    return app::Done;
}

} // namespace lockctl
