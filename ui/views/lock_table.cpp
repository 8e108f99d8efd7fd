// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lock_table.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <set>

namespace lockui {

using namespace lockcore;

LockTable::LockTable(
    const RowStyle &style, const ViewClock &clock, LockTableModel &locks, LockFilterProxy &shown, QWidget *parent)
    : DataTable(style, clock, parent)
    , m_shown(shown)
    , m_groups(locks, shown)
{
    setSelectionMode(ExtendedSelection);
    for (const QAbstractItemModel *model :
        { static_cast<QAbstractItemModel *>(&m_shown), static_cast<QAbstractItemModel *>(&m_groups) })
        connect(model, &QAbstractItemModel::modelReset, this, &LockTable::wasReset);
    show(m_shown);
}

void LockTable::show(QAbstractItemModel &model)
{
    const auto *before = selectionModel();
    setModel(&model);
    delete before;
    // A click on the row that is current already changes only what is selected; one that adds a row to those that are
    // selected makes it current only after that. A key that extends what is selected makes a row current first.
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &LockTable::remember);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &current) {
        if (selectionModel()->isRowSelected(current.row()))
            remember();
    });
    setColumnShares(columnShares()); // a header that gets another model forgets its widths
}

void LockTable::setGrouping(Grouping grouping)
{
    if (grouping == m_groups.grouping())
        return;
    m_chosenGroup.reset();
    m_chosenIn.reset();
    m_groups.setGrouping(grouping);
    QAbstractItemModel *model = isGrouped() ? static_cast<QAbstractItemModel *>(&m_groups) : &m_shown;
    if (model != this->model())
        show(*model);
    Q_EMIT wasReset();
}

LockTable::Lock LockTable::lockAt(const QModelIndex &index) const
{
    return isGrouped() ? m_groups.lockAt(index) : m_shown.lockAt(index);
}

QModelIndex LockTable::firstLock() const
{
    if (!isGrouped())
        return m_shown.index(0, 0);
    for (int row = 0; row < m_groups.rowCount(); ++row)
        if (const QModelIndex index = m_groups.index(row, 0); m_groups.lockAt(index))
            return index;
    return {};
}

void LockTable::chooseFirstFound()
{
    if (!isGrouped() || selectionModel()->hasSelection() || m_groups.rowCount() == 0)
        return;
    if (const auto *key = m_groups.groupOf(m_groups.index(0, 0)); m_groups.isFolded(*key))
        m_groups.setFolded(GroupKey(*key), false);
    if (const QModelIndex first = firstLock(); first.isValid())
        chooseOnly(first);
}

QModelIndex LockTable::indexOf(const LockName &name) const
{
    return isGrouped() ? m_groups.indexOf(name, m_chosenIn) : m_shown.indexOf(name);
}

QModelIndex LockTable::chosenPlace(const std::optional<LockName> &chosen) const
{
    const QModelIndex group = m_chosenGroup ? m_groups.indexOf(*m_chosenGroup) : QModelIndex();
    if (group.isValid() || !chosen)
        return group;
    const QModelIndex lock = indexOf(*chosen);
    const auto keys = lock.isValid() || !isGrouped() ? std::vector<GroupKey>() : m_groups.groupsOfLock(*chosen);
    if (keys.empty())
        return lock;
    const bool isKnown = m_chosenIn && std::ranges::find(keys, *m_chosenIn) != keys.end();
    return m_groups.indexOf(isKnown ? *m_chosenIn : keys.front());
}

