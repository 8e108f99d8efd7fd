// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/server_arguments.h"

#include <cstdlib>

namespace app {

QList<QCommandLineOption> serverOptions() { return { valueOption("url"), valueOption("ca-file"), flagOption("demo") }; }

lockcore::Result<ServerArguments> readServerArguments(const Arguments &arguments)
{
    ServerArguments server;
    server.demo = arguments.has("demo");
    server.urlGiven = arguments.has("url");
    if (server.demo && server.urlGiven)
        return usageError("--demo brings its own server and does not go with --url");
    if (server.urlGiven) {
        auto endpoint = lockcore::parseUrl(arguments.value("url"));
        if (!endpoint)
            return tl::unexpected(endpoint.error());
        server.endpoint = *endpoint;
    }
    server.endpoint.tls.caFile = arguments.value("ca-file");
    const char *password = std::getenv("LOCKSCOPE_PASSWORD");
    if (server.endpoint.password.empty() && password != nullptr)
        server.endpoint.password = password;
    return server;
}

} // namespace app
