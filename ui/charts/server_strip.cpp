// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/server_strip.h"

#include "ui/text/display_text.h"
#include "ui/text/event_text.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr double Reach = 6; // of the pointer, in pixels
constexpr double ShortestBar = 4;
constexpr double HalfDiamond = 5;
constexpr double TrackHeight = 6;
constexpr std::size_t MostInTip = 8;
constexpr int LongestShownKey = 40;

bool isBar(EventKind kind) { return kind == EventKind::SlowCommand || kind == EventKind::ClientsPaused; }

QString fullText(const Event &event)
{
    return ServerStrip::timeText(event) + QStringLiteral("  ") + eventText(event) + QLatin1Char('\n')
        + eventMeaning(event);
}

} // namespace

ServerStrip::ServerStrip(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAccessibleName(tr("What servers went through"));
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    describe();
}

void ServerStrip::setRange(WallTime from, WallTime to)
{
    m_from = from;
    m_to = to;
    update();
}

void ServerStrip::setEvents(std::vector<Event> events)
{
    if (events == m_events)
        return;
    const auto before = chosen();
    m_events = std::move(events);
    const auto found = before ? std::ranges::find(m_events, *before) : m_events.end();
    m_chosen = found == m_events.end() ? -1 : found - m_events.begin();
    if (before && m_chosen < 0)
        Q_EMIT chosenChanged();
    describe();
    update();
}

std::optional<Event> ServerStrip::chosen() const
{
    return m_chosen < 0 || !hasFocus() ? std::nullopt : std::optional(m_events[static_cast<std::size_t>(m_chosen)]);
}

QString ServerStrip::timeText(const Event &event)
{
    // To the second: of slow commands the server tells no more.
    const auto at = QDateTime::fromMSecsSinceEpoch(happenedAt(event).time_since_epoch().count());
    const QString time = at.toString(QStringLiteral("HH:mm:ss"));
    return isNoticed(event.kind) ? tr("about %1").arg(time) : time;
}

QString ServerStrip::shortText(const Event &event)
{
    QString text = eventText(event.kind);
    if (event.command.empty() && event.kind == EventKind::SlowCommand && event.count)
        return tr("%1 more slow commands").arg(countText(*event.count));
    if (isBar(event.kind) && event.ttl)
        text += QLatin1Char(' ')
            + seenTimeText({ *event.ttl, isNoticed(event.kind) ? SeenTime::About : SeenTime::Exact });
    if (event.command.empty())
        return text;
    QString command = displayText(event.command);
    if (!event.key.empty())
        command += QLatin1Char(' ') + displayText(event.key, LongestShownKey);
    if (event.byLockscope)
        command = tr("%1, by Lockscope itself").arg(command);
    return text + QStringLiteral(" (") + command + QLatin1Char(')');
}

double ServerStrip::x(WallTime at) const
{
    const double part = double((at - m_from).count()) / std::max<double>(1, double((m_to - m_from).count()));
    return std::clamp(part, 0.0, 1.0) * width();
}

double ServerStrip::lengthOf(const Event &event) const
{
    const double lasted = double(event.ttl.value_or(Millis(0)).count());
    const double whole = std::max<double>(1, double((m_to - m_from).count()));
    return isBar(event.kind) ? std::max(ShortestBar, lasted / whole * width()) : 0;
}

/// A slow command is written down when it is over, and of a pause is told how long it still lasts.
QPointF ServerStrip::placeOf(const Event &event) const
{
    const double length = lengthOf(event);
    const double at = x(happenedAt(event)) + (event.kind == EventKind::SlowCommand ? -length / 2 : length / 2);
    return { std::clamp(at, HalfDiamond, std::max(HalfDiamond, width() - HalfDiamond)), height() / 2.0 };
}

void ServerStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = height() / 2.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.colors().line);
    painter.drawRoundedRect(QRectF(0, middle - TrackHeight / 2, width(), TrackHeight), 3, 3);
    for (const bool bars : { true, false }) { // the grave ones above
        for (const Event &event : m_events) {
            if (isBar(event.kind) != bars)
                continue;
            const QPointF at = placeOf(event);
            painter.setBrush(m_theme.color(bars ? Tone::Warning : Tone::Danger));
            if (bars)
                painter.drawRect(QRectF(at.x() - lengthOf(event) / 2, middle - 4, lengthOf(event), 8));
            else
                painter.drawPolygon(QPolygonF({ at + QPointF(-HalfDiamond, 0), at + QPointF(0, -HalfDiamond),
                    at + QPointF(HalfDiamond, 0), at + QPointF(0, HalfDiamond) }));
        }
    }
    if (!hasFocus())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(m_theme.colors().accent);
    const auto one = chosen();
    const QPointF at = one ? placeOf(*one) : QPointF();
    const double half = one ? std::max(HalfDiamond, lengthOf(*one) / 2) + 1.5 : 0;
    painter.drawRect(
        one ? QRectF(at.x() - half, 0.5, 2 * half, height() - 1.0) : QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

QString ServerStrip::textAt(double position) const
{
    QStringList texts;
    std::size_t more = 0;
    for (auto event = m_events.rbegin(); event != m_events.rend(); ++event) {
        if (std::abs(placeOf(*event).x() - position) > std::max(Reach, lengthOf(*event) / 2))
            continue;
        if (static_cast<std::size_t>(texts.size()) < MostInTip)
            texts << fullText(*event);
        else
            ++more;
    }
    if (more > 0)
        texts << tr("and %1 more").arg(countText(static_cast<qint64>(more)));
    return texts.join(QLatin1Char('\n'));
}

bool ServerStrip::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), plainToolTip(textAt(help->pos().x())), this);
    return true;
}

void ServerStrip::choose(std::ptrdiff_t index)
{
    m_chosen = std::clamp<std::ptrdiff_t>(index, m_events.empty() ? -1 : 0, std::ssize(m_events) - 1);
    describe();
    update();
    Q_EMIT chosenChanged();
}

void ServerStrip::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(m_chosen < 0 ? std::ssize(m_events) - 1 : m_chosen - 1);
    case Qt::Key_Right:
        return choose(m_chosen < 0 ? std::ssize(m_events) - 1 : m_chosen + 1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(std::ssize(m_events) - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void ServerStrip::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    choose(std::ssize(m_events) - 1);
}

void ServerStrip::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    m_chosen = -1;
    describe();
    update();
    Q_EMIT chosenChanged();
}

void ServerStrip::describe()
{
    const auto one = chosen();
    const auto count = countText(static_cast<qint64>(m_events.size()));
    setAccessibleDescription(m_events.empty() ? tr("nothing")
            : one                             ? fullText(*one)
                                              : tr("%1 marks. The last one: %2").arg(count, fullText(m_events.back())));
}

} // namespace lockui
