// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/deployment.h"

#include "lockcore/transport/url_parts.h"

namespace lockcore::transport {

namespace {

tl::unexpected<Error> noKnownForm(Said why)
{
    auto bad = url::bad(std::move(why));
    add(bad.value(), { Phrase::UrlKnownForms });
    return bad;
}

Result<Endpoint> parseTcp(std::string_view rest, bool tls)
{
    const auto url = url::readTcp(rest, tls);
    if (!url)
        return tl::unexpected(url.error());
    if (url->servers.size() > 1)
        return url::bad({ Phrase::UrlOneServer });
    Endpoint endpoint = url->servers.front();
    if (!url->path.empty()) {
        if (const auto database = url::readDatabase(url->path, endpoint); !database)
            return tl::unexpected(database.error());
    }
    return endpoint;
}

Result<Endpoint> parseUnix(std::string_view rest)
{
    Endpoint endpoint;
    const auto query = rest.find('?');
    std::string_view path = rest.substr(0, query);
    if (const auto at = path.find('@'); at != std::string_view::npos && at < path.find('/')) {
        if (const auto login = url::readLogin(path.substr(0, at), endpoint); !login)
            return tl::unexpected(login.error());
        path.remove_prefix(at + 1);
    }
    if (!path.starts_with('/'))
        return url::bad({ Phrase::UrlSocket });
    const auto decoded = url::percentDecoded(path);
    if (!decoded)
        return tl::unexpected(decoded.error());
    endpoint.socketPath = *decoded;
    if (query == std::string_view::npos)
        return endpoint;
    const std::string_view option = rest.substr(query + 1);
    if (!option.starts_with("db="))
        return url::bad({ Phrase::UrlUnixOption });
    if (const auto database = url::readDatabase(option.substr(3), endpoint); !database)
        return tl::unexpected(database.error());
    return endpoint;
}

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

Result<Endpoint> parseUrl(std::string_view url)
{
    const auto separator = url.find("://");
    if (separator == std::string_view::npos)
        return noKnownForm({ Phrase::UrlNoScheme });
    const std::string_view scheme = url.substr(0, separator);
    const std::string_view rest = url.substr(separator + 3);
    if (scheme == "redis")
        return parseTcp(rest, false);
    if (scheme == "rediss")
        return parseTcp(rest, true);
    if (scheme == "unix")
        return parseUnix(rest);
    return noKnownForm({ Phrase::UrlUnknownScheme, { std::string(scheme) } });
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
