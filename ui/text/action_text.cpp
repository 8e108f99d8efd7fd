// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/action_text.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockui {

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace lockcore::monitor;

namespace {

struct ActionText {
    Q_DECLARE_TR_FUNCTIONS(ActionText)
};

/// Each once: independent servers all name the same holder.
template <typename Reading>
QString listOf(const std::vector<Reading> &readings)
{
    QStringList owners;
    for (const Reading &each : readings) {
        QString owner = fullOwner(each.owner);
        if constexpr (requires { each.mode; })
            owner += each.mode ? QLatin1Char(':') + QString::fromLatin1(nameOf(*each.mode)) : QString();
        if (!owners.contains(owner))
            owners << owner;
    }
    return owners.isEmpty() ? ActionText::tr("nobody") : owners.join(QStringLiteral(", "));
}

struct Success {
    const CommandOutcome &outcome;
    const QString server;

    QString operator()(const ForceRelease &release) const
    {
        const QString lock = lockNameText(release.name);
        if (!release.onlyThese)
            return withMessage(
                ActionText::tr("released: %1 on %2, was held by %3").arg(lock, server, listOf(outcome.found)));
        QStringList readers;
        for (const ExpectedHolder &each : release.expected)
            readers << fullOwner(each.owner);
        return withMessage(ActionText::tr("released: the read holds of %1 on %2 on %3")
                               .arg(readers.join(QStringLiteral(", ")), lock, server));
    }
    QString operator()(const SetTtl &renewal) const
    {
        return ActionText::tr("renewed: %1 on %2 has %3 from now, held by %4")
            .arg(lockNameText(renewal.name), server, ttlText(renewal.ttl), listOf(outcome.found));
    }
    QString operator()(const DropWaiter &drop) const
    {
        const QString done = ActionText::tr("dropped: %1 from the queue of %2 on %3")
                                 .arg(fullOwner(drop.waiter), lockNameText(drop.name), server);
        return outcome.published ? ActionText::tr("%1; the message that wakes the next one was sent").arg(done) : done;
    }
    QString operator()(const ReturnPermit &giving) const
    {
        return withMessage(ActionText::tr("given back: permit %1 of %2 on %3")
                               .arg(displayText(giving.permit), lockNameText(giving.name), server));
    }

    QString withMessage(const QString &done) const
    {
        return outcome.published ? ActionText::tr("%1; the message that wakes who waits was sent").arg(done) : done;
    }
};

} // namespace

QString actionText(const AdminCommand &command) { return phraseText(actionOf(command)); }

QString successText(const AdminCommand &command, const CommandOutcome &outcome, const std::string &server)
{
    return std::visit(Success{ outcome, displayText(server) }, command);
}

namespace {

QString listOf(const std::vector<std::string> &servers)
{
    QStringList names;
    for (const std::string &server : servers)
        names << displayText(server);
    return names.join(QStringLiteral(", "));
}

} // namespace

QString notAskedText(const std::vector<std::string> &servers)
{
    if (servers.empty())
        return {};
    return servers.size() == 1
        ? ActionText::tr("What %1 has is not known: it is not asked, and may still have the lock.").arg(listOf(servers))
        : ActionText::tr("What %1 have is not known: they are not asked, and may still have the lock.")
              .arg(listOf(servers));
}

QString wasNotAskedText(const std::vector<std::string> &servers)
{
    if (servers.empty())
        return {};
    return servers.size() == 1
        ? ActionText::tr("What %1 had was not known: it was not asked, and may still have the lock.")
              .arg(listOf(servers))
        : ActionText::tr("What %1 had was not known: they were not asked, and may still have the lock.")
              .arg(listOf(servers));
}

bool mayBeWhereNotAsked(const AdminCommand &command, const CommandOutcome &outcome)
{
    const bool isOfHolders = std::holds_alternative<ForceRelease>(command) || std::holds_alternative<SetTtl>(command);
    const bool isFound = outcome.isAnew || (isOfHolders && !outcome.found.empty());
    return !outcome.done && !outcome.notAsked.empty() && !isFound;
}

