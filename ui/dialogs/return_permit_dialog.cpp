// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/return_permit_dialog.h"

#include "ui/models/permit_model.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockcore;

ReturnPermitDialog::ReturnPermitDialog(Lock seen, PermitReading permit, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Return a permit"), tr("Return the &permit") }, std::move(seen), place, parent)
    , m_permit(std::move(permit))
    , m_clock(place.clock)
    , m_subject(plainLabel(QStringLiteral("mono"), this))
{
    m_subject->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_subject->setContentsMargins(0, 10, 0, 0);
    build(m_subject);
}

bool ReturnPermitDialog::hasRunOut() const
{
    return m_permit.deadline && *m_permit.deadline < m_clock.wallAt(told().at);
}

void ReturnPermitDialog::showSubject()
{
    const QString end = permitEndText(m_permit, m_clock.wallAt(told().at));
    const QString lease = isDone() ? (m_permit.deadline ? tr("its lease ended with that") : tr("it had no lease"))
        : !m_permit.deadline       ? tr("it has no lease: it never ends by itself")
        : hasRunOut()              ? tr("its lease has run out: %1").arg(end)
                                   : tr("its lease ends in %1").arg(end);
    const bool isOther = !isDone() && lock().current() && !changed().isEmpty();
    QStringList lines{ tr("Permit %1").arg(displayText(m_permit.id)),
        isOther                          ? tr("as it was when you looked: %1").arg(lease)
            : !isDone() && told().isPast ? tr("as it was last seen: %1").arg(lease)
                                         : lease };
    if (isDone())
        lines << tr("when you looked: %1").arg(holderText(lock().seen()));
    else if (const Lock &now = lock().current())
        lines << holderText(*now);
    m_subject->setText(lines.join(u'\n'));
}

QString ReturnPermitDialog::changed() const
{
    const auto &permits = lock().current()->permits;
    if (!permits)
        return tr("The semaphore does not exist any more.");
    if (const QString other = elsewhere(); !other.isEmpty())
        return tr("%1 Close this, and look again first.").arg(other);
    const auto found = std::ranges::find(permits->leases, m_permit.id, &PermitReading::id);
    if (found != permits->leases.end())
        return *found == m_permit ? QString()
                                  : tr("Its lease was set anew since you looked. Close this, and look again.");
    // Only those that end first are listed: the server knows of the others.
    return morePermits(*permits) > 0 ? QString() : tr("Nobody holds this permit any more.");
}

QString ReturnPermitDialog::warning() const
{
    QStringList lines;
    if (hasRunOut())
        lines << BulletList::item(tr("Its lease has run out: the next client to use the semaphore takes it back by "
                                     "itself. Returned now, those who wait are told now."));
    else
        lines << BulletList::item(
            tr("Whoever has it is not told, and Redis does not say who that is. If it is still at "
               "work, one more than was meant is at work at once."));
    lines << BulletList::item(tr("Its own release fails then; no other permit is touched by that."));
    return lines.join(u'\n');
}

AdminCommand ReturnPermitDialog::command(std::string reason) const
{
    return ReturnPermit{ lockName(), m_permit.id, std::move(reason), SeenLease{ m_permit.deadline } };
}

QString ReturnPermitDialog::refusal(const CommandOutcome &outcome) const
{
    return outcome.notAsked.empty()
        ? tr("Nobody held this permit any more, or its lease had been set anew.")
        : tr("On the servers that were asked nobody held this permit any more, or its lease had been set anew.");
}

QString ReturnPermitDialog::doneText(const CommandOutcome &outcome) const
{
    if (!outcome.published)
        return tr("Returned. No permit is free all the same, so nobody was told.");
    return waitingCount(lock().shown()).value_or(0) > 0
        ? tr("Returned. Those who wait were told how many permits are free.")
        : tr("Returned. The message for those who wait was sent.");
}

} // namespace lockui
