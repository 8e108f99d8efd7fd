// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/renew_dialog.h"

#include "ui/support/display_text.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

int secondsToOffer(const lockcore::LockState &lock, lockcore::MonoTime now)
{
    constexpr std::int64_t Usual = 30;
    constexpr std::int64_t Day = 86'400;
    if (!lock.holders.empty() && !lock.expiresAt)
        return Day; // it never expires
    const auto left
        = std::chrono::ceil<std::chrono::seconds>(lockcore::ttlAt(lock, now).value_or(lockcore::Millis{ 0 }));
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), Usual, Day));
}

RenewDialog::RenewDialog(const lockcore::LockState &lock, QWidget *parent)
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
