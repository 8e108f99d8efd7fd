// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/deadlock_banner.h"

#include "ui/support/client_names.h"
#include "ui/support/display_text.h"
#include "ui/support/suspect_text.h"

namespace lockui {

using namespace lockcore;

DeadlockBanner::DeadlockBanner(const Theme &theme, const ClientNames &names, QWidget *parent)
    : Banner(theme, Tone::Danger, parent)
    , m_names(names)
{
    setAction(tr("Show the lock"));
    connect(this, &Banner::actionChosen, this, [this] {
        if (m_graph && !m_graph->cycles.empty())
            Q_EMIT lockChosen(m_graph->cycles.front().front().lock);
    });
    connect(&names, &ClientNames::changed, this, &DeadlockBanner::refresh);
}

void DeadlockBanner::setGraph(std::shared_ptr<const WaitGraph> graph)
{
    if (graph == m_graph)
        return;
    m_graph = std::move(graph);
    refresh();
}

void DeadlockBanner::refresh()
{
    const auto number = m_graph ? static_cast<qint64>(m_graph->cycles.size()) : 0;
    setVisible(number > 0);
    if (number == 0)
        return;
    QStringList lines;
    for (const WaitCycle &cycle : m_graph->cycles)
        lines << cycleText(cycle, &m_names);
    const QString title
        = number == 1 ? tr("Deadlock (inferred):") : tr("%1 deadlocks (inferred); the first:").arg(countText(number));
    say(title + QLatin1Char(' ') + lines.first() + QLatin1Char('.'), lines.join(QLatin1Char('\n')));
}

} // namespace lockui
