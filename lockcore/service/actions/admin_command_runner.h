// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/actions/admin_action.h"
#include "lockcore/service/actions/admin_route.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <string>
#include <vector>

namespace lockcore {

/// Carries out a command on every server that it concerns, each on its own record in the audit log.
/// Errors: those of an AdminAction; of several servers one error that says what each has done.
/// Thread: that of the object; `finished` is called once, never from inside `start`; the runner then deletes itself.
class AdminCommandRunner : public QObject {
    Q_OBJECT
public:
    using Finished = std::function<void(const Result<CommandOutcome> &)>;
    using DoneAt = std::function<void(const std::string &node, const AdminCommand &command)>;

    struct Callbacks {
        std::function<void()> sent; // to one server at least
        DoneAt doneAt;
        std::function<void()> moved; // what is known of the cluster is old
        Finished finished;
    };

    AdminCommandRunner(std::vector<AdminTarget> targets, std::string publish, Millis limit, AuditLog &audit,
        Callbacks callbacks, QObject *parent);

    void start();
    void cancel(const char *why); // what is sent already is carried out

private:
    struct Leg {
        AdminTarget target;
        QPointer<AdminAction> action = {};
        Result<CommandOutcome> result = {};
    };

    void answered(std::size_t number, const Result<CommandOutcome> &result, const std::string &node);
    Result<CommandOutcome> joined() const;

    std::vector<Leg> m_legs;
    const std::string m_publish;
    const Millis m_limit;
    AuditLog &m_audit;
    Callbacks m_callbacks;
    std::size_t m_left;
    bool m_sent = false;
};

} // namespace lockcore
