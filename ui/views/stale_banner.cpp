// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/stale_banner.h"

#include "ui/support/display_text.h"
#include "ui/support/error_text.h"
#include "ui/support/freshness.h"
#include "ui/support/lock_text.h"
#include "ui/support/view_clock.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;

StaleBanner::StaleBanner(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : Banner(theme, Tone::Warning, parent)
    , m_clock(clock)
{
    connect(&clock, &ViewClock::tick, this, &StaleBanner::refresh);
}

void StaleBanner::setSnapshot(const Snapshot &snapshot)
{
    m_status = snapshot.status;
    m_lost.clear();
    m_lostSince.reset();
    const auto lost = lostServers(snapshot);
    for (const NodeStatus &node : snapshot.nodes) {
        if (!lost.contains(node.node))
            continue;
        m_lost << displayText(node.node, 80);
        if (node.status.staleSince)
            m_lostSince = m_lostSince ? std::min(*m_lostSince, *node.status.staleSince) : *node.status.staleSince;
    }
    decide();
}

void StaleBanner::setPaused(std::optional<MonoTime> since)
{
    m_pausedSince = since;
    decide();
}

void StaleBanner::decide()
{
    setVisible(m_pausedSince || m_status.phase == SourcePhase::Stale || !m_lost.isEmpty());
    refresh();
}

void StaleBanner::refresh()
{
    if (isHidden())
        return;
    const MonoTime now = m_clock.realNow();
    if (m_pausedSince)
        say(pausedText(now), {});
    else if (m_status.recordedAt)
        say(recordingText(now), {});
    else
        say(m_lost.isEmpty() ? wholeText(now) : partText(now),
            m_status.error ? errorDetail(*m_status.error) : QString());
}

/// What was lost meanwhile is not what is shown: it only says what resuming will bring.
QString StaleBanner::pausedText(MonoTime now) const
{
    const QString text = tr("Paused since %1, for %2: what is shown was true then.")
                             .arg(pauseText(*m_pausedSince, m_clock),
                                 durationText(std::chrono::duration_cast<Millis>(now - *m_pausedSince)));
    const bool lost = m_status.phase == SourcePhase::Stale || !m_lost.isEmpty();
    return text + QLatin1Char(' ')
        + (lost ? tr("Meanwhile the connection is lost.") : tr("The watching goes on behind it."));
}

QString StaleBanner::recordingText(MonoTime now) const
{
    const auto since = std::chrono::duration_cast<Millis>(now - m_status.staleSince.value_or(now));
    return tr("Nothing was seen at this time of the recording. What is shown was true %1 before.")
        .arg(durationText(since));
}

QString StaleBanner::partText(MonoTime now) const
{
    QStringList parts;
    parts << (m_lost.size() == 1 ? tr("%1 is lost.").arg(m_lost.front())
                                 : tr("%1 are lost.").arg(m_lost.join(QStringLiteral(", "))));
    parts << (m_lostSince ? tr("What is grey was true %1.").arg(agoText(*m_lostSince, now))
                          : tr("What is grey may no longer be true."));
    parts << tr("The other servers are watched.");
    return parts.join(QLatin1Char(' '));
}

QString StaleBanner::wholeText(MonoTime now) const
{
    QStringList parts;
    parts << (m_status.staleSince
            ? tr("Connection lost %1; what is shown was true then.").arg(agoText(*m_status.staleSince, now))
            : tr("Connection lost; what is shown may no longer be true."));
    if (m_status.retryAt && *m_status.retryAt > now)
        parts
            << tr("Trying again in %1.").arg(durationText(std::chrono::duration_cast<Millis>(*m_status.retryAt - now)));
    else
        parts << tr("Trying again now.");
    if (m_status.error)
        parts << errorText(m_status.error->code);
    return parts.join(QLatin1Char(' '));
}

} // namespace lockui
