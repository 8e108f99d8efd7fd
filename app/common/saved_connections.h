// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/transport/deployment.h"

#include <QSettings>
#include <QString>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// A connection as the window has saved it, without passwords.
struct SavedConnection {
    QString name; // may be empty
    QString url; // also the key of its password in the secret store
    lockcore::transport::Deployment deployment;
    QString environment;
    bool readOnlyLocked = true; // cannot be switched to writable
    bool rememberPassword = false; // in the desktop's keychain
    std::vector<std::string> tokenNames = {}; // as MonitorOptions::tokenNames

    /// Its name, or where it leads if it has none.
    std::string title() const { return name.isEmpty() ? deployment.display() : name.toStdString(); }
    /// A person has said nothing of it: it makes room for newer ones. All others stay until a person removes them.
    bool isPlain() const { return name.isEmpty() && environment.isEmpty() && !readOnlyLocked; }
};

/// The settings of both programs: lockscope/lockscope.ini in XDG_CONFIG_HOME, or another file.
std::unique_ptr<QSettings> openSettings(const std::string &file = {});

/// Errors: local/invalid-argument when nothing could be kept there.
[[nodiscard]] lockcore::Result<void> checkSettingsFile(const std::string &file);

std::vector<SavedConnection> savedConnections(QSettings &settings); // newest first; what is damaged is left out
/// Of the plain ones the first ten.
void saveConnections(QSettings &settings, std::vector<SavedConnection> connections);

/// By its title. Errors: local/invalid-argument when there is none of this title, or several.
[[nodiscard]] lockcore::Result<SavedConnection> connectionNamed(QSettings &settings, std::string_view name);

/// Where the sentinels' own password is kept beside that of the servers.
QString sentinelSecret(const QString &url);

} // namespace app
