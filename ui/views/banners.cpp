// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/banners.h"

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
    , m_presses(new PressGuard({ m_action }, this))
{
    setProperty("role", QStringLiteral("banner"));
    setProperty("tone", tone == Tone::Danger ? QStringLiteral("danger") : QStringLiteral("warning"));
    setAttribute(Qt::WA_StyledBackground);
    m_text->setWordWrap(true);
    m_action->hide();
    pressByEnter(*m_action);
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
    if (title != m_action->text())
        m_presses->begin();
    m_action->setText(title);
    showSafely(*m_action, !title.isEmpty(), *parentWidget());
}

void Banner::setShown(bool isShown)
{
    if (isShown && isHidden())
        m_presses->begin(); // it comes to where something else was
    showSafely(*this, isShown, *parentWidget());
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

namespace {

QString sentences(QStringList parts)
{
    parts.removeAll(QString());
    return parts.join(QLatin1Char(' '));
}

} // namespace

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
    const bool isAnyTold = m_loss.whole || isFresh(snapshot);
    for (const NodeStatus &node : snapshot.nodes) {
        if (!isAnyTold || !isWatched(node))
            continue;
        if (node.status.phase == SourcePhase::Stale)
            add(m_loss.lost, node.node, node.status);
        else if (node.status.phase == SourcePhase::Failed)
            add(m_loss.unreached, node.node, node.status);
    }
    if (m_loss.whole && m_loss.lost.empty())
        add(m_loss.lost, m_status.server, m_status);
    decide();
}

void StaleBanner::add(Servers &servers, const std::string &name, const SourceStatus &status)
{
    servers.push_back(
        { displayText(name, 80), status.staleSince, status.error ? errorText(*status.error) : QString() });
    if (status.error)
        m_loss.details << errorDetail(*status.error);
}

void StaleBanner::setPaused(std::optional<MonoTime> since)
{
    m_pausedSince = since;
    m_lossAtPause = m_loss;
    decide();
}

void StaleBanner::decide()
{
    setShown(m_pausedSince || m_loss.whole || !m_loss.lost.empty() || !m_loss.unreached.empty());
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
    else
        say(m_loss.whole ? wholeText(now) : partText(now), m_loss.details.join(QLatin1Char('\n')));
}

QString StaleBanner::namesOf(const Servers &servers)
{
    QStringList names;
    for (const Server &server : servers)
        names << server.name;
    return names.join(QStringLiteral(", "));
}

/// What is said of them, with their names; empty: of none.
QString StaleBanner::about(const Servers &servers, const QString &one, const QString &several)
{
    return servers.empty() ? QString() : (servers.size() == 1 ? one : several).arg(namesOf(servers));
}

std::optional<SeenLast> StaleBanner::seenLastOf(const Servers &servers)
{
    std::vector<MonoTime> losses;
    for (const Server &server : servers)
        if (server.since)
            losses.push_back(*server.since);
    return seenLast(losses);
}

/// In the order in which the reasons come: none is told of another server.
std::vector<StaleBanner::Servers> StaleBanner::byReason(const Servers &servers)
{
    std::vector<Servers> groups;
    for (const Server &server : servers) {
        const auto same
            = std::ranges::find_if(groups, [&](const Servers &group) { return group.front().reason == server.reason; });
        (same == groups.end() ? groups.emplace_back() : *same).push_back(server);
    }
    return groups;
}

QString StaleBanner::pausedText(MonoTime now) const
{
    const QString since = tr("Paused since %1, for %2")
                              .arg(pauseText(*m_pausedSince, m_clock),
                                  durationText(std::chrono::duration_cast<Millis>(now - *m_pausedSince)));
    const auto seen = seenLastOf(m_lossAtPause.lost);
    const QString before = seen ? agesText(seen->first, seen->last, *m_pausedSince) : QString();
    QString text;
    if (m_lossAtPause.whole)
        text = before.isEmpty()
            ? tr("%1: the connection was lost already, and nothing tells when what is shown was true.").arg(since)
            : tr("%1: the connection was lost already, and what is shown was true %2 before.").arg(since, before);
    else if (m_lossAtPause.lost.empty())
        text = tr("%1: what is shown was true then.").arg(since);
    else
        text = before.isEmpty() ? tr("%1: what is shown was true then; what is grey may not have been.").arg(since)
                                : tr("%1: what is shown was true then, and what is grey %2 before.").arg(since, before);
    Servers reached = m_lossAtPause.unreached; // since, and so not in what is shown
    std::erase_if(reached, [&](const Server &server) {
        return std::ranges::find(m_loss.unreached, server.name, &Server::name) != m_loss.unreached.end();
    });
    const QString notByThen = about(reached, tr("%1 was not reached by then: what it had is not known."),
        tr("%1 were not reached by then: what they had is not known."));
    return sentences({ text, notByThen, unreachedText(m_loss.unreached), meanwhileText() });
}

