// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lock_taking.h"

#include "ui/models/lock_filter_proxy.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_export.h"
#include "ui/views/export_button.h"
#include "ui/views/lock_table.h"

#include <QDir>
#include <QHBoxLayout>

#include <algorithm>
#include <iterator>

namespace lockui {

using namespace lockcore;

LockTaking::LockTaking(LockTable &table, const LockTableModel &locks, const LockFilterProxy &shown,
    const ViewClock &clock, std::function<const Origin &()> origin, QWidget *parent)
    : QWidget(parent)
    , m_table(table)
    , m_locks(locks)
    , m_shown(shown)
    , m_clock(clock)
    , m_origin(std::move(origin))
    , m_note(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_export(new ExportButton(QStringLiteral("locks"), this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_note, 1);
    layout->addWidget(m_export);
    m_export->offerTable([this](ExportFormat format) { return this->table(format); });
    connect(m_export, &ExportButton::written, this, &LockTaking::tellOf);
    offerNames(m_table, [this](const std::vector<int> &rows) { return target(rows); });
}

CopyTarget LockTaking::target(const std::vector<int> &rows) const
{
    std::vector<LockName> names;
    for (const int row : rows)
        if (const LockTableModel::Lock lock = m_table.lockAt(m_table.model()->index(row, 0)))
            names.push_back(lock->name);
    return copyTargetOf(names, m_origin(), m_clock);
}

void LockTaking::addEntries(QMenu &menu, const QPoint &place) const
{
    const QModelIndex cell = m_table.indexAt(place);
    CopyTarget copied = target(copiedRows(m_table, cell));
    copied.table = &m_table;
    copied.cell = cell.isValid() ? cell : m_table.currentIndex();
    addCopyEntries(menu, copied, m_origin());
}

std::vector<LockTableModel::Lock> LockTaking::shownLocks() const
{
    std::vector<LockTableModel::Lock> locks;
    std::ranges::copy_if(m_table.shownLocks(), std::back_inserter(locks),
        [this](const LockTableModel::Lock &lock) { return lock && !m_locks.isGone(lock->name); });
    return locks;
}

ExportTable LockTaking::table(ExportFormat format) const
{
    if (!m_origin().snapshot)
        return {};
    ExportTable table = lockExport(shownLocks(), momentOf(m_clock), *m_origin().snapshot, m_names, format);
    table.about = factsOf(m_origin(), m_clock);
    return table;
}

void LockTaking::tellOf(const QString &file)
{
    m_note->setText(tr("written to %1").arg(displayText(toBytes(QDir::toNativeSeparators(file)))));
    m_tellsOfFile.setRemainingTime(std::chrono::seconds(6));
}

void LockTaking::refresh()
{
    m_export->setEnabled(m_shown.rowCount() > 0);
    if (m_tellsOfFile.hasExpired())
        m_note->setText({});
}

} // namespace lockui
