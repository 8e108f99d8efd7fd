// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pixel_line.h"

#include <QColor>
#include <QPainter>

#include <algorithm>

namespace lockui {

void PixelLine::clear(int width)
{
    if (m_image.width() != width)
        m_image = QImage(width, 1, QImage::Format_ARGB32_Premultiplied);
    m_pixels = reinterpret_cast<QRgb *>(m_image.bits());
    m_width = width;
    std::fill_n(m_pixels, width, 0U);
    m_isEmpty = true;
}

void PixelLine::fill(int left, int right, const QColor &color)
{
    const int end = std::min(right, m_width);
    std::fill(m_pixels + std::min(left, end), m_pixels + end, color.rgb());
    m_isEmpty = false;
}

void PixelLine::fillWhereFree(int left, int right, const QColor &color)
{
    const int end = std::min(right, m_width);
    std::replace(m_pixels + std::min(left, end), m_pixels + end, QRgb(0), color.rgb());
    m_isEmpty = false;
}

int PixelLine::nextFree(int x) const
{
    return static_cast<int>(std::find(m_pixels + std::min(x, m_width), m_pixels + m_width, QRgb(0)) - m_pixels);
}

void PixelLine::paint(QPainter &painter, const QRectF &place) const
{
    if (!m_isEmpty)
        painter.drawImage(place, m_image, QRectF(place.left(), 0, place.width(), 1));
}

} // namespace lockui
