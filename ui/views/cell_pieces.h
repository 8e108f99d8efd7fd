// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QFont>
#include <QPixmap>
#include <QStaticText>
#include <QString>
#include <QtGlobal>
#include <utility>

class QColor;
class QPainter;
class QRect;

namespace lockui {

/// Texts as they are laid out. That takes longer than to draw them, and a table shows the same ones frame after frame.
class LaidOutTexts {
public:
    int widthOf(const QString &text, const QFont &font); // pixels
    /// One line from the left, in the middle of the height of `place`; in the pen of the painter.
    void draw(QPainter &painter, const QRect &place, const QString &text, const QFont &font);

private:
    const QStaticText &laidOut(const QString &text, const QFont &font);

    static constexpr int Most = 2'000; // several screens
    QCache<std::pair<QString, QFont>, QStaticText> m_known{ Most };
};

/// Frames of badges, round at the corners: to smooth the edges takes longer than all else of a cell.
class BadgeFrames {
public:
    static constexpr int Height = 19;

    void draw(QPainter &painter, const QPoint &topLeft, int width, const QColor &edge, const QColor &ground);

private:
    struct Frame {
        int width;
        QRgb edge;
        QRgb ground;
        qreal pixelRatio;

        bool operator==(const Frame &) const = default;
        friend size_t qHash(const Frame &frame, size_t seed = 0)
        {
            return qHashMulti(seed, frame.width, frame.edge, frame.ground, frame.pixelRatio);
        }
    };

    static constexpr int Most = 200;
    QCache<Frame, QPixmap> m_known{ Most };
};

} // namespace lockui
