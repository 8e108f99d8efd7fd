// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/client_program.h"
#include "app/lockctl/command.h"
#include "app/lockctl/requests.h"

namespace lockctl {

/// A client that does what lines on standard input say: what the contention lab plays scenarios with.
class Client : public Command {
    Q_OBJECT
public:
    explicit Client(const ClientRequest &request)
        : m_program(request.options)
    {
        connect(&m_program, &app::ClientProgram::finished, this, [this] { Q_EMIT finished(app::Done); });
    }

    void start(const lockcore::transport::Deployment &deployment) override { m_program.start(deployment); }

private:
    app::ClientProgram m_program;
};

} // namespace lockctl
