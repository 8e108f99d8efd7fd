// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/set_ttl_dialog.h"

#include "ui/dialogs/holder_list.h"

#include <QFormLayout>
#include <QSpinBox>
#include <QVBoxLayout>

namespace lockui {

using namespace lockcore;

SetTtlDialog::SetTtlDialog(Lock seen, bool typesName, QWidget *parent)
    : GuardedDialog({ tr("Set the time to live"), tr("&Set"), tr("Set.") }, std::move(seen), typesName, parent)
    , m_seconds(new QSpinBox(this))
{
    m_seconds->setRange(1, 86'400);
    m_seconds->setValue(30);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setAccessibleName(tr("Time to live from now, in seconds"));
    auto *subject = new QWidget(this);
    auto *layout = new QVBoxLayout(subject);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *holders = new HolderList(subject);
    holders->show(*this->seen(), std::nullopt);
    holders->setAccessibleName(tr("Holders as you saw them"));
    layout->addWidget(holders);
    auto *form = new QFormLayout;
    form->addRow(tr("Time to live from now"), m_seconds);
    layout->addLayout(form);
    build(subject,
        tr("All holders get this time. A watchdog sets it anew at its next tick, and a short time frees the lock while "
           "its holder goes on."));
}

QString SetTtlDialog::changed() const
{
    if (current()->holders.empty())
        return tr("The lock is free: there is no time to set.");
    return expectedHolders(*current()) == expectedHolders(*seen())
        ? QString()
        : tr("The holders changed since you looked. Close this and look again.");
}

AdminCommand SetTtlDialog::command(std::string reason) const
{
    return SetTtl{ seen()->name, current()->kind, expectedHolders(*seen()), Millis(m_seconds->value() * 1'000LL),
        std::move(reason) };
}

QString SetTtlDialog::refusal(const CommandOutcome &outcome) const
{
    return tr("It is held by\n%1").arg(holderLines(outcome.found));
}

} // namespace lockui
