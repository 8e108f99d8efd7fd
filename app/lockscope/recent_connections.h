// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/saved_connections.h"
#include "app/common/secret_store.h"
#include "ui/dialogs/connection_store.h"

#include <QSettings>

namespace app {

/// The connections used last, in the settings; their passwords only in the secret store.
class RecentConnections : public lockui::ConnectionStore {
public:
    RecentConnections(QSettings &settings, SecretStore &secrets);

    std::vector<lockui::ConnectionProfile> recent() const override;
    void remember(const lockui::ConnectionProfile &profile, bool isReached) override;
    void forget(const lockui::ConnectionProfile &profile) override;
    void askForKeyring(QObject *context, std::function<void(const QString &)> answer) const override;
    void neverRemember(const lockcore::transport::Deployment &deployment); // it will not be there next time

private:
    std::vector<SavedConnection> allSaved(); // also by another window, since this one looked last

    QSettings &m_settings;
    SecretStore &m_secrets;
    QString m_passing; // URL
};

} // namespace app
