// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>

namespace lockui {

/// A label that never reads its text as HTML; `role` is for the style sheet.
QLabel *plainLabel(const QString &role, QWidget *parent = nullptr);

/// For a dialog of Qt's own, once all its text is set: a message box takes the text format for its first label alone.
void makePlain(QWidget &dialog);

/// For the style sheet, which looks at properties only when told to.
void setStyleProperty(QWidget &widget, const char *name, const QString &value);

/// A label of one line that is cut with an ellipsis rather than forcing its window to be wide.
class ElidedLabel : public QWidget {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString &role, QWidget *parent = nullptr);

    void setElideMode(Qt::TextElideMode mode) { m_elide = mode; }

    void setText(const QString &text);
    void setExplanation(const QString &explanation) { m_explanation = explanation; } // in the tooltip, always
    const QString &text() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_text;
    QString m_explanation;
    Qt::TextElideMode m_elide = Qt::ElideRight;
};

} // namespace lockui
