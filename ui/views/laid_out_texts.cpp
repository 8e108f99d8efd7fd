// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/laid_out_texts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPointF>
#include <QRect>
#include <QStringView>
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
    const qreal above = (place.height() - QFontMetricsF(font).height()) / 2; // QStaticText rounds its height
    painter.drawStaticText(QPointF(place.left(), place.top() + above), line);
    if (isTooLong)
        painter.restore();
}

} // namespace lockui
