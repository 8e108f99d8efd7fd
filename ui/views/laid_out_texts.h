// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QFont>
#include <QStaticText>
#include <QString>
#include <utility>

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

} // namespace lockui
