// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/arguments.h"
#include "lockcore/transport/deployment.h"

namespace app {

/// Which server, as said on the command line and in LOCKSCOPE_PASSWORD.
struct ServerArguments {
    bool demo = false; // then the endpoint is the demo's
    bool urlGiven = false;
    lockcore::Endpoint endpoint; // without a URL: the default one
    lockcore::Deployment deployment; // the same, or the place that the endpoint is but the first seed of
};

enum class Place { OneServer, Any }; // Any: sentinels and clusters too

QList<QCommandLineOption> serverOptions();
[[nodiscard]] lockcore::Result<ServerArguments> readServerArguments(
    const Arguments &arguments, Place place = Place::OneServer);

} // namespace app
