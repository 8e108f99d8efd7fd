// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/guarded_dialog.h"
#include "ui/views/command_sender.h"

#include <QObject>

namespace lockcore::service {
class Monitor;
}

namespace lockui {

/// The one guarded dialog that is open on a lock of others: keeps it up to date, and sends what it asks for.
class LockActions : public QObject {
    Q_OBJECT
public:
    using Lock = GuardedDialog::Lock;

    LockActions(lockcore::service::Monitor &monitor, const ClientNames &names, const ViewClock &clock, QWidget *window);

    void askToRelease(const Lock &lock, const ConnectionProfile &profile);
    void askForTtl(const Lock &lock, const ConnectionProfile &profile);
    void askToDrop(const Lock &lock, const lockcore::OwnerId &waiter, const ConnectionProfile &profile);
    void askToReturn(const Lock &lock, const lockcore::synchronizers::PermitReading &permit,
        const ConnectionProfile &profile); // to the semaphore
    void setSnapshot(const lockcore::monitor::Snapshot &snapshot);
    void withdraw(); // nothing may be done there any more: what was not confirmed is forgotten

Q_SIGNALS:
    void done(const lockui::EventStore::OwnDeed &deed);

private:
    bool isBusy(); // shows what is under way
    void open(GuardedDialog *dialog);

    ActionPlace at(const ConnectionProfile &profile) const { return { profile, m_names, m_clock }; }

    lockcore::service::Monitor &m_monitor;
    const ClientNames &m_names;
    const ViewClock &m_clock;
    QWidget *m_window;
    GuardedDialog *m_dialog = nullptr;
    CommandSender m_sender;
};

} // namespace lockui
