// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/drop_waiter_dialog.h"

#include "ui/support/display_text.h"
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

DropWaiterDialog::DropWaiterDialog(Lock seen, OwnerId waiter, bool typesName, QWidget *parent)
    : GuardedDialog({ tr("Drop a waiter"), tr("&Drop the waiter"), tr("Dropped from the queue.") }, std::move(seen),
        typesName, parent)
    , m_waiter(std::move(waiter))
{
    auto *subject = plainLabel(QStringLiteral("lockTitle"), this);
    subject->setText(fullOwner(m_waiter));
    subject->setTextInteractionFlags(Qt::TextSelectableByMouse);
    subject->setAccessibleName(tr("Waiter %1").arg(subject->text()));
    build(subject,
        tr("It is not told. If its client is alive, it lines up again at the end when it asks the next time. Those "
           "behind move up, and the next one is told if the lock is free."));
}

QString DropWaiterDialog::changed() const
{
    return waits(*current(), m_waiter) ? QString() : tr("It does not wait in this queue any more.");
}

AdminCommand DropWaiterDialog::command(std::string reason) const
{
    return DropWaiter{ seen()->name, m_waiter, std::move(reason) };
}

QString DropWaiterDialog::refusal(const CommandOutcome &outcome) const
{
    QStringList waiting;
    for (const WaiterReading &each : outcome.waiting)
        waiting << fullOwner(each.owner);
    return waiting.isEmpty() ? tr("Nobody waits in this queue.") : tr("In the queue are\n%1").arg(waiting.join(u'\n'));
}

} // namespace lockui
