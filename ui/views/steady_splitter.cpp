// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/steady_splitter.h"

#include <QEvent>

#include <utility>

namespace lockui {

SteadySplitter::SteadySplitter(QWidget &above, QWidget &below, Steady steady, QWidget *parent)
    : QSplitter(Qt::Vertical, parent)
    , m_above(above)
    , m_steady(steady)
{
    addWidget(&above);
    addWidget(&below);
    setChildrenCollapsible(false);
    if (steady == Steady::WhilePointed)
        below.installEventFilter(this);
}

bool SteadySplitter::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Enter)
        m_pointed = { m_above.height(), window()->size() };
    else if (event->type() == QEvent::Leave || event->type() == QEvent::Hide)
        m_pointed.reset();
    return QSplitter::eventFilter(watched, event);
}

void SteadySplitter::resizeEvent(QResizeEvent *event)
{
    const Place before{ m_above.height(), std::exchange(m_window, window()->size()) };
    const auto kept = m_steady == Steady::Always ? std::optional(before) : m_pointed;
    if (kept && kept->window == window()->size())
        setSizes({ kept->above, height() - handleWidth() - kept->above }); // at once: what is at its end would scroll
    else
        QSplitter::resizeEvent(event);
}

} // namespace lockui
