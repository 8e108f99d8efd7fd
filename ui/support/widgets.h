// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <QDeadlineTimer>
#include <QLabel>
#include <QWidget>

#include <initializer_list>
#include <set>
#include <vector>

class QAbstractButton;
class QComboBox;
class QDialog;
class QGridLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace lockui {

/// A label that never reads its text as HTML; `role` is for the style sheet.
QLabel *plainLabel(const QString &role, QWidget *parent = nullptr);

/// Has the ground and the line below of the bar at the head of a page.
void makeBar(QWidget &widget);

/// For one that paints all of its ground itself: what is below it need not be painted. A ground that comes from a style
/// sheet is never known to hide that. Where it is scrolled, what was painted is moved, and not painted anew.
void makeOpaque(QWidget &widget);

/// For a dialog of Qt's own, once all its text is set: a message box takes the text format for its first label alone.
void makePlain(QWidget &dialog);

/// Once it is closed the window that had the keys before has them again: a window manager gives them to the main
/// window.
void giveKeysBackAfter(QDialog &dialog);

/// Of a button that is no default one: Enter presses it where a person has gone to it.
void pressByEnter(QPushButton &button);

/// Of buttons that come to mean something else, or to stand where another one stood: for as long as a double click
/// takes, a press was aimed at what was there before. A key that is held down presses none of them.
class PressGuard : public QObject {
    Q_OBJECT
public:
    PressGuard(std::initializer_list<QAbstractButton *> buttons, QObject *parent);

    void begin(); // they mean something else from now on, also where one is held down

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::vector<QAbstractButton *> m_buttons;
    std::set<QObject *> m_pressed; // also where the mouse was drawn off the button since
    std::set<QObject *> m_held; // of these: since they meant something else
    QDeadlineTimer m_until{ 0 };
};

/// Alt and a letter press a button; where it cannot be pressed, Qt would type the letter into the field.
void keepAltOut(QLineEdit &field);

/// Of a field for a name that others are to recognise: characters that cannot be seen, or turn the direction of text,
/// are left out of what is typed or pasted, and that is said. Other blanks than the usual one become that.
void keepUnseenOut(QLineEdit &field);

/// For a field in which Enter does nothing, as what the button does is grave.
QString enterHint(const QString &button);

/// Qt hands the focus of a control that can be used no more to whatever comes next, and the next Space presses that. It
/// goes to `harmless` instead, where that can have it, before it does.
void takeFocusFrom(const QWidget &control, QWidget &harmless);
void enableSafely(QWidget &control, bool isEnabled, QWidget &harmless);
void showSafely(QWidget &control, bool isShown, QWidget &harmless);

/// The Tab key goes through what is laid out in a grid row by row, whatever was made first.
void tabByRows(QGridLayout &grid);

/// For the style sheet, which looks at properties only when told to.
void setStyleProperty(QWidget &widget, const char *name, const QString &value);

/// A name or an id that may be cut already: it is cut more where it is, and has one ellipsis then.
QString elided(const QString &text, const QFontMetricsF &metrics, double width);

/// An owner beside whom its client's name stands, as namedOwner() has it: the name gives way, then the id; whose thread
/// it is stays whole.
QString elidedOwner(const QString &text, const QString &name, const QFontMetricsF &metrics, double width);

/// A label of one line that is cut with an ellipsis rather than forcing its window to be wide.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString &role, QWidget *parent = nullptr);

    void setElideMode(Qt::TextElideMode mode) { m_elide = mode; }

    void setText(const QString &text);
    /// In its place where there is no room for it: the first that is whole, or the last.
    void setShorterTexts(const QStringList &texts) { m_shorter = texts; }
    void setExplanation(const QString &explanation) { m_explanation = explanation; } // in the tooltip, always
    const QString &text() const { return m_text; }
    QString shownText() const; // as far as there is room
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    QStringList m_shorter;
    QString m_explanation;
    Qt::TextElideMode m_elide = Qt::ElideRight;
};

/// Plain lines, of which those that begin with a bullet or a sign of warning hang: what is wrapped stands under the
/// text, not under the sign. Never reads its text as HTML.
class BulletList : public QWidget {
    Q_OBJECT
public:
    /// `role`, `tone`: of the lines, for the style sheet.
    explicit BulletList(const QString &role, QWidget *parent = nullptr, const QString &tone = {});

    void setText(const QString &text); // a line each
    const QString &text() const { return m_text; }

    static QString item(const QString &text) { return QStringLiteral("•  ") + text; }
    static QString warning(const QString &text) { return QStringLiteral("⚠ ") + text; }

private:
    struct Line {
        QLabel *sign; // null: it does not hang
        QLabel *text;
    };

    Line addLine(const QString &sign);
    QLabel *addLabel();

    const QString m_role;
    const QString m_tone;
    QString m_text;
    QGridLayout *m_layout;
    std::vector<Line> m_lines;
};

/// What changed deep inside is known to the outer layouts only after events that are still to come: now instead.
void renewLayouts(QDialog &dialog);

/// As high as its content needs at its width, wrapped texts included; Qt does that for windows only when first shown.
void fitHeight(QDialog &dialog);

/// A number and its unit, milliseconds or seconds.
class DurationField : public QWidget {
    Q_OBJECT
public:
    DurationField(const QString &accessibleName, lockcore::Millis value, QWidget *parent = nullptr);

    lockcore::Millis value() const;
    void setValue(lockcore::Millis value); // tells changed(), if it is another

Q_SIGNALS:
    void changed();

private:
    QSpinBox *m_number;
    QComboBox *m_unit;
};

} // namespace lockui
