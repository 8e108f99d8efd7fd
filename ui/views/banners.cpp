// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/banners.h"

#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/error_text.h"
#include "ui/text/lock_text.h"
#include "ui/text/suspect_text.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <algorithm>

namespace lockui {

Banner::Banner(const Theme &theme, Tone tone, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tone(tone)
    , m_sign(new QLabel(this))
    , m_text(plainLabel({}, this))
    , m_action(new QPushButton(this))
{
    setProperty("role", QStringLiteral("banner"));
    setProperty("tone", tone == Tone::Danger ? QStringLiteral("danger") : QStringLiteral("warning"));
    setAttribute(Qt::WA_StyledBackground);
    m_text->setWordWrap(true);
    m_action->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 16, 7);
    layout->setSpacing(8);
    layout->addWidget(m_sign);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    connect(m_action, &QPushButton::clicked, this, &Banner::actionChosen);
    connect(&theme, &Theme::changed, this, &Banner::applyTheme);
    applyTheme();
    hide();
}

void Banner::setAction(const QString &title)
{
    m_action->setText(title);
    m_action->setHidden(title.isEmpty());
}

void Banner::say(const QString &text, const QString &more)
{
    m_text->setText(text);
    m_text->setToolTip(more.isEmpty() ? QString() : plainToolTip(more));
    setAccessibleName(text);
}

void Banner::applyTheme()
{
    const QIcon sign = tintedIcon(QStringLiteral("warning"), m_theme.color(m_tone));
    m_sign->setPixmap(sign.pixmap(QSize(16, 16), devicePixelRatioF()));
}

using namespace lockcore;
using namespace lockcore::monitor;

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
    m_loss.whole = isStale(snapshot);
    const auto lost = lostServers(snapshot);
    const auto unreached = unreachedServers(snapshot);
    for (const NodeStatus &node : snapshot.nodes) {
        const bool isLost = lost.contains(node.node);
        if (!isLost && !unreached.contains(node.node))
            continue;
        (isLost ? m_loss.servers : m_loss.unreached) << displayText(node.node, 80);
        if (const auto &error = node.status.error) {
            m_loss.reasons << errorText(*error);
            m_loss.details << errorDetail(*error);
        }
    }
    m_loss.reasons.removeDuplicates();
    m_loss.since = m_loss.whole ? m_status.staleSince : firstLoss(snapshot);
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
    setVisible(m_pausedSince || m_loss.whole || !m_loss.servers.isEmpty() || !m_loss.unreached.isEmpty());
    const bool isShutOut = m_loss.whole && !m_status.recordedAt && m_status.error
        && m_status.error->code == ErrorCode::AuthenticationFailed;
    setAction(isShutOut ? tr("Enter password…") : QString());
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
    else if (m_loss.whole)
        say(wholeText(now), m_status.error ? errorDetail(*m_status.error) : QString());
    else
        say(partText(now), m_loss.details.join(QLatin1Char('\n')));
}

