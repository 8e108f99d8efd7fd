// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"
#include "ui/support/theme.h"
#include "ui/views/copy_menu.h"

#include <QObject>

#include <functional>

class QToolButton;

namespace lockui {

class EventModel;
class TtlChart;

/// How what the detail shows is taken elsewhere: the lock from the menu beside its Copy button, the chart as a picture,
/// rows of its tables from their menus.
class DetailTaking : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Theme &theme;
        const ViewClock &clock;
        std::function<LockTableModel::Lock()> lock; // that is shown; null: none
        QToolButton &copyAs;
        TtlChart &chart;
        const QWidget &legend;
        DataTable &permits;
        DataTable &events;
        EventModel &eventModel;
    };

    DetailTaking(const Parts &parts, QObject *parent);

    void setOrigin(std::function<const Origin &()> origin) { m_origin = std::move(origin); }
    void addEntries(QMenu &menu, DataTable &table, const QModelIndex &cell, const lockcore::OwnerId &owner) const;

private:
    CopyTarget target() const;
    void fillMenu() const;

    Parts m_parts;
    std::function<const Origin &()> m_origin;
};

} // namespace lockui
