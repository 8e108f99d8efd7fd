// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_group_model.h"
#include "ui/views/data_table.h"

#include <optional>
#include <vector>

namespace lockui {

/// Locks as rows, in groups or not. A group folds by a click on its sign, a double click on its title, and by the left
/// and right arrow keys. Several rows can be chosen; a chosen group stands for all its locks that are shown.
class LockTable : public DataTable {
    Q_OBJECT
public:
    using Lock = LockTableModel::Lock;

    LockTable(const RowStyle &style, const ViewClock &clock, LockTableModel &locks, LockFilterProxy &shown,
        QWidget *parent = nullptr);

    void setGrouping(Grouping grouping);
    LockGroupModel &groups() { return m_groups; }

    Lock lockAt(const QModelIndex &index) const; // null: a group
    QModelIndex firstLock() const; // invalid: none is shown, or all are folded away
    void chooseFirstFound(); // opens its group; unless something is chosen
    QModelIndex indexOf(const lockcore::LockName &name) const; // invalid: it is filtered out, or folded away
    /// Where what a person has chosen stands: a group, or else this lock, or the title of the group that it is folded
    /// away in.
    QModelIndex chosenPlace(const std::optional<lockcore::LockName> &chosen) const;
    void highlight(const std::optional<lockcore::LockName> &chosen); // what stands there
    void leaveGroup(); // no group is chosen any more
    void chooseOnly(const QModelIndex &index);
    void reveal(const lockcore::LockName &name); // unfolds its group, and no other is chosen any more

    std::optional<GroupKey> chosenGroup() const; // whose title is highlighted
    Lock chosenLock() const; // the one that was chosen last; null: a group, or nothing
    std::vector<Lock> chosenLocks() const; // each once
    std::vector<Lock> shownLocks() const; // as they stand there, each once, also those that are folded away

Q_SIGNALS:
    void chosen(); // rows, by whomever
    void wasReset();

protected:
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex &index, const QEvent *event) const override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    void show(QAbstractItemModel &model);
    void remember();
    bool isGrouped() const { return m_groups.grouping() != Grouping::None; }
    void fold(const QModelIndex &title, bool folded);
    void turn(const QModelIndex &title);
    bool turnByKey(int key);
    QModelIndex currentChosen() const;

    LockFilterProxy &m_shown;
    LockGroupModel m_groups;
    std::optional<GroupKey> m_chosenGroup; // whose title a person has chosen
    std::optional<GroupKey> m_chosenIn; // where the chosen lock was chosen
};

} // namespace lockui
