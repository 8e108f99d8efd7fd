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
const QString Name = QStringLiteral("name");
const QString Environment = QStringLiteral("environment");
const QString ReadOnlyLocked = QStringLiteral("readOnlyLocked");
const QString RememberPassword = QStringLiteral("rememberPassword");

void write(QSettings &settings, const ConnectionProfile &profile)
{
    const lockcore::TlsOptions &tls = profile.endpoint.tls;
    settings.setValue(Url, connectionUrl(profile.endpoint));
    settings.setValue(CaFile, QString::fromStdString(tls.caFile));
    settings.setValue(CertificateFile, QString::fromStdString(tls.certificateFile));
    settings.setValue(KeyFile, QString::fromStdString(tls.keyFile));
    settings.setValue(ServerName, QString::fromStdString(tls.serverName));
    settings.setValue(Name, profile.name);
    settings.setValue(Environment, profile.environment);
    settings.setValue(ReadOnlyLocked, profile.readOnlyLocked);
    settings.setValue(RememberPassword, profile.rememberPassword);
}

lockcore::Result<ConnectionProfile> read(const QSettings &settings)
{
    const auto text = [&](const QString &key) { return toBytes(settings.value(key).toString()); };
    return lockcore::parseUrl(text(Url)).map([&](lockcore::Endpoint endpoint) {
        endpoint.tls.caFile = text(CaFile);
        endpoint.tls.certificateFile = text(CertificateFile);
        endpoint.tls.keyFile = text(KeyFile);
        endpoint.tls.serverName = text(ServerName);
        // Settings can be edited and damaged: in doubt careful.
        return ConnectionProfile{ settings.value(Name).toString(), std::move(endpoint),
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
        if (profile.rememberPassword)
            m_secrets.load(connectionUrl(profile.endpoint));
    }
}

std::vector<ConnectionProfile> RecentConnections::recent() const
{
    std::vector<ConnectionProfile> profiles;
    const int count = std::min(m_settings.beginReadArray(Group), static_cast<int>(Most));
    for (int i = 0; i < count; ++i) {
        m_settings.setArrayIndex(i);
        if (auto profile = read(m_settings)) {
            profile->endpoint.password = m_secrets.password(connectionUrl(profile->endpoint));
            profiles.push_back(*std::move(profile));
        }
    }
    m_settings.endArray();
    return profiles;
}

void RecentConnections::remember(const ConnectionProfile &profile)
{
    const QString url = connectionUrl(profile.endpoint);
    if (url == m_passing)
        return;
    m_secrets.keep(
        url, profile.endpoint.password, profile.rememberPassword ? SecretStore::InKeychain : SecretStore::InMemory);
    std::vector<ConnectionProfile> profiles = recent();
    std::erase_if(profiles, [&](const ConnectionProfile &known) { return connectionUrl(known.endpoint) == url; });
    profiles.insert(profiles.begin(), profile);
    profiles.resize(std::min(profiles.size(), Most));
    m_settings.beginWriteArray(Group, static_cast<int>(profiles.size()));
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        m_settings.setArrayIndex(static_cast<int>(i));
        write(m_settings, profiles[i]);
    }
    m_settings.endArray();
}

void RecentConnections::neverRemember(const lockcore::Endpoint &endpoint) { m_passing = connectionUrl(endpoint); }

} // namespace app
