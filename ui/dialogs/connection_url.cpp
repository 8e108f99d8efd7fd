// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/connection_url.h"

#include <QByteArray>

namespace lockui {

namespace {

QString encoded(const std::string &bytes, const char *unreserved = "")
{
    return QString::fromLatin1(QByteArray::fromStdString(bytes).toPercentEncoding(unreserved));
}

QString login(const lockcore::Endpoint &endpoint)
{
    return endpoint.user.empty() ? QString() : encoded(endpoint.user) + QLatin1Char('@');
}

QString address(const lockcore::Endpoint &endpoint)
{
    const bool ipv6 = endpoint.host.find(':') != std::string::npos;
    const QString host
        = ipv6 ? QLatin1Char('[') + encoded(endpoint.host, ":") + QLatin1Char(']') : encoded(endpoint.host);
    return host + QLatin1Char(':') + QString::number(endpoint.port);
}

} // namespace

QString connectionUrl(const lockcore::Endpoint &endpoint)
{
    const QString database = endpoint.database > 0 ? QString::number(endpoint.database) : QString();
    if (!endpoint.socketPath.empty())
        return QStringLiteral("unix://") + login(endpoint) + encoded(endpoint.socketPath, "/")
            + (database.isEmpty() ? QString() : QStringLiteral("?db=") + database);
    return (endpoint.tls.enabled ? QStringLiteral("rediss://") : QStringLiteral("redis://")) + login(endpoint)
        + address(endpoint) + (database.isEmpty() ? QString() : QLatin1Char('/') + database);
}

} // namespace lockui
