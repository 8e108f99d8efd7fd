// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"
#include "ui/support/theme.h"
#include "ui/views/copy_menu.h"

#include <QObject>

#include <functional>
#include <optional>

class QToolButton;

namespace lockui {

class EventModel;
class DetailCharts;

/// How what the detail shows is taken elsewhere: the lock from the menu beside its Copy button, its charts as pictures,
/// rows of its tables from their menus.
class DetailTaking : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Theme &theme;
        const ViewClock &clock;
        std::function<LockTableModel::Lock()> lock; // that is shown; null: none
        QToolButton &copyAs;
        DetailCharts &charts;
        DataTable &events;
        EventModel &eventModel;
    };

    DetailTaking(const Parts &parts, QObject *parent);

    void setOrigin(std::function<const Origin &()> origin) { m_origin = std::move(origin); }
    /// Of a row of a table that has a menu of its own. `owner`: absent where Redis does not tell who has it.
    void addEntries(QMenu &menu, DataTable &table, const QModelIndex &cell,
        const std::optional<lockcore::OwnerId> &owner = std::nullopt) const;

    void offerName(DataTable &table) const; // of the lock, by the key that copies names from any table

private:
    CopyTarget target() const;
    void fillMenu() const;
    void offerPictures();

    Parts m_parts;
    std::function<const Origin &()> m_origin;
};

} // namespace lockui
