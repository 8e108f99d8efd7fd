// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

class QColor;
class QPainter;
class QRectF;

namespace lockui {

/// A horizontal line of which each pixel has a colour or none: very many narrow things of one height, painted at once.
/// To ask a painter for each of them costs more than to find out where they are.
class PixelLine {
public:
    void clear(int width);
    void fill(int left, int right, const QColor &color); // opaque; over what was there
    void fillWhereFree(int left, int right, const QColor &color);
    int nextFree(int x) const; // from there on; the width: none
    void paint(QPainter &painter, const QRectF &place) const; // what lies there, as high as that

private:
    QImage m_image;
    QRgb *m_pixels = nullptr; // of the image
    int m_width = 0;
    bool m_isEmpty = true;
};

} // namespace lockui
