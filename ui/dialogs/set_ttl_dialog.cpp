// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/set_ttl_dialog.h"

#include "ui/dialogs/holder_list.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::synchronizers;

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

int secondsToOffer(const lockcore::monitor::LockState &lock, lockcore::MonoTime now)
{
    constexpr std::int64_t Usual = 30;
    constexpr std::int64_t Day = 86'400;
    if (!lock.holders.empty() && !lock.expiresAt)
        return Day; // it never expires
    const auto left
        = std::chrono::ceil<std::chrono::seconds>(lockcore::monitor::ttlAt(lock, now).value_or(lockcore::Millis{ 0 }));
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), Usual, Day));
}

RenewDialog::RenewDialog(const lockcore::monitor::LockState &lock, QWidget *parent)
    : QDialog(parent)
    , m_seconds(new QSpinBox(this))
{
    setWindowTitle(tr("Renew"));
    QLabel *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(tr("Renew “%1”").arg(displayText(lock.name, 80)));
    m_seconds->setRange(1, 86'400);
    m_seconds->setValue(secondsToOffer(lock, ViewClock::steadyNow()));
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setAccessibleName(tr("Time to live from now, in seconds"));
    auto *form = new QFormLayout;
    form->addRow(tr("Time to live from now"), m_seconds);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton *renew = buttons->addButton(tr("Renew"), QDialogButtonBox::AcceptRole);
    renew->setProperty("role", QStringLiteral("primary"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addLayout(form);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

lockcore::Millis RenewDialog::lease() const { return lockcore::Millis(m_seconds->value() * 1000LL); }

} // namespace lockui
