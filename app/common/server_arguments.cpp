// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/server_arguments.h"

#include <cstdlib>

namespace app {

namespace {

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : std::string();
}

} // namespace

const char *const UrlForms = "redis://[[user]:password@]host[:port][/db]      one server\n"
                             "rediss://…                                      the same with TLS\n"
                             "unix:///path[?db=n]                             one server, by its socket\n"
                             "redis-sentinel://host[:port][,host…]/master[/db]\n"
                             "redis-cluster://host[:port][,host…][?messages=plain]\n"
                             "redis-nodes://host[:port][,host…]               servers of a RedLock (not for hold)\n"
                             "rediss-sentinel://, rediss-cluster://, rediss-nodes://: these three with TLS\n"
                             "without a URL: redis://127.0.0.1:6379";

QList<QCommandLineOption> serverOptions() { return { valueOption("url"), valueOption("ca-file"), flagOption("demo") }; }

lockcore::Result<ServerArguments> readServerArguments(const Arguments &arguments)
{
    ServerArguments server;
    server.demo = arguments.has("demo");
    server.urlGiven = arguments.has("url");
    if (server.demo && server.urlGiven)
        return usageError("--demo brings its own server and does not go with --url");
    if (server.urlGiven) {
        auto deployment = lockcore::parseDeployment(arguments.value("url"));
        if (!deployment)
            return tl::unexpected(deployment.error());
        server.deployment = *deployment;
    } else {
        server.deployment = lockcore::Endpoint();
    }
    const std::string password = environment("LOCKSCOPE_PASSWORD");
    for (lockcore::Endpoint &seed : server.deployment.seeds) {
        seed.tls.caFile = arguments.value("ca-file");
        if (seed.password.empty())
            seed.password = password;
    }
    server.deployment.sentinelUser = environment("LOCKSCOPE_SENTINEL_USER");
    server.deployment.sentinelPassword = environment("LOCKSCOPE_SENTINEL_PASSWORD");
    return server;
}

} // namespace app
