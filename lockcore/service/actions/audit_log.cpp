// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/audit_log.h"

#include "lockcore/service/actions/audit_fields.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QStringDecoder>
#include <QUuid>
#include <nlohmann/json.hpp>
#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockcore::service {

using namespace synchronizers;
using Json = nlohmann::json; // fields in the order of their names
namespace field = audit_field;

namespace {

std::string moment(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count(), Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toStdString();
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
        object[key + field::Base64] = QByteArray::fromStdString(value).toBase64().toStdString();
    } else {
        object[key] = text.toStdString();
    }
}

Json holder(const OwnerId &owner, const std::optional<HoldMode> &mode)
{
    Json object;
    put(object, field::Client, owner.client);
    put(object, field::Thread, owner.thread);
    if (mode)
        object[field::Mode] = nameOf(*mode);
    return object;
}

Json holders(const std::vector<ExpectedHolder> &expected)
{
    Json array = Json::array();
    for (const ExpectedHolder &each : expected)
        array.push_back(holder(each.owner, each.mode));
    return array;
}

std::string endText(const std::optional<WallTime> &at) { return at ? moment(*at) : std::string(field::Never); }

/// As the person saw it, by the clock of this computer.
void describe(Json &object, const std::optional<SeenEnd> &end, WallTime now)
{
    if (!end)
        return;
    const auto at
        = end->at ? std::optional(now + std::chrono::floor<Millis>(*end->at - transport::monoNow())) : std::nullopt;
    object[field::SeenEnd] = endText(at);
}

void describe(Json &object, const ForceRelease &release, WallTime now)
{
    describe(object, release.end, now);
    object[field::Kind] = nameOf(release.kind);
    object[field::Expected] = holders(release.expected);
    object[field::OnlyThese] = release.onlyThese;
}

void describe(Json &object, const SetTtl &renewal, WallTime now)
{
    describe(object, renewal.end, now);
    object[field::Kind] = nameOf(renewal.kind);
    object[field::Expected] = holders(renewal.expected);
    object[field::TtlMs] = renewal.ttl.count();
}

void describe(Json &object, const DropWaiter &drop, WallTime /*now*/)
{
    object[field::Waiter] = holder(drop.waiter, {});
}

void describe(Json &object, const ReturnPermit &giving, WallTime /*now*/) { put(object, field::Permit, giving.permit); }

void describe(Json &object, const CommandOutcome &outcome)
{
    object[field::Outcome] = nameOf(outcome.done ? AuditEnd::Done : AuditEnd::Refused);
    object[field::Published] = outcome.published;
    Json found = Json::array();
    for (const HolderReading &each : outcome.found) {
        Json seen = holder(each.owner, each.mode);
        seen[field::Count] = each.count;
        found.push_back(seen);
    }
    object[field::Found] = found;
    if (outcome.isAnew)
        object[field::Anew] = true;
    if (outcome.isAnew && outcome.waiting.empty())
        object[field::FoundEnd] = endText(outcome.endsAt);
    if (outcome.waiting.empty())
        return;
    Json waiting = Json::array();
    for (const WaiterReading &each : outcome.waiting)
        waiting.push_back(holder(each.owner, {}));
    object[field::Waiting] = waiting;
}

void describe(Json &object, const Error &error)
{
    object[field::Outcome] = nameOf(AuditEnd::Failed);
    object[field::Code] = nameOf(error.code);
    put(object, field::Error, toString(error)); // for people, in English whatever their language is
}

/// That others hold it than who was expected may be seen before anything is sent.
bool isRefusal(const Error &error) { return says(error, Phrase::HoldersDiffer) || says(error, Phrase::HoldersGone); }

Json record(const std::string &id, const char *phase, WallTime now)
{
    return { { field::Id, id }, { field::Phase, phase }, { field::At, moment(now) } };
}

