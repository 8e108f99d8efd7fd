// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lab/clean_up.h"
#include "app/lab/client_program.h"
#include "app/lockctl/command.h"
#include "app/lockctl/requests.h"

namespace lockctl {

/// A client that does what lines on standard input say: what the contention lab plays scenarios with.
class Client : public Command {
    Q_OBJECT
public:
    explicit Client(const ClientRequest &request)
        : m_program(request.options, request.givesBack ? app::AtEndOfInput::GivesBack : app::AtEndOfInput::Dies)
    {
        connect(&m_program, &app::ClientProgram::finished, this,
            [this](bool isAllGivenBack) { Q_EMIT finished(isAllGivenBack ? app::Done : app::ServerError); });
    }

    void start(const lockcore::transport::Deployment &deployment) override { m_program.start(deployment); }
    void interrupt() override { m_program.end(); }

private:
    app::ClientProgram m_program;
};

/// What a play on a foreign server leaves behind is removed when its input ends, and nothing keeps it from that.
class CleanUpCommand : public Command {
    Q_OBJECT
public:
    explicit CleanUpCommand(const std::string &prefix)
        : m_cleanUp(prefix)
    {
        connect(&m_cleanUp, &app::CleanUp::finished, this, &Command::finished);
    }

    void start(const lockcore::transport::Deployment &deployment) override { m_cleanUp.start(deployment); }
    void interrupt() override { }

private:
    app::CleanUp m_cleanUp;
};

} // namespace lockctl
