// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/locks_page.h"

#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"
#include "ui/views/lock_taking.h"
#include "ui/views/locks_bar.h"
#include "ui/views/unseen_locks.h"

/// What stands where the page has no lock to show, and what can be done about that.
namespace lockui {

using namespace lockcore::monitor;

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
    if (reason != Empty::No) {
        m_empty->setContent(contentFor(reason));
        if (m_stack->currentWidget() != m_empty)
            setEntry(nullptr); // before what has the focus is hidden: Qt would choose another place for it
    }
    m_stack->setCurrentWidget(reason == Empty::No ? static_cast<QWidget *>(m_table) : m_empty);
    if (reason == Empty::No)
        setEntry(m_table);
    else
        setEntry(m_empty->hasPrimary() ? m_empty : nullptr);
    const bool showsDetail = reason == Empty::No || (reason == Empty::NoMatch && m_detail->lock());
    m_detail->setVisible(showsDetail || (reason == Empty::NoLocks && m_selected));
    m_bar->setVisible(reason == Empty::No || reason == Empty::NoMatch);
    m_bar->setCounts(m_proxy.countMatching(), m_locks.countThere(), m_snapshot && areAllKnown(*m_snapshot),
        m_table->groups().groupCount());
}

EmptyState::Content LocksPage::contentFor(Empty reason) const
{
    switch (reason) {
    case Empty::No:
        return {};
    case Empty::NotConnected:
        return EmptyState::notConnected();
    case Empty::Connecting:
    case Empty::Failed:
    case Empty::NoLocks: {
        const auto unseen = unseenContent(m_snapshot.get(), origin());
        if (unseen)
            return *unseen;
        if (origin().isRecording)
            return { tr("No locks at this moment"),
                origin().hasNextEvent ? tr("Alt+→ leads to the next event of the recording, Ctrl+P plays on from here.")
                                      : tr("No event follows in the recording."),
                {}, {}, {} };
        return contentWithoutLocks(*m_snapshot->status.lastSweep);
    }
    case Empty::NoMatch:
        return EmptyState::nothingMatches(m_locks.countThere() == 1
                ? tr("The one lock that is there does not match “%1”.").arg(m_filterText)
                : tr("None of the %1 locks matches “%2”.").arg(countText(m_locks.countThere()), m_filterText),
            EmptyState::clearFilter());
    }
    return {};
}

EmptyState::Content LocksPage::contentWithoutLocks(const SweepInfo &sweep)
{
    return { tr("No locks"),
        tr("%1 looked at; none belongs to a lock of Redisson. New ones appear here by themselves.")
            .arg(keysText(sweep.keysSeen)),
        {}, { tr("Look again"), WayOut::Look }, {} };
}

} // namespace lockui
