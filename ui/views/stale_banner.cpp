// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/stale_banner.h"

#include "ui/support/display_text.h"
#include "ui/support/error_text.h"
#include "ui/support/lock_text.h"
#include "ui/support/view_clock.h"
#include "ui/support/widgets.h"

#include <QHBoxLayout>

namespace lockui {

using namespace lockcore;

StaleBanner::StaleBanner(const ViewClock &clock, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_text(plainLabel(QStringLiteral("band"), this))
{
    setProperty("role", QStringLiteral("band"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 7, 16, 7);
    layout->addWidget(m_text, 1);
    m_text->setWordWrap(true);
    connect(&clock, &ViewClock::tick, this, &StaleBanner::refresh);
    hide();
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
    if (m_status.recordedAt) {
        const auto since = std::chrono::duration_cast<Millis>(now - m_status.staleSince.value_or(now));
        m_text->setText(tr("Nothing was seen at this time of the recording. What is shown was true %1 before.")
                            .arg(durationText(since)));
        setAccessibleName(m_text->text());
        return;
    }
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
    m_text->setText(parts.join(QLatin1Char(' ')));
    m_text->setToolTip(m_status.error ? plainToolTip(errorDetail(*m_status.error)) : QString());
    setAccessibleName(m_text->text());
}

} // namespace lockui
