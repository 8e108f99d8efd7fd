// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/actions/admin_action.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/topology.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lockcore::service {

/// Whom a command concerns: the server that keeps the lock; of independent ones each that has it, with what was seen
/// there. `lock` is the lock as it was shown last, null: not at all.
/// Errors: network/connection-closed while it is not known who keeps what; server/cluster-busy when nobody keeps the
///         lock's slot; lock/not-held when no independent server has it; lock/holder-changed when independent
///         servers together have other holders than those expected, it names both.
[[nodiscard]] Result<std::vector<AdminTarget>> routeCommand(const synchronizers::AdminCommand &command,
    transport::Topology topology, const std::vector<transport::SlotOwner> &nodes, const monitor::LockState *lock);

/// Of independent servers those that get no command though nobody knows whether they have the lock; null: as above.
[[nodiscard]] std::vector<std::string> serversNotAsked(
    const std::vector<AdminTarget> &targets, const monitor::Snapshot &snapshot, const monitor::LockState *lock);

/// They may have the lock as well, whatever became of it on the others.
[[nodiscard]] Error withServersNotAsked(Error error, const std::vector<std::string> &servers);

/// The command as it reaches who waits. Of a lock that is freed those are told too who stand in no queue that was
/// found. A waiter is taken out of the queue of the lock alone that its waiters listen for: under another name the next
/// one would not be woken. Errors: lock/holder-changed when who stands in the queue listens for another lock, it names
/// that one.
[[nodiscard]] Result<synchronizers::AdminCommand> fitToListeners(
    synchronizers::AdminCommand command, const monitor::Snapshot &snapshot);

/// Carries out a command on every server that it concerns, each on its own record in the audit log.
/// Errors: those of an AdminAction; of several servers one error that says what each has done.
/// Thread: that of the object; `finished` is called once, never from inside `start`; the runner then deletes itself.
class AdminCommandRunner : public QObject {
public:
    using Finished = std::function<void(const Result<synchronizers::CommandOutcome> &)>;
    enum class Progress { Begun, Done, NotDone }; // not done as far as is known
    using Progressed
        = std::function<void(const std::string &node, const synchronizers::AdminCommand &command, Progress progress)>;

    struct Callbacks {
        std::function<void()> sent; // to one server at least
        Progressed progressed; // begun once at least before it is done or not at each server that it was sent to
        std::function<void()> moved; // what is known of the cluster is old
        Finished finished;
    };

    AdminCommandRunner(std::vector<AdminTarget> targets, std::string publish, Millis limit, AuditLog &audit,
        Callbacks callbacks, QObject *parent);

    void start();
    void cancel(Phrase why); // what is sent already is carried out

private:
    struct Leg {
        AdminTarget target;
        QPointer<AdminAction> action = {};
        Result<synchronizers::CommandOutcome> result = {};
        std::set<std::string> sentTo = {};
    };

    void answered(std::size_t number, const Result<synchronizers::CommandOutcome> &result, const std::string &node);
    Result<synchronizers::CommandOutcome> joined() const;

    std::vector<Leg> m_legs;
    const std::string m_publish;
    const Millis m_limit;
    AuditLog &m_audit;
    Callbacks m_callbacks;
    std::size_t m_left;
    bool m_sent = false;
};

} // namespace lockcore::service
