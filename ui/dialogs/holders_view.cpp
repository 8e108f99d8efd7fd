// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/holders_view.h"

#include "ui/dialogs/holder_list.h"
#include "ui/support/display_text.h"
#include "ui/support/lock_text.h"
#include "ui/support/widgets.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace lockui {

using namespace lockcore;

namespace {

QString factsOf(const LockState &lock, MonoTime now)
{
    QStringList facts;
    const auto ttl = ttlAt(lock, now);
    if (lock.holders.size() > 1)
        facts << (ttl ? HoldersView::tr("%1 to live in all").arg(ttlText(*ttl)) : HoldersView::tr("never expires"));
    if (!lock.holders.empty())
        facts << leaseProof(lock) << HoldersView::tr("held %1").arg(heldText(lock, now));
    return facts.join(QStringLiteral(" · "));
}

} // namespace

HoldersView::HoldersView(const ClientNames &names, QWidget *parent)
    : QWidget(parent)
    , m_names(names)
    , m_title(plainLabel(QStringLiteral("section"), this))
    , m_seen(new HolderList(names, this))
    , m_facts(plainLabel(QStringLiteral("small"), this))
    , m_change(buildChange())
{
    m_seen->setAccessibleName(tr("Holders as you saw them"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(4);
    for (QWidget *widget : std::initializer_list<QWidget *>{ m_title, m_seen, m_facts, m_change })
        layout->addWidget(widget);
}

QWidget *HoldersView::buildChange()
{
    auto *change = new QWidget(this);
    auto *title = plainLabel(QStringLiteral("section"), change);
    title->setText(tr("Now it is held by"));
    m_now = new HolderList(m_names, change);
    m_now->setAccessibleName(tr("Holders now"));
    auto *again = new QPushButton(tr("&Look again"), change);
    again->setAutoDefault(false);
    again->setToolTip(plainToolTip(tr("Takes the holders of now as those to act on")));
    connect(again, &QPushButton::clicked, this, &HoldersView::lookAgainChosen);
    auto *layout = new QVBoxLayout(change);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(title);
    layout->addWidget(m_now);
    layout->addSpacing(2);
    layout->addWidget(again, 0, Qt::AlignLeft);
    return change;
}

void HoldersView::show(const SeenLock &lock, bool done, MonoTime now)
{
    const bool same = !done && lock.sight() == SeenLock::Sight::Same;
    const bool changed = !done && lock.sight() == SeenLock::Sight::Changed;
    m_title->setText(changed ? tr("You saw") : done ? tr("Was held by") : tr("Held by"));
    m_seen->show(lock.shown(), same ? std::optional(now) : std::nullopt);
    m_facts->setText(same ? factsOf(lock.shown(), now) : QString());
    m_facts->setVisible(same);
    m_change->setVisible(changed);
    if (changed)
        m_now->show(*lock.current(), now);
}

} // namespace lockui
