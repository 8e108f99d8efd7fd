// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/service/actions/audit_entry.h"
#include "lockcore/synchronizers/admin_command.h"

#include <QByteArray>
#include <QString>
#include <string>
#include <vector>

namespace lockcore::service {

/// The record of actions: a file of JSON lines that only grows. An action has two, with the same id: `intent` before it
/// is sent and `outcome` after its answer; one without outcome was interrupted. One that could not be sent has both,
/// too. Pure ASCII whatever names are in it. Errors: local/file-failed; what cannot be recorded must not be done.
/// Thread: any, one at a time.
class LOCKCORE_EXPORT AuditLog {
public:
    explicit AuditLog(QString file, AuditedConnection connection = {});

    /// The id of the record, on disk when this returns.
    [[nodiscard]] Result<std::string> begin(const synchronizers::AdminCommand &command, const std::string &endpoint,
        WallTime now, const std::vector<std::string> &notAsked = {});
    [[nodiscard]] Result<std::string> begin(const HandDeed &deed, const std::string &endpoint, WallTime now);
    /// `endpoint`: who answered, where it was not the one that was asked first.
    [[nodiscard]] Result<void> end(const std::string &id, const Result<synchronizers::CommandOutcome> &outcome,
        WallTime now, const std::string &endpoint = {});
    /// Of a HandDeed. A client that is led looks at no other: neither holders nor a message to who waits are told of.
    [[nodiscard]] Result<void> endByHand(const std::string &id, const Result<bool> &isDone, WallTime now);
    /// It could not be sent.
    [[nodiscard]] Result<void> addUnsent(const synchronizers::AdminCommand &command, const std::string &endpoint,
        WallTime begun, const std::vector<std::string> &notAsked, const Error &error, WallTime ended);

private:
    Result<void> append(const QByteArray &lines);

    QString m_file;
    AuditedConnection m_connection;
};

} // namespace lockcore::service
