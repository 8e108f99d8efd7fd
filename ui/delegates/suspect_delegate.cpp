// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/suspect_delegate.h"

#include "ui/models/roles.h"
#include "ui/support/theme.h"

#include <QPainter>

namespace lockui {

void SuspectDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    constexpr int Size = 14;
    if (!index.data(SuspectRole).isValid())
        return TextDelegate::paintContent(painter, cell, index);
    const QRect sign(cell.left(), cell.center().y() - Size / 2, Size, Size);
    tintedIcon(QStringLiteral("warning"), toneColor(Tone::Warning, index)).paint(&painter, sign);
    TextDelegate::paintContent(painter, cell.adjusted(Size + 6, 0, 0, 0), index);
}

} // namespace lockui