Json intent(AuditAction action, const LockName &lock, const std::string &endpoint, const AuditedConnection &connection,
    WallTime now)
{
    Json object = record(QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString(), field::Intent, now);
    object[field::User] = connection.actor.empty() ? auditUser() : connection.actor;
    object[field::Host] = auditHost();
    object[field::Program] = QCoreApplication::applicationName().toStdString();
    object[field::Pid] = QCoreApplication::applicationPid();
    put(object, field::Endpoint, endpoint);
    if (!connection.name.empty())
        put(object, field::Connection, connection.name);
    if (!connection.environment.empty())
        put(object, field::Environment, connection.environment);
    put(object, field::Lock, lock);
    object[field::Action] = nameOf(action);
    return object;
}

Json intent(const AdminCommand &command, const std::string &endpoint, const std::vector<std::string> &notAsked,
    const AuditedConnection &connection, WallTime begun, WallTime now)
{
    Json object = intent(auditActionOf(command), lockOf(command), endpoint, connection, begun);
    for (const std::string &server : notAsked) {
        Json each;
        put(each, field::Endpoint, server);
        object[field::NotAsked].push_back(each);
    }
    std::visit(
        [&](const auto &action) {
            describe(object, action, now);
            put(object, field::Reason, action.reason);
        },
        command);
    return object;
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

AuditLog::AuditLog(QString file, AuditedConnection connection)
    : m_file(std::move(file))
    , m_connection(std::move(connection))
{
}

Result<std::string> AuditLog::begin(
    const AdminCommand &command, const std::string &endpoint, WallTime now, const std::vector<std::string> &notAsked)
{
    const Json object = intent(command, endpoint, notAsked, m_connection, now, now);
    return append(toLine(object)).map([&] { return object[field::Id].get<std::string>(); });
}

Result<std::string> AuditLog::begin(const HandDeed &deed, const std::string &endpoint, WallTime now)
{
    Json object = intent(deed.action, deed.lock, endpoint, m_connection, now);
    object[field::Kind] = nameOf(deed.kind);
    object[field::ByHand] = holder(deed.client.owner, deed.client.mode);
    if (deed.ttl)
        object[field::TtlMs] = deed.ttl->count();
    return append(toLine(object)).map([&] { return object[field::Id].get<std::string>(); });
}

Result<void> AuditLog::end(
    const std::string &id, const Result<CommandOutcome> &outcome, WallTime now, const std::string &endpoint)
{
    Json object = record(id, field::Outcome, now);
    if (!endpoint.empty())
        put(object, field::Endpoint, endpoint);
    if (outcome)
        describe(object, *outcome);
    else
        describe(object, outcome.error());
    return append(toLine(object));
}

Result<void> AuditLog::endByHand(const std::string &id, const Result<bool> &isDone, WallTime now)
{
    Json object = record(id, field::Outcome, now);
    if (isDone)
        object[field::Outcome] = nameOf(*isDone ? AuditEnd::Done : AuditEnd::Refused);
    else
        describe(object, isDone.error());
    return append(toLine(object));
}

Result<void> AuditLog::addUnsent(const AdminCommand &command, const std::string &endpoint, WallTime begun,
    const std::vector<std::string> &notAsked, const Error &error, WallTime ended)
{
    const Json begin = intent(command, endpoint, notAsked, m_connection, begun, ended);
    Json end = record(begin[field::Id].get<std::string>(), field::Outcome, ended);
    describe(end, error);
    if (isRefusal(error))
        end[field::Outcome] = nameOf(AuditEnd::Refused);
    end[field::Unsent] = true;
    return append(toLine(begin) + toLine(end));
}

Result<void> AuditLog::append(const QByteArray &lines)
{
    const auto failed = [this](const QString &why) {
        return failure(ErrorCode::FileFailed, { Phrase::Words, { why.toStdString() } },
            { Phrase::WritingAudit, { m_file.toStdString() } });
    };
    QFile file(m_file);
    if (!file.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered,
            QFileDevice::ReadOwner | QFileDevice::WriteOwner)) // of a new one, from its first moment on
        return failed(file.errorString());
    const QByteArray bytes = endsInsideALine(file) ? '\n' + lines : lines;
    if (file.write(bytes) != bytes.size() || !reachesTheDisk(file))
        return failed(file.errorString());
    return {};
}

} // namespace lockcore::service
