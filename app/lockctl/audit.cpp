// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/audit.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/output.h"
#include "app/lockctl/table.h"

#include <QDateTime>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockctl {

using app::Words;
using lockcore::Millis;
using lockcore::WallTime;

namespace {

struct Action {
    QJsonObject intent;
    QJsonObject outcome; // empty: interrupted
    QList<QByteArray> lines;
};

struct Log {
    std::vector<Action> actions; // as they began
    int damaged = 0; // lines
};

Log readLog(QFile &file)
{
    Log log;
    QHash<QString, std::size_t> byId;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine().trimmed();
        const QJsonObject entry = QJsonDocument::fromJson(line).object();
        const QString id = entry[u"id"].toString();
        if (entry[u"phase"] == QLatin1String("intent")) {
            byId.insert(id, log.actions.size());
            log.actions.push_back({ entry, {}, { line } });
        } else if (const auto known = byId.constFind(id); known != byId.constEnd()) {
            log.actions[*known].outcome = entry;
            log.actions[*known].lines.append(line);
        } else if (!line.isEmpty()) {
            ++log.damaged;
        }
    }
    return log;
}

/// The bytes of a text of the log; those that are not UTF-8 stand beside it.
std::string bytesOf(const QJsonObject &entry, const QString &field)
{
    const QString exact = entry[QString(field + QStringLiteral("Base64"))].toString();
    if (!exact.isEmpty())
        return QByteArray::fromBase64(exact.toLatin1()).toStdString();
    return entry[field].toString().toStdString();
}

WallTime momentOf(const QJsonObject &entry)
{
    return WallTime(Millis(QDateTime::fromString(entry[u"at"].toString(), Qt::ISODateWithMs).toMSecsSinceEpoch()));
}

bool isWanted(const Action &action, const AuditRequest &request)
{
    const WallTime at = momentOf(action.intent);
    return (!request.lock || bytesOf(action.intent, QStringLiteral("lock")) == *request.lock)
        && (!request.since || at >= *request.since) && (!request.until || at < *request.until);
}

std::string ownerText(const QJsonObject &owner)
{
    std::string text = bytesOf(owner, QStringLiteral("client"));
    if (const std::string thread = bytesOf(owner, QStringLiteral("thread")); !thread.empty())
        text += ':' + thread; // what another program wrote into a lock need not have any
    const std::string mode = owner[u"mode"].toString().toStdString();
    return mode.empty() ? text : text + ':' + mode;
}

/// What the action was aimed at.
std::string targetText(const QJsonObject &intent)
{
    std::string text;
    for (const auto &holder : intent[u"expected"].toArray())
        text += (text.empty() ? "" : ", ") + ownerText(holder.toObject());
    if (intent.contains(u"waiter"))
        text = ownerText(intent[u"waiter"].toObject());
    if (intent.contains(u"permit"))
        text = bytesOf(intent, QStringLiteral("permit"));
    return lockui::printable(text);
}

std::string outcomeText(const QJsonObject &outcome)
{
    return outcome.isEmpty() ? Words::tr("interrupted").toStdString()
                             : lockui::printable(outcome[u"outcome"].toString().toStdString());
}

Row rowOf(const Action &action)
{
    const auto text
        = [&](const char *field) { return lockui::printable(bytesOf(action.intent, QString::fromLatin1(field))); };
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(momentOf(action.intent).time_since_epoch().count());
    return { at.toOffsetFromUtc(at.offsetFromUtc()).toString(Qt::ISODate).replace(u'T', u' ').toStdString(),
        text("user"), text("action"), text("endpoint"), text("lock"), targetText(action.intent),
        outcomeText(action.outcome), text("reason") };
}

void print(const std::vector<Action> &actions, bool asJson)
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
    for (const Action &action : actions) {
        if (!asJson)
            rows.push_back(rowOf(action));
        for (const QByteArray &line : asJson ? action.lines : QList<QByteArray>()) {
            if (!printLine(lockui::withoutControls(line.toStdString())))
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
    std::erase_if(log.actions, [&](const Action &action) { return !isWanted(action, request); });
    print(log.actions, request.json);
    return app::Done;
}

} // namespace lockctl
