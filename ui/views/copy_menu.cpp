// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/copy_menu.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_commands.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_json.h"
#include "ui/views/data_table.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>
#include <QShortcut>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct CopyMenu {
    Q_DECLARE_TR_FUNCTIONS(CopyMenu)
};

const QKeySequence NamesKey(Qt::CTRL | Qt::SHIFT | Qt::Key_C);

void copy(const QString &text) { QGuiApplication::clipboard()->setText(text); }

template <typename Each, typename ToText>
QString lines(const std::vector<Each> &all, ToText toText)
{
    QStringList texts;
    for (const Each &each : all)
        if (const QString text = toText(each); !text.isEmpty())
            texts << text;
    return texts.join(u'\n');
}

QString wholeCell(const QModelIndex &cell)
{
    const QVariant whole = cell.data(CopyRole);
    return (whole.isValid() ? whole : cell.data()).toString();
}

QString redisCliLines(const CopyTarget &target, const Origin &origin)
{
    return lines(target.locks, [&](const CopyTarget::Lock &lock) {
        return lock.state ? QString::fromStdString(redisCliCommand(*lock.state, origin)) : QString();
    });
}

QString lockctlLines(const CopyTarget &target, const Origin &origin)
{
    return lines(target.locks,
        [&](const CopyTarget::Lock &lock) { return QString::fromStdString(lockctlCommand(lock.name, origin)); });
}

/// What cannot be copied is there, and cannot be chosen.
QAction *addEntry(QMenu &menu, const QString &title, bool isEnabled, const std::function<QString()> &text)
{
    QAction *entry = menu.addAction(title);
    entry->setEnabled(isEnabled);
    QObject::connect(entry, &QAction::triggered, &menu, [text] { copy(text()); });
    return entry;
}

/// It is the table's: here it is only shown.
void showKey(QAction &entry, const QKeySequence &key)
{
    entry.setShortcut(key);
    entry.setShortcutContext(Qt::WidgetShortcut);
}

void addTableEntries(QMenu &menu, const CopyTarget &target)
{
    addEntry(
        menu, CopyMenu::tr("Copy the &cell"), target.cell.isValid(), [cell = wholeCell(target.cell)] { return cell; });
    const bool isOne = copiedRows(*target.table, target.cell).size() < 2;
    QAction *rows = menu.addAction(isOne ? CopyMenu::tr("Copy the &row") : CopyMenu::tr("Copy the &rows"));
    showKey(*rows, QKeySequence::Copy);
    rows->setEnabled(target.table->selectionModel()->hasSelection());
    QObject::connect(rows, &QAction::triggered, target.table, &DataTable::copyRows);
}

} // namespace

CopyTarget copyTargetOf(const std::vector<LockName> &names, const Origin &origin, const ViewClock &clock)
{
    CopyTarget target;
    for (const LockName &name : names) {
        if (std::ranges::find(target.locks, name, &CopyTarget::Lock::name) != target.locks.end())
            continue;
        const auto state = origin.snapshot ? origin.snapshot->locks.find(name) : nullptr;
        target.locks.push_back({ name, state });
        if (state)
            for (const Holder &holder : state->holders)
                target.owners.push_back(holder.owner);
    }
    if (std::ranges::any_of(target.locks, [](const auto &lock) { return lock.state != nullptr; }))
        target.json = [locks = target.locks, snapshot = origin.snapshot, now = momentOf(clock)] {
            std::string text;
            for (const CopyTarget::Lock &lock : locks)
                if (lock.state)
                    text += (text.empty() ? "" : "\n") + json::line(lockJson(*lock.state, now, *snapshot));
            return text;
        };
    return target;
}

std::vector<int> copiedRows(const DataTable &table, const QModelIndex &cell)
{
    std::vector<int> rows;
    for (const QModelIndex &row : table.selectionModel()->selectedRows())
        rows.push_back(row.row());
    std::ranges::sort(rows);
    if (cell.isValid() && std::ranges::find(rows, cell.row()) == rows.end())
        return { cell.row() };
    return rows;
}

void copyNames(const CopyTarget &target)
{
    copy(lines(target.locks, [](const CopyTarget::Lock &lock) { return copyText(lock.name); }));
}

void addCopyEntries(QMenu &menu, const CopyTarget &target, const Origin &origin)
{
    const bool isOne = target.locks.size() < 2;
    QAction *names = menu.addAction(isOne ? CopyMenu::tr("Copy the &name") : CopyMenu::tr("Copy the &names"));
    QObject::connect(names, &QAction::triggered, &menu, [target] { copyNames(target); });
    names->setEnabled(!target.locks.empty());
    if (target.table != nullptr)
        showKey(*names, NamesKey);
    addEntry(menu, target.owners.size() < 2 ? CopyMenu::tr("Copy the &owner") : CopyMenu::tr("Copy the &owners"),
        !target.owners.empty(), [owners = target.owners] {
            return lines(owners, [](const OwnerId &owner) { return copyText(toString(owner)); });
        });
    if (target.table != nullptr)
        addTableEntries(menu, target);
    QMenu *as = menu.addMenu(CopyMenu::tr("Copy &as"));
    addEntry(
        *as, CopyMenu::tr("&JSON"), bool(target.json), [json = target.json] { return QString::fromStdString(json()); });
    const bool isSomewhere = origin.deployment.has_value();
    addEntry(*as, CopyMenu::tr("&lockctl command"), isSomewhere && !target.locks.empty(),
        [text = lockctlLines(target, origin)] { return text; });
    const QString redisCli = redisCliLines(target, origin);
    addEntry(*as, CopyMenu::tr("&redis-cli command"), !redisCli.isEmpty(), [text = redisCli] { return text; });
}

void offerNames(DataTable &table, const TargetOfRows &target)
{
    auto *names = new QShortcut(NamesKey, &table);
    names->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(names, &QShortcut::activated, &table, [&table, target] {
        if (const CopyTarget copied = target(copiedRows(table, {})); !copied.locks.empty())
            copyNames(copied);
    });
}

void offerCopies(DataTable &table, const TargetOfRows &target, const std::function<const Origin &()> &origin)
{
    offerNames(table, target);
    table.setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(
        &table, &QWidget::customContextMenuRequested, &table, [&table, target, origin](const QPoint &place) {
            const QModelIndex cell = table.indexAt(place);
            const std::vector<int> rows = copiedRows(table, cell);
            if (rows.empty())
                return;
            CopyTarget copied = target(rows);
            copied.table = &table;
            copied.cell = cell;
            auto *menu = new QMenu(&table);
            menu->setAttribute(Qt::WA_DeleteOnClose);
            addCopyEntries(*menu, copied, origin());
            menu->popup(table.viewport()->mapToGlobal(place));
        });
}

} // namespace lockui
