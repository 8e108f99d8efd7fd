// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/url_parts.h"

#include <charconv>
#include <optional>

namespace lockcore::url {

namespace {

int hexDigit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

template <typename Number>
std::optional<Number> number(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

Result<void> readPort(std::string_view text, Endpoint &endpoint)
{
    const auto port = number<std::uint16_t>(text);
    if (!port || *port == 0)
        return bad("the port must be a number from 1 to 65535 (a user and a password end with '@', as in "
                   "redis://user:password@host:6379)"); // what is there may be a password
    endpoint.port = *port;
    return {};
}

Result<void> readHostAndPort(std::string_view text, Endpoint &endpoint)
{
    std::string_view host = text;
    std::string_view port;
    bool hasPort = false;
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos)
            return bad("an IPv6 address must end with ']'");
        host = text.substr(1, end - 1);
        const auto rest = text.substr(end + 1);
        if (!rest.empty() && rest.front() != ':')
            return bad("after ']' there can only be a port, as in [::1]:6379");
        hasPort = !rest.empty();
        port = hasPort ? rest.substr(1) : rest;
    } else if (const auto colon = text.find(':'); colon != std::string_view::npos) {
        host = text.substr(0, colon);
        port = text.substr(colon + 1);
        hasPort = true;
    }
    if (host.empty())
        return bad("the host is missing");
    const auto decoded = percentDecoded(host);
    if (!decoded)
        return tl::unexpected(decoded.error());
    endpoint.host = *decoded;
    return hasPort ? readPort(port, endpoint) : Result<void>{};
}

} // namespace

tl::unexpected<Error> bad(std::string message)
{
    return failure(ErrorCode::InvalidArgument, std::move(message), "reading the URL");
}

Result<std::string> percentDecoded(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hexDigit(text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return bad("'%' must be followed by two hexadecimal digits (a literal % is written %25)");
        decoded += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return decoded;
}

Result<void> readDatabase(std::string_view text, Endpoint &endpoint)
{
    const auto database = number<int>(text);
    if (!database || *database < 0)
        return bad("the database must be a number from 0, not '" + std::string(text) + "'");
    endpoint.database = *database;
    return {};
}

Result<void> readLogin(std::string_view text, Endpoint &endpoint)
{
    const auto colon = text.find(':');
    const auto user = percentDecoded(text.substr(0, colon));
    const auto password = percentDecoded(colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1));
    if (!user)
        return tl::unexpected(user.error());
    if (!password)
        return tl::unexpected(password.error());
    endpoint.user = *user;
    endpoint.password = *password;
    return {};
}

Result<Tcp> readTcp(std::string_view rest, bool tls, std::uint16_t defaultPort)
{
    if (rest.find_first_of("?#") != std::string_view::npos)
        return bad("options after '?' or '#' are known for unix:// and redis-cluster:// only (in a password write %3F "
                   "and %23)");
    Endpoint server;
    server.tls.enabled = tls;
    server.port = defaultPort;
    const auto slash = rest.find('/');
    std::string_view authority = rest.substr(0, slash);
    if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
        if (const auto login = readLogin(authority.substr(0, at), server); !login)
            return tl::unexpected(login.error());
        authority.remove_prefix(at + 1);
    } else if (rest.find('@') != std::string_view::npos) {
        return bad("in user and password '/' is written %2F, '@' %40 and '%' %25");
    }
    Tcp url{ {}, slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1) };
    for (auto comma = authority.find(','); true; comma = authority.find(',')) {
        url.servers.push_back(server);
        if (const auto address = readHostAndPort(authority.substr(0, comma), url.servers.back()); !address)
            return tl::unexpected(address.error());
        if (comma == std::string_view::npos)
            return url;
        authority.remove_prefix(comma + 1);
    }
}

} // namespace lockcore::url
