// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/cell_delegates.h"

#include "ui/models/roles.h"
#include "ui/support/lock_tone.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPaintDevice>
#include <QPainter>
#include <QPainterPath>
#include <QTableView>
#include <QToolTip>

#include <algorithm>
#include <memory>

namespace lockui {

namespace {

QString cut(const QModelIndex &index, const QString &text, const QFontMetrics &metrics, int room)
{
    const QString name = index.data(ClientNameRole).toString();
    if (!name.isEmpty())
        return elidedOwner(text, name, metrics, room);
    const bool isName = index.data(MonoRole).toBool() && !index.data(WordsRole).toBool();
    return isName ? elided(text, metrics, room) : metrics.elidedText(text, Qt::ElideRight, room);
}

constexpr int FoldSignRoom = 16;
constexpr int BetweenTexts = 10;

void paintFoldSign(QPainter &painter, const QPointF &center, bool open, const QColor &color)
{
    const QPolygonF right({ { -2.5, -4 }, { 3, 0 }, { -2.5, 4 } });
    const QPolygonF down({ { -4, -2.5 }, { 4, -2.5 }, { 0, 3 } });
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon((open ? down : right).translated(center));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// What a group is called, and what is said of it, beginning at the left; the rest of the place is left.
class TitleLine {
public:
    TitleLine(QPainter &painter, const QRect &room)
        : m_painter(painter)
        , m_room(room)
    {
    }

    void add(const QString &text, const QFont &font, const QColor &color)
    {
        if (text.isEmpty() || m_room.width() <= 0)
            return;
        m_painter.setFont(font);
        m_painter.setPen(color);
        const QString fitting = m_painter.fontMetrics().elidedText(text, Qt::ElideMiddle, m_room.width());
        m_painter.drawText(m_room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, fitting);
        m_room.setLeft(m_room.left() + m_painter.fontMetrics().horizontalAdvance(fitting) + BetweenTexts);
    }

private:
    QPainter &m_painter;
    QRect m_room;
};

} // namespace

void paintGroupCell(QPainter &painter, const QRect &cell, const QTableView &table, const QModelIndex &index,
    const RowStyle &style, bool isStale)
{
    const QStringList texts = index.data(GroupRole).toStringList();
    if (texts.size() != 4)
        return;
    const Colors &colors = style.theme.colors();
    const auto ink = [&](Tone tone) { return style.theme.ink(isStale ? Tone::Muted : tone); };
    const QRect row(table.columnViewportPosition(0), cell.top(), table.viewport()->width(), cell.height());
    painter.setClipRect(cell, Qt::IntersectClip);
    painter.setLayoutDirection(Qt::LeftToRight);
    paintFoldSign(painter, QPointF(row.left() + style.padding + 4, row.center().y() + 0.5),
        index.data(FoldRole).toInt() == int(Fold::Open), colors.muted);
    QFont title = index.data(MonoRole).toBool() ? style.theme.monoFont() : style.theme.uiFont();
    title.setWeight(QFont::DemiBold);
    QFont small = style.theme.uiFont();
    small.setPixelSize(12);
    TitleLine line(painter, row.adjusted(style.padding + FoldSignRoom, 0, -style.padding, 0));
    line.add(texts[0], title, ink(Tone::Normal));
    line.add(texts[1], style.theme.monoFont(), ink(Tone::Muted));
    line.add(texts[2], small, ink(Tone::Muted));
    line.add(texts[3].isEmpty() ? QString() : BulletList::warning(texts[3]), small, ink(Tone::Warning));
}

bool isOnFoldSign(const QTableView &table, const QPoint &place)
{
    const QModelIndex index = table.indexAt(place);
    return index.isValid() && index.data(FoldRole).isValid()
        && place.x() < table.columnViewportPosition(0) + FoldSignRoom + 10;
}

TextDelegate::TextDelegate(const RowStyle &style, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_style(style)
{
}

void TextDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *table = qobject_cast<const QTableView *>(option.widget);
    painter->save();
    if (table != nullptr && index.data(GroupRole).isValid()) {
        paintGroupCell(*painter, option.rect, *table, index, m_style, m_style.stale);
    } else {
        const int indent = index.data(IndentRole).toInt() * GroupIndent;
        paintContent(*painter, option.rect.adjusted(m_style.padding + indent, 0, -m_style.padding / 2, -1), index);
    }
    painter->restore();
}

QSize TextDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    return { widthOf(index.data().toString(), fontOf(index)) + 2 * m_style.padding, m_style.rowHeight };
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
    paintText(painter, cell, index, toneInk(static_cast<Tone>(index.data(ToneRole).toInt()), index));
}

void TextDelegate::paintText(QPainter &painter, const QRect &rect, const QModelIndex &index, const QColor &color) const
{
    const QFont font = fontOf(index);
    painter.setPen(color);
    QString text = fitting(index, font, rect.width());
    if (widthOf(text, font) > rect.width())
        text = cut(index, text, QFontMetrics(font), rect.width());
    drawText(painter, rect, text, font);
}

QString TextDelegate::fitting(const QModelIndex &index, const QFont &font, int room) const
{
    const QString whole = index.data().toString();
    const QString shorter = widthOf(whole, font) > room ? index.data(ShortTextRole).toString() : QString();
    return shorter.isEmpty() ? whole : shorter;
}

QFont TextDelegate::fontOf(const QModelIndex &index) const
{
    // A font in which anything is set, even to what it is, has its glyphs looked up anew.
    QFont font = index.data(MonoRole).toBool() ? m_style.theme.monoFont() : m_style.theme.uiFont();
    if (index.data(StrongRole).toBool())
        font.setWeight(QFont::DemiBold);
    if (index.data(ItalicRole).toBool())
        font.setItalic(true);
    return font;
}

QColor TextDelegate::toneColor(Tone tone, const QModelIndex &index) const
{
    return isStale(index) ? blend(rowStyle().background(), m_style.theme.colors().muted, 0.8)
                          : m_style.theme.color(tone);
}

QColor TextDelegate::toneInk(Tone tone, const QModelIndex &index) const
{
    return m_style.theme.ink(isStale(index) ? Tone::Muted : tone);
}

bool TextDelegate::isStale(const QModelIndex &index) const { return m_style.stale || index.data(StaleRole).toBool(); }

void ShareBarDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    constexpr int Height = 8;
    const int text = widthOf(m_longest, fontOf(index)) + rowStyle().padding;
    const int room = std::max(0, std::min(cell.width() / 2, cell.width() - text));
    const int length = std::max(2, qRound(index.data(ShareRole).toDouble() * room));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(toneColor(m_tone, index));
    painter.drawRoundedRect(QRect(cell.left(), cell.center().y() - Height / 2 + 1, length, Height), 2, 2);
    paintText(painter, cell.adjusted(room + rowStyle().padding, 0, 0, 0), index, toneInk(Tone::Normal, index));
}

