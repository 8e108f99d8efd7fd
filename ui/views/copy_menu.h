// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/support/origin.h"

#include <QModelIndex>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QMenu;

namespace lockui {

class DataTable;

/// What a menu offers to copy. Several rows are several lines.
struct CopyTarget {
    struct Lock {
        lockcore::LockName name;
        std::shared_ptr<const lockcore::monitor::LockState> state; // null: it is not there
    };

    std::vector<Lock> locks; // each once
    std::vector<lockcore::OwnerId> owners;
    std::function<std::string()> json; // empty: nothing is to be said in JSON
    DataTable *table = nullptr; // null: there are no rows and no cells
    QModelIndex cell; // at which the menu was asked for
};

/// Of locks that are named here, as they are in the snapshot: with their holders, and the objects of `lockctl --json`.
CopyTarget copyTargetOf(const std::vector<lockcore::LockName> &names, const Origin &origin, const ViewClock &clock);

/// The rows that are selected, from the top: where none is, that of the cell.
std::vector<int> copiedRows(const DataTable &table, const QModelIndex &cell);

/// Name, owner, cell, row; and as JSON, or as a command that looks at it.
void addCopyEntries(QMenu &menu, const CopyTarget &target, const Origin &origin);

/// To the clipboard, one a line, as copyText() has it.
void copyNames(const CopyTarget &target);

/// By Ctrl+Shift+C, of the rows that are selected.
using TargetOfRows = std::function<CopyTarget(const std::vector<int> &rows)>;
void offerNames(DataTable &table, const TargetOfRows &target);

/// That, and a menu of nothing else, by a right click or the menu key, for tables that have no menu of their own.
void offerCopies(DataTable &table, const TargetOfRows &target, const std::function<const Origin &()> &origin);

} // namespace lockui
