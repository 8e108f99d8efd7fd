// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/set_ttl_dialog.h"

#include "ui/dialogs/holder_list.h"
#include "ui/dialogs/holders_view.h"
#include "ui/dialogs/renew_dialog.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lockui {

using namespace lockcore;

SetTtlDialog::SetTtlDialog(Lock seen, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Renew"), tr("Re&new") }, std::move(seen), place, parent)
    , m_seconds(new QSpinBox(this))
{
    m_seconds->setRange(1, 86'400);
    m_seconds->setValue(secondsToOffer(lock().seen(), now()));
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setFixedWidth(120);
    m_seconds->setAccessibleName(tr("Time to live from now, in seconds"));
    auto *subject = new QWidget(this);
    m_holders = new HoldersView(names(), tr("Held by"), subject);
    auto *question = plainLabel({}, subject);
    question->setText(tr("Time to live from now"));
    auto *line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(question);
    line->addWidget(m_seconds);
    line->addStretch();
    auto *layout = new QVBoxLayout(subject);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_holders);
    layout->addLayout(line);
    connect(m_holders, &HoldersView::lookAgainChosen, this, &SetTtlDialog::lookAgain);
    build(subject);
}

void SetTtlDialog::showSubject() { m_holders->show(lock(), isDone(), now()); }

QString SetTtlDialog::changed() const
{
    if (lock().sight() == SeenLock::Sight::Free)
        return tr("The lock is free: there is nothing to renew.");
    return lock().sight() == SeenLock::Sight::Changed ? tr("The holders changed since you looked. Look again first.")
                                                      : QString();
}

QString SetTtlDialog::warning() const
{
    return tr("All holders get this time. A watchdog sets it anew at its next tick, and a short time frees the lock "
              "while its holder goes on.");
}

AdminCommand SetTtlDialog::command(std::string reason) const
{
    return SetTtl{ lockName(), lock().shown().kind, expectedHolders(lock().seen()),
        Millis(m_seconds->value() * 1'000LL), std::move(reason) };
}

QString SetTtlDialog::refusal(const CommandOutcome &outcome) const
{
    return tr("It is held by\n%1").arg(holderLines(outcome.found, names()));
}

QString SetTtlDialog::doneText(const CommandOutcome &) const { return tr("Renewed."); }

} // namespace lockui