void BadgeFrames::draw(QPainter &painter, const QPoint &topLeft, int width, const QColor &edge, const QColor &ground)
{
    const Frame key{ width, edge.rgba(), ground.rgba(), painter.device()->devicePixelRatioF() };
    const QPixmap *frame = m_known.object(key);
    if (frame == nullptr) {
        auto added = std::make_unique<QPixmap>(QSize(width + 1, Height) * key.pixelRatio);
        added->setDevicePixelRatio(key.pixelRatio);
        added->fill(Qt::transparent);
        QPainter drawing(added.get());
        drawing.setRenderHint(QPainter::Antialiasing);
        drawing.setPen(QPen(edge, 1));
        drawing.setBrush(ground);
        drawing.drawRoundedRect(QRectF(0.5, 0.5, width, Height - 1), 4, 4);
        drawing.end();
        frame = added.get();
        m_known.insert(key, added.release());
    }
    painter.drawPixmap(topLeft, *frame);
}

void StateBadgeDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    const QVariant badge = index.data(BadgeToneRole);
    if (!badge.isValid()) {
        paintText(painter, cell, index, toneInk(Tone::Muted, index));
        return;
    }
    const QColor color = toneColor(static_cast<Tone>(badge.toInt()), index);
    QFont font = rowStyle().theme.uiFont();
    font.setPixelSize(11);
    constexpr int Edges = 12;
    const int room = cell.width() - Edges;
    QString text = fitting(index, font, room);
    if (widthOf(text, font) > room)
        text = QFontMetrics(font).elidedText(text, Qt::ElideRight, room);
    const int width = widthOf(text, font) + Edges;
    const QRect frame(cell.left(), cell.center().y() - BadgeFrames::Height / 2, width, BadgeFrames::Height);
    m_frames.draw(painter, frame.topLeft(), width, blend(rowStyle().background(), color, 0.55),
        blend(rowStyle().background(), color, 0.14));
    painter.setPen(toneInk(static_cast<Tone>(badge.toInt()), index));
    drawText(painter, frame.adjusted(Edges / 2, 0, 0, 0), text, font);
}

void SuspectDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    constexpr int Size = 14;
    if (!index.data(SuspectRole).isValid())
        return TextDelegate::paintContent(painter, cell, index);
    const QRect sign(cell.left(), cell.center().y() - Size / 2, Size, Size);
    tintedIcon(QStringLiteral("warning"), toneColor(Tone::Warning, index)).paint(&painter, sign);
    TextDelegate::paintContent(painter, cell.adjusted(Size + 6, 0, 0, 0), index);
}

void TtlBarDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    const auto state = static_cast<TtlState>(index.data(TtlStateRole).toInt());
    const QColor tone = toneColor(toneOf(state), index);
    if (state == TtlState::Free) {
        paintText(painter, cell, index, toneInk(Tone::Muted, index));
        return;
    }
    constexpr int MarkSpace = 18;
    if (state == TtlState::NoExpiry) {
        paintWarning(painter, QPoint(cell.left() + 6, cell.center().y()), tone);
        paintText(painter, cell.adjusted(MarkSpace, 0, 0, 0), index, toneInk(toneOf(state), index));
        return;
    }
    constexpr int TextSpace = 80; // "49 m 53 s"
    const int barWidth = std::clamp(cell.width() - TextSpace, 24, 92);
    const qint64 full = std::max<qint64>(1, index.data(FullTtlRole).toLongLong());
    const qreal part = std::clamp(qreal(index.data(TtlRole).toLongLong()) / qreal(full), 0.0, 1.0);
    paintBar(painter, QRect(cell.left(), cell.center().y() - 2, barWidth, 6), part, tone);
    const QRect text = cell.adjusted(barWidth + 8, 0, 0, 0);
    const bool alarming = state == TtlState::Late || state == TtlState::Expiring;
    paintText(painter, text, index, toneInk(alarming ? Tone::Warning : Tone::Normal, index));
}

void TtlBarDelegate::paintBar(QPainter &painter, const QRect &bar, qreal part, const QColor &color) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(rowStyle().theme.colors().faint);
    painter.drawRoundedRect(bar, 3, 3);
    const qreal width = std::max(4.0, bar.width() * part);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(bar.left(), bar.top(), width, bar.height()), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TtlBarDelegate::paintWarning(QPainter &painter, const QPoint &center, const QColor &color) const
{
    QPainterPath triangle;
    triangle.moveTo(center.x(), center.y() - 5);
    triangle.lineTo(center.x() + 6, center.y() + 5);
    triangle.lineTo(center.x() - 6, center.y() + 5);
    triangle.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(triangle, color);
    painter.setPen(QPen(rowStyle().background(), 1.6));
    painter.drawLine(QPointF(center.x(), center.y() - 1.5), QPointF(center.x(), center.y() + 1.5));
    painter.drawPoint(QPointF(center.x(), center.y() + 3.6));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lockui