/// What was lost after the pause is not what is shown: it only says what resuming will bring.
QString StaleBanner::meanwhileText() const
{
    if (m_loss.whole)
        return m_lossAtPause.whole ? tr("It is still lost.") : tr("Meanwhile the connection is lost.");
    if (m_loss.lost.empty())
        return tr("The watching goes on behind it.");
    Servers still;
    Servers meanwhile;
    for (const Server &server : m_loss.lost) {
        const bool wasLost
            = m_lossAtPause.whole || std::ranges::count(m_lossAtPause.lost, server.name, &Server::name) > 0;
        (wasLost ? still : meanwhile).push_back(server);
    }
    return sentences({ about(still, tr("%1 is still lost."), tr("%1 are still lost.")),
        about(meanwhile, tr("Meanwhile %1 is lost."), tr("Meanwhile %1 are lost.")) });
}

QString StaleBanner::recordingText(MonoTime now) const
{
    const auto seen = seenLastOf(m_loss.lost);
    const QString before = seen ? agesText(seen->first, seen->last, now) : QString();
    if (m_loss.whole)
        return sentences({ tr("Nothing was seen at this time of the recording."),
            seen ? tr("What is shown was true %1 before.").arg(before) : QString() });
    return sentences({ about(m_loss.lost, tr("%1 was not seen at this time of the recording."),
                           tr("%1 were not seen at this time of the recording.")),
        seen ? tr("What is grey was true %1 before.").arg(before) : QString(), unreachedText(m_loss.unreached) });
}

/// Nothing of them is shown that could be grey.
QString StaleBanner::unreachedText(const Servers &servers) const
{
    return m_status.recordedAt
        ? about(servers, tr("%1 was not reached by this time of the recording: what it had is not known."),
            tr("%1 were not reached by this time of the recording: what they had is not known."))
        : about(servers, tr("%1 was never reached: what it has is not known."),
            tr("%1 were never reached: what they have is not known."));
}

QString StaleBanner::partText(MonoTime now) const
{
    QStringList parts;
    const auto lost = byReason(m_loss.lost);
    for (const Servers &servers : lost) {
        const auto seen = seenLastOf(servers);
        const QString when = lost.size() == 1 ? tr("What is grey was true %1.") : tr("What is grey there was true %1.");
        parts << about(servers, tr("%1 is lost."), tr("%1 are lost."))
              << (seen ? when.arg(agoText(seen->first, seen->last, now)) : tr("What is grey may no longer be true."))
              << servers.front().reason;
    }
    for (const Servers &servers : byReason(m_loss.unreached))
        parts << unreachedText(servers) << servers.front().reason;
    return sentences(parts << tr("The other servers are watched.") << retryText(now));
}

QString StaleBanner::retryText(MonoTime now) const
{
    return m_status.retryAt && *m_status.retryAt > now
        ? tr("Trying again in %1.").arg(durationText(std::chrono::duration_cast<Millis>(*m_status.retryAt - now)))
        : tr("Trying again now.");
}

QString StaleBanner::wholeText(MonoTime now) const
{
    const auto seen = seenLastOf(m_loss.lost);
    QStringList parts{ seen
            ? tr("Connection lost %1; what is shown was true then.").arg(agoText(seen->first, seen->last, now))
            : tr("Connection lost; what is shown may no longer be true."),
        retryText(now) };
    Servers all = m_loss.lost;
    all.insert(all.end(), m_loss.unreached.begin(), m_loss.unreached.end());
    const auto groups = byReason(all);
    for (const Servers &servers : groups) {
        const QString &reason = servers.front().reason;
        parts << (groups.size() == 1 || reason.isEmpty()
                ? reason
                : tr("%1: %2", "servers, why they are lost").arg(namesOf(servers), reason));
    }
    return sentences(parts);
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
    setShown(number > 0);
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
