// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/break_deadlock_dialog.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

BreakDeadlockDialog::BreakDeadlockDialog(
    WaitCycle cycle, const ClientNames &names, const ViewClock &clock, QWidget *parent)
    : QDialog(parent)
    , m_cycle(std::move(cycle))
    , m_names(names)
    , m_clock(clock)
    , m_area(new QScrollArea(this))
    , m_why(plainLabel(QStringLiteral("small"), this))
    , m_release(new QPushButton(tr("&Release this hold…"), this))
{
    build();
    connect(m_release, &QPushButton::clicked, this, &BreakDeadlockDialog::handOn);
    connect(&names, &ClientNames::changed, this, &BreakDeadlockDialog::showChoices);
}

void BreakDeadlockDialog::build()
{
    setWindowTitle(tr("Break a deadlock"));
    setMinimumWidth(680);
    resize(680, 0);
    auto *title = plainLabel(QStringLiteral("dialogTitle"), this);
    title->setText(tr("Which hold shall be released?"));
    auto *text = plainLabel({}, this);
    text->setWordWrap(true);
    text->setText(
        tr("Each of these clients holds what another one of them waits for. When one hold is gone, the others "
           "go on by themselves. Choose the one whose work can best be done again."));
    auto *list = new QWidget(m_area);
    auto *choices = new QVBoxLayout(list);
    choices->setContentsMargins(0, 0, 0, 0);
    choices->setSpacing(4);
    for (const WaitEdge &edge : m_cycle) {
        Choice choice;
        choice.button = new QRadioButton(plainMenuText(lockNameText(edge.lock, 80)), list);
        choice.button->setToolTip(plainToolTip(lockNameTip(edge.lock)));
        choice.button->setProperty("role", QStringLiteral("mono"));
        choice.meaning = new BulletList(QStringLiteral("small"), list);
        choice.meaning->layout()->setContentsMargins(24, 0, 0, 8);
        choices->addWidget(choice.button);
        choices->addWidget(choice.meaning);
        connect(choice.button, &QRadioButton::toggled, this, &BreakDeadlockDialog::showWhetherAllowed);
        m_choices.push_back(choice);
    }
    choices->addStretch();
    m_area->setWidget(list);
    m_area->setWidgetResizable(true);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_why->setWordWrap(true);
    setStyleProperty(*m_why, "tone", QStringLiteral("warning"));
    m_release->setProperty("role", QStringLiteral("danger"));
    m_release->setAutoDefault(false);
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_release);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addWidget(m_area, 1);
    layout->addWidget(m_why);
    layout->addLayout(buttons);
}

void BreakDeadlockDialog::setSnapshot(const Snapshot &snapshot)
{
    m_stands = true;
    m_isLost = false;
    for (std::size_t i = 0; i < m_cycle.size(); ++i) {
        const WaitEdge &edge = m_cycle[i];
        const Lock lock = snapshot.locks.find(edge.lock);
        const bool waits = lock && std::ranges::any_of(lock->waiters, [&](const Waiter &waiter) {
            return waiter.owner == edge.waiter && !isGhost(waiter); // a ghost waits for nothing
        });
        const bool held = lock && hasOwner(lock->holders, edge.holder);
        m_stands = m_stands && waits && held;
        m_isLost = m_isLost || (lock && staleSince(snapshot, *lock));
        m_choices[i].lock = held ? lock : nullptr;
        if (held)
            m_choices[i].seenUntil = seenUntil(snapshot, *lock, MonoTime::max());
    }
    showChoices();
}

void BreakDeadlockDialog::setActionsAllowed(bool allowed, const QString &whyNot)
{
    m_allowed = allowed;
    m_whyNot = whyNot;
    showWhetherAllowed();
}

void BreakDeadlockDialog::showChoices()
{
    for (std::size_t i = 0; i < m_cycle.size(); ++i) {
        const Choice &choice = m_choices[i];
        choice.button->setEnabled(m_stands && choice.lock);
        choice.meaning->setText(
            choice.lock ? meaningOf(m_cycle[i], choice) : BulletList::item(tr("It is not held so any more.")));
    }
    showWhetherAllowed();
}

/// All choices at once, where there is room for them.
void BreakDeadlockDialog::showEvent(QShowEvent *event)
{
    constexpr int Most = 420;
    const QMargins margins = layout()->contentsMargins();
    const int needed = m_area->widget()->layout()->totalHeightForWidth(width() - margins.left() - margins.right());
    m_area->setMinimumHeight(std::min(needed, Most));
    fitHeight(*this);
    QDialog::showEvent(event);
}

QString BreakDeadlockDialog::sinceIn(const Choice &choice, const Since &since) const
{
    const MonoTime now = m_clock.now();
    return sinceText(since, std::min(now, choice.seenUntil), now);
}

QString BreakDeadlockDialog::nextText(const WaitEdge &edge, const Choice &choice) const
{
    const LockState &lock = *choice.lock;
    const auto next = std::ranges::find_if(lock.waiters, [](const Waiter &waiter) { return !isGhost(waiter); });
    if (next == lock.waiters.end())
        return tr("Who gets the lock next is not known.");
    const QString name = namedOwner(next->owner, &m_names);
    if (next->owner == edge.waiter)
        return tr("Next: %1 gets the lock, after %2 of waiting, and goes on.").arg(name, sinceIn(choice, next->since));
    const auto place = std::ranges::find(lock.waiters, edge.waiter, &Waiter::owner) - lock.waiters.begin() + 1;
    return tr("Next: %1 gets the lock, which is first in the queue. %2 is number %3 and waits on for its turn; nobody "
              "waits in a circle any more.")
        .arg(name, namedOwner(edge.waiter, &m_names), QString::number(place));
}

QString BreakDeadlockDialog::meaningOf(const WaitEdge &edge, const Choice &choice) const
{
    const LockState &lock = *choice.lock;
    const auto holder = std::ranges::find(lock.holders, edge.holder, &Holder::owner);
    const QString who = namedOwner(edge.holder, &m_names);
    QStringList lines;
    lines << BulletList::item(tr("Held by %1 for %2; %3.").arg(who, sinceIn(choice, holder->since), leaseProof(lock)))
          << BulletList::item(nextText(edge, choice))
          << BulletList::item(tr("Unprotected then: the work of %1. It is not told, and goes on as if it held the lock "
                                 "when its own wait is over.")
                                  .arg(who));
    if (lock.holders.size() > 1)
        lines << BulletList::item(tr("All %n holders of it lose it.", nullptr, pluralOf(std::ssize(lock.holders))));
    return lines.join(u'\n');
}

std::optional<std::size_t> BreakDeadlockDialog::chosen() const
{
    for (std::size_t i = 0; i < m_choices.size(); ++i)
        if (m_choices[i].button->isChecked() && m_choices[i].lock)
            return i;
    return std::nullopt;
}

void BreakDeadlockDialog::showWhetherAllowed()
{
    const QString why = !m_stands ? tr("This deadlock is over: there is nothing to break any more.")
        : m_isLost                ? tr("A server of it is lost: nobody knows what is there now.")
        : !m_allowed              ? m_whyNot
        : !chosen()               ? tr("Choose one of them.")
                                  : QString();
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
    m_release->setEnabled(why.isEmpty());
    m_release->setToolTip(plainToolTip(why));
}

void BreakDeadlockDialog::handOn()
{
    const auto choice = chosen();
    if (!choice)
        return;
    const Lock lock = m_choices[*choice].lock;
    accept();
    Q_EMIT releaseChosen(lock);
}

} // namespace lockui
