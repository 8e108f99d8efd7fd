// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/locks_page.h"

#include "lockcore/service/rights/missing_rights.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/lock_taking.h"
#include "ui/views/locks_bar.h"

/// What stands where the page has no lock to show, and what can be done about that.
namespace lockui {

using namespace lockcore::monitor;
using namespace lockcore::service;

LocksPage::Empty LocksPage::emptiness() const
{
    if (!m_connected)
        return Empty::NotConnected;
    if (!m_snapshot || m_snapshot->status.phase == SourcePhase::Connecting)
        return m_locks.rowCount() > 0 ? Empty::No : Empty::Connecting;
    if (m_snapshot->status.phase == SourcePhase::Failed)
        return Empty::Failed;
    if (m_locks.rowCount() == 0)
        return Empty::NoLocks;
    return m_proxy.rowCount() == 0 ? Empty::NoMatch : Empty::No;
}

void LocksPage::updateEmptyState()
{
    const Empty reason = emptiness();
    m_taking->refresh();
    m_stack->setCurrentWidget(reason == Empty::No ? static_cast<QWidget *>(m_table) : m_empty);
    const bool showsDetail = reason == Empty::No || (reason == Empty::NoMatch && m_detail->lock());
    m_detail->setVisible(showsDetail || (reason == Empty::NoLocks && m_selected));
    m_bar->setVisible(reason == Empty::No || reason == Empty::NoMatch);
    m_bar->setCounts(m_proxy.countMatching(), m_locks.countThere(), m_snapshot && areAllKnown(*m_snapshot),
        m_table->groups().groupCount());
    if (reason != Empty::No)
        m_empty->setContent(contentFor(reason));
}

EmptyState::Content LocksPage::contentFor(Empty reason) const
{
    switch (reason) {
    case Empty::No:
        return {};
    case Empty::NotConnected:
        return EmptyState::notConnected();
    case Empty::Connecting:
        return { tr("Connecting…"), m_snapshot ? displayText(m_snapshot->status.server) : QString(), {}, {},
            tr("Another connection…") };
    case Empty::Failed: {
        const auto &error = m_snapshot->status.error;
        return { tr("Cannot connect to %1").arg(displayText(m_snapshot->status.server)),
            error ? errorText(error->code) : QString(), error ? errorDetail(*error) : QString(), tr("Try again now"),
            tr("Edit connection…") };
    }
    case Empty::NoLocks:
        return contentWithoutLocks(m_snapshot->status);
    case Empty::NoMatch:
        return { tr("Nothing matches the filter"),
            tr("None of the %1 locks matches “%2”.").arg(countText(m_locks.countThere()), m_filterText), {},
            tr("Clear the filter"), {} };
    }
    return {};
}

void LocksPage::choosePrimary()
{
    switch (emptiness()) {
    case Empty::NoMatch:
        Q_EMIT clearFilterRequested();
        return;
    case Empty::NoLocks:
    case Empty::Failed:
        Q_EMIT sweepRequested();
        return;
    default:
        Q_EMIT connectRequested();
    }
}

/// Whether there are any locks may not be known.
EmptyState::Content LocksPage::contentWithoutLocks(const SourceStatus &status)
{
    if (status.phase == SourcePhase::Sweeping)
        return { tr("Looking for locks…"), tr("The first sweep over all keys is under way."), {}, {}, {} };
    if (status.lastSweep && mayHideLocks(status))
        return { tr("No lock can be seen"),
            tr("%1 looked at, but not all that is there may be read by this user: whether there are locks is "
               "not known.")
                .arg(keysText(status.lastSweep->keysSeen)),
            status.aclLine.empty() ? QString() : tr("This permits it: %1").arg(displayText(status.aclLine)),
            tr("Look again"), {} };
    if (status.lastSweep)
        return { tr("No locks"),
            tr("%1 looked at; none belongs to a lock of Redisson. New ones appear here by themselves.")
                .arg(keysText(status.lastSweep->keysSeen)),
            {}, tr("Look again"), {} };
    if (status.phase == SourcePhase::Stale)
        return { tr("Nothing seen yet"),
            tr("The connection was lost before all keys were looked at once. Whether there are locks is not known."),
            {}, {}, tr("Another connection…") };
    return { tr("No lock seen yet"),
        tr("The keys cannot be scanned, so whether there are locks is not known.") + QLatin1Char(' ')
            + (isAnnouncing(status.feed)
                    ? tr("Those that change from now on appear here by themselves.")
                    : tr("Nor does the server tell of changes: locks may be there and never appear here.")),
        status.aclLine.empty() ? QString() : tr("This permits it: %1").arg(displayText(status.aclLine)),
        tr("Try again now"), {} };
}

} // namespace lockui
