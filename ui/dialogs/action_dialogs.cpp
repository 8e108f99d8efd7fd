// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/action_dialogs.h"

#include "lockcore/base/duration.h"
#include "ui/dialogs/holder_list.h"
#include "ui/models/client_overview.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/action_text.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <set>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockcore;

namespace {

QString setAnewText()
{
    return ForceReleaseDialog::tr(
        "The holder is the one you saw, but the lock ends at another time: the holder has set that "
        "anew since you looked, or has taken the lock anew.");
}

/// What has to be looked at again; empty: nothing.
QString lookAgainText(SeenLock::Sight sight)
{
    if (sight == SeenLock::Sight::Changed)
        return ForceReleaseDialog::tr("The holders changed since you looked. Look again first.");
    if (sight == SeenLock::Sight::MayBeAnew)
        return ForceReleaseDialog::tr(
            "The same holder may have taken it anew since you looked: its end was set anew, or it was out of sight for "
            "a while. Look again first.");
    return {};
}

QString linedUpAnewText()
{
    return DropWaiterDialog::tr("It has left the queue since you looked, and lined up again: its client lives.");
}

/// As the server found it: which of the two it was it does not say.
QString isAnotherWaitText()
{
    return DropWaiterDialog::tr("It has left the queue since you looked, and lined up again, or it is listened for "
                                "again: its client lives.");
}

QString mayBeAnotherWaitText()
{
    return DropWaiterDialog::tr("It may have left the queue since you looked, and lined up again: not all of that time "
                                "was watched. Close this, and look again first.");
}

} // namespace

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
    return elsewhere().isEmpty() ? lookAgainText(lock().sight()) : tr("%1 Look again first.").arg(elsewhere());
}

/// Of the holders, a few of them.
QStringList ForceReleaseDialog::aliveTexts() const
{
    constexpr qsizetype Most = 3;
    QStringList texts;
    const Lock &current = lock().current();
    if (!current || lock().sight() != SeenLock::Sight::Same)
        return texts;
    std::set<std::string> clients;
    for (const Holder &holder : current->holders)
        if (texts.size() < Most && clients.insert(holder.owner.client).second)
            if (const QString text = aliveText(holder.owner.client, { current }, names(), told()); !text.isEmpty())
                texts << text;
    return texts;
}

QString ForceReleaseDialog::warning() const
{
    QStringList lines;
    for (const QString &text : aliveTexts())
        lines << BulletList::item(text);
    for (const QString &warning : releaseWarnings(lock().shown()))
        lines << BulletList::item(warning);
    return lines.join(QLatin1Char('\n'));
}

AdminCommand ForceReleaseDialog::command(std::string reason) const
{
    ForceRelease command{ lockName(), lock().shown().kind, expectedHolders(lock().seen()), std::move(reason) };
    command.queue = lockcore::monitor::queueElsewhere(lock().shown());
    command.end = seenEnd(lock().shown());
    return command;
}

QString ForceReleaseDialog::refusal(const CommandOutcome &outcome) const
{
    if (outcome.isAnew)
        return setAnewText();
    return tr("The holders were not those you saw.\n\nExpected\n%1\n\nFound\n%2")
        .arg(holderLines(lock().seen(), names()), holderLines(outcome.found, names()));
}

QString ForceReleaseDialog::doneText(const CommandOutcome &outcome) const
{
    const LockState &shown = lock().shown();
    if (lock().sight() == SeenLock::Sight::Same && shown.waiters.empty() && shown.subscribers == 0)
        return tr("Released. Nobody was seen to wait.");
    const QString done = outcome.published ? tr("Released. The message that wakes those who wait was sent.")
                                           : tr("Released. No message was sent to waiting clients.");
    const QString ghost = ghostIsNextText(shown);
    return ghost.isEmpty() ? done : done + QLatin1Char('\n') + ghost;
}

namespace {
constexpr std::chrono::hours LongestTimeToLive{ 24 };
} // namespace

