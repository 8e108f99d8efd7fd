// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/hold_times.h"
#include "ui/support/theme.h"

#include <QWidget>

class QLabel;

namespace lockui {

class ElidedLabel;
class HistogramChart;

/// How long something took each time: a histogram, or where there were few or there is no room the durations in words.
class DurationsView : public QWidget {
    Q_OBJECT
public:
    static constexpr std::int64_t Few = 5; // less than that is listed

    DurationsView(const Theme &theme, Tone tone, const QString &title, QWidget *parent = nullptr);

    void show(const SeenDurations &durations);
    void setChartShown(bool isShown); // if there is room for one
    bool hasChart() const { return m_hasRoom && m_durations.measured.total() >= Few; }
    /// What is said where none has ended yet.
    void setEmptyText(const QString &text) { m_emptyText = text; }

private:
    QString noteText() const;
    QString lineText() const;
    void arrange();

    SeenDurations m_durations;
    QString m_emptyText;
    bool m_hasRoom = true;
    QLabel *m_note;
    ElidedLabel *m_line;
    HistogramChart *m_chart;
};

} // namespace lockui
