// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/navigation.h"

#include "ui/support/theme.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <cmath>

namespace lockui {

namespace {

constexpr int FigureRole = Qt::UserRole;
constexpr int EntryHeight = 34;
constexpr int Inset = 10;
constexpr int FigureDistance = 4; // at least, from the title
constexpr int Margin = 8; // around the entries, as in the style sheet

class EntryDelegate : public QStyledItemDelegate {
public:
    EntryDelegate(const Theme &theme, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_theme(theme)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        QFont font = m_theme.uiFont();
        font.setWeight(QFont::DemiBold);
        const int figure = QFontMetrics(m_theme.uiFont()).horizontalAdvance(index.data(FigureRole).toString());
        const double title = QFontMetricsF(font).horizontalAdvance(index.data().toString());
        return { 2 * Inset + int(std::ceil(title)) + (figure == 0 ? 0 : Inset + figure), EntryHeight };
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Colors &colors = m_theme.colors();
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(option.state.testFlag(QStyle::State_HasFocus) ? QPen(colors.accent) : QPen(Qt::NoPen));
        painter->setBrush(selected ? QBrush(colors.selection) : hovered ? QBrush(colors.hover) : Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option.rect).adjusted(0.5, 1.5, -0.5, -1.5), 6, 6);
        QFont font = m_theme.uiFont();
        font.setWeight(selected ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->setPen(colors.text);
        const QRect inner = option.rect.adjusted(Inset, 0, -Inset, 0);
        const QString figure = index.data(FigureRole).toString();
        const int figureWidth
            = figure.isEmpty() ? 0 : QFontMetrics(m_theme.uiFont()).horizontalAdvance(figure) + FigureDistance;
        painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeft,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width() - figureWidth));
        painter->setFont(m_theme.uiFont());
        painter->setPen(colors.muted);
        painter->drawText(inner, Qt::AlignVCenter | Qt::AlignRight, figure);
        painter->restore();
    }

private:
    const Theme &m_theme;
};

} // namespace

Navigation::Navigation(const Theme &theme, QWidget *parent)
    : QListWidget(parent)
{
    setProperty("role", QStringLiteral("navigation"));
    setAccessibleName(tr("Pages"));
    setItemDelegate(new EntryDelegate(theme, this));
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void Navigation::addEntry(const QString &title, const QKeySequence &key)
{
    addItem(title);
    if (!key.isEmpty())
        item(count() - 1)->setToolTip(QStringLiteral("%1 (%2)").arg(title, key.toString(QKeySequence::NativeText)));
}

void Navigation::lieDown(bool lies)
{
    setFlow(lies ? LeftToRight : TopToBottom);
    setVerticalScrollBarPolicy(lies ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

int Navigation::rowHeight() const { return EntryHeight + 2 * Margin; }

void Navigation::setFigure(int row, const QString &figure)
{
    if (item(row)->data(FigureRole).toString() == figure)
        return;
    item(row)->setData(FigureRole, figure);
    item(row)->setData(Qt::AccessibleTextRole, QStringLiteral("%1 %2").arg(item(row)->text(), figure));
}

} // namespace lockui
