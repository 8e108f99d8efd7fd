// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/server_arguments.h"

#include <cstdlib>

namespace app {

namespace {

lockcore::Deployment toDeployment(lockcore::Endpoint server) { return server; }

} // namespace

QList<QCommandLineOption> serverOptions() { return { valueOption("url"), valueOption("ca-file"), flagOption("demo") }; }

lockcore::Result<ServerArguments> readServerArguments(const Arguments &arguments, Place place)
{
    ServerArguments server;
    server.demo = arguments.has("demo");
    server.urlGiven = arguments.has("url");
    if (server.demo && server.urlGiven)
        return usageError("--demo brings its own server and does not go with --url");
    if (server.urlGiven) {
        const std::string url = arguments.value("url");
        auto deployment
            = place == Place::Any ? lockcore::parseDeployment(url) : lockcore::parseUrl(url).map(toDeployment);
        if (!deployment)
            return tl::unexpected(deployment.error());
        server.deployment = *deployment;
    } else {
        server.deployment = lockcore::Endpoint();
    }
    const char *password = std::getenv("LOCKSCOPE_PASSWORD");
    for (lockcore::Endpoint &seed : server.deployment.seeds) {
        seed.tls.caFile = arguments.value("ca-file");
        if (seed.password.empty() && password != nullptr)
            seed.password = password;
    }
    server.endpoint = server.deployment.seeds.front();
    return server;
}

} // namespace app
