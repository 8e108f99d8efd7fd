// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_taking.h"

#include "ui/charts/ttl_chart.h"
#include "ui/models/event_model.h"
#include "ui/text/display_text.h"
#include "ui/views/data_table.h"
#include "ui/views/event_taking.h"
#include "ui/views/picture_menu.h"

#include <QMenu>
#include <QToolButton>

namespace lockui {

using namespace lockcore;

DetailTaking::DetailTaking(const Parts &parts, QObject *parent)
    : QObject(parent)
    , m_parts(parts)
    , m_origin([]() -> const Origin & {
        static const Origin Nowhere;
        return Nowhere;
    })
{
    QToolButton &copyAs = m_parts.copyAs;
    copyAs.setText(QStringLiteral("▾"));
    copyAs.setAccessibleName(tr("Copy as"));
    copyAs.setToolTip(tr("Its owner, JSON, or a command that looks at it"));
    copyAs.setProperty("role", QStringLiteral("button"));
    copyAs.setFixedWidth(38);
    copyAs.setPopupMode(QToolButton::InstantPopup);
    copyAs.setMenu(new QMenu(&copyAs));
    connect(copyAs.menu(), &QMenu::aboutToShow, this, &DetailTaking::fillMenu);
    offerPicture(m_parts.chart, QStringLiteral("ttl"), [this] {
        const LockTableModel::Lock lock = m_parts.lock();
        const QString name = lock ? lockNameText(lock->name) : QString();
        return Picture{ m_parts.theme, tr("Time to live of %1").arg(name), subtitleOf(m_origin(), m_parts.clock),
            { &m_parts.legend, m_parts.chart.viewport() }, m_parts.theme.colors().window };
    });
    const auto origin = [this]() -> const Origin & { return m_origin(); };
    offerCopies(
        m_parts.events,
        [this](const std::vector<int> &rows) { return eventTarget(m_parts.eventModel, rows, m_origin()); }, origin);
}

CopyTarget DetailTaking::target() const
{
    const LockTableModel::Lock lock = m_parts.lock();
    CopyTarget target
        = copyTargetOf(lock ? std::vector<LockName>{ lock->name } : std::vector<LockName>(), m_origin(), m_parts.clock);
    if (lock && !target.locks.front().state) // it is gone: what was seen of it last is shown
        for (const monitor::Holder &holder : lock->holders)
            target.owners.push_back(holder.owner);
    return target;
}

void DetailTaking::fillMenu() const
{
    m_parts.copyAs.menu()->clear();
    addCopyEntries(*m_parts.copyAs.menu(), target(), m_origin());
}

void DetailTaking::addEntries(
    QMenu &menu, DataTable &table, const QModelIndex &cell, const std::optional<OwnerId> &owner) const
{
    CopyTarget copied = target();
    if (owner)
        copied.owners = { *owner };
    copied.table = &table;
    copied.cell = cell;
    addCopyEntries(menu, copied, m_origin());
    menu.addSeparator();
}

} // namespace lockui
