// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/duration_histogram.h"
#include "ui/support/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lockui {

/// How long things took, on a logarithmic scale, with the median and the 99th percentile; those of another time as an
/// outline.
class HistogramChart : public QWidget {
    Q_OBJECT
public:
    HistogramChart(const Theme &theme, Tone tone, QWidget *parent = nullptr);

    void setHistogram(const DurationHistogram &histogram, std::optional<DurationHistogram> before = {});
    void setEmptyText(const QString &text); // why nothing is ever counted; empty: nothing was until now
    const DurationHistogram &histogram() const { return m_histogram; }
    const std::optional<DurationHistogram> &before() const { return m_before; } // absent: nothing to compare with

    QSize sizeHint() const override { return { 300, 120 }; }
    QSize minimumSizeHint() const override { return { 180, 76 }; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Range {
        int first = 0; // powers of two of milliseconds
        int last = 0;
    };
    Range range() const;
    void paintBefore(QPainter &painter, const QRectF &area, const std::vector<std::int64_t> &counts, double most) const;
    void describe();

    const Theme &m_theme;
    const Tone m_tone;
    DurationHistogram m_histogram;
    std::optional<DurationHistogram> m_before;
    QString m_emptyText;
};

} // namespace lockui
