// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/drop_waiter_dialog.h"

#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/lock_text.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

/// From one; zero: it does not wait.
qsizetype placeOf(const OwnerId &owner, const LockState &lock)
{
    const auto found = std::ranges::find(lock.waiters, owner, &Waiter::owner);
    return found == lock.waiters.end() ? 0 : found - lock.waiters.begin() + 1;
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
    QStringList lines{ tr("Waiter %1").arg(fullNamedOwner(m_waiter, &names())) };
    const Lock &now = lock().current();
    if (const auto place = now ? placeOf(m_waiter, *now) : 0; place > 0)
        lines << tr("number %1 of %2 in the queue").arg(place).arg(waitingText(*now));
    m_subject->setText(lines.join(u'\n'));
}

QString DropWaiterDialog::changed() const
{
    return placeOf(m_waiter, *lock().current()) > 0 ? QString() : tr("It does not wait in this queue any more.");
}

QString DropWaiterDialog::warning() const
{
    return tr("It is not told. If its client is alive, it lines up again at the end when it asks the next time. Those "
              "behind move up, and the next one is told if the lock is free.");
}

AdminCommand DropWaiterDialog::command(std::string reason) const
{
    return DropWaiter{ lockName(), m_waiter, std::move(reason), lockcore::monitor::queueElsewhere(*lock().current()) };
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
