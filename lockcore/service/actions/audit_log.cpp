// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/audit_log.h"

#include "lockcore/synchronizers/catalog.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QStringDecoder>
#include <QSysInfo>
#include <QUuid>
#include <nlohmann/json.hpp>
#ifdef Q_OS_UNIX
#include <pwd.h>
#include <unistd.h>
#endif

namespace lockcore::service {

using namespace synchronizers;
using namespace Qt::StringLiterals;
using Json = nlohmann::json; // fields in the order of their names

namespace {

std::string moment(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count(), Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toStdString();
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

std::string escaped(const std::string &bytes)
{
    constexpr const char *Digits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        if (value < 0x80)
            text += byte;
        else
            text += { '\\', 'x', Digits[value >> 4U], Digits[value & 0xfU] };
    }
    return text;
}

/// Bytes that are no UTF-8 are shown as `\xNN`, and carried exactly in base64 beside.
void put(Json &object, const std::string &key, const std::string &value)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString text = decoder(QByteArrayView(value.data(), static_cast<qsizetype>(value.size())));
    if (decoder.hasError()) {
        object[key] = escaped(value);
        object[key + "Base64"] = QByteArray::fromStdString(value).toBase64().toStdString();
    } else {
        object[key] = text.toStdString();
    }
}

Json holder(const OwnerId &owner, const std::optional<HoldMode> &mode)
{
    Json object;
    put(object, "client", owner.client);
    put(object, "thread", owner.thread);
    if (mode)
        object["mode"] = nameOf(*mode);
    return object;
}

Json holders(const std::vector<ExpectedHolder> &expected)
{
    Json array = Json::array();
    for (const ExpectedHolder &each : expected)
        array.push_back(holder(each.owner, each.mode));
    return array;
}

void describe(Json &object, const ForceRelease &release)
{
    object["action"] = "forceRelease";
    object["kind"] = nameOf(release.kind);
    object["expected"] = holders(release.expected);
    object["onlyThese"] = release.onlyThese;
}

void describe(Json &object, const SetTtl &renewal)
{
    object["action"] = "renew";
    object["kind"] = nameOf(renewal.kind);
    object["expected"] = holders(renewal.expected);
    object["ttlMs"] = renewal.ttl.count();
}

void describe(Json &object, const DropWaiter &drop)
{
    object["action"] = "dropWaiter";
    object["waiter"] = holder(drop.waiter, {});
}

void describe(Json &object, const ReturnPermit &giving)
{
    object["action"] = "returnPermit";
    put(object, "permit", giving.permit);
}

void describe(Json &object, const CommandOutcome &outcome)
{
    object["outcome"] = outcome.done ? "done" : "refused";
    object["published"] = outcome.published;
    Json found = Json::array();
    for (const HolderReading &each : outcome.found) {
        Json seen = holder(each.owner, each.mode);
        seen["count"] = each.count;
        found.push_back(seen);
    }
    object["found"] = found;
    if (outcome.waiting.empty())
        return;
    Json waiting = Json::array();
    for (const WaiterReading &each : outcome.waiting)
        waiting.push_back(holder(each.owner, {}));
    object["waiting"] = waiting;
}

Json record(const std::string &id, const char *phase, WallTime now)
{
    return { { "id", id }, { "phase", phase }, { "at", moment(now) } };
}

/// One line of ASCII, so that no name can pass for a line of its own or play with the terminal.
QByteArray toLine(const Json &object)
{
    return QByteArray::fromStdString(object.dump(-1, ' ', true, Json::error_handler_t::replace)) + '\n';
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
    Json object = record(id, "intent", now);
    object["user"] = osUser().toStdString();
    object["host"] = QSysInfo::machineHostName().toStdString();
    object["program"] = QCoreApplication::applicationName().toStdString();
    object["pid"] = QCoreApplication::applicationPid();
    put(object, "endpoint", endpoint);
    put(object, "lock", lockOf(command));
    std::visit(
        [&](const auto &action) {
            describe(object, action);
            put(object, "reason", action.reason);
        },
        command);
    if (const auto written = append(toLine(object)); !written)
        return tl::unexpected(written.error());
    return id;
}

Result<void> AuditLog::end(
    const std::string &id, const Result<CommandOutcome> &outcome, WallTime now, const std::string &endpoint)
{
    Json object = record(id, "outcome", now);
    if (!endpoint.empty())
        put(object, "endpoint", endpoint);
    if (outcome) {
        describe(object, *outcome);
    } else {
        object["outcome"] = "failed";
        object["code"] = nameOf(outcome.error().code);
        put(object, "error", toString(outcome.error())); // for people, in English whatever their language is
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

} // namespace lockcore::service
