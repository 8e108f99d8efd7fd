// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/colors.h"

#include <QFont>
#include <QObject>

class QApplication;

namespace lockui {

/// What a piece of text means; the theme turns it into a colour.
enum class Tone { Normal, Muted, Accent, Waiting, Good, Fixed, Warning, Danger };

/// Light or dark: palette, style sheet and fonts of the whole program.
class Theme : public QObject {
    Q_OBJECT
public:
    enum Mode { System, Light, Dark };

    explicit Theme(QApplication &application);

    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    const Colors &colors() const { return m_colors; }
    QColor color(Tone tone) const;
    const QFont &uiFont() const { return m_uiFont; }
    const QFont &monoFont() const { return m_monoFont; }

Q_SIGNALS:
    void changed();

private:
    void apply();

    QApplication &m_application;
    bool m_systemIsDark = false;
    Mode m_mode = System;
    Colors m_colors;
    QFont m_uiFont;
    QFont m_monoFont;
};

} // namespace lockui
