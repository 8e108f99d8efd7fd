// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "app/lockctl/requests.h"

namespace lockctl {

/// From the arguments of a command to what is asked.
/// Errors: local/invalid-argument with one sentence for the person at the shell.
[[nodiscard]] lockcore::Result<Request> toLs(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toShow(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toDiagnose(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toWatch(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toHold(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toForceRelease(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toRenew(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toDropWaiter(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toReturnPermit(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toAudit(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toRecord(const app::Arguments &arguments);
[[nodiscard]] lockcore::Result<Request> toReplay(const app::Arguments &arguments);

} // namespace lockctl
