// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_list_delegate.h"

#include "ui/support/theme.h"

#include <QPainter>

namespace lockui {

ScenarioListDelegate::ScenarioListDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

QSize ScenarioListDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    return { 0, index.data(Detail).toString().isEmpty() ? 28 : 46 };
}

void ScenarioListDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString detail = index.data(Detail).toString();
    const bool isBroken = index.data(IsBroken).toBool();
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF place = QRectF(option.rect).adjusted(0.5, 1.5, -0.5, -1.5);
    if (isSelected || option.state & QStyle::State_MouseOver) {
        const bool hasFocus = isSelected && option.state & QStyle::State_HasFocus;
        painter->setPen(hasFocus ? QPen(m_theme.colors().accent) : QPen(Qt::NoPen));
        painter->setBrush(isSelected ? m_theme.colors().selection : m_theme.colors().hover);
        painter->drawRoundedRect(place, 4, 4);
    }
    const QRect inner = option.rect.adjusted(10, 5, -8, -5);
    const auto draw = [&](const QString &text, const QFont &font, Tone tone, int at) {
        painter->setFont(font);
        painter->setPen(m_theme.ink(tone));
        painter->drawText(
            inner, at | Qt::TextSingleLine, QFontMetrics(font).elidedText(text, Qt::ElideRight, inner.width()));
    };
    const QString sign = QStringLiteral("⚠ ");
    if (detail.isEmpty()) {
        draw((isBroken ? sign : QString()) + index.data().toString(), m_theme.uiFont(),
            isBroken ? Tone::Danger : Tone::Normal, Qt::AlignVCenter);
    } else {
        QFont small = m_theme.uiFont();
        small.setPixelSize(12);
        draw(index.data().toString(), m_theme.uiFont(), Tone::Normal, Qt::AlignTop);
        draw((isBroken ? sign : QString()) + detail, small, isBroken ? Tone::Danger : Tone::Muted, Qt::AlignBottom);
    }
    painter->restore();
}

} // namespace lockui
