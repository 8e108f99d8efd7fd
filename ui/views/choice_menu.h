// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/bulk_release_dialog.h"
#include "ui/views/lock_table.h"

#include <QObject>
#include <functional>

class QMenu;

namespace lockui {

/// What the menu of the table of locks offers for a client, for a group and for several rows.
class ChoiceMenu : public QObject {
    Q_OBJECT
public:
    ChoiceMenu(LockTable &table, const LockTableModel &locks);

    void setActionsAllowed(bool allowed, const QString &whyNot);
    /// At a place of the viewport; false: one lock is chosen, or none. `addCopies`: for several locks, what comes
    /// first.
    bool offer(const QPoint &place, const std::function<void(QMenu &)> &addCopies);
    void addClient(QMenu &menu, const std::string &client);

Q_SIGNALS:
    void clientRequested(const std::string &client); // all that it holds and waits for
    void clientNamingRequested(const lockcore::OwnerId &owner);
    void filterWanted(const QString &text);
    void bulkReleaseRequested(const lockui::BulkChoice &choice);

private:
    void addGroup(QMenu &menu, const GroupKey &key);
    void addRelease(QMenu &menu, const QString &text, BulkChoice choice);

    LockTable &m_table;
    const LockTableModel &m_locks;
    bool m_allowed = false;
    QString m_whyNot;
};

} // namespace lockui
