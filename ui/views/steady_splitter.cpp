// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/steady_splitter.h"

#include <QEvent>

namespace lockui {

SteadySplitter::SteadySplitter(QWidget &above, QWidget &below, QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_above(above)
{
    addWidget(&above);
    addWidget(&below);
    setChildrenCollapsible(false);
    below.installEventFilter(this);
}

bool SteadySplitter::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Enter)
        m_held = { m_above.height(), window()->size() };
    else if (event->type() == QEvent::Leave || event->type() == QEvent::Hide)
        m_held.reset();
    return QSplitter::eventFilter(watched, event);
}

void SteadySplitter::resizeEvent(QResizeEvent *event)
{
    QSplitter::resizeEvent(event);
    if (m_held && m_held->window == window()->size())
        setSizes({ m_held->above, height() - handleWidth() - m_held->above });
}

} // namespace lockui
