// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"
#include "ui/views/copy_menu.h"

#include <QDeadlineTimer>
#include <QWidget>

#include <functional>

namespace lockui {

class ClientNames;
class DataTable;
class ElidedLabel;
class ExportButton;

/// How locks of the table are taken elsewhere: copied from its menu and by keys, and exported from the bar above it,
/// which says how many are shown.
class LockTaking : public QWidget {
    Q_OBJECT
public:
    using LockAt = std::function<LockTableModel::Lock(const QModelIndex &)>; // of the table's model; null: none

    LockTaking(DataTable &table, LockAt lockAt, const LockTableModel &locks, const ViewClock &clock,
        std::function<const Origin &()> origin, QWidget *parent);

    void setClientNames(const ClientNames &names) { m_names = &names; }
    void addEntries(QMenu &menu, const QPoint &place) const; // in the table's viewport
    void updateFigure();

private:
    CopyTarget target(const std::vector<int> &rows) const;
    std::vector<LockTableModel::Lock> shownLocks() const;
    ExportTable table(ExportFormat format) const;
    void tellOf(const QString &file);

    DataTable &m_table;
    const LockAt m_lockAt;
    const LockTableModel &m_locks;
    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    const std::function<const Origin &()> m_origin;
    ElidedLabel *m_figure;
    ExportButton *m_export;
    QDeadlineTimer m_tellsOfFile{ 0 }; // that was exported
};

} // namespace lockui