SetTtlDialog::SetTtlDialog(Lock seen, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Renew"), tr("Rene&w") }, std::move(seen), place, parent)
    , m_time(new QLineEdit(this))
    , m_meaning(plainLabel(QStringLiteral("small"), this))
{
    m_time->setText(QStringLiteral("%1 s").arg(secondsToOffer(lock().seen(), now()))); // as it is read again
    m_time->setFixedWidth(120);
    m_time->setAccessibleName(tr("Time to live from now"));
    auto *subject = new QWidget(this);
    m_holders = new HoldersView(names(), tr("Held by"), subject);
    auto *question = plainLabel({}, subject);
    question->setText(tr("&Time to live from now"));
    question->setBuddy(m_time);
    keepAltOut(*m_time);
    auto *line = new QHBoxLayout;
    line->setSpacing(10);
    line->addWidget(question);
    line->addWidget(m_time);
    line->addWidget(m_meaning, 1);
    auto *layout = new QVBoxLayout(subject);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_holders);
    layout->addLayout(line);
    connect(m_holders, &HoldersView::lookAgainChosen, this, &SetTtlDialog::lookAgain);
    connect(m_time, &QLineEdit::textChanged, this, &SetTtlDialog::refresh);
    build(subject);
    m_time->selectAll(); // what is typed first is the time
    m_time->setFocus();
}

/// Absent: what is typed is none that Redis is given here.
std::optional<Millis> SetTtlDialog::typedTime() const
{
    constexpr Millis Second{ 1'000 };
    const auto time = parseDuration(m_time->text().trimmed().toStdString(), { Second, Second, LongestTimeToLive });
    return time && *time % Second == Millis(0) ? time : std::nullopt;
}

QString SetTtlDialog::unanswered() const
{
    return typedTime() ? QString()
                       : tr("“%1” is no time to live: write 90, 90s, 10m or 2h; from 1s to 24h.")
                             .arg(displayText(toBytes(m_time->text()), 40));
}

void SetTtlDialog::showSubject()
{
    m_holders->show(lock(), isDone(), now());
    m_time->setReadOnly(!isAsking()); // what was sent stays as it was
    const auto time = typedTime();
    m_meaning->setText(time ? tr("= %1").arg(exactDurationText(*time)) : QString());
}

int SetTtlDialog::roomForChange() const { return m_holders->heightOfChange(); }

QString SetTtlDialog::changed() const
{
    if (lock().sight() == SeenLock::Sight::Free)
        return tr("The lock is free: there is nothing to renew.");
    return elsewhere().isEmpty() ? lookAgainText(lock().sight()) : tr("%1 Look again first.").arg(elsewhere());
}

QString SetTtlDialog::warning() const
{
    return tr(
        "All holders get this time. Redisson's watchdog sets it anew at its next tick, lockctl's when less than its "
        "own time is left; and a short time frees the lock while its holder goes on.");
}

AdminCommand SetTtlDialog::command(std::string reason) const
{
    return SetTtl{ lockName(), lock().shown().kind, expectedHolders(lock().seen()), typedTime().value(),
        std::move(reason), seenEnd(lock().shown()) };
}

QString SetTtlDialog::refusal(const CommandOutcome &outcome) const
{
    if (outcome.isAnew)
        return setAnewText();
    return tr("It is held by\n%1").arg(holderLines(outcome.found, names()));
}

QString SetTtlDialog::doneText(const CommandOutcome &) const { return tr("Renewed."); }

int secondsToOffer(const lockcore::monitor::LockState &lock, lockcore::MonoTime now)
{
    constexpr std::int64_t Usual = 30;
    constexpr std::int64_t Most = LongestTimeToLive / std::chrono::seconds(1);
    if (!lock.holders.empty() && !lock.expiresAt)
        return Most; // it never expires
    const auto left
        = std::chrono::ceil<std::chrono::seconds>(lockcore::monitor::ttlAt(lock, now).value_or(lockcore::Millis{ 0 }));
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), Usual, Most));
}

namespace {

auto findWaiter(const LockState &lock, const OwnerId &owner)
{
    return std::ranges::find(lock.waiters, owner, &Waiter::owner);
}

/// The place of a waiter in the queue, from one; zero: it does not wait.
qsizetype placeOf(const OwnerId &owner, const LockState &lock)
{
    const auto found = findWaiter(lock, owner);
    return found == lock.waiters.end() ? 0 : found - lock.waiters.begin() + 1;
}

/// Whether it has left the queue since it was seen there, and lined up again, or may have; empty: it has not.
QString anotherWaitText(const LockState &seen, const LockState &now, const OwnerId &owner)
{
    const auto before = findWaiter(seen, owner);
    const auto after = findWaiter(now, owner);
    if (before == seen.waiters.end() || after == now.waiters.end() || before->since.at >= after->since.at)
        return {};
    return after->since.exact ? linedUpAnewText() : mayBeAnotherWaitText();
}

/// Where an action on the waiter expects it; absent: each of several servers has a queue of its own.
std::optional<SeenPlace> seenPlace(const LockState &lock, const OwnerId &owner)
{
    const auto found = findWaiter(lock, owner);
    if (found == lock.waiters.end() || !lock.members.empty())
        return std::nullopt;
    return SeenPlace{ found - lock.waiters.begin(), found->score, isGhost(*found) };
}

} // namespace

