// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

class QColor;

namespace lockui {

/// The icon `name` of resources/icons in one colour, sharp at every scale.
QIcon tintedIcon(const QString &name, const QColor &color);

} // namespace lockui
