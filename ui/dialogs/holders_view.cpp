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

HoldersView::HoldersView(const ClientNames &names, QString titleWhenDone, QWidget *parent)
    : QWidget(parent)
    , m_names(names)
    , m_titleWhenDone(std::move(titleWhenDone))
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
    m_nowTitle = plainLabel(QStringLiteral("section"), change);
    m_now = new HolderList(m_names, change);
    m_now->setAccessibleName(tr("Holders now"));
    auto *again = new QPushButton(tr("&Look again"), change);
    again->setAutoDefault(false);
    again->setToolTip(plainToolTip(tr("Takes the holders of now as those to act on")));
    connect(again, &QPushButton::clicked, this, &HoldersView::lookAgainChosen);
    auto *layout = new QVBoxLayout(change);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_nowTitle);
    layout->addWidget(m_now);
    layout->addSpacing(2);
    layout->addWidget(again, 0, Qt::AlignLeft);
    return change;
}

void HoldersView::show(const SeenLock &lock, bool done, MonoTime now)
{
    const bool same = !done && lock.sight() == SeenLock::Sight::Same;
    const bool changed = !done && lock.sight() == SeenLock::Sight::Changed;
    const bool counts = same && lock.isLive();
    m_title->setText(done ? m_titleWhenDone : same ? tr("Held by") : tr("You saw"));
    m_seen->show(lock.shown(), counts ? std::optional(now) : std::nullopt);
    m_facts->setText(counts ? factsOf(lock.shown(), now) : QString());
    m_facts->setVisible(counts);
    m_change->setVisible(changed);
    m_nowTitle->setText(lock.isLive() ? tr("Now it is held by") : tr("When last read it was held by"));
    if (changed)
        m_now->show(*lock.current(), lock.isLive() ? std::optional(now) : std::nullopt);
}

} // namespace lockui
