// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_taking.h"

#include "ui/charts/count_chart.h"
#include "ui/charts/ttl_chart.h"
#include "ui/models/event_model.h"
#include "ui/text/display_text.h"
#include "ui/views/data_table.h"
#include "ui/views/detail_charts.h"
#include "ui/views/event_taking.h"
#include "ui/views/export_button.h"
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
    offerPictures();
    const auto origin = [this]() -> const Origin & { return m_origin(); };
    offerCopies(
        m_parts.events,
        [this](const std::vector<int> &rows) { return eventTarget(m_parts.eventModel, rows, m_origin()); }, origin);
}

void DetailTaking::offerPictures()
{
    using Title = QString (*)(const monitor::LockState &lock, const QString &name);
    const auto offer
        = [this](QWidget &chart, const QString &file, Title title, const std::vector<const QWidget *> &parts) {
              const auto picture = [this, title, parts] {
                  const LockTableModel::Lock lock = m_parts.lock();
                  return Picture{ m_parts.theme, lock ? title(*lock, lockNameText(lock->name)) : QString(),
                      subtitleOf(m_origin(), m_parts.clock), parts, m_parts.theme.colors().window };
              };
              offerPicture(chart, file, picture, m_parts.charts.written().teller());
          };
    DetailCharts &charts = m_parts.charts;
    offer(charts.timeToLive(), QStringLiteral("ttl"),
        [](const monitor::LockState &, const QString &name) { return tr("Time to live of %1").arg(name); },
        { &charts.legend(), charts.timeToLive().viewport() });
    offer(charts.counts(), QStringLiteral("count"),
        [](const monitor::LockState &lock, const QString &name) {
            return (lock.kind == synchronizers::Kind::CountDownLatch ? tr("Count of %1") : tr("Free permits of %1"))
                .arg(name);
        },
        { &charts.counts() });
    offer(charts.durations(), QStringLiteral("durations"),
        [](const monitor::LockState &lock, const QString &name) {
            return (lock.kind == synchronizers::Kind::Fair ? tr("Hold times and waits of %1") : tr("Hold times of %1"))
                .arg(name);
        },
        { &charts.durations() });
}

void DetailTaking::offerName(DataTable &table) const
{
    offerNames(table, [this](const std::vector<int> &) { return target(); });
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
