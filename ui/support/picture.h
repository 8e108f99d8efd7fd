// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QImage>
#include <QString>
#include <QWidget>

#include <string>
#include <vector>

class QPainter;

namespace lockui {

/// What widgets show, one below the other as they are on the screen, to be taken elsewhere: under a title, and a line
/// that says of what and when it is. The widgets must be there until it has been made.
struct Picture {
    const Theme &theme;
    QString title;
    QString subtitle;
    std::vector<const QWidget *> parts; // from the top; hidden ones, too, in the size that they have
    QColor background;

    QImage image() const; // twice as fine as on a usual screen
    std::string png() const;
    std::string svg() const; // its text is text

private:
    struct Heading {
        QRect title;
        QRect subtitle;
        int height;
    };

    std::vector<QWidget *> shownParts() const;
    QFont titleFont() const;
    QFont subtitleFont() const;
    Heading heading() const;
    int width() const;
    QSize size() const;
    void paint(QPainter &painter) const;
};

} // namespace lockui
