// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_chart.h"

#include "ui/charts/time_axis.h"
#include "ui/text/display_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockui {

namespace {

constexpr double CurveTopEdge = 4;
constexpr int CurveLineDistance = 16;
constexpr double CurveTimesHeight = 13;
constexpr double CurveAxisWidth = 48; // charts below each other begin at the same place

} // namespace

CurveChart::CurveChart(const Theme &theme, const QString &accessibleName, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setAccessibleName(accessibleName);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CurveChart::setData(Data data)
{
    m_data = std::move(data);
    describe();
    update();
}

QRectF CurveChart::plot() const
{
    return QRectF(rect()).adjusted(
        CurveAxisWidth, CurveTopEdge, -1.5, m_data.hasTimes ? -CurveTimesHeight - 1.5 : -1.5);
}

QFont CurveChart::smallFont() const
{
    QFont font = m_theme.uiFont();
    font.setPixelSize(10);
    return font;
}

double CurveChart::x(const Curve &curve, std::size_t i) const
{
    const QRectF area = plot();
    const auto behind = static_cast<double>(curve.values.size() - 1 - i);
    return area.right() - area.width() * behind / static_cast<double>(std::max<std::int64_t>(1, m_data.seconds - 1));
}

double CurveChart::y(double value) const
{
    const QRectF area = plot();
    const double clamped = std::clamp(value, m_data.least, m_data.most);
    const double part = m_data.isLogarithmic ? std::log(clamped / m_data.least) / std::log(m_data.most / m_data.least)
                                             : (clamped - m_data.least) / (m_data.most - m_data.least);
    return area.bottom() - area.height() * part;
}

/// The values at which lines go across: half and whole of the scale, or the powers of ten for which there is room.
std::vector<double> CurveChart::lines() const
{
    if (!m_data.isLogarithmic)
        return { m_data.least + (m_data.most - m_data.least) / 2, m_data.most };
    const double decades = std::log10(m_data.most / m_data.least);
    const double room = std::max(1.0, std::floor(plot().height() / CurveLineDistance));
    const double step = std::pow(10, std::max(1.0, std::ceil(decades / room)));
    std::vector<double> lines;
    for (int i = 0; m_data.most / std::pow(step, i) > m_data.least * 1.001; ++i)
        lines.insert(lines.begin(), m_data.most / std::pow(step, i));
    return lines;
}

void CurveChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintLines(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Curve &curve : m_data.curves)
        paintCurve(painter, curve);
}

void CurveChart::paintLines(QPainter &painter) const
{
    const QRectF area = plot();
    const double textHeight = QFontMetricsF(smallFont()).height();
    painter.setFont(smallFont());
    painter.setPen(m_theme.colors().border);
    painter.drawLine(QPointF(area.left(), area.bottom()), QPointF(area.right(), area.bottom()));
    if (m_data.hasTimes) {
        painter.setPen(m_theme.colors().muted);
        const QRectF below(area.left(), area.bottom() + 1, area.width(), CurveTimesHeight);
        painter.drawText(below, Qt::AlignLeft, momentBeforeText(std::chrono::seconds(m_data.seconds), m_data.end));
        painter.drawText(below, Qt::AlignRight, momentBeforeText({}, m_data.end));
    }
    if (!m_data.text)
        return;
    for (const double value : lines()) {
        const double place = std::round(y(value)) + 0.5;
        painter.setPen(m_theme.colors().line);
        painter.drawLine(QPointF(area.left(), place), QPointF(area.right(), place));
        painter.setPen(m_theme.colors().muted);
        const double top = std::max(0.0, place - textHeight / 2);
        painter.drawText(
            QRectF(0, top, area.left() - 4, textHeight), Qt::AlignRight | Qt::AlignVCenter, m_data.text(value));
    }
}

void CurveChart::paintCurve(QPainter &painter, const Curve &curve) const
{
    const double bottom = plot().bottom();
    const QColor color = m_theme.color(curve.tone);
    for (std::size_t i = 0; i < curve.values.size();) {
        if (!curve.values[i]) {
            ++i;
            continue;
        }
        const std::size_t first = i;
        QPolygonF points;
        for (; i < curve.values.size() && curve.values[i]; ++i)
            points << QPointF(x(curve, i), y(*curve.values[i]));
        if (points.size() == 1) { // a value alone would be no line
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawEllipse(points.front(), 1.5, 1.5);
            continue;
        }
        if (curve.isFilled) {
            QColor wash = color;
            wash.setAlphaF(0.16F);
            QPainterPath below;
            below.addPolygon(QPolygonF(points) << QPointF(x(curve, i - 1), bottom) << QPointF(x(curve, first), bottom));
            painter.fillPath(below, wash);
        }
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(points);
    }
}

QString CurveChart::momentText(std::int64_t behind) const
{
    const QString time = durationText(std::chrono::seconds(behind));
    if (m_data.end.isEmpty())
        return behind == 0 ? tr("now") : tr("%1 ago").arg(time);
    return behind == 0 ? m_data.end : tr("%1 before").arg(time);
}

QString CurveChart::textAt(double position) const
{
    const QRectF area = plot();
    const double second = (area.right() - position) / area.width() * static_cast<double>(m_data.seconds - 1);
    const auto behind = static_cast<std::size_t>(std::max(0.0, std::round(second)));
    QStringList lines{ momentText(static_cast<std::int64_t>(behind)) };
    for (const Curve &curve : m_data.curves) {
        if (behind >= curve.values.size())
            continue;
        const auto &value = curve.values[curve.values.size() - 1 - behind];
        lines << tr("%1: %2").arg(curve.name, value && m_data.text ? m_data.text(*value) : tr("nothing to measure"));
    }
    return lines.join(QLatin1Char('\n'));
}

bool CurveChart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), plainToolTip(textAt(help->pos().x())), this);
    return true;
}

void CurveChart::describe()
{
    QStringList parts;
    for (const Curve &curve : m_data.curves) {
        const bool isKnown = !curve.values.empty() && curve.values.back() && m_data.text;
        parts << tr("%1: %2").arg(curve.name, isKnown ? m_data.text(*curve.values.back()) : tr("nothing to measure"));
    }
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

} // namespace lockui
