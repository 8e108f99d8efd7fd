// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/redirection.h"
#include "lockcore/service/audit_log.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <functional>
#include <optional>
#include <string>

namespace lockcore {

/// Carries out one command on one master, on a writable connection that lives for it alone, and records it before and
/// after. Errors: those of the connection, the command and the server. A connection that is lost after the command was
/// sent
///         leaves open whether it was carried out; the error says so.
/// Thread: that of the object; `finished` is called once, never from inside `start`.
class AdminAction : public QObject {
    Q_OBJECT
public:
    /// A redirection: the server has not carried it out, and says who or when would.
    using Finished = std::function<void(const Result<CommandOutcome> &, const std::optional<protocol::Redirection> &)>;

    AdminAction(const Endpoint &endpoint, AdminCommand command, std::string publish, AuditLog &audit, Finished finished,
        QObject *parent);

    void start();

private:
    void send();
    void answered(const Result<protocol::Reply> &reply);
    std::string context() const;
    void finish(
        const Result<CommandOutcome> &result, const std::optional<protocol::Redirection> &redirection = std::nullopt);

    Connection m_connection;
    AdminCommand m_command;
    const std::string m_publish;
    AuditLog &m_audit;
    std::string m_record; // in the audit log
    Finished m_finished; // empty once called
    bool m_sent = false;
};

} // namespace lockcore
