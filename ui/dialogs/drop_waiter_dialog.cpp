// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/drop_waiter_dialog.h"

#include "ui/support/client_names.h"
#include "ui/support/widgets.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;

namespace {

bool waits(const LockState &lock, const OwnerId &owner)
{
    return std::ranges::any_of(lock.waiters, [&](const Waiter &waiter) { return waiter.owner == owner; });
}

} // namespace

DropWaiterDialog::DropWaiterDialog(Lock seen, OwnerId waiter, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Drop a waiter"), tr("&Drop the waiter") }, std::move(seen), place, parent)
    , m_waiter(std::move(waiter))
    , m_subject(plainLabel(QStringLiteral("mono"), this))
{
    m_subject->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_subject->setContentsMargins(0, 10, 0, 0);
    build(m_subject);
}

void DropWaiterDialog::showSubject()
{
    m_subject->setText(fullNamedOwner(m_waiter, &names()));
    m_subject->setAccessibleName(tr("Waiter %1").arg(m_subject->text()));
}

QString DropWaiterDialog::changed() const
{
    return waits(*lock().current(), m_waiter) ? QString() : tr("It does not wait in this queue any more.");
}

QString DropWaiterDialog::warning() const
{
    return tr("It is not told. If its client is alive, it lines up again at the end when it asks the next time. Those "
              "behind move up, and the next one is told if the lock is free.");
}

AdminCommand DropWaiterDialog::command(std::string reason) const
{
    return DropWaiter{ lockName(), m_waiter, std::move(reason) };
}

QString DropWaiterDialog::refusal(const CommandOutcome &outcome) const
{
    QStringList waiting;
    for (const WaiterReading &each : outcome.waiting)
        waiting << fullNamedOwner(each.owner, &names());
    return waiting.isEmpty() ? tr("Nobody waits in this queue.") : tr("In the queue are\n%1").arg(waiting.join(u'\n'));
}

QString DropWaiterDialog::doneText(const CommandOutcome &) const { return tr("Dropped from the queue."); }

} // namespace lockui
