// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/release_text.h"

#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QCoreApplication>

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

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

QString wokenText(const LockState &lock, const ClientNames &names)
{
    if (!lock.waiters.empty())
        return ReleaseText::tr("%1 in the fair queue. The others keep their places; the head is next:\n%2", nullptr,
            pluralOf(std::ssize(lock.waiters)))
            .arg(countText(std::ssize(lock.waiters)), fullNamedOwner(lock.waiters.front().owner, &names));
    if (!tellsOfReleases(lock.kind))
        return ReleaseText::tr("Nobody is woken: whoever waits for such a lock asks again and again.");
    if (!lock.subscribers)
        return ReleaseText::tr("It is not known who waits.");
    if (*lock.subscribers == 0)
        return ReleaseText::tr("No client instance is subscribed: nobody will be woken.");
    return ReleaseText::tr("%1 client instances are subscribed and will be woken. Which of them gets the lock is open.",
        nullptr, pluralOf(*lock.subscribers))
        .arg(countText(*lock.subscribers));
}

} // namespace lockui
