// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/command.h"

#include "app/common/exit_status.h"

namespace lockctl {

void Command::fail(const lockcore::Error &error)
{
    app::complain("lockctl", error);
    Q_EMIT finished(app::exitStatus(error));
}

} // namespace lockctl
