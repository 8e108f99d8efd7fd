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
    m_loss = {};
    m_loss.whole = m_status.phase == SourcePhase::Stale && !isFresh(snapshot);
    const auto lost = lostServers(snapshot);
    for (const NodeStatus &node : snapshot.nodes) {
        if (!lost.contains(node.node))
            continue;
        m_loss.servers << displayText(node.node, 80);
        if (const auto since = node.status.staleSince)
            m_loss.since = std::min(m_loss.since.value_or(*since), *since);
    }
    if (m_loss.whole)
        m_loss.since = m_status.staleSince;
    decide();
}

void StaleBanner::setPaused(std::optional<MonoTime> since)
{
    m_pausedSince = since;
    m_lossAtPause = m_loss;
    decide();
}

void StaleBanner::decide()
{
    setVisible(m_pausedSince || m_loss.whole || !m_loss.servers.isEmpty());
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
        say(m_loss.servers.isEmpty() ? wholeText(now) : partText(now),
            m_status.error ? errorDetail(*m_status.error) : QString());
}

QString StaleBanner::pausedText(MonoTime now) const
{
    const QString since = tr("Paused since %1, for %2")
                              .arg(pauseText(*m_pausedSince, m_clock),
                                  durationText(std::chrono::duration_cast<Millis>(now - *m_pausedSince)));
    const auto &[servers, lostAt, whole] = m_lossAtPause;
    const QString before
        = lostAt ? durationText(std::chrono::duration_cast<Millis>(*m_pausedSince - *lostAt)) : QString();
    QString text;
    if (whole)
        text = lostAt
            ? tr("%1: the connection was lost already, and what is shown was true %2 before.").arg(since, before)
            : tr("%1: the connection was lost already, and nothing tells when what is shown was true.").arg(since);
    else if (!servers.isEmpty())
        text = lostAt ? tr("%1: what is shown was true then, and what is grey %2 before.").arg(since, before)
                      : tr("%1: what is shown was true then; what is grey may not have been.").arg(since);
    else
        text = tr("%1: what is shown was true then.").arg(since);
    return text + QLatin1Char(' ') + meanwhileText();
}

/// What was lost after the pause is not what is shown: it only says what resuming will bring.
QString StaleBanner::meanwhileText() const
{
    if (m_loss.whole)
        return m_lossAtPause.whole ? tr("It is still lost.") : tr("Meanwhile the connection is lost.");
    if (m_loss.servers.isEmpty())
        return tr("The watching goes on behind it.");
    QStringList still;
    QStringList meanwhile;
    for (const QString &server : m_loss.servers)
        (m_lossAtPause.whole || m_lossAtPause.servers.contains(server) ? still : meanwhile) << server;
    QStringList parts;
    const auto add = [&parts](const QStringList &names, const QString &one, const QString &several) {
        if (!names.isEmpty())
            parts << (names.size() == 1 ? one : several).arg(names.join(QStringLiteral(", ")));
    };
    add(still, tr("%1 is still lost."), tr("%1 are still lost."));
    add(meanwhile, tr("Meanwhile %1 is lost."), tr("Meanwhile %1 are lost."));
    return parts.join(QLatin1Char(' '));
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
    parts << (m_loss.servers.size() == 1 ? tr("%1 is lost.").arg(m_loss.servers.front())
                                         : tr("%1 are lost.").arg(m_loss.servers.join(QStringLiteral(", "))));
    parts << (m_loss.since ? tr("What is grey was true %1.").arg(agoText(*m_loss.since, now))
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
