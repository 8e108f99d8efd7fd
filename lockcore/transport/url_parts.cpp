// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/url_parts.h"

#include <QByteArray>
#include <QRegularExpression>
#include <QUrl>

namespace lockcore::transport::url {

namespace {

QByteArray bytesOf(std::string_view text) { return { text.data(), static_cast<qsizetype>(text.size()) }; }

/// QUrl says which text was wrong: that may be a password.
tl::unexpected<Error> wrongAddress(const QUrl &url, std::string_view text)
{
    if (text.starts_with('[') && url.host().isEmpty())
        return bad({ Phrase::UrlIpv6 });
    if (url.host().isEmpty())
        return bad({ Phrase::UrlHost });
    return bad({ Phrase::UrlPort });
}

Result<void> readHostAndPort(std::string_view text, Endpoint &endpoint)
{
    QUrl url;
    url.setAuthority(QString::fromUtf8(bytesOf(text)));
    if (!url.isValid() || url.port() == 0 || (text.ends_with(':') && !url.host().isEmpty()))
        return wrongAddress(url, text);
    if (url.host().isEmpty())
        return bad({ Phrase::UrlNoHost });
    endpoint.host = url.host().toStdString();
    endpoint.port = static_cast<std::uint16_t>(url.port(endpoint.port));
    return {};
}

} // namespace

tl::unexpected<Error> bad(Said why)
{
    return failure(ErrorCode::InvalidArgument, std::move(why), { Phrase::ReadingUrl });
}

/// Bytes, whatever encoding they are of: QUrl has them as UTF-8 only.
Result<std::string> percentDecoded(std::string_view text)
{
    static const QRegularExpression BadPercent(QStringLiteral("%(?![0-9A-Fa-f]{2})"));
    const QByteArray bytes = bytesOf(text);
    if (QString::fromLatin1(bytes).contains(BadPercent))
        return bad({ Phrase::UrlPercent });
    return QByteArray::fromPercentEncoding(bytes).toStdString();
}

Result<void> readDatabase(std::string_view text, Endpoint &endpoint)
{
    bool isNumber = false;
    const int database = bytesOf(text).toInt(&isNumber);
    if (!isNumber || database < 0)
        return bad({ Phrase::UrlDatabase, { std::string(text) } });
    endpoint.database = database;
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
        return bad({ Phrase::UrlOptions });
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
        return bad({ Phrase::UrlLogin });
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

} // namespace lockcore::transport::url
