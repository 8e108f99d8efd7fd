// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command.h"

#include "app/common/exit_status.h"
#include "app/lockctl/key_look.h"

namespace lockctl {

lockcore::MonitorOptions monitorOptions(const Globals &globals)
{
    lockcore::MonitorOptions options;
    options.tokenNames = globals.tokenNames;
    return options;
}

void Command::fail(const lockcore::Error &error)
{
    app::complain("lockctl", error);
    Q_EMIT finished(app::exitStatus(error));
}

void Command::failNotFound(
    const lockcore::Deployment &deployment, const lockcore::LockName &name, const lockcore::Error &error)
{
    if (error.code != lockcore::ErrorCode::NotHeld)
        return fail(error);
    if (name.empty())
        return fail({ lockcore::ErrorCode::InvalidArgument, "there is no name", error.context });
    auto *look = new KeyLook(deployment, name);
    look->setParent(this);
    connect(look, &KeyLook::seen, this, [this, error](const std::string &what) {
        fail({ error.code, what.empty() ? error.message : error.message + ", but " + what, error.context });
    });
    look->start();
}

} // namespace lockctl
