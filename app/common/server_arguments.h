// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "lockcore/transport/endpoint.h"

namespace app {

/// Which server, as said on the command line and in LOCKSCOPE_PASSWORD.
struct ServerArguments {
    bool demo = false; // then the endpoint is the demo's
    bool urlGiven = false;
    lockcore::Endpoint endpoint; // without a URL: the default one
};

QList<QCommandLineOption> serverOptions();
[[nodiscard]] lockcore::Result<ServerArguments> readServerArguments(const Arguments &arguments);

} // namespace app
