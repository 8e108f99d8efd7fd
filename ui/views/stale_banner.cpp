// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/stale_banner.h"

#include "ui/support/display_text.h"
#include "ui/support/error_text.h"
#include "ui/support/lock_text.h"
#include "ui/support/view_clock.h"

namespace lockui {

using namespace lockcore;

StaleBanner::StaleBanner(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : Banner(theme, Tone::Warning, parent)
    , m_clock(clock)
{
    connect(&clock, &ViewClock::tick, this, &StaleBanner::refresh);
}

void StaleBanner::setStatus(const SourceStatus &status)
{
    m_status = status;
    setVisible(status.phase == SourcePhase::Stale);
    refresh();
}

void StaleBanner::refresh()
{
    if (m_status.phase != SourcePhase::Stale)
        return;
    const MonoTime now = m_clock.realNow();
    if (m_status.recordedAt)
        say(recordingText(now), {});
    else
        say(liveText(now), m_status.error ? errorDetail(*m_status.error) : QString());
}

QString StaleBanner::recordingText(MonoTime now) const
{
    const auto since = std::chrono::duration_cast<Millis>(now - m_status.staleSince.value_or(now));
    return tr("Nothing was seen at this time of the recording. What is shown was true %1 before.")
        .arg(durationText(since));
}

QString StaleBanner::liveText(MonoTime now) const
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
