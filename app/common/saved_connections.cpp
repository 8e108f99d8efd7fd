// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/saved_connections.h"

#include "app/common/arguments.h"
#include "app/common/words.h"
#include "lockcore/synchronizers/token_recognition.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>

namespace app {

using lockcore::Result;

namespace {

constexpr int MostPlain = 10;
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
const QString TokenNames = QStringLiteral("alsoLocks");

/// Names are any bytes, and settings are text.
QStringList toTexts(const std::vector<std::string> &names)
{
    QStringList texts;
    for (const std::string &name : names)
        texts << QString::fromLatin1(QByteArray::fromStdString(name).toPercentEncoding(":*?[]^/{}"));
    return texts;
}

std::vector<std::string> fromTexts(const QStringList &texts)
{
    std::vector<std::string> names;
    for (const QString &text : texts)
        names.push_back(QByteArray::fromPercentEncoding(text.toLatin1()).toStdString());
    return lockcore::synchronizers::checkTokenNames(names) ? names : std::vector<std::string>();
}

void write(QSettings &settings, const SavedConnection &connection)
{
    const lockcore::transport::TlsOptions &tls = connection.deployment.seeds.front().tls;
    settings.setValue(Url, connection.url);
    settings.setValue(CaFile, QString::fromStdString(tls.caFile));
    settings.setValue(CertificateFile, QString::fromStdString(tls.certificateFile));
    settings.setValue(KeyFile, QString::fromStdString(tls.keyFile));
    settings.setValue(ServerName, QString::fromStdString(tls.serverName));
    settings.setValue(SentinelUser, QString::fromStdString(connection.deployment.sentinelUser));
    settings.setValue(Name, connection.name);
    settings.setValue(Environment, connection.environment);
    settings.setValue(ReadOnlyLocked, connection.readOnlyLocked);
    settings.setValue(RememberPassword, connection.rememberPassword);
    settings.setValue(TokenNames, toTexts(connection.tokenNames));
}

Result<SavedConnection> read(const QSettings &settings)
{
    const auto text = [&](const QString &key) { return settings.value(key).toString().toStdString(); };
    return lockcore::transport::parseDeployment(text(Url)).map([&](lockcore::transport::Deployment deployment) {
        for (lockcore::transport::Endpoint &seed : deployment.seeds)
            if (seed.tls.enabled)
                seed.tls = { true, text(CaFile), text(CertificateFile), text(KeyFile), text(ServerName) };
        deployment.sentinelUser = text(SentinelUser);
        // Settings can be edited and damaged: in doubt careful.
        return SavedConnection{ settings.value(Name).toString(), settings.value(Url).toString(), std::move(deployment),
            settings.value(Environment).toString(), settings.value(ReadOnlyLocked, true).toBool(),
            settings.value(RememberPassword).toBool(), fromTexts(settings.value(TokenNames).toStringList()) };
    });
}

} // namespace

std::unique_ptr<QSettings> openSettings(const std::string &file)
{
    if (!file.empty())
        return std::make_unique<QSettings>(QFile::decodeName(file.c_str()), QSettings::IniFormat);
    const QString name = QStringLiteral("lockscope");
    return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, name, name);
}

Result<void> checkSettingsFile(const std::string &file)
{
    const QFileInfo info(QFile::decodeName(file.c_str()));
    if (info.isDir())
        return usageError(Words::tr("--config is a file, and %1 is a directory").arg(raw(file)));
    if (!QFileInfo(info.absolutePath()).isDir())
        return usageError(Words::tr("--config: there is no directory for %1").arg(raw(file)));
    return {};
}

std::vector<SavedConnection> savedConnections(QSettings &settings)
{
    std::vector<SavedConnection> connections;
    const int said = settings.beginReadArray(Group); // any number, where settings are damaged
    const int count = std::min(said, static_cast<int>(settings.childGroups().size()));
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        if (auto connection = read(settings))
            connections.push_back(*std::move(connection));
    }
    settings.endArray();
    return connections;
}

void saveConnections(QSettings &settings, std::vector<SavedConnection> connections)
{
    int plain = 0;
    std::erase_if(connections, [&](const SavedConnection &each) { return each.isPlain() && ++plain > MostPlain; });
    settings.remove(Group); // also what stands behind the last of a shorter list
    settings.beginWriteArray(Group, static_cast<int>(connections.size()));
    for (std::size_t i = 0; i < connections.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        write(settings, connections[i]);
    }
    settings.endArray();
}

Result<SavedConnection> connectionNamed(QSettings &settings, std::string_view name)
{
    std::vector<SavedConnection> found = savedConnections(settings);
    std::erase_if(found, [&](const SavedConnection &each) { return each.title() != name; });
    if (found.size() == 1)
        return std::move(found.front());
    return usageError(
        (found.empty() ? Words::tr("the window has saved no connection named '%1' in %2")
                       : Words::tr("the window has saved several connections named '%1' in %2"))
            .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), settings.fileName()));
}

QString sentinelSecret(const QString &url) { return url + QStringLiteral(" (sentinels)"); }

} // namespace app
