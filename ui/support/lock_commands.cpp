// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/lock_commands.h"

#include "lockcore/service/client_finder.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/connection_url.h"
#include "ui/text/shell_words.h"

#include <vector>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using lockcore::transport::Deployment;
using lockcore::transport::Endpoint;
using lockcore::transport::Topology;

namespace {

std::string option(const char *name, const std::string &value)
{
    return value.empty() ? std::string() : std::string(" ") + name + ' ' + shellWord(value);
}

std::string redisCli(const Endpoint &server, Topology topology)
{
    std::string text = "redis-cli";
    if (!server.socketPath.empty())
        text += option("-s", server.socketPath);
    else
        text += option("-h", server.host) + option("-p", std::to_string(server.port));
    if (server.database > 0)
        text += option("-n", std::to_string(server.database));
    text += option("--user", server.user);
    if (server.tls.enabled)
        text += " --tls" + option("--cacert", server.tls.caFile) + option("--cert", server.tls.certificateFile)
            + option("--key", server.tls.keyFile) + option("--sni", server.tls.serverName);
    return topology == Topology::Cluster ? text + " -c" : text; // where the slot has moved
}

bool isInString(Kind kind) { return isCounter(kind) || isTokenLock(kind); }

/// Beside the main key: what its name says that it is. Source: Redisson, as key_layout.h has it.
std::string readingOf(const std::string &key, Kind kind)
{
    const std::string word = redisCliWord(key);
    if (key.starts_with("redisson_lock_queue:"))
        return "LRANGE " + word + " 0 -1";
    if (key.starts_with("redisson_lock_timeout:") || kind == Kind::PermitExpirableSemaphore)
        return "ZRANGE " + word + " 0 -1 WITHSCORES";
    return key.find(":rwlock_timeout:") != key.npos ? "PTTL " + word : "GET " + word;
}

std::vector<std::string> readings(const LockState &lock)
{
    const std::string name = redisCliWord(lock.name);
    std::vector<std::string> lines{ (isInString(lock.kind) ? "GET " : "HGETALL ") + name, "PTTL " + name };
    for (const std::string &key : keysOf(lock))
        if (key != lock.name)
            lines.push_back(readingOf(key, lock.kind));
    return lines;
}

std::string commandAt(const LockState &lock, const std::string &node, const Deployment &deployment)
{
    const auto server = service::endpointOf(deployment, node);
    std::string text = "printf '%s\\n'";
    for (const std::string &line : readings(lock))
        text += ' ' + shellWord(line);
    return text + " | " + redisCli(server.value_or(deployment.seeds.front()), deployment.topology);
}

} // namespace

std::string lockctlCommand(const LockName &name, const Origin &origin)
{
    if (!origin.deployment)
        return {};
    std::string text = "lockctl --url " + shellWord(connectionUrl(*origin.deployment).toStdString())
        + option("--ca-file", origin.deployment->seeds.front().tls.caFile);
    for (const std::string &pattern : origin.tokenNames)
        text += option("--also", pattern);
    return text + " show " + lockctlName(name);
}

std::string redisCliCommand(const LockState &lock, const Origin &origin)
{
    if (!origin.deployment)
        return {};
    if (lock.members.empty())
        return commandAt(lock, lock.node, *origin.deployment);
    std::string lines;
    for (const auto &member : lock.members)
        lines += (lines.empty() ? "" : "\n") + commandAt(*member, member->node, *origin.deployment);
    return lines;
}

} // namespace lockui
