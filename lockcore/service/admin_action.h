// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/redirection.h"
#include "lockcore/service/audit_log.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/connection.h"

#include <QDeadlineTimer>
#include <QObject>
#include <functional>
#include <memory>
#include <string>

namespace lockcore {

/// Carries out one command on the master that keeps the lock, on writable connections that live for it alone, and
/// records it once before and once after. In a cluster it follows the slot for a moment: a server that sends it on has
/// not carried it out. Errors: those of the connection, the command and the server; server/cluster-busy when the slot
/// is moving. A connection
///         that is lost after the command was sent leaves open whether it was carried out; the error says so.
/// Thread: that of the object; `finished` is called once, never from inside `start`.
class AdminAction : public QObject {
    Q_OBJECT
public:
    using Finished = std::function<void(const Result<CommandOutcome> &, const std::string &node)>;
    using Moved = std::function<void()>; // what is known of the cluster is old

    AdminAction(const Endpoint &endpoint, AdminCommand command, std::string publish, AuditLog &audit, Moved moved,
        Finished finished, QObject *parent);

    void start();

private:
    void visit(const Endpoint &endpoint, bool asking);
    void send(bool asking);
    Result<void> record();
    void answered(const Result<protocol::Reply> &reply);
    bool follow(const protocol::Redirection &redirection);
    std::string context() const;
    void finish(Result<CommandOutcome> result);

    std::unique_ptr<Connection> m_connection;
    Endpoint m_keeper;
    AdminCommand m_command;
    const std::string m_publish;
    AuditLog &m_audit;
    Moved m_moved;
    Finished m_finished; // empty once called
    std::string m_record; // in the audit log; empty: not begun
    std::string m_recordedNode;
    int m_redirections = 0;
    QDeadlineTimer m_patience;
    bool m_sent = false;
};

} // namespace lockcore
