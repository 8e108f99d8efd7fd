// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"
#include "ui/views/copy_menu.h"

#include <QDeadlineTimer>
#include <QWidget>

#include <functional>

namespace lockui {

class ClientNames;
class ElidedLabel;
class ExportButton;
class LockFilterProxy;
class LockTable;

/// How locks of the table are taken elsewhere: copied from its menu and by keys, and exported by a button for the bar
/// above it.
class LockTaking : public QWidget {
    Q_OBJECT
public:
    LockTaking(LockTable &table, const LockTableModel &locks, const LockFilterProxy &shown, const ViewClock &clock,
        std::function<const Origin &()> origin, QWidget *parent);

    void setClientNames(const ClientNames &names) { m_names = &names; }
    void addEntries(QMenu &menu, const QPoint &place) const; // in the table's viewport
    void refresh();

private:
    CopyTarget target(const std::vector<int> &rows) const;
    std::vector<LockTableModel::Lock> shownLocks() const;
    ExportTable table(ExportFormat format) const;
    void tellOf(const QString &file);

    LockTable &m_table;
    const LockTableModel &m_locks;
    const LockFilterProxy &m_shown;
    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    const std::function<const Origin &()> m_origin;
    ElidedLabel *m_note; // where an export was written, for a moment
    ExportButton *m_export;
    QDeadlineTimer m_tellsOfFile{ 0 }; // that was exported
};

} // namespace lockui
