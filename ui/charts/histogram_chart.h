// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/duration_histogram.h"
#include "ui/support/theme.h"

#include <QWidget>

namespace lockui {

/// How long things took, on a logarithmic scale, with the median and the 99th percentile.
class HistogramChart : public QWidget {
    Q_OBJECT
public:
    HistogramChart(const Theme &theme, Tone tone, QWidget *parent = nullptr);

    void setHistogram(const DurationHistogram &histogram);
    const DurationHistogram &histogram() const { return m_histogram; }

    QSize sizeHint() const override { return { 300, 120 }; }
    QSize minimumSizeHint() const override { return { 180, 90 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Range {
        int first = 0; // powers of two of milliseconds
        int last = 0;
    };
    Range range() const;
    void describe();

    const Theme &m_theme;
    const Tone m_tone;
    DurationHistogram m_histogram;
};

} // namespace lockui
