// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/widgets.h"

#include "ui/support/display_text.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>

namespace lockui {

QLabel *plainLabel(const QString &role, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", role);
    return label;
}

void makePlain(QWidget &dialog)
{
    for (QLabel *label : dialog.findChildren<QLabel *>())
        label->setTextFormat(Qt::PlainText);
}

void setStyleProperty(QWidget &widget, const char *name, const QString &value)
{
    if (widget.property(name).toString() == value)
        return;
    widget.setProperty(name, value);
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
    widget.update();
}

ElidedLabel::ElidedLabel(const QString &role, QWidget *parent)
    : QWidget(parent)
{
    setProperty("role", role);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return { fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2 };
}

QSize ElidedLabel::minimumSizeHint() const
{
    return { std::min(sizeHint().width(), fontMetrics().averageCharWidth() * 6), sizeHint().height() };
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(m_text, m_elide, width());
    QStringList tip{ shown == m_text ? QString() : m_text, m_explanation };
    tip.removeAll(QString());
    setToolTip(plainToolTip(tip.join(QLatin1Char('\n'))));
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, shown);
}

} // namespace lockui
