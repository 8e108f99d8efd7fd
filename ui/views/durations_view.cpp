// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/durations_view.h"

#include "ui/charts/histogram_chart.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace lockui {

DurationsView::DurationsView(const Theme &theme, Tone tone, const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_note(plainLabel(QStringLiteral("small"), this))
    , m_line(new ElidedLabel(QStringLiteral("statusLine"), this))
    , m_chart(new HistogramChart(theme, tone, this))
{
    setAccessibleName(title);
    constexpr int LeastHeight = 64;
    m_chart->setAccessibleName(title);
    m_chart->setMinimumHeight(LeastHeight);
    QLabel *name = plainLabel(QStringLiteral("section"), this);
    name->setText(title);
    auto *head = new QHBoxLayout;
    head->addWidget(name);
    head->addStretch(1);
    head->addWidget(m_note);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_line);
    layout->addWidget(m_chart, 1);
    layout->addStretch();
    arrange();
}

void DurationsView::show(const SeenDurations &durations)
{
    m_durations = durations;
    m_chart->setHistogram(durations.measured);
    m_note->setText(noteText());
    m_note->setToolTip(plainToolTip(durations.inPart > 0
            ? tr("Of some the beginning was not seen, or was before the recording: they are not counted in.")
            : QString()));
    arrange();
}

void DurationsView::setChartShown(bool isShown)
{
    m_hasRoom = isShown;
    arrange();
}

void DurationsView::arrange()
{
    m_chart->setVisible(hasChart());
    m_line->setVisible(!hasChart());
    m_line->setText(lineText());
}

QString DurationsView::noteText() const
{
    QStringList parts;
    if (m_durations.seenWhole > 0)
        parts << tr("%1 seen whole", nullptr, pluralOf(m_durations.seenWhole)).arg(countText(m_durations.seenWhole));
    if (m_durations.inferred > 0)
        parts << tr("%1 inferred", nullptr, pluralOf(m_durations.inferred)).arg(countText(m_durations.inferred));
    if (m_durations.inPart > 0)
        parts << tr("%1 in part", nullptr, pluralOf(m_durations.inPart)).arg(countText(m_durations.inPart));
    return parts.join(QStringLiteral(" · "));
}

QString DurationsView::lineText() const
{
    if (m_durations.newest.empty())
        return m_durations.inPart > 0 ? tr("none was seen whole") : m_emptyText;
    if (m_durations.measured.total() >= Few)
        return tr("p50 ≤ %1 · p99 ≤ %2")
            .arg(exactDurationText(*m_durations.measured.quantile(0.5)),
                exactDurationText(*m_durations.measured.quantile(0.99)));
    QStringList times;
    for (const SeenTime &time : m_durations.newest)
        times << seenTimeText(time);
    const QString list = times.join(QStringLiteral(" · "));
    return times.size() > 1 ? tr("%1, the newest first").arg(list) : list;
}

} // namespace lockui