void LockTable::highlight(const std::optional<LockName> &chosen)
{
    const bool isGroup = m_chosenGroup.has_value();
    const QModelIndex place = chosenPlace(chosen);
    QItemSelectionModel &selection = *selectionModel();
    setAutoScroll(false); // a lock that comes again does not take a person away from the rows that are looked at
    if (!place.isValid())
        selection.clearSelection();
    else if (!selection.isRowSelected(place.row()))
        selection.setCurrentIndex(place, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    else if (selection.currentIndex().row() != place.row()) // of several that are chosen
        selection.setCurrentIndex(place, QItemSelectionModel::NoUpdate);
    setAutoScroll(true);
    if (!isGroup)
        leaveGroup(); // its title stands there for a lock, until that is unfolded
    ensureCurrentRow();
}

void LockTable::leaveGroup() { m_chosenGroup.reset(); }

std::optional<GroupKey> LockTable::chosenGroup() const
{
    const QModelIndex index = isGrouped() ? currentChosen() : QModelIndex();
    return index.isValid() && m_groups.isGroup(index) ? std::optional(*m_groups.groupOf(index)) : std::nullopt;
}

void LockTable::reveal(const LockName &name)
{
    leaveGroup();
    if (!isGrouped() || indexOf(name).isValid())
        return;
    if (const auto keys = m_groups.groupsOfLock(name); !keys.empty())
        m_groups.setFolded(keys.front(), false);
}

/// Whatever keys are held: Shift would choose all rows up to it.
void LockTable::chooseOnly(const QModelIndex &index)
{
    selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    scrollTo(index);
}

QModelIndex LockTable::currentChosen() const
{
    const QModelIndex current = currentIndex();
    if (current.isValid() && selectionModel()->isRowSelected(current.row()))
        return current;
    const QModelIndexList rows = selectionModel()->selectedRows();
    return rows.isEmpty() ? QModelIndex() : rows.front();
}

void LockTable::remember()
{
    if (const QModelIndex index = currentChosen(); index.isValid() && isGrouped()) {
        const auto *key = m_groups.groupOf(index);
        const bool isTitle = m_groups.isGroup(index);
        m_chosenGroup = isTitle && key != nullptr ? std::optional(*key) : std::nullopt;
        m_chosenIn = key != nullptr ? std::optional(*key) : std::nullopt;
    }
    Q_EMIT chosen();
}

LockTable::Lock LockTable::chosenLock() const
{
    const QModelIndex index = currentChosen();
    return index.isValid() ? lockAt(index) : nullptr;
}

std::vector<LockTable::Lock> LockTable::chosenLocks() const
{
    std::vector<Lock> locks;
    std::set<LockName> known;
    const auto add = [&](const Lock &lock) {
        if (known.insert(lock->name).second)
            locks.push_back(lock);
    };
    for (const QModelIndex &index : selectionModel()->selectedRows()) {
        if (const Lock lock = lockAt(index))
            add(lock);
        else if (const auto *key = m_groups.groupOf(index))
            for (const Lock &each : m_groups.locksIn(*key))
                add(each);
    }
    return locks;
}

std::vector<LockTable::Lock> LockTable::shownLocks() const
{
    std::vector<Lock> locks;
    if (!isGrouped()) {
        for (int row = 0; row < m_shown.rowCount(); ++row)
            locks.push_back(m_shown.lockAt(m_shown.index(row, 0)));
        return locks;
    }
    std::set<LockName> known;
    for (int row = 0; row < m_groups.rowCount(); ++row) {
        const QModelIndex index = m_groups.index(row, 0);
        if (!m_groups.isGroup(index))
            continue;
        for (const Lock &lock : m_groups.locksIn(*m_groups.groupOf(index)))
            if (known.insert(lock->name).second)
                locks.push_back(lock);
    }
    return locks;
}

void LockTable::fold(const QModelIndex &title, bool folded)
{
    const GroupKey key = *m_groups.groupOf(title);
    m_groups.setFolded(key, folded);
    const QModelIndex place = m_groups.indexOf(key);
    if (!selectionModel()->isRowSelected(place.row()))
        chooseOnly(place);
}

void LockTable::turn(const QModelIndex &title) { fold(title, !m_groups.isFolded(*m_groups.groupOf(title))); }

/// False: the key means nothing here.
bool LockTable::turnByKey(int key)
{
    const QModelIndex index = isGrouped() ? currentChosen() : QModelIndex();
    if (!index.isValid())
        return false;
    const bool isTitle = m_groups.isGroup(index);
    if (isTitle && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space))
        turn(index);
    else if (isTitle && (key == Qt::Key_Left || key == Qt::Key_Right))
        fold(index, key == Qt::Key_Left);
    else if (key == Qt::Key_Left)
        chooseOnly(m_groups.indexOf(*m_groups.groupOf(index)));
    else
        return false;
    return true;
}

/// Ctrl with a key leads to the first or last row and chooses it, as in every other table; with a click it adds a row.
QItemSelectionModel::SelectionFlags LockTable::selectionCommand(const QModelIndex &index, const QEvent *event) const
{
    const auto *key
        = event != nullptr && event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent *>(event) : nullptr;
    if (key != nullptr && key->modifiers() == Qt::ControlModifier && key->key() != Qt::Key_Space)
        return QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows;
    return DataTable::selectionCommand(index, event);
}

void LockTable::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers() != Qt::NoModifier || !turnByKey(event->key()))
        DataTable::keyPressEvent(event);
}

void LockTable::mousePressEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    if (event->button() == Qt::LeftButton && isOnFoldSign(*this, place)) {
        setFocus(Qt::MouseFocusReason);
        turn(indexAt(place));
    } else {
        DataTable::mousePressEvent(event);
    }
}

void LockTable::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    if (isOnFoldSign(*this, place))
        return mousePressEvent(event); // the second of two quick clicks
    DataTable::mouseDoubleClickEvent(event);
    if (const QModelIndex index = indexAt(place);
        event->button() == Qt::LeftButton && isGrouped() && m_groups.isGroup(index))
        turn(index);
}

} // namespace lockui
