// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/rate_chart.h"

#include "ui/charts/server_strip.h"
#include "ui/charts/time_axis.h"
#include "ui/text/display_text.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockui {

using namespace lockcore;

namespace {

constexpr int LeftEdge = 2;
constexpr int TimesHeight = 20; // below
constexpr int StripHeight = 16; // between
constexpr int MarksHeight = 14; // for the marks of what ran out
constexpr int LineDistance = 44; // of the axis, at least

/// 1, 2 or 5 times a power of ten.
double decimalStep(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double step : { 1.0, 2.0, 5.0 })
        if (step * power >= least)
            return step * power;
    return 10 * power;
}

QString timeText(WallTime at, bool withSeconds)
{
    return QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count())
        .toString(withSeconds ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
}

} // namespace

RateChart::RateChart(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_strip(new ServerStrip(theme, this))
{
    setAccessibleName(tr("Acquires and renewals per second"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RateChart::setData(Data given)
{
    m_data = std::move(given);
    m_strip->setRange(m_data.from, end());
    describe();
    update();
}

QRectF RateChart::plot() const
{
    return QRectF(rect()).adjusted(LeftEdge, MarksHeight, -1, -TimesHeight - StripHeight);
}

void RateChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const QRectF area = plot();
    m_strip->setGeometry(
        QRectF(area.left(), area.bottom() + 1, area.width(), StripHeight).toAlignedRect().intersected(rect()));
}

WallTime RateChart::end() const { return m_data.from + m_data.step * std::int64_t(m_data.steps.size()); }

double RateChart::rate(std::int64_t count) const { return double(count) / double(m_data.step.count()); }

RateChart::Axis RateChart::axis() const
{
    double most = 1;
    for (const Activity::Step &step : m_data.steps)
        most = std::max({ most, rate(step.counts.acquires), rate(step.counts.renewals) });
    for (const Activity::Step &step : m_data.before)
        most = std::max({ most, rate(step.counts.acquires), rate(step.counts.renewals) });
    const double lines = std::max(2.0, std::floor(plot().height() / LineDistance));
    const double step = std::max(0.5, decimalStep(most / lines));
    return { step, std::ceil(most / step) * step };
}

double RateChart::x(WallTime at) const
{
    const QRectF area = plot();
    const double part = double((at - m_data.from).count()) / std::max<double>(1, double((end() - m_data.from).count()));
    return std::clamp(area.left() + part * area.width(), area.left(), area.right());
}

void RateChart::paintEvent(QPaintEvent *)
{
    if (m_data.steps.empty())
        return;
    QPainter painter(this);
    const Axis axis = this->axis();
    paintUnseen(painter);
    paintAxes(painter, axis);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBefore(painter, axis, &ActivityCounts::acquires, Tone::Accent);
    paintBefore(painter, axis, &ActivityCounts::renewals, Tone::Fixed);
    paintCurve(painter, axis, &ActivityCounts::acquires, Tone::Accent, true);
    paintCurve(painter, axis, &ActivityCounts::renewals, Tone::Fixed, false);
    paintExpiries(painter);
}

void RateChart::paintAxes(QPainter &painter, const Axis &axis) const
{
    const QRectF area = plot();
    QFont font = m_theme.uiFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const int lines = static_cast<int>(std::lround(axis.most / axis.step));
    for (int line = 0; line <= lines; ++line) {
        const double value = line * axis.step;
        const double y = std::round(area.bottom() - area.height() * value / axis.most);
        painter.setPen(m_theme.colors().line);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        const QString figure
            = value < 10 && axis.step < 1 ? QString::number(value, 'f', 1) : countText(qRound64(value));
        painter.setPen(m_theme.colors().muted);
        painter.drawText(QPointF(area.left() + 2, y - 3), line == lines ? tr("%1/s").arg(figure) : figure);
    }
    const double widest = metrics.horizontalAdvance(timeText(end(), true));
    const double room = double((end() - m_data.from).count()) * (widest + 40) / (area.width() + 1);
    const Millis step(std::llround(timeAxisStep(std::clamp(room, 5e3, 900e3))));
    const bool withSeconds = step < std::chrono::minutes(1);
    const double textWidth = metrics.horizontalAdvance(timeText(end(), withSeconds));
    for (WallTime at(m_data.from.time_since_epoch() / step * step); at <= end(); at += step) {
        const double left = x(at) - textWidth / 2;
        if (at >= m_data.from && left >= area.left() && left + textWidth <= area.right())
            painter.drawText(QPointF(left, height() - 5), timeText(at, withSeconds));
    }
}

void RateChart::paintUnseen(QPainter &painter) const
{
    const QRectF area = plot();
    for (const UnseenSpan &span : m_data.unseen) {
        const QRectF place(QPointF(x(span.from), area.top()), QPointF(x(span.to), area.bottom()));
        painter.fillRect(place.width() < 2 ? place.adjusted(-1, 0, 1, 0) : place,
            hatching(m_theme.colors().faint, *painter.device()));
    }
}

/// All servers are meant: what is partly seen has a curve, which tells at least so much.
bool RateChart::isUnseen(const WallTime &from) const
{
    return std::ranges::any_of(m_data.unseen, [&](const UnseenSpan &span) {
        return span.node.empty() && span.from <= from && span.to >= from + m_data.step;
    });
}

void RateChart::paintCurve(
    QPainter &painter, const Axis &axis, std::int64_t ActivityCounts::*count, Tone tone, bool filled) const
{
    const QRectF area = plot();
    const QColor color = m_theme.color(tone);
    const auto paint = [&](const QPolygonF &points) {
        if (points.isEmpty())
            return;
        if (filled) {
            QPolygonF below = points;
            below << QPointF(points.back().x(), area.bottom()) << QPointF(points.front().x(), area.bottom());
            painter.setPen(Qt::NoPen);
            QColor wash = color;
            wash.setAlphaF(0.16F);
            painter.setBrush(wash);
            painter.drawPolygon(below);
        }
        painter.setPen(QPen(color, 1.5));
        painter.drawPolyline(points);
    };
    QPolygonF points;
    for (std::size_t i = 0; i < m_data.steps.size(); ++i) {
        const WallTime at = m_data.from + m_data.step * std::int64_t(i);
        if (isUnseen(at)) {
            paint(points);
            points.clear();
            continue;
        }
        points << QPointF(
            x(placeIn(at)), area.bottom() - area.height() * rate(m_data.steps[i].counts.*count) / axis.most);
    }
    paint(points);
}

/// Where the point of a step stands: in its middle, or, where that was not seen, at the edge of what was.
WallTime RateChart::placeIn(WallTime from) const
{
    WallTime place = from + m_data.step / 2;
    for (const UnseenSpan &span : m_data.unseen)
        if (span.node.empty() && span.from <= place && span.to >= place)
            place = span.to < from + m_data.step ? span.to : std::max(span.from, from);
    return place;
}

void RateChart::paintBefore(QPainter &painter, const Axis &axis, std::int64_t ActivityCounts::*count, Tone tone) const
{
    const QRectF area = plot();
    QColor color = m_theme.color(tone);
    color.setAlphaF(0.75F);
    painter.setPen(QPen(color, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    QPolygonF points;
    for (std::size_t i = 0; i < m_data.before.size(); ++i)
        points << QPointF(x(m_data.from + m_data.step * std::int64_t(i) + m_data.step / 2),
            area.bottom() - area.height() * rate(m_data.before[i].counts.*count) / axis.most);
    painter.drawPolyline(points);
}

void RateChart::paintExpiries(QPainter &painter) const
{
    const QRectF area = plot();
    const QColor color = m_theme.color(Tone::Warning);
    for (std::size_t i = 0; i < m_data.steps.size(); ++i) {
        const ActivityCounts &counts = m_data.steps[i].counts;
        if (counts.expiries + counts.likelyExpiries == 0)
            continue;
        const double place = x(m_data.from + m_data.step * std::int64_t(i) + m_data.step / 2);
        painter.setPen(QPen(color, 1, Qt::DotLine));
        painter.drawLine(QPointF(place, area.top()), QPointF(place, area.bottom()));
        painter.setPen(QPen(color, 1));
        painter.setBrush(counts.expiries > 0 ? QBrush(color) : QBrush(Qt::NoBrush)); // hollow: inferred
        painter.drawPolygon(QPolygonF(
            { QPointF(place - 5, area.top() - 9), QPointF(place + 5, area.top() - 9), QPointF(place, area.top()) }));
    }
}

QString RateChart::textAt(double position) const
{
    const QRectF area = plot();
    const auto steps = static_cast<std::int64_t>(m_data.steps.size());
    const auto i = static_cast<std::int64_t>((position - area.left()) / area.width() * double(steps));
    if (i < 0 || i >= steps)
        return {};
    const ActivityCounts &counts = m_data.steps[static_cast<std::size_t>(i)].counts;
    const WallTime from = m_data.from + m_data.step * i;
    QStringList lines{ tr("%1, for %2").arg(timeText(from, true), durationText(m_data.step)) };
    if (isUnseen(from))
        return (lines << tr("not seen")).join(QLatin1Char('\n'));
    const auto *before = m_data.before.empty() ? nullptr : &m_data.before[static_cast<std::size_t>(i)].counts;
    const auto compared = [&](std::int64_t ActivityCounts::*count) {
        return before ? QLatin1Char(' ') + tr("(%1 in the range before)").arg(countText(before->*count)) : QString();
    };
    lines << tr("acquires: %1").arg(countText(counts.acquires)) + compared(&ActivityCounts::acquires)
          << tr("renewals: %1").arg(countText(counts.renewals)) + compared(&ActivityCounts::renewals)
          << tr("releases: %1").arg(countText(counts.releases));
    if (counts.expiries > 0)
        lines << tr("ran out unreleased: %1").arg(countText(counts.expiries));
    if (counts.likelyExpiries > 0)
        lines << tr("probably ran out unreleased: %1").arg(countText(counts.likelyExpiries));
    if (counts.forced > 0)
        lines << tr("force-released: %1").arg(countText(counts.forced));
    return lines.join(QLatin1Char('\n'));
}

bool RateChart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), plainToolTip(textAt(help->pos().x())), this);
    return true;
}

void RateChart::describe()
{
    ActivityCounts sum;
    for (const Activity::Step &step : m_data.steps)
        sum += step.counts;
    QString text = tr("%1 acquires, %2 renewals and %3 holds that ran out between %4 and %5")
                       .arg(countText(sum.acquires), countText(sum.renewals), countText(sum.expiries),
                           timeText(m_data.from, true), timeText(end(), true));
    if (sum.likelyExpiries > 0)
        text += tr(", and %1 that probably did").arg(countText(sum.likelyExpiries));
    setAccessibleDescription(text);
}

} // namespace lockui
