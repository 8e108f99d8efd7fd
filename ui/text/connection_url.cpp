// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/connection_url.h"

#include <QByteArray>
#include <QStringList>

namespace lockui {

using lockcore::transport::Deployment;
using lockcore::transport::Endpoint;
using lockcore::transport::Topology;

namespace {

QString encoded(const std::string &bytes, const char *unreserved = "")
{
    return QString::fromLatin1(QByteArray::fromStdString(bytes).toPercentEncoding(unreserved));
}

QString login(const Endpoint &endpoint)
{
    return endpoint.user.empty() ? QString() : encoded(endpoint.user) + QLatin1Char('@');
}

QString address(const Endpoint &endpoint)
{
    const bool ipv6 = endpoint.host.find(':') != std::string::npos;
    const QString host
        = ipv6 ? QLatin1Char('[') + encoded(endpoint.host, ":") + QLatin1Char(']') : encoded(endpoint.host);
    return host + QLatin1Char(':') + QString::number(endpoint.port);
}

QString scheme(Topology topology, bool tls)
{
    const QString start = tls ? QStringLiteral("rediss") : QStringLiteral("redis");
    switch (topology) {
    case Topology::Single:
        break;
    case Topology::Sentinel:
        return start + QStringLiteral("-sentinel://");
    case Topology::Cluster:
        return start + QStringLiteral("-cluster://");
    case Topology::Nodes:
        return start + QStringLiteral("-nodes://");
    }
    return start + QStringLiteral("://");
}

QString serverUrl(const Endpoint &endpoint)
{
    const QString database = endpoint.database > 0 ? QString::number(endpoint.database) : QString();
    if (!endpoint.socketPath.empty())
        return QStringLiteral("unix://") + login(endpoint) + encoded(endpoint.socketPath, "/")
            + (database.isEmpty() ? QString() : QStringLiteral("?db=") + database);
    return scheme(Topology::Single, endpoint.tls.enabled) + login(endpoint) + address(endpoint)
        + (database.isEmpty() ? QString() : QLatin1Char('/') + database);
}

} // namespace

bool isProductionTag(const QString &environment)
{
    return environment.startsWith(QStringLiteral("PROD"), Qt::CaseInsensitive);
}

QString serverList(std::span<const Endpoint> servers)
{
    QStringList addresses;
    for (const Endpoint &server : servers)
        addresses << address(server);
    return addresses.join(QLatin1Char(','));
}

QString connectionUrl(const Deployment &deployment)
{
    const Endpoint &first = deployment.seeds.front();
    if (deployment.topology == Topology::Single)
        return serverUrl(first);
    QString url = scheme(deployment.topology, first.tls.enabled) + login(first) + serverList(deployment.seeds);
    if (deployment.topology == Topology::Sentinel)
        url += QLatin1Char('/') + encoded(deployment.masterName);
    if (deployment.plainMessages)
        url += QStringLiteral("?messages=plain");
    return first.database > 0 ? url + QLatin1Char('/') + QString::number(first.database) : url;
}

} // namespace lockui
