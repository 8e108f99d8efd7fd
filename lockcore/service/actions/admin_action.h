// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/service/actions/audit_log.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockcore::service {

/// What one server is to be told.
struct AdminTarget {
    transport::Endpoint endpoint;
    synchronizers::AdminCommand command;
    std::vector<std::string> notAsked{}; // as of CommandOutcome; recorded with it
};

/// Carries out one command on the master that keeps the lock, on writable connections that live for it alone, and
/// records it once before and once after; what could not be sent is recorded then. In a cluster it follows the slot for
/// a moment: a server that sends it on has not carried it out. Whatever becomes of it, it is over after `limit`: what
/// was not sent by then is not sent any more, and the script, which is told the last moment by the server's own clock,
/// does nothing after it. Errors: those of the connection, the command and the server; server/cluster-busy when the
/// slot is moving;
///         local/cancelled when it was cancelled, or came too late. A connection that is lost after the command was
///         sent leaves open whether it was carried out; the error says so.
/// Thread: that of the object; `finished` is called once, never from inside `start`.
class AdminAction : public QObject {
public:
    using Finished = std::function<void(const Result<synchronizers::CommandOutcome> &, const std::string &node)>;

    struct Callbacks {
        std::function<void(const std::string &node)> sent; // from now on it cannot be cancelled any more
        std::function<void()> moved; // what is known of the cluster is old
        Finished finished;
    };

    AdminAction(
        AdminTarget target, std::string publish, Millis limit, AuditLog &audit, Callbacks callbacks, QObject *parent);

    void start();
    void cancel(Phrase why); // nothing happens to what was sent

private:
    void askTime(const transport::Asking &asking);
    void over();
    bool isTooLate() const;
    void visit(const transport::Endpoint &endpoint, const transport::Asking &asking = {});
    void send(const transport::Asking &asking, WallTime lastMoment);
    Result<void> record();
    void answered(const Result<protocol::Reply> &reply);
    void follow(const protocol::Redirection &redirection, const std::string &said);
    Result<synchronizers::CommandOutcome> refused(const protocol::Reply &reply) const;
    Said context() const;
    void finish(Result<synchronizers::CommandOutcome> result);

    std::unique_ptr<transport::Connection> m_connection;
    transport::Endpoint m_slotOwner;
    const synchronizers::AdminCommand m_command;
    const std::vector<std::string> m_notAsked;
    const std::string m_publish;
    AuditLog &m_audit;
    Callbacks m_callbacks; // `finished` is empty once called
    const Millis m_limit;
    WallTime m_startedAt;
    MonoTime m_lastMoment;
    QTimer m_timer; // for the last moment
    std::string m_record; // in the audit log; empty: not begun
    std::string m_recordedNode;
    protocol::RedirectLimit m_redirects;
    bool m_sent = false;
};

} // namespace lockcore::service
