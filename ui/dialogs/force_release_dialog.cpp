// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/force_release_dialog.h"

#include "ui/dialogs/holder_list.h"
#include "ui/support/widgets.h"
#include "ui/text/release_text.h"

#include <QVBoxLayout>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

ForceReleaseDialog::ForceReleaseDialog(Lock seen, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Force release"), tr("&Force release") }, std::move(seen), place, parent)
{
    auto *subject = new QWidget(this);
    m_holders = new HoldersView(names(), tr("Was held by"), subject);
    m_wokenTitle = plainLabel(QStringLiteral("section"), subject);
    m_wokenTitle->setText(tr("Who is woken"));
    m_woken = plainLabel({}, subject);
    m_woken->setWordWrap(true);
    auto *layout = new QVBoxLayout(subject);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_holders);
    layout->addSpacing(10);
    layout->addWidget(m_wokenTitle);
    layout->addWidget(m_woken);
    connect(m_holders, &HoldersView::lookAgainChosen, this, &ForceReleaseDialog::lookAgain);
    build(subject);
}

void ForceReleaseDialog::showSubject()
{
    m_holders->show(lock(), isDone(), now());
    const bool known = !isDone() && lock().sight() == SeenLock::Sight::Same;
    m_wokenTitle->setVisible(known);
    m_woken->setVisible(known);
    m_woken->setText(wokenText(lock().shown(), names()));
}

QString ForceReleaseDialog::changed() const
{
    if (lock().sight() == SeenLock::Sight::Free)
        return tr("The lock is free: there is nothing to release.");
    return lock().sight() == SeenLock::Sight::Changed ? tr("The holders changed since you looked. Look again first.")
                                                      : QString();
}

QString ForceReleaseDialog::warning() const
{
    QStringList lines;
    for (const QString &warning : releaseWarnings(lock().shown()))
        lines << BulletList::item(warning);
    return lines.join(QLatin1Char('\n'));
}

AdminCommand ForceReleaseDialog::command(std::string reason) const
{
    ForceRelease command{ lockName(), lock().shown().kind, expectedHolders(lock().seen()), std::move(reason) };
    command.queue = lockcore::monitor::queueElsewhere(lock().shown());
    return command;
}

QString ForceReleaseDialog::refusal(const CommandOutcome &outcome) const
{
    return tr("The holders were not those you saw.\n\nExpected\n%1\n\nFound\n%2")
        .arg(holderLines(lock().seen(), names()), holderLines(outcome.found, names()));
}

QString ForceReleaseDialog::doneText(const CommandOutcome &outcome) const
{
    const LockState &shown = lock().shown();
    if (lock().sight() == SeenLock::Sight::Same && shown.waiters.empty() && shown.subscribers == 0)
        return tr("Released. Nobody was seen to wait.");
    return outcome.published ? tr("Released. The message that wakes those who wait was sent.")
                             : tr("Released. No message was sent to waiting clients.");
}

} // namespace lockui
