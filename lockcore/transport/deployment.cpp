// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/deployment.h"

#include "lockcore/transport/url_parts.h"

namespace lockcore::transport {

namespace {

struct Form {
    std::string_view name; // of the scheme, without `redis` or `rediss`
    Topology topology;
};

constexpr Form Forms[]{
    { "-sentinel", Topology::Sentinel },
    { "-cluster", Topology::Cluster },
    { "-nodes", Topology::Nodes },
};

const Form *formOf(std::string_view scheme)
{
    for (const Form &form : Forms) {
        if (scheme.ends_with(form.name))
            return &form;
    }
    return nullptr;
}

Result<void> readDatabase(std::string_view text, Deployment &deployment)
{
    for (Endpoint &seed : deployment.seeds) {
        if (auto database = url::readDatabase(text, seed); !database)
            return database;
    }
    return {};
}

Result<void> readMasterPath(std::string_view path, Deployment &deployment)
{
    const auto slash = path.find('/');
    const auto name = url::percentDecoded(path.substr(0, slash));
    if (!name)
        return tl::unexpected(name.error());
    if (name->empty())
        return url::bad({ Phrase::UrlNoMaster });
    deployment.masterName = *name;
    if (slash == std::string_view::npos || slash + 1 == path.size())
        return {};
    return readDatabase(path.substr(slash + 1), deployment);
}

Result<void> readPath(std::string_view path, Deployment &deployment)
{
    if (deployment.topology == Topology::Sentinel)
        return readMasterPath(path, deployment);
    if (path.empty())
        return {};
    if (deployment.topology == Topology::Cluster && path != "0")
        return url::bad({ Phrase::UrlClusterDatabase, { std::string(path) } });
    return readDatabase(path, deployment);
}

Result<bool> readMessages(std::string_view option)
{
    if (option == "messages=plain")
        return true;
    if (option == "messages=sharded")
        return false;
    return url::bad({ Phrase::UrlClusterOption });
}

Result<Deployment> parseMany(Topology topology, std::string_view rest, bool tls)
{
    Deployment deployment;
    const auto query = rest.find('?');
    if (topology == Topology::Cluster && query != std::string_view::npos) {
        const auto plain = readMessages(rest.substr(query + 1));
        if (!plain)
            return tl::unexpected(plain.error());
        deployment.plainMessages = *plain;
        rest = rest.substr(0, query);
    }
    const auto servers
        = topology == Topology::Sentinel ? url::readTcp(rest, tls, SentinelPort) : url::readTcp(rest, tls);
    if (!servers)
        return tl::unexpected(servers.error());
    deployment.topology = topology;
    deployment.seeds = servers->servers;
    if (const auto path = readPath(servers->path, deployment); !path)
        return tl::unexpected(path.error());
    return deployment;
}

} // namespace

std::string Deployment::display() const
{
    if (seeds.empty())
        return {};
    if (topology == Topology::Single)
        return seeds.front().displayWithDatabase();
    std::string text = seeds.front().tls.enabled ? "rediss" : "redis";
    for (const Form &form : Forms)
        text += form.topology == topology ? form.name : std::string_view();
    for (const Endpoint &seed : seeds)
        text += (&seed == seeds.data() ? "://" : ",") + seed.display();
    if (!masterName.empty())
        text += '/' + masterName;
    const int database = seeds.front().database;
    return database == 0 ? text : text + '/' + std::to_string(database);
}

Result<Deployment> parseDeployment(std::string_view url)
{
    const auto separator = url.find("://");
    const std::string_view scheme = url.substr(0, separator);
    const Form *form = separator == std::string_view::npos ? nullptr : formOf(scheme);
    if (!form)
        return parseUrl(url);
    const std::string_view start = scheme.substr(0, scheme.size() - form->name.size());
    if (start != "redis" && start != "rediss")
        return parseUrl(url); // says what is wrong
    return parseMany(form->topology, url.substr(separator + 3), start == "rediss");
}

} // namespace lockcore::transport
