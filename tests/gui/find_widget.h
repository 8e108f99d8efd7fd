// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace lockui::test {

/// By its accessible name; null: there is none.
template <typename Widget>
Widget *named(const QWidget &parent, const QString &accessibleName)
{
    for (Widget *each : parent.findChildren<Widget *>()) {
        if (each->accessibleName() == accessibleName)
            return each;
    }
    return nullptr;
}

/// A visible one whose text contains this; null: there is none.
template <typename Widget>
const Widget *saying(const QWidget &parent, const QString &text)
{
    for (const Widget *each : parent.findChildren<Widget *>()) {
        if (each->isVisible() && each->text().contains(text))
            return each;
    }
    return nullptr;
}

/// By its text without the mark of a short cut; null: there is none.
inline QAbstractButton *button(const QWidget &parent, const QString &text)
{
    for (QAbstractButton *each : parent.findChildren<QAbstractButton *>()) {
        if (each->text().remove(QLatin1Char('&')) == text)
            return each;
    }
    return nullptr;
}

} // namespace lockui::test
