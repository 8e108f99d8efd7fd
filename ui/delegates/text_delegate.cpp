// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/text_delegate.h"

#include "ui/models/roles.h"
#include "ui/support/display_text.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QWidget>

namespace lockui {

TextDelegate::TextDelegate(const RowStyle &style, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_style(style)
{
}

void TextDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Colors &colors = m_style.theme.colors();
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, colors.selection);
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, colors.hover);
    painter->fillRect(
        QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), m_style.theme.colors().line);
    const bool focused = option.widget != nullptr && option.widget->hasFocus();
    if (focused && option.state.testFlag(QStyle::State_Selected)) // the whole row: it is chosen as one
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom() - 1, option.rect.width(), 2), colors.accent);
    paintContent(*painter, option.rect.adjusted(m_style.padding, 0, -m_style.padding / 2, -1), index);
    painter->restore();
}

QSize TextDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QFontMetrics metrics(fontOf(index));
    return { metrics.horizontalAdvance(index.data().toString()) + 2 * m_style.padding, m_style.rowHeight };
}

bool TextDelegate::helpEvent(
    QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const bool isCut = option.rect.width() < sizeHint(option, index).width() - m_style.padding / 2;
    if (event->type() != QEvent::ToolTip || !isCut || !index.data(Qt::ToolTipRole).toString().isEmpty())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QToolTip::showText(event->globalPos(), plainToolTip(index.data().toString()), view);
    return true;
}

void TextDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    paintText(painter, cell, index, toneColor(static_cast<Tone>(index.data(ToneRole).toInt()), index));
}

void TextDelegate::paintText(QPainter &painter, const QRect &rect, const QModelIndex &index, const QColor &color) const
{
    painter.setFont(fontOf(index));
    painter.setPen(color);
    painter.setLayoutDirection(Qt::LeftToRight);
    // Names and ids differ at their ends: `…:pay`, `…:41`.
    const auto elide = index.data(MonoRole).toBool() ? Qt::ElideMiddle : Qt::ElideRight;
    const QString text = painter.fontMetrics().elidedText(index.data().toString(), elide, rect.width());
    painter.drawText(rect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
}

QFont TextDelegate::fontOf(const QModelIndex &index) const
{
    QFont font = index.data(MonoRole).toBool() ? m_style.theme.monoFont() : m_style.theme.uiFont();
    if (index.data(StrongRole).toBool())
        font.setWeight(QFont::DemiBold);
    font.setItalic(index.data(ItalicRole).toBool());
    return font;
}

QColor TextDelegate::toneColor(Tone tone, const QModelIndex &index) const
{
    const bool stale = m_style.stale || index.data(StaleRole).toBool();
    return stale ? blend(backgroundColor(), m_style.theme.colors().muted, 0.8) : m_style.theme.color(tone);
}

QColor TextDelegate::backgroundColor() const
{
    return m_style.onWindow ? m_style.theme.colors().window : m_style.theme.colors().surface;
}

} // namespace lockui
