// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/sparkline.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lockui {

Sparkline::Sparkline(const Theme &theme, Tone tone, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tone(tone)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Sparkline::setValues(std::vector<std::optional<double>> values)
{
    if (values == m_values)
        return;
    m_values = std::move(values);
    update();
}

void Sparkline::paintEvent(QPaintEvent *)
{
    double most = 1;
    for (const auto &value : m_values)
        most = std::max(most, value.value_or(0));
    const QRectF area = QRectF(rect()).adjusted(0.5, 2.5, -0.5, -1.5);
    const double step = area.width() / std::max<double>(1, double(m_values.size()) - 1);
    const QColor color = m_theme.color(m_tone);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_values.size();) {
        if (!m_values[i]) {
            ++i;
            continue;
        }
        QPainterPath line;
        const std::size_t first = i;
        for (; i < m_values.size() && m_values[i]; ++i) {
            const QPointF point(area.left() + step * double(i), area.bottom() - area.height() * *m_values[i] / most);
            if (i == first)
                line.moveTo(point);
            else
                line.lineTo(point);
        }
        QPainterPath below = line;
        below.lineTo(area.left() + step * double(i - 1), area.bottom());
        below.lineTo(area.left() + step * double(first), area.bottom());
        painter.fillPath(below, blend(m_theme.colors().surface, color, 0.22));
        painter.setPen(QPen(color, 1.5));
        painter.drawPath(line);
    }
}

} // namespace lockui
