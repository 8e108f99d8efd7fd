// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockscope/recent_connections.h"

#include "ui/dialogs/connection_store.h"

namespace app {

using lockui::ConnectionProfile;
using lockui::connectionUrl;

namespace {

bool hasSentinels(const lockcore::transport::Deployment &deployment)
{
    return deployment.topology == lockcore::transport::Topology::Sentinel;
}

SavedConnection toSaved(const ConnectionProfile &profile)
{
    return { profile.name, connectionUrl(profile.deployment), profile.deployment, profile.environment,
        profile.readOnlyLocked, profile.rememberPassword, profile.tokenNames };
}

} // namespace

RecentConnections::RecentConnections(QSettings &settings, SecretStore &secrets)
    : m_settings(settings)
    , m_secrets(secrets)
{
    for (const SavedConnection &connection : savedConnections(m_settings)) {
        if (!connection.rememberPassword)
            continue;
        m_secrets.load(connection.url);
        if (hasSentinels(connection.deployment))
            m_secrets.load(sentinelSecret(connection.url));
    }
}

std::vector<ConnectionProfile> RecentConnections::recent() const
{
    std::vector<ConnectionProfile> profiles;
    for (SavedConnection &connection : savedConnections(m_settings)) {
        for (lockcore::transport::Endpoint &seed : connection.deployment.seeds)
            seed.password = m_secrets.password(connection.url);
        if (hasSentinels(connection.deployment))
            connection.deployment.sentinelPassword = m_secrets.password(sentinelSecret(connection.url));
        profiles.push_back({ connection.name, lockui::withClientName(std::move(connection.deployment)),
            connection.environment, connection.readOnlyLocked, connection.rememberPassword, connection.tokenNames });
    }
    return profiles;
}

void RecentConnections::remember(const ConnectionProfile &profile, bool isReached)
{
    const SavedConnection newest = toSaved(profile);
    if (newest.url == m_passing || (newest.isPlain() && !isReached))
        return;
    const auto place = profile.rememberPassword ? SecretStore::InKeychain : SecretStore::InMemory;
    m_secrets.keep(newest.url, profile.deployment.seeds.front().password, place);
    if (hasSentinels(profile.deployment))
        m_secrets.keep(sentinelSecret(newest.url), profile.deployment.sentinelPassword, place);
    std::vector<SavedConnection> connections = allSaved();
    std::erase_if(connections, [&](const SavedConnection &known) { return known.url == newest.url; });
    connections.insert(connections.begin(), newest);
    saveConnections(m_settings, connections);
}

void RecentConnections::forget(const ConnectionProfile &profile)
{
    const QString url = connectionUrl(profile.deployment);
    for (const QString &key : { url, sentinelSecret(url) })
        m_secrets.forget(key);
    std::vector<SavedConnection> connections = allSaved();
    std::erase_if(connections, [&](const SavedConnection &known) { return known.url == url; });
    saveConnections(m_settings, connections);
}

void RecentConnections::askForKeyring(QObject *context, std::function<void(const QString &)> answer) const
{
    SecretStore::tryKeychain(context, std::move(answer));
}

std::vector<SavedConnection> RecentConnections::allSaved()
{
    m_settings.sync();
    return savedConnections(m_settings);
}

void RecentConnections::neverRemember(const lockcore::transport::Deployment &deployment)
{
    m_passing = connectionUrl(deployment);
}

} // namespace app
