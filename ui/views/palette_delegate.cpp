// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/palette_delegate.h"

#include "ui/models/palette_model.h"
#include "ui/models/roles.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace lockui {

namespace {

constexpr int PaletteInset = 14;
constexpr int IconSize = 16;
constexpr int PaletteSpacing = 10;
constexpr int MostOfNote = 260;

QString iconOf(PaletteKind kind)
{
    switch (kind) {
    case PaletteKind::Action:
        return QStringLiteral("action");
    case PaletteKind::Page:
        return QStringLiteral("page");
    case PaletteKind::Lock:
        return QStringLiteral("lock");
    case PaletteKind::Chapter:
        return QStringLiteral("guide");
    }
    return {};
}

/// A piece of a text, with an ellipsis where something is left out.
struct Piece {
    QString text;
    int skipped = 0; // letters before it
    int marks = 0; // letters of the ellipsis before it
};

/// As much of the text as has room, and of a long one a piece in which the first letter that matches is to be seen.
Piece pieceOf(const QString &text, int firstMatch, const QFontMetrics &metrics, int room)
{
    constexpr int LeadIn = 6; // letters before the match, so that it is clear where it stands
    if (metrics.horizontalAdvance(text) <= room)
        return { text, 0, 0 };
    const QString start = metrics.elidedText(text, Qt::ElideRight, room);
    if (firstMatch < start.size() - 2)
        return { start, 0, 0 };
    const QString end = metrics.elidedText(text, Qt::ElideLeft, room);
    const auto skippedOfEnd = static_cast<int>(text.size() - end.size()) + 1;
    if (firstMatch >= skippedOfEnd)
        return { end, skippedOfEnd, 1 };
    const int skipped = std::max(0, firstMatch - LeadIn);
    return { metrics.elidedText(QChar(0x2026) + text.mid(skipped), Qt::ElideRight, room), skipped, 1 };
}

} // namespace

PaletteDelegate::PaletteDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const { return { 200, RowHeight }; }

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Colors &colors = m_theme.colors();
    const bool isReady = index.data(PaletteModel::IsReadyRole).toBool();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QColor ground = selected                       ? colors.selection
        : option.state.testFlag(QStyle::State_MouseOver) ? colors.hover
                                                         : colors.window;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(ground);
    painter->drawRoundedRect(QRectF(option.rect).adjusted(6, 1, -6, -1), 6, 6);
    QRect row = option.rect.adjusted(PaletteInset, 0, -PaletteInset, 0);

    const auto kind = static_cast<PaletteKind>(index.data(PaletteModel::KindRole).toInt());
    const QRect icon(row.left(), row.center().y() - IconSize / 2 + 1, IconSize, IconSize);
    tintedIcon(iconOf(kind), isReady ? colors.muted : blend(ground, colors.muted, 0.6)).paint(painter, icon);
    row.setLeft(icon.right() + PaletteSpacing);

    row.setRight(paintKeys(*painter, row, index.data(PaletteModel::KeysRole).toString(), colors.muted));
    QFont small = m_theme.uiFont();
    small.setPixelSize(12);
    painter->setFont(small);
    painter->setPen(colors.muted);
    const QString note = painter->fontMetrics().elidedText(
        index.data(PaletteModel::NoteRole).toString(), Qt::ElideRight, std::min(MostOfNote, row.width() / 2));
    painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, note);
    row.setRight(row.right() - painter->fontMetrics().horizontalAdvance(note) - 2 * PaletteSpacing);

    paintText(*painter, row, index, isReady ? colors.text : blend(ground, colors.muted, 0.8));
    painter->restore();
}

/// Each as a small key, from the right. Gives where what stands before them ends.
int PaletteDelegate::paintKeys(QPainter &painter, const QRect &row, const QString &keys, const QColor &color) const
{
    if (keys.isEmpty())
        return row.right();
    QFont font = m_theme.uiFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const int width = painter.fontMetrics().horizontalAdvance(keys) + 12;
    const QRectF cap(row.right() - width + 0.5, row.center().y() - 8.5, width, 18);
    painter.setPen(QPen(m_theme.colors().border, 1));
    painter.setBrush(m_theme.colors().field);
    painter.drawRoundedRect(cap, 4, 4);
    painter.setPen(color);
    painter.drawText(cap, Qt::AlignCenter, keys);
    return qRound(cap.left()) - PaletteSpacing;
}

void PaletteDelegate::paintText(
    QPainter &painter, const QRect &rect, const QModelIndex &index, const QColor &color) const
{
    const QFont font = index.data(MonoRole).toBool() ? m_theme.monoFont() : m_theme.uiFont();
    QFont bold = font;
    bold.setWeight(QFont::Bold);
    const QVariantList places = index.data(PaletteModel::PlacesRole).toList();
    const int first = places.isEmpty() ? 0 : places.front().toInt();
    const Piece piece = pieceOf(index.data().toString(), first, QFontMetrics(bold), rect.width());

    QList<QTextLayout::FormatRange> matches;
    for (const QVariant &place : places) {
        QTextLayout::FormatRange match{ place.toInt() - piece.skipped + piece.marks, 1, {} };
        match.format.setFontWeight(QFont::Bold);
        if (match.start >= piece.marks && match.start < piece.text.size())
            matches << match;
    }
    QTextLayout layout(piece.text, font);
    QTextOption option;
    option.setTextDirection(Qt::LeftToRight);
    option.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(option);
    layout.setFormats(matches);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    painter.setPen(color);
    layout.draw(&painter, QPointF(rect.left(), rect.center().y() - line.height() / 2 + 1));
}

} // namespace lockui