QString refusalText(const AdminCommand &command, const CommandOutcome &outcome)
{
    const bool isOpen = mayBeWhereNotAsked(command, outcome);
    if (std::holds_alternative<ReturnPermit>(command))
        return isOpen ? ActionText::tr("nothing was changed: nobody holds this permit on the servers that were asked")
                      : ActionText::tr("nothing was changed: nobody holds this permit");
    if (const auto *drop = std::get_if<DropWaiter>(&command))
        return (isOpen ? ActionText::tr("nothing was changed: %1 does not wait on the servers that were asked; in the "
                                        "queue there: %2")
                       : ActionText::tr("nothing was changed: %1 does not wait; in the queue: %2"))
            .arg(fullOwner(drop->waiter), listOf(outcome.waiting));
    if (isOpen)
        return ActionText::tr("nothing was changed: nobody holds it on the servers that were asked");
    return ActionText::tr("nothing was changed: it is held by %1").arg(listOf(outcome.found));
}

namespace {

struct ReleaseText {
    Q_DECLARE_TR_FUNCTIONS(ReleaseText)
};

QString notTold(Lease lease)
{
    switch (lease) {
    case Lease::Watchdog:
        return ReleaseText::tr(
            "The holder is not told. Its watchdog stops silently at its next tick, and its unlock will fail.");
    case Lease::Fixed:
        return ReleaseText::tr("The holder is not told, and its unlock will fail.");
    case Lease::Unknown:
        return ReleaseText::tr("The holder is not told, and its unlock will fail. "
                               "If a watchdog renews the lock, it stops silently at its next tick.");
    }
    return {};
}

} // namespace

QStringList releaseWarnings(const LockState &lock)
{
    QStringList warnings;
    if (lock.holders.size() > 1)
        warnings << ReleaseText::tr("All %1 holders lose the lock.", nullptr, pluralOf(std::ssize(lock.holders)))
                        .arg(countText(std::ssize(lock.holders)));
    warnings << notTold(lock.lease)
             << ReleaseText::tr(
                    "Work guarded by the lock may run twice: the holder goes on while the next one starts.");
    if (lock.lease != Lease::Fixed && !isTokenLock(lock.kind))
        warnings << ReleaseText::tr(
            "An old Redisson client may lock it again without renewing it. Watch its time to live after.");
    return warnings;
}

QString ghostIsNextText(const LockState &lock)
{
    const std::int64_t ghosts = ghostsAtHead(lock).number;
    if (ghosts == 0)
        return {};
    if (ghosts == 1)
        return ReleaseText::tr("The first in the queue seems to be a ghost: nobody listens for its turn. Until it is "
                               "dropped or its time-out has passed, nobody else gets the lock.");
    return ReleaseText::tr("The first %1 in the queue seem to be ghosts: nobody listens for their turns. Until they "
                           "are dropped or the last of their time-outs has passed, nobody else gets the lock.")
        .arg(countText(ghosts));
}

QString wokenText(const LockState &lock, const ClientNames &names)
{
    if (!lock.waiters.empty()) {
        const QString first = fullNamedOwner(lock.waiters.front().owner, &names);
        const QString count = countText(std::ssize(lock.waiters));
        QString text = lock.waiters.size() == 1 ? ReleaseText::tr("The only one in the fair queue:\n%1").arg(first)
            : mayHaveMoreWaiters(lock)
            ? ReleaseText::tr("Only the first of at least %1 in the fair queue; the others keep their places:\n%2")
                  .arg(count, first)
            : ReleaseText::tr("Only the first of the %1 in the fair queue; the others keep their places:\n%2")
                  .arg(count, first);
        if (const QString ghost = ghostIsNextText(lock); !ghost.isEmpty())
            text += QLatin1Char('\n') + ghost;
        return text;
    }
    if (!tellsOfReleases(lock.kind))
        return ReleaseText::tr("Nobody is woken: whoever waits for such a lock asks again and again.");
    if (!lock.subscribers)
        return ReleaseText::tr("It is not known who waits.");
    if (*lock.subscribers == 0)
        return isSeenInPart(lock)
            ? ReleaseText::tr("No client instance was found at the servers that are asked: nobody "
                              "will be woken there.")
            : ReleaseText::tr("No client instance is subscribed: nobody will be woken.");
    return ReleaseText::tr("%1 client instances are subscribed and will be woken. Which of them gets the lock is open.",
        nullptr, pluralOf(*lock.subscribers))
        .arg(countText(*lock.subscribers));
}

} // namespace lockui
