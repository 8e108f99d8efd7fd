// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/connection_store.h"
#include "ui/models/lock_table_model.h"
#include "ui/support/event_store.h"
#include "ui/text/client_names.h"

#include <QObject>
#include <memory>
#include <optional>
#include <string>

namespace lockcore::service {
class Monitor;
}

namespace lockui {

class BulkActions;
class ClientActions;
class GraphPage;
class LockActions;
class LocksPage;

/// Leads from what pages ask for, an action on locks or a question about a client, to the dialog that asks the person.
class ActionRequests : public QObject {
    Q_OBJECT
public:
    using Lock = LockTableModel::Lock;
    using Snapshot = lockcore::monitor::Snapshot;

    ActionRequests(lockcore::service::Monitor &monitor, ClientNames &names, const ViewClock &clock, QWidget *window);

    void serve(const LocksPage &page);
    void serve(const GraphPage &page);

    void setProfile(const std::optional<ConnectionProfile> &profile); // absent: no server is watched
    void setNewest(const std::shared_ptr<const Snapshot> &snapshot); // dialogs guard by it what they ask for
    void setShown(const std::shared_ptr<const Snapshot> &snapshot); // as the pages show it; null: nothing is open
    void setAllowed(bool allowed, const QString &whyNot);
    void withdraw(); // nothing may be done there any more

    void askToRelease(const Lock &lock);
    void askForRenewal(const Lock &lock);
    void askToReturn(const Lock &lock, const lockcore::synchronizers::PermitReading &permit);
    void askToDrop(const Lock &lock, const lockcore::OwnerId &waiter);
    ClientActions &clients() { return *m_clients; }

Q_SIGNALS:
    void done(const lockui::EventStore::OwnDeed &deed);
    void lockOpened(const lockcore::LockName &lock);
    void filterWanted(const QString &text);

private:
    void askToReleaseAllOf(const std::string &client);

    std::optional<ConnectionProfile> m_profile;
    std::shared_ptr<const Snapshot> m_newest;
    LockActions *m_locks;
    BulkActions *m_bulk;
    ClientActions *m_clients;
};

} // namespace lockui
