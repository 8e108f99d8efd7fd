// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/audit_log.h"

#include "lockcore/synchronizers/catalog.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringDecoder>
#include <QSysInfo>
#include <QUuid>
#ifdef Q_OS_UNIX
#include <pwd.h>
#include <unistd.h>
#endif

namespace lockcore {

using namespace Qt::StringLiterals;

namespace {

QString moment(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count(), Qt::UTC).toString(Qt::ISODateWithMs);
}

/// Who runs the program, by the system's word; an environment variable is anybody's.
QString osUser()
{
#ifdef Q_OS_UNIX
    if (const passwd *entry = getpwuid(geteuid()))
        return QString::fromLocal8Bit(entry->pw_name);
    return u"uid "_s + QString::number(geteuid());
#else
    return qEnvironmentVariable("USERNAME");
#endif
}

QString escaped(const QByteArray &bytes)
{
    QString text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        if (value < 0x80)
            text += QLatin1Char(byte);
        else
            text += u"\\x%1"_s.arg(value, 2, 16, QLatin1Char('0'));
    }
    return text;
}

/// Bytes that are no UTF-8 are shown as `\xNN`, and carried exactly in base64 beside.
void put(QJsonObject &object, const QString &key, const std::string &value)
{
    const QByteArray bytes = QByteArray::fromStdString(value);
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString text = decoder(bytes);
    if (decoder.hasError()) {
        object[key] = escaped(bytes);
        object[key + u"Base64"_s] = QString::fromLatin1(bytes.toBase64());
    } else {
        object[key] = text;
    }
}

QJsonObject holder(const OwnerId &owner, const std::optional<HoldMode> &mode)
{
    QJsonObject object;
    put(object, u"client"_s, owner.client);
    put(object, u"thread"_s, owner.thread);
    if (mode)
        object[u"mode"_s] = QLatin1String(nameOf(*mode));
    return object;
}

QJsonArray holders(const std::vector<ExpectedHolder> &expected)
{
    QJsonArray array;
    for (const ExpectedHolder &each : expected)
        array.append(holder(each.owner, each.mode));
    return array;
}

void describe(QJsonObject &object, const ForceRelease &release)
{
    object[u"action"_s] = u"forceRelease"_s;
    object[u"kind"_s] = QLatin1String(nameOf(release.kind));
    object[u"expected"_s] = holders(release.expected);
    object[u"onlyThese"_s] = release.onlyThese;
}

void describe(QJsonObject &object, const SetTtl &renewal)
{
    object[u"action"_s] = u"renew"_s;
    object[u"kind"_s] = QLatin1String(nameOf(renewal.kind));
    object[u"expected"_s] = holders(renewal.expected);
    object[u"ttlMs"_s] = qint64(renewal.ttl.count());
}

void describe(QJsonObject &object, const DropWaiter &drop)
{
    object[u"action"_s] = u"dropWaiter"_s;
    object[u"waiter"_s] = holder(drop.waiter, {});
}

void describe(QJsonObject &object, const ReturnPermit &giving)
{
    object[u"action"_s] = u"returnPermit"_s;
    put(object, u"permit"_s, giving.permit);
}

void describe(QJsonObject &object, const CommandOutcome &outcome)
{
    object[u"outcome"_s] = outcome.done ? u"done"_s : u"refused"_s;
    object[u"published"_s] = outcome.published;
    QJsonArray found;
    for (const HolderReading &each : outcome.found) {
        QJsonObject seen = holder(each.owner, each.mode);
        seen[u"count"_s] = qint64(each.count);
        found.append(seen);
    }
    object[u"found"_s] = found;
    if (outcome.waiting.empty())
        return;
    QJsonArray waiting;
    for (const WaiterReading &each : outcome.waiting)
        waiting.append(holder(each.owner, {}));
    object[u"waiting"_s] = waiting;
}

QJsonObject record(const std::string &id, const QString &phase, WallTime now)
{
    return { { u"id"_s, QString::fromStdString(id) }, { u"phase"_s, phase }, { u"at"_s, moment(now) } };
}

/// One line of ASCII, so that no name can pass for a line of its own or play with the terminal.
QByteArray toLine(const QJsonObject &object)
{
    QByteArray line;
    for (const QChar unit : QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact))) {
        if (unit.unicode() < 0x7f)
            line += static_cast<char>(unit.unicode());
        else
            line += "\\u" + QByteArray::number(unit.unicode(), 16).rightJustified(4, '0');
    }
    return line + '\n';
}

bool reachesTheDisk(const QFile &file)
{
#ifdef Q_OS_UNIX
    return fsync(file.handle()) == 0;
#else
    return file.handle() >= 0;
#endif
}

/// A crash in the middle of a line must not spoil the next one.
bool endsInsideALine(QFile &file)
{
    char last = '\n';
    return file.size() > 0 && file.seek(file.size() - 1) && file.getChar(&last) && last != '\n';
}

} // namespace

AuditLog::AuditLog(QString file)
    : m_file(std::move(file))
{
}

Result<std::string> AuditLog::begin(const AdminCommand &command, const std::string &endpoint, WallTime now)
{
    const std::string id = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    QJsonObject object = record(id, u"intent"_s, now);
    object[u"user"_s] = osUser();
    object[u"host"_s] = QSysInfo::machineHostName();
    object[u"program"_s] = QCoreApplication::applicationName();
    object[u"pid"_s] = QCoreApplication::applicationPid();
    put(object, u"endpoint"_s, endpoint);
    put(object, u"lock"_s, lockOf(command));
    std::visit(
        [&](const auto &action) {
            describe(object, action);
            put(object, u"reason"_s, action.reason);
        },
        command);
    if (const auto written = append(toLine(object)); !written)
        return tl::unexpected(written.error());
    return id;
}

Result<void> AuditLog::end(
    const std::string &id, const Result<CommandOutcome> &outcome, WallTime now, const std::string &endpoint)
{
    QJsonObject object = record(id, u"outcome"_s, now);
    if (!endpoint.empty())
        put(object, u"endpoint"_s, endpoint);
    if (outcome) {
        describe(object, *outcome);
    } else {
        object[u"outcome"_s] = u"failed"_s;
        put(object, u"error"_s, toString(outcome.error()));
    }
    return append(toLine(object));
}

Result<void> AuditLog::append(const QByteArray &line)
{
    const auto failed = [this](const QString &why) {
        return failure(ErrorCode::FileFailed, { Phrase::Words, { why.toStdString() } },
            { Phrase::WritingAudit, { m_file.toStdString() } });
    };
    QFile file(m_file);
    if (!file.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered,
            QFileDevice::ReadOwner | QFileDevice::WriteOwner)) // of a new one, from its first moment on
        return failed(file.errorString());
    const QByteArray bytes = endsInsideALine(file) ? '\n' + line : line;
    if (file.write(bytes) != bytes.size() || !reachesTheDisk(file))
        return failed(file.errorString());
    return {};
}

} // namespace lockcore
