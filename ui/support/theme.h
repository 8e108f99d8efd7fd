// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>

#include <array>
#include <initializer_list>

class QApplication;
class QPaintDevice;

namespace lockui {

/// Colours by what they are for; the names are also those of the style sheet.
struct Colors {
    QColor window; // bars, navigation, detail
    QColor surface; // tables
    QColor field; // buttons, inputs, chips
    QColor fieldHover;
    QColor line;
    QColor border;
    QColor text;
    QColor muted;
    QColor faint; // bar grooves, disabled text
    QColor selection;
    QColor hover;
    QColor accent; // held by a watchdog
    QColor fixed; // a fixed lease
    QColor warning; // expiring or late
    QColor danger; // lost or dangerous
    QColor waiting;
    QColor good;
    bool dark = false;
};

/// `part` of `over` laid on `under`.
QColor blend(const QColor &under, const QColor &over, qreal part);

/// Lines across what was not seen: as thick and as far from each other on every screen, which those of Qt are not.
QBrush hatching(const QColor &color, const QPaintDevice &device);

/// The first of these that can be read on that ground (level AA: a contrast of 4.5), or else the one that can best.
QColor readableOn(const QColor &ground, std::initializer_list<QColor> inks);

/// What a piece of text or a shape means; the theme turns it into a colour.
enum class Tone { Normal, Muted, Accent, Waiting, Good, Fixed, Warning, Danger };

/// `color` for text: moved towards that of plain text as far as it takes to be read on every ground of the window
/// (WCAG 2.1, level AA: a contrast of 4.5), which shapes need not.
QColor inkOf(const QColor &color, const Colors &colors);

/// Light or dark: palette, style sheet and fonts of the whole program.
class Theme : public QObject {
    Q_OBJECT
public:
    enum Mode { System, Light, Dark };

    explicit Theme(QApplication &application);

    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    const Colors &colors() const { return m_colors; }
    QColor color(Tone tone) const; // of a shape
    QColor ink(Tone tone) const { return m_inks[static_cast<std::size_t>(tone)]; } // of text
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
    std::array<QColor, static_cast<std::size_t>(Tone::Danger) + 1> m_inks;
    QFont m_uiFont;
    QFont m_monoFont;
};

/// The program's style sheet. Widgets opt in with the properties `role` (bar, side, title, section, muted, mono, chip,
/// danger, primary, …) and `tone` (accent, fixed, warning, danger, waiting, good).
QString styleSheet(const Colors &colors, const QString &monoFamily);

/// The icon `name` of resources/icons in one colour, sharp at every scale.
QIcon tintedIcon(const QString &name, const QColor &color);

} // namespace lockui