QString StaleBanner::pausedText(MonoTime now) const
{
    const QString since = tr("Paused since %1, for %2")
                              .arg(pauseText(*m_pausedSince, m_clock),
                                  durationText(std::chrono::duration_cast<Millis>(now - *m_pausedSince)));
    const auto &servers = m_lossAtPause.servers;
    const auto &lostAt = m_lossAtPause.since;
    const QString before
        = lostAt ? durationText(std::chrono::duration_cast<Millis>(*m_pausedSince - *lostAt)) : QString();
    QString text;
    if (m_lossAtPause.whole)
        text = lostAt
            ? tr("%1: the connection was lost already, and what is shown was true %2 before.").arg(since, before)
            : tr("%1: the connection was lost already, and nothing tells when what is shown was true.").arg(since);
    else if (!servers.isEmpty())
        text = lostAt ? tr("%1: what is shown was true then, and what is grey %2 before.").arg(since, before)
                      : tr("%1: what is shown was true then; what is grey may not have been.").arg(since);
    else
        text = tr("%1: what is shown was true then.").arg(since);
    QStringList parts{ text, unreachedText(), meanwhileText() };
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
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
    const QString since = durationText(std::chrono::duration_cast<Millis>(now - m_loss.since.value_or(now)));
    const auto &servers = m_loss.servers;
    if (servers.empty() && !m_loss.whole)
        return unreachedText();
    if (servers.empty())
        return tr("Nothing was seen at this time of the recording. What is shown was true %1 before.").arg(since);
    QStringList parts{ servers.size() == 1
            ? tr("%1 was not seen at this time of the recording. What is grey was true %2 before.")
                  .arg(servers.front(), since)
            : tr("%1 were not seen at this time of the recording. What is grey was true %2 before.")
                  .arg(servers.join(QStringLiteral(", ")), since),
        unreachedText() };
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

/// Nothing of them is shown that could be grey.
QString StaleBanner::unreachedText() const
{
    const QStringList &servers = m_loss.unreached;
    if (servers.isEmpty())
        return {};
    if (m_status.recordedAt)
        return servers.size() == 1
            ? tr("%1 was not reached by this time of the recording: what it had is not known.").arg(servers.front())
            : tr("%1 were not reached by this time of the recording: what they had is not known.")
                  .arg(servers.join(QStringLiteral(", ")));
    return servers.size() == 1
        ? tr("%1 was never reached: what it has is not known.").arg(servers.front())
        : tr("%1 were never reached: what they have is not known.").arg(servers.join(QStringLiteral(", ")));
}

QString StaleBanner::partText(MonoTime now) const
{
    QStringList parts;
    if (!m_loss.servers.isEmpty()) {
        parts << (m_loss.servers.size() == 1 ? tr("%1 is lost.").arg(m_loss.servers.front())
                                             : tr("%1 are lost.").arg(m_loss.servers.join(QStringLiteral(", "))));
        parts << (m_loss.since ? tr("What is grey was true %1.").arg(agoText(*m_loss.since, now))
                               : tr("What is grey may no longer be true."));
    }
    parts << unreachedText() << tr("The other servers are watched.") << retryText(now) << m_loss.reasons;
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

QString StaleBanner::retryText(MonoTime now) const
{
    return m_status.retryAt && *m_status.retryAt > now
        ? tr("Trying again in %1.").arg(durationText(std::chrono::duration_cast<Millis>(*m_status.retryAt - now)))
        : tr("Trying again now.");
}

QString StaleBanner::wholeText(MonoTime now) const
{
    QStringList parts;
    parts << (m_status.staleSince
            ? tr("Connection lost %1; what is shown was true then.").arg(agoText(*m_status.staleSince, now))
            : tr("Connection lost; what is shown may no longer be true."));
    parts << retryText(now);
    if (m_status.error)
        parts << errorText(*m_status.error);
    return parts.join(QLatin1Char(' '));
}

DeadlockBanner::DeadlockBanner(const Theme &theme, const ClientNames &names, QWidget *parent)
    : Banner(theme, Tone::Danger, parent)
    , m_names(names)
{
    setAction(tr("Show the lock"));
    connect(this, &Banner::actionChosen, this, [this] {
        if (m_graph && !m_graph->cycles.empty())
            Q_EMIT lockChosen(m_graph->cycles.front().front().lock);
    });
    connect(&names, &ClientNames::changed, this, &DeadlockBanner::refresh);
}

void DeadlockBanner::setSnapshot(const Snapshot &snapshot)
{
    auto graph = snapshot.analysis ? snapshot.analysis->graph : nullptr;
    const auto first = graph && !graph->cycles.empty() ? graph->cycles.front() : WaitCycle();
    const bool wasLost = std::exchange(m_isLost, lostSince(snapshot, first).has_value());
    if (graph == m_graph && wasLost == m_isLost)
        return;
    m_graph = std::move(graph);
    refresh();
}

void DeadlockBanner::refresh()
{
    const auto number = m_graph ? static_cast<qint64>(m_graph->cycles.size()) : 0;
    setVisible(number > 0);
    if (number == 0)
        return;
    QStringList lines;
    for (const WaitCycle &cycle : m_graph->cycles)
        lines << cycleText(cycle, &m_names);
    const QString title = number == 1 && m_isLost ? tr("Deadlock (inferred), as it was last seen:")
        : number == 1                             ? tr("Deadlock (inferred):")
        : m_isLost ? tr("%1 deadlocks (inferred); the first, as it was last seen:").arg(countText(number))
                   : tr("%1 deadlocks (inferred); the first:").arg(countText(number));
    say(title + QLatin1Char(' ') + lines.first() + QLatin1Char('.'), lines.join(QLatin1Char('\n')));
}

} // namespace lockui
