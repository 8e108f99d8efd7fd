// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command.h"

#include "app/common/exit_status.h"
#include "app/common/words.h"
#include "app/lockctl/key_look.h"

namespace lockctl {

using app::Words;

lockcore::service::MonitorOptions monitorOptions(const Globals &globals)
{
    lockcore::service::MonitorOptions options;
    options.tokenNames = globals.tokenNames;
    return options;
}

void Command::fail(const lockcore::Error &error)
{
    app::complain("lockctl", error);
    Q_EMIT finished(app::exitStatus(error));
}

void Command::failNotFound(
    const lockcore::transport::Deployment &deployment, const lockcore::LockName &name, const lockcore::Error &error)
{
    if (error.code != lockcore::ErrorCode::NotHeld)
        return fail(error);
    if (name.empty())
        return fail(app::complaint(lockcore::ErrorCode::InvalidArgument, Words::tr("there is no name"), error.context));
    auto *look = new KeyLook(deployment, name);
    look->setParent(this);
    connect(look, &KeyLook::seen, this, [this, error](const QString &what) {
        fail(what.isEmpty() ? error : app::withMore(error, Words::tr(", but %1").arg(what)));
    });
    look->start();
}

} // namespace lockctl
