// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

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

} // namespace lockui
