// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/actions/audit_entry.h"

#include <QString>
#include <QSysInfo>
#ifdef Q_OS_UNIX
#include <pwd.h>
#include <unistd.h>
#endif

namespace lockcore::service {

using namespace synchronizers;

AuditAction auditActionOf(const AdminCommand &command)
{
    struct Actions {
        AuditAction operator()(const ForceRelease &) const { return AuditAction::ForceRelease; }
        AuditAction operator()(const SetTtl &) const { return AuditAction::Renew; }
        AuditAction operator()(const DropWaiter &) const { return AuditAction::DropWaiter; }
        AuditAction operator()(const ReturnPermit &) const { return AuditAction::ReturnPermit; }
    };
    return std::visit(Actions(), command);
}

namespace {

/// An action is recorded when it is sent, and answered or given up within the limit of MonitorOptions; a little more
/// is for a slow disk. Whoever was killed in between will never record anything, but that shows only then.
bool mayStillEnd(const AuditEntry &entry, WallTime now)
{
    constexpr Millis SlowDisk{ 5'000 };
    static const Millis limit = MonitorOptions().actionLimit + SlowDisk;
    return entry.begunAt
        && std::chrono::abs(now - *entry.begunAt) < limit; // the clock of another computer may be ahead
}

} // namespace

bool mayHaveBeenDone(ErrorCode code)
{
    return code == ErrorCode::ReplyTimeout || code == ErrorCode::ConnectionClosed || code == ErrorCode::NetworkOther
        || code == ErrorCode::MalformedReply || code == ErrorCode::ReplyTooLarge;
}

AuditState stateOf(const AuditEntry &entry, WallTime now)
{
    if (!entry.outcome)
        return entry.byHand || mayStillEnd(entry, now) ? AuditState::UnderWay : AuditState::Interrupted;
    const auto end = named(AuditEnds, entry.outcome->end);
    if (!end)
        return AuditState::Other;
    switch (*end) {
    case AuditEnd::Done:
        return AuditState::Done;
    case AuditEnd::Refused:
        return AuditState::Refused;
    case AuditEnd::Failed:
        break;
    }
    const auto code = named(ErrorCodes, entry.outcome->code);
    return code && !entry.outcome->isUnsent && mayHaveBeenDone(*code) ? AuditState::AnswerLost : AuditState::Failed;
}

/// By the system's word; an environment variable is anybody's.
std::string auditUser()
{
#ifdef Q_OS_UNIX
    if (const passwd *entry = getpwuid(geteuid()))
        return QString::fromLocal8Bit(entry->pw_name).toStdString();
    return "uid " + std::to_string(geteuid());
#else
    return qEnvironmentVariable("USERNAME").toStdString();
#endif
}

std::string auditHost() { return QSysInfo::machineHostName().toStdString(); }

} // namespace lockcore::service
