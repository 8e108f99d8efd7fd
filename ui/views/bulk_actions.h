// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/bulk_release_dialog.h"
#include "ui/views/command_sender.h"

#include <QObject>

namespace lockcore::service {
class Monitor;
}

namespace lockui {

/// The one dialog that releases several locks: keeps it up to date, and sends what it asks for, one at a time.
class BulkActions : public QObject {
    Q_OBJECT
public:
    BulkActions(lockcore::service::Monitor &monitor, const ClientNames &names, const ViewClock &clock, QWidget *window);

    void askToRelease(const BulkChoice &choice, const ConnectionProfile &profile);
    void setSnapshot(const lockcore::monitor::Snapshot &snapshot);
    void withdraw(); // nothing may be done there any more: what is not sent is stopped

Q_SIGNALS:
    void done(const lockui::EventStore::OwnDeed &deed);

private:
    lockcore::service::Monitor &m_monitor;
    const ClientNames &m_names;
    const ViewClock &m_clock;
    QWidget *m_window;
    BulkReleaseDialog *m_dialog = nullptr;
    CommandSender m_sender;
};

} // namespace lockui
