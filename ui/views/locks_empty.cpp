// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/locks_empty.h"

#include "lockcore/service/rights/missing_rights.h"
#include "ui/text/display_text.h"
#include "ui/views/locks_page.h"

namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::service;

EmptyState::Content contentWithoutLocks(const SourceStatus &status)
{
    if (status.phase == SourcePhase::Sweeping)
        return { LocksPage::tr("Looking for locks…"), LocksPage::tr("The first sweep over all keys is under way."), {},
            {}, {} };
    if (status.lastSweep && mayHideLocks(status))
        return { LocksPage::tr("No lock can be seen"),
            LocksPage::tr(
                "%1 looked at, but not all that is there may be read by this user: whether there are locks is "
                "not known.")
                .arg(keysText(status.lastSweep->keysSeen)),
            status.aclLine.empty() ? QString() : LocksPage::tr("This permits it: %1").arg(displayText(status.aclLine)),
            LocksPage::tr("Look again"), {} };
    if (status.lastSweep)
        return { LocksPage::tr("No locks"),
            LocksPage::tr("%1 looked at; none belongs to a lock of Redisson. New ones appear here by themselves.")
                .arg(keysText(status.lastSweep->keysSeen)),
            {}, LocksPage::tr("Look again"), {} };
    if (status.phase == SourcePhase::Stale)
        return { LocksPage::tr("Nothing seen yet"),
            LocksPage::tr(
                "The connection was lost before all keys were looked at once. Whether there are locks is not known."),
            {}, {}, LocksPage::tr("Another connection…") };
    return { LocksPage::tr("No lock seen yet"),
        LocksPage::tr("The keys cannot be scanned, so whether there are locks is not known.") + QLatin1Char(' ')
            + (isAnnouncing(status.feed)
                    ? LocksPage::tr("Those that change from now on appear here by themselves.")
                    : LocksPage::tr("Nor does the server tell of changes: locks may be there and never appear here.")),
        status.aclLine.empty() ? QString() : LocksPage::tr("This permits it: %1").arg(displayText(status.aclLine)),
        LocksPage::tr("Try again now"), {} };
}

} // namespace lockui
