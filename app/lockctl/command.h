// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/exit_status.h"
#include "app/lockctl/command_line.h"
#include "lockcore/service/monitor_options.h"

#include <QObject>

namespace lockctl {

/// How the servers are watched; a command adds what it asks for itself.
lockcore::service::MonitorOptions monitorOptions(const Globals &globals);

/// One command at work, from servers that let us in to the exit status.
class Command : public QObject {
    Q_OBJECT
public:
    virtual void start(const lockcore::transport::Deployment &deployment) = 0;
    virtual void interrupt() { Q_EMIT finished(app::AnswerIsNo); } // SIGINT or SIGTERM
    virtual void abandon() { Q_EMIT finished(app::AnswerIsNo); } // likewise, before it was started

Q_SIGNALS:
    void finished(int status);

protected:
    void fail(const lockcore::Error &error);
    /// The same where no lock of that name was found; says what is there instead, as far as that can be told.
    void failNotFound(const lockcore::transport::Deployment &deployment, const lockcore::LockName &name,
        const lockcore::Error &error);
};

} // namespace lockctl