DropWaiterDialog::DropWaiterDialog(Lock seen, OwnerId waiter, const ActionPlace &place, QWidget *parent)
    : GuardedDialog({ tr("Drop a waiter"), tr("&Drop the waiter") }, std::move(seen), place, parent)
    , m_waiter(std::move(waiter))
    , m_clock(place.clock)
{
    auto *subject = new QWidget(this);
    m_subject = plainLabel(QStringLiteral("mono"), subject);
    m_subject->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_subject->setWordWrap(true); // a client may have a long name
    m_signs = plainLabel({}, subject);
    m_signs->setWordWrap(true);
    auto *layout = new QVBoxLayout(subject);
    layout->setContentsMargins(0, 10, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_subject);
    layout->addWidget(m_signs);
    build(subject);
}

void DropWaiterDialog::showSubject()
{
    QStringList lines{ tr("Waiter %1").arg(fullNamedOwner(m_waiter, &names())) };
    const Lock &current = lock().current();
    const auto place = current && !isDone() ? placeOf(m_waiter, *current) : 0;
    if (place > 0)
        lines << tr("number %1 of %2 in the queue").arg(place).arg(waitingText(*current));
    m_subject->setText(lines.join(u'\n'));
    m_signs->setVisible(place > 0);
    if (place > 0) {
        const Waiter &waiter = current->waiters[static_cast<std::size_t>(place - 1)];
        m_signs->setText(lifeSignsOf(waiter));
        setStyleProperty(*m_signs, "tone", listens(waiter) ? QStringLiteral("warning") : QString());
    }
}

/// Why it is thought dead, or what speaks against it.
QString DropWaiterDialog::lifeSignsOf(const Waiter &waiter) const
{
    const auto [at, isPast] = told();
    QString text = !waiter.subscribed ? tr("Whether its client is alive is not known: who listens was not told.")
        : *waiter.subscribed
        ? (isPast ? tr("Its client seemed to be alive when it was last seen: it listened on its own channel.")
                  : tr("Its client seems to be alive: it listens on its own channel."))
        : isPast ? tr("Its client seemed to be gone when this was last seen: nobody listened on its own channel.")
                 : tr("Its client seems to be gone: nobody listens on its own channel.");
    if (const auto late = waiter.deadline ? m_clock.wallAt(at) - *waiter.deadline : Millis(0); late > Millis(0))
        text += QLatin1Char(' ')
            + (isPast ? tr("Its time in the queue was over %1 before that.")
                      : tr("Its time in the queue was over %1 ago."))
                  .arg(durationText(late));
    return text;
}

QString DropWaiterDialog::changed() const
{
    if (placeOf(m_waiter, *lock().current()) == 0)
        return tr("It does not wait in this queue any more.");
    if (const QString other = elsewhere(); !other.isEmpty())
        return tr("%1 Close this, and look again first.").arg(other);
    return anotherWaitText(lock().seen(), *lock().current(), m_waiter);
}

QString DropWaiterDialog::warning() const
{
    return tr("It is not told. If its client is alive, it lines up again at the end when it asks the next time. Those "
              "behind move up, and the next one is told if the lock is free.");
}

AdminCommand DropWaiterDialog::command(std::string reason) const
{
    const LockState &current = *lock().current();
    return DropWaiter{ lockName(), m_waiter, std::move(reason), queueElsewhere(current), seenPlace(current, m_waiter) };
}

QString DropWaiterDialog::refusal(const CommandOutcome &outcome) const
{
    if (outcome.isAnew)
        return isAnotherWaitText();
    QStringList waiting;
    for (const WaiterReading &each : outcome.waiting)
        waiting << fullNamedOwner(each.owner, &names());
    if (!waiting.isEmpty())
        return tr("In the queue are\n%1").arg(waiting.join(u'\n'));
    return outcome.notAsked.empty() ? tr("Nobody waits in this queue.")
                                    : tr("Nobody waits in this queue on the servers that were asked.");
}

QString DropWaiterDialog::doneText(const CommandOutcome &) const { return tr("Dropped from the queue."); }

} // namespace lockui
