// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"
#include "ui/dialogs/client_dialog.h"
#include "ui/dialogs/connection_store.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

/// What a person asks about clients: what one is called, where it is, and all that it holds and waits for.
class ClientActions : public QObject {
    Q_OBJECT
public:
    ClientActions(ClientNames &names, const ViewClock &clock, QWidget *window);

    void show(const std::string &client);
    void askForName(const std::string &client);
    /// On the server that this lock was read from: commands that name the client come there.
    void askWhoThatIs(const std::string &client, const KnownLock &lock);

    void setProfile(std::optional<ConnectionProfile> profile); // absent: no server can be asked
    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot); // null: nothing is open
    void setActionsAllowed(bool allowed, const QString &whyNot);

Q_SIGNALS:
    void lockOpened(const lockcore::LockName &lock);
    void filterWanted(const QString &text);
    void releaseRequested(const std::string &client);

private:
    void sayThatNobodyCanBeAsked();

    ClientNames &m_names;
    const ViewClock &m_clock;
    QWidget *m_window;
    std::optional<ConnectionProfile> m_profile;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    bool m_allowed = false;
    QString m_whyNot;
    std::vector<QPointer<ClientDialog>> m_dialogs;
};

/// The entry of menus that leads to all that a client holds and waits for.
QString allOfClientText();

/// A filter that shows only what this client holds and waits for.
QString filterFor(const std::string &client);

} // namespace lockui
