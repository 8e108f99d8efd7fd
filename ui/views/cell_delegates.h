// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QFont>
#include <QHash>
#include <QStyledItemDelegate>
#include <utility>

class QTableView;

namespace lockui {

class RowGlow;

/// How the rows of one table are painted; shared by its delegates.
struct RowStyle {
    const Theme &theme;
    int rowHeight = 29;
    int padding = 10;
    bool onWindow = false; // in a panel instead of on the table's surface
    bool stale = false; // was true once: everything in grey
    const RowGlow *glow = nullptr; // of rows that have just changed; null: none does
};

/// A table whose rows light up whole below the pointer: it is chosen as one.
class RowHover {
public:
    virtual int hoveredRow() const = 0; // -1: none

protected:
    ~RowHover() = default;
};

/// The part in `cell` of a row that stands for a group: its title goes over all columns. Needs GroupRole and FoldRole.
void paintGroupCell(QPainter &painter, const QRect &cell, const QTableView &table, const QModelIndex &index,
    const RowStyle &style, bool isStale);

/// Whether a click there folds the group.
bool isOnFoldSign(const QTableView &table, const QPoint &place);

/// How far rows stand to the right of the title of their group, a step.
constexpr int GroupIndent = 20;

/// How wide texts are. To measure one takes as long as to draw it, and a table is asked for the same ones frame after
/// frame.
class TextWidths {
public:
    int of(const QString &text, const QFont &font);

private:
    QHash<std::pair<QString, QFont>, int> m_known; // pixels
};

/// One line of text in the tone that the model names.
class TextDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit TextDelegate(const RowStyle &style, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
        const QModelIndex &index) override; // what is cut is told whole

protected:
    /// In the cell's padding; the background is there already.
    virtual void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const;

    void paintText(QPainter &painter, const QRect &rect, const QModelIndex &index, const QColor &color) const;
    QString fitting(const QModelIndex &index, const QFont &font, int room) const; // the shorter text, where it must be
    int widthOf(const QString &text, const QFont &font) const { return m_widths.of(text, font); }
    QFont fontOf(const QModelIndex &index) const;
    QColor toneColor(Tone tone, const QModelIndex &index) const; // of a shape; grey when stale
    QColor toneInk(Tone tone, const QModelIndex &index) const; // of text; grey when stale
    bool isStale(const QModelIndex &index) const;
    QColor backgroundColor() const;
    const RowStyle &rowStyle() const { return m_style; }

private:
    const RowStyle &m_style;
    mutable TextWidths m_widths;
};

/// A word in a pill; plain muted text where the model names no BadgeToneRole.
class StateBadgeDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;
};

/// A text with a sign of warning before it where the model suspects something.
class SuspectDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;
};

/// A bar as long as its ShareRole of its part of the cell, and the text behind it.
class ShareBarDelegate : public TextDelegate {
    Q_OBJECT
public:
    /// `longest`: the text that is never cut; empty: each has half the cell.
    explicit ShareBarDelegate(
        const RowStyle &style, QObject *parent = nullptr, Tone tone = Tone::Waiting, const QString &longest = {})
        : TextDelegate(style, parent)
        , m_tone(tone)
        , m_longest(longest)
    {
    }

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;

private:
    const Tone m_tone; // of the bar
    const QString m_longest;
};

/// A bar of the time left, and the same as text. Needs TtlRole, FullTtlRole and TtlStateRole.
class TtlBarDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;

private:
    void paintBar(QPainter &painter, const QRect &bar, qreal part, const QColor &color) const;
    void paintWarning(QPainter &painter, const QPoint &center, const QColor &color) const;
};

} // namespace lockui
