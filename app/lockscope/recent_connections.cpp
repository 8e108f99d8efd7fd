// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockscope/recent_connections.h"

#include "ui/dialogs/connection_url.h"
#include "ui/support/display_text.h"

#include <algorithm>

namespace app {

using lockui::ConnectionProfile;
using lockui::connectionUrl;
using lockui::toBytes;

namespace {

constexpr std::size_t Most = 10;
const QString Group = QStringLiteral("recentConnections");
const QString Url = QStringLiteral("url");
const QString CaFile = QStringLiteral("caFile");
const QString CertificateFile = QStringLiteral("certificateFile");
const QString KeyFile = QStringLiteral("keyFile");
const QString ServerName = QStringLiteral("serverName");
const QString SentinelUser = QStringLiteral("sentinelUser");
const QString Name = QStringLiteral("name");
const QString Environment = QStringLiteral("environment");
const QString ReadOnlyLocked = QStringLiteral("readOnlyLocked");
const QString RememberPassword = QStringLiteral("rememberPassword");

/// The sentinels' own password beside that of the servers.
QString sentinelKey(const lockcore::Deployment &deployment)
{
    return connectionUrl(deployment) + QStringLiteral(" (sentinels)");
}

void fillPasswords(lockcore::Deployment &deployment, const SecretStore &secrets)
{
    for (lockcore::Endpoint &seed : deployment.seeds)
        seed.password = secrets.password(connectionUrl(deployment));
    if (deployment.topology == lockcore::Topology::Sentinel)
        deployment.sentinelPassword = secrets.password(sentinelKey(deployment));
}

void write(QSettings &settings, const ConnectionProfile &profile)
{
    const lockcore::TlsOptions &tls = profile.deployment.seeds.front().tls;
    settings.setValue(Url, connectionUrl(profile.deployment));
    settings.setValue(CaFile, QString::fromStdString(tls.caFile));
    settings.setValue(CertificateFile, QString::fromStdString(tls.certificateFile));
    settings.setValue(KeyFile, QString::fromStdString(tls.keyFile));
    settings.setValue(ServerName, QString::fromStdString(tls.serverName));
    settings.setValue(SentinelUser, QString::fromStdString(profile.deployment.sentinelUser));
    settings.setValue(Name, profile.name);
    settings.setValue(Environment, profile.environment);
    settings.setValue(ReadOnlyLocked, profile.readOnlyLocked);
    settings.setValue(RememberPassword, profile.rememberPassword);
}

lockcore::Result<ConnectionProfile> read(const QSettings &settings)
{
    const auto text = [&](const QString &key) { return toBytes(settings.value(key).toString()); };
    return lockcore::parseDeployment(text(Url)).map([&](lockcore::Deployment deployment) {
        for (lockcore::Endpoint &seed : deployment.seeds)
            seed.tls = { seed.tls.enabled, text(CaFile), text(CertificateFile), text(KeyFile), text(ServerName) };
        deployment.sentinelUser = text(SentinelUser);
        // Settings can be edited and damaged: in doubt careful.
        return ConnectionProfile{ settings.value(Name).toString(), std::move(deployment),
            settings.value(Environment).toString(), settings.value(ReadOnlyLocked, true).toBool(),
            settings.value(RememberPassword).toBool() };
    });
}

} // namespace

RecentConnections::RecentConnections(QSettings &settings, SecretStore &secrets)
    : m_settings(settings)
    , m_secrets(secrets)
{
    for (const ConnectionProfile &profile : RecentConnections::recent()) {
        if (!profile.rememberPassword)
            continue;
        m_secrets.load(connectionUrl(profile.deployment));
        if (profile.deployment.topology == lockcore::Topology::Sentinel)
            m_secrets.load(sentinelKey(profile.deployment));
    }
}

std::vector<ConnectionProfile> RecentConnections::recent() const
{
    std::vector<ConnectionProfile> profiles;
    const int count = std::min(m_settings.beginReadArray(Group), static_cast<int>(Most));
    for (int i = 0; i < count; ++i) {
        m_settings.setArrayIndex(i);
        if (auto profile = read(m_settings)) {
            fillPasswords(profile->deployment, m_secrets);
            profiles.push_back(*std::move(profile));
        }
    }
    m_settings.endArray();
    return profiles;
}

void RecentConnections::remember(const ConnectionProfile &profile)
{
    const QString url = connectionUrl(profile.deployment);
    if (url == m_passing)
        return;
    const auto place = profile.rememberPassword ? SecretStore::InKeychain : SecretStore::InMemory;
    m_secrets.keep(url, profile.deployment.seeds.front().password, place);
    if (profile.deployment.topology == lockcore::Topology::Sentinel)
        m_secrets.keep(sentinelKey(profile.deployment), profile.deployment.sentinelPassword, place);
    std::vector<ConnectionProfile> profiles = recent();
    std::erase_if(profiles, [&](const ConnectionProfile &known) { return connectionUrl(known.deployment) == url; });
    profiles.insert(profiles.begin(), profile);
    profiles.resize(std::min(profiles.size(), Most));
    m_settings.beginWriteArray(Group, static_cast<int>(profiles.size()));
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        m_settings.setArrayIndex(static_cast<int>(i));
        write(m_settings, profiles[i]);
    }
    m_settings.endArray();
}

void RecentConnections::neverRemember(const lockcore::Deployment &deployment) { m_passing = connectionUrl(deployment); }

} // namespace app
