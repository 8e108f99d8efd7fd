// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/event_density.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;

namespace {

constexpr int SideMargin = 16;
constexpr int TopMargin = 8;
constexpr int LabelHeight = 18;
constexpr double WidthOfBar = 8; // at least, with the space to the next

/// A length of time that people count in.
std::chrono::seconds roundLength(double least)
{
    for (const int seconds : { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1'800, 3'600, 7'200, 14'400, 21'600 })
        if (seconds >= least)
            return std::chrono::seconds(seconds);
    constexpr int Day = 86'400;
    return std::chrono::seconds(Day * (static_cast<int>(least / Day) + 1));
}

} // namespace

EventDensity::EventDensity(const Theme &theme, const EventTally &tally, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tally(tally)
{
    setAccessibleName(tr("Events over time"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    makeOpaque(*this);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void EventDensity::show(Span whole, std::vector<Span> unseen, WallTime counted)
{
    m_whole = whole;
    m_counted = counted;
    m_unseen = std::move(unseen);
    count();
    update();
}

void EventDensity::setSight(std::optional<Span> sight)
{
    if (std::exchange(m_sight, sight) != sight)
        update();
}

void EventDensity::count()
{
    m_bars.clear();
    m_highest = 0;
    const double seconds = std::chrono::duration<double>(m_whole.to - m_whole.from).count();
    m_length = roundLength(seconds * WidthOfBar / std::max(1, plot().width()));
    const auto &counted = m_tally.seconds();
    const auto first = std::chrono::floor<std::chrono::seconds>(m_whole.from).time_since_epoch().count();
    for (auto second = counted.lower_bound(first); second != counted.end(); ++second) {
        const WallTime from{ std::chrono::seconds(second->first - second->first % m_length.count()) };
        if (m_bars.empty() || m_bars.back().from != from)
            m_bars.push_back({ from });
        const auto found = m_tally.found().find(second->first);
        m_bars.back().events += second->second;
        m_bars.back().found += found == m_tally.found().end() ? 0 : found->second;
        m_highest = std::max(m_highest, m_bars.back().events - m_bars.back().found);
    }
    setAccessibleDescription(scaleText());
}

QRect EventDensity::plot() const { return rect().adjusted(SideMargin, TopMargin, -SideMargin, -LabelHeight - 1); }

double EventDensity::xOf(WallTime moment) const
{
    const QRect area = plot();
    const double whole = std::max(1.0, double((m_whole.to - m_whole.from).count()));
    return area.left() + area.width() * double((moment - m_whole.from).count()) / whole;
}

WallTime EventDensity::timeAt(double x) const
{
    const QRect area = plot();
    const double part = std::clamp((x - area.left()) / std::max(1, area.width()), 0.0, 1.0);
    return m_whole.from + Millis(qRound64(part * double((m_whole.to - m_whole.from).count())));
}

QString EventDensity::timeText(WallTime moment) const
{
    constexpr std::chrono::minutes Short{ 15 };
    constexpr std::chrono::hours Day{ 24 };
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(moment.time_since_epoch().count());
    const auto whole = m_whole.to - m_whole.from;
    return local.toString(whole < Short ? QStringLiteral("HH:mm:ss")
            : whole < Day               ? QStringLiteral("HH:mm")
                                        : QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString EventDensity::scaleText() const
{
    if (m_counted > m_whole.from)
        return tr("counted back to %1 by now").arg(timeText(m_counted));
    if (m_highest == 0)
        return {};
    return tr("a bar is %1, the highest %2 events", nullptr, pluralOf(m_highest))
        .arg(durationText(m_length), countText(m_highest));
}

void EventDensity::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colors().window);
    paintUncounted(painter);
    paintSight(painter);
    paintUnseen(painter);
    paintBars(painter);
    const QRect area = plot();
    painter.fillRect(QRect(area.left(), area.bottom() + 1, area.width(), 1), m_theme.colors().border);
    paintLabels(painter);
    painter.fillRect(QRect(0, height() - 1, width(), 1), m_theme.colors().line);
    if (hasFocus()) {
        painter.setPen(m_theme.colors().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void EventDensity::paintUncounted(QPainter &painter) const
{
    if (m_counted <= m_whole.from)
        return;
    const QRect area = plot();
    const double to = std::min(xOf(m_counted), area.right() + 1.0);
    painter.fillRect(QRectF(area.left(), area.top(), to - area.left(), area.height()),
        blend(m_theme.colors().window, m_theme.colors().muted, 0.15));
}

void EventDensity::paintUnseen(QPainter &painter) const
{
    for (const Span &span : m_unseen) {
        const double from = std::max(xOf(span.from), double(plot().left()));
        const double to = std::max(xOf(span.to), from + 2);
        painter.fillRect(QRectF(from, plot().top(), to - from, plot().height()),
            hatching(blend(m_theme.colors().window, m_theme.colors().muted, 0.45), *painter.device()));
    }
}

void EventDensity::paintSight(QPainter &painter) const
{
    if (!m_sight)
        return;
    constexpr double Narrowest = 3;
    const double from = std::clamp(xOf(m_sight->from), double(plot().left()), plot().right() - Narrowest);
    const double to = std::clamp(xOf(m_sight->to), from + Narrowest, plot().right() + 1.0);
    painter.fillRect(QRectF(from, plot().top() - 4, to - from, plot().height() + 4), m_theme.colors().selection);
}

void EventDensity::paintBars(QPainter &painter) const
{
    constexpr double Least = 2; // one event among very many is seen, too
    const QRect area = plot();
    const double width
        = area.width() * double(Millis(m_length).count()) / std::max(1.0, double((m_whole.to - m_whole.from).count()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(area);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.colors().accent);
    for (const Bar &bar : m_bars) {
        const double part = std::min(1.0, double(bar.events) / double(std::max<qint64>(1, m_highest)));
        const double height = std::max(Least, double(area.height()) * part);
        const QRectF place(xOf(bar.from), area.bottom() + 1 - height, std::max(1.0, width - 2), height);
        painter.drawRect(place);
        if (bar.events > m_highest)
            paintCut(painter, place);
    }
    painter.setClipping(false);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// A break near the top: it would be higher.
void EventDensity::paintCut(QPainter &painter, const QRectF &bar) const
{
    constexpr double Below = 8;
    constexpr double Slant = 3;
    painter.save();
    painter.setPen(QPen(m_theme.colors().window, 2));
    for (const double y : { bar.top() + Below, bar.top() + Below + 2 * Slant })
        painter.drawLine(QPointF(bar.left() - 1, y + Slant), QPointF(bar.right() + 1, y - Slant));
    painter.restore();
}

void EventDensity::paintLabels(QPainter &painter) const
{
    QFont font = m_theme.uiFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(m_theme.colors().muted);
    const QRect line(plot().left(), plot().bottom() + 2, plot().width(), LabelHeight - 2);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, timeText(m_whole.from));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, timeText(m_whole.to));
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignVCenter, scaleText());
}

bool EventDensity::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), plainToolTip(tipAt(timeAt(help->pos().x()))), this);
    return true;
}

QString EventDensity::tipAt(WallTime moment) const
{
    if (moment < m_counted)
        return tr("%1: not counted yet").arg(timeText(moment));
    Bar there;
    for (const Bar &bar : m_bars)
        if (moment >= bar.from && moment < bar.from + m_length)
            there = bar;
    const auto &[from, events, found] = there;
    const bool unseen
        = std::ranges::any_of(m_unseen, [&](const Span &span) { return moment >= span.from && moment < span.to; });
    if (events == 0 && unseen)
        return tr("%1: not all was seen then").arg(timeText(moment));
    const QString text = tr("%1: %2 events", nullptr, pluralOf(events)).arg(timeText(moment), countText(events));
    return found == 0 ? text
                      : text + QLatin1Char('\n')
            + tr("%1 of them tell what a look has found: it was there before, and is not in the scale")
                  .arg(countText(found));
}

void EventDensity::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    count();
}

void EventDensity::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT timeChosen(timeAt(event->position().x()));
}

void EventDensity::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        Q_EMIT timeChosen(timeAt(event->position().x()));
}

/// A bar to the left or to the right of what the rows show.
void EventDensity::keyPressEvent(QKeyEvent *event)
{
    const WallTime seen = m_sight ? m_sight->to : m_whole.to;
    if (event->key() == Qt::Key_Left)
        Q_EMIT timeChosen(std::max(seen - m_length, m_whole.from));
    else if (event->key() == Qt::Key_Right)
        Q_EMIT timeChosen(std::min(seen + m_length, m_whole.to));
    else if (event->key() == Qt::Key_Home)
        Q_EMIT timeChosen(m_whole.from);
    else if (event->key() == Qt::Key_End)
        Q_EMIT timeChosen(m_whole.to);
    else
        QWidget::keyPressEvent(event);
}

} // namespace lockui
