// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "lockcore/transport/deployment.h"

namespace app {

/// Which servers, as said on the command line and in LOCKSCOPE_PASSWORD; the login at sentinels themselves in
/// LOCKSCOPE_SENTINEL_USER and LOCKSCOPE_SENTINEL_PASSWORD.
struct ServerArguments {
    bool demo = false; // then the deployment is the demo's
    bool urlGiven = false;
    lockcore::Deployment deployment; // without a URL: the default server
};

/// What --url takes, in lines for help texts.
extern const char *const UrlForms;

QList<QCommandLineOption> serverOptions();
[[nodiscard]] lockcore::Result<ServerArguments> readServerArguments(const Arguments &arguments);

} // namespace app
