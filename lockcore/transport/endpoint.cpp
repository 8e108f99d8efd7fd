// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/endpoint.h"

#include "lockcore/transport/url_parts.h"

namespace lockcore::transport {

std::string Endpoint::display() const
{
    if (!socketPath.empty())
        return socketPath;
    const bool ipv6 = host.find(':') != std::string::npos;
    return (ipv6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

std::string Endpoint::displayWithDatabase() const
{
    if (database == 0)
        return display();
    return display() + (socketPath.empty() ? "/" : "?db=") + std::to_string(database);
}

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

} // namespace

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

} // namespace lockcore::transport
