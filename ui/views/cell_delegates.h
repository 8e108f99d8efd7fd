// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/views/laid_out_texts.h"

#include <QCache>
#include <QColor>
#include <QFont>
#include <QHash>
#include <QPixmap>
#include <QRgb>
#include <QStyledItemDelegate>

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

    QColor background() const { return onWindow ? theme.colors().window : theme.colors().surface; }
};

/// The part in `cell` of a row that stands for a group: its title goes over all columns. Needs GroupRole and FoldRole.
void paintGroupCell(QPainter &painter, const QRect &cell, const QTableView &table, const QModelIndex &index,
    const RowStyle &style, bool isStale);

/// Whether a click there folds the group.
bool isOnFoldSign(const QTableView &table, const QPoint &place);

/// How far rows stand to the right of the title of their group, a step.
constexpr int GroupIndent = 20;

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
    /// In the cell's padding; the ground of the row is there already, see DataTable.
    virtual void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const;

    void paintText(QPainter &painter, const QRect &rect, const QModelIndex &index, const QColor &color) const;
    QString fitting(const QModelIndex &index, const QFont &font, int room) const; // the shorter text, where it must be
    int widthOf(const QString &text, const QFont &font) const { return m_texts.widthOf(text, font); }
    void drawText(QPainter &painter, const QRect &place, const QString &text, const QFont &font) const
    {
        m_texts.draw(painter, place, text, font);
    }
    QFont fontOf(const QModelIndex &index) const;
    QColor toneColor(Tone tone, const QModelIndex &index) const; // of a shape; grey when stale
    QColor toneInk(Tone tone, const QModelIndex &index) const; // of text; grey when stale
    bool isStale(const QModelIndex &index) const;
    const RowStyle &rowStyle() const { return m_style; }

private:
    const RowStyle &m_style;
    mutable LaidOutTexts m_texts;
};

/// Frames of badges, round at the corners: to smooth the edges takes longer than all else of a cell.
class BadgeFrames {
public:
    static constexpr int Height = 19;

    void draw(QPainter &painter, const QPoint &topLeft, int width, const QColor &edge, const QColor &ground);

private:
    struct Frame {
        int width;
        QRgb edge;
        QRgb ground;
        qreal pixelRatio;

        bool operator==(const Frame &) const = default;
        friend size_t qHash(const Frame &frame, size_t seed = 0)
        {
            return qHashMulti(seed, frame.width, frame.edge, frame.ground, frame.pixelRatio);
        }
    };

    static constexpr int Most = 200;
    QCache<Frame, QPixmap> m_known{ Most };
};

/// A word in a pill; plain muted text where the model names no BadgeToneRole.
class StateBadgeDelegate : public TextDelegate {
    Q_OBJECT
public:
    using TextDelegate::TextDelegate;

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override;

private:
    mutable BadgeFrames m_frames;
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
