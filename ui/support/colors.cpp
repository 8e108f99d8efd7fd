// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/colors.h"

namespace lockui {

QColor blend(const QColor &under, const QColor &over, qreal part)
{
    const auto mix = [part](int a, int b) { return qRound(a + (b - a) * part); };
    return { mix(under.red(), over.red()), mix(under.green(), over.green()), mix(under.blue(), over.blue()) };
}

} // namespace lockui
