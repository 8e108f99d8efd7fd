// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/cell_pieces.h"

#include <QColor>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>
#include <QPen>
#include <QRectF>
#include <QTextOption>

#include <memory>

namespace lockui {

const QStaticText &LaidOutTexts::laidOut(const QString &text, const QFont &font)
{
    const std::pair key(text, font);
    if (const QStaticText *known = m_known.object(key))
        return *known;
    QString line = text;
    for (QChar &each : line)
        if (QStringView(u"\n\r\t\u2028\u2029").contains(each)) // the line goes on
            each = QLatin1Char(' ');
    auto added = std::make_unique<QStaticText>(line);
    added->setTextFormat(Qt::PlainText);
    QTextOption option;
    option.setTextDirection(Qt::LeftToRight);
    option.setWrapMode(QTextOption::NoWrap);
    added->setTextOption(option);
    added->prepare({}, font);
    const QStaticText &result = *added;
    m_known.insert(key, added.release());
    return result;
}

int LaidOutTexts::widthOf(const QString &text, const QFont &font) { return qRound(laidOut(text, font).size().width()); }

void LaidOutTexts::draw(QPainter &painter, const QRect &place, const QString &text, const QFont &font)
{
    const QStaticText &line = laidOut(text, font);
    const bool isTooLong = line.size().width() > place.width();
    if (isTooLong) { // also cut as far as can be
        painter.save();
        painter.setClipRect(place, Qt::IntersectClip);
    }
    painter.setFont(font);
    const qreal above = (place.height() - QFontMetricsF(font).height()) / 2; // its own height is rounded
    painter.drawStaticText(QPointF(place.left(), place.top() + above), line);
    if (isTooLong)
        painter.restore();
}

void BadgeFrames::draw(QPainter &painter, const QPoint &topLeft, int width, const QColor &edge, const QColor &ground)
{
    const Frame key{ width, edge.rgba(), ground.rgba(), painter.device()->devicePixelRatioF() };
    const QPixmap *frame = m_known.object(key);
    if (frame == nullptr) {
        auto added = std::make_unique<QPixmap>(QSize(width + 1, Height) * key.pixelRatio);
        added->setDevicePixelRatio(key.pixelRatio);
        added->fill(Qt::transparent);
        QPainter drawing(added.get());
        drawing.setRenderHint(QPainter::Antialiasing);
        drawing.setPen(QPen(edge, 1));
        drawing.setBrush(ground);
        drawing.drawRoundedRect(QRectF(0.5, 0.5, width, Height - 1), 4, 4);
        drawing.end();
        frame = added.get();
        m_known.insert(key, added.release());
    }
    painter.drawPixmap(topLeft, *frame);
}

} // namespace lockui
