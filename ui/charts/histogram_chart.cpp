// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_chart.h"

#include "ui/text/display_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockui {

using lockcore::Millis;

namespace {

constexpr int ScaleHeight = 18; // for the scale
constexpr int PercentilesHeight = 14; // for the percentiles
constexpr int BarsOfOne = 2; // bars to a power of two
constexpr int Powers = 30; // of all that can be counted

double logOf(Millis duration) { return std::log2(std::max<double>(1, double(duration.count()))); }

int barOf(int bucket) { return static_cast<int>(logOf(DurationHistogram::lowest(bucket)) * BarsOfOne + 1e-9); }

std::vector<std::int64_t> barsOf(const DurationHistogram &histogram)
{
    std::vector<std::int64_t> counts(static_cast<std::size_t>(Powers * BarsOfOne + 1));
    for (int bucket = 0; bucket < DurationHistogram::Buckets; ++bucket)
        counts[static_cast<std::size_t>(std::min(barOf(bucket), Powers * BarsOfOne))] += histogram.at(bucket);
    return counts;
}

} // namespace

HistogramChart::HistogramChart(const Theme &theme, Tone tone, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_tone(tone)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void HistogramChart::setHistogram(const DurationHistogram &histogram, std::optional<DurationHistogram> before)
{
    if (histogram == m_histogram && before == m_before)
        return;
    m_histogram = histogram;
    m_before = before;
    describe();
    update();
}

void HistogramChart::setEmptyText(const QString &text)
{
    if (std::exchange(m_emptyText, text) == text)
        return;
    describe();
    update();
}

/// What was seen, and at least from a millisecond to a second: so that the scale does not jump.
HistogramChart::Range HistogramChart::range() const
{
    Range range{ 0, 10 };
    for (int bucket = 0; bucket < DurationHistogram::Buckets; ++bucket)
        if (m_histogram.at(bucket) > 0 || (m_before && m_before->at(bucket) > 0))
            range.last = std::max(range.last, barOf(bucket) / BarsOfOne + 1);
    return range;
}

void HistogramChart::paintEvent(QPaintEvent *)
{
    const QRectF area = QRectF(rect()).adjusted(0, PercentilesHeight, -1, -ScaleHeight);
    const Range range = this->range();
    const int bars = (range.last - range.first) * BarsOfOne;
    const auto counts = barsOf(m_histogram);
    const auto before = barsOf(m_before.value_or(DurationHistogram()));
    const auto most
        = std::max({ std::int64_t(1), *std::ranges::max_element(counts), *std::ranges::max_element(before) });

    QPainter painter(this);
    QFont font = m_theme.uiFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double width = area.width() / bars;
    for (int bar = 0; bar < bars; ++bar) {
        const auto count = counts[static_cast<std::size_t>(range.first) * BarsOfOne + static_cast<std::size_t>(bar)];
        if (count == 0)
            continue;
        const double height = std::max(1.0, area.height() * double(count) / double(most)); // once is seen too
        painter.fillRect(QRectF(area.left() + width * bar, area.bottom() - height, std::max(1.0, width - 1), height),
            m_theme.color(m_tone));
    }
    painter.setPen(m_theme.colors().line);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (m_before && m_before->total() > 0)
        paintBefore(painter, area, before, double(most));

    const auto place
        = [&](double log) { return area.left() + area.width() * (log - range.first) / (range.last - range.first); };
    painter.setPen(m_theme.colors().muted);
    double free = area.left();
    for (const int decade : { 1, 10, 100, 1'000, 10'000, 60'000, 600'000, 3'600'000, 36'000'000 }) {
        constexpr double Tick = 3;
        const double log = logOf(Millis(decade));
        const QString text = scaleText(Millis(decade));
        const double textWidth = metrics.horizontalAdvance(text);
        const double left = std::max(area.left(), std::min(place(log) - textWidth / 2, area.right() - textWidth));
        if (log > range.last || left < free)
            continue;
        painter.drawLine(QPointF(place(log), area.bottom()), QPointF(place(log), area.bottom() + Tick));
        painter.drawText(QPointF(left, area.bottom() + ScaleHeight - 3), text);
        free = left + textWidth + 12;
    }
    if (m_histogram.total() == 0)
        painter.drawText(
            area, Qt::AlignCenter | Qt::TextWordWrap, m_emptyText.isEmpty() ? tr("none yet") : m_emptyText);
    free = area.right(); // to the left of what is written already
    for (const auto &[name, part] : { std::pair(QStringLiteral("p99"), 0.99), std::pair(QStringLiteral("p50"), 0.5) }) {
        const auto value = m_histogram.quantile(part);
        if (!value)
            break;
        const double at = std::min(place(logOf(*value)), area.right());
        const QString text = name + QStringLiteral(" ≤ ") + exactDurationText(*value);
        const double textWidth = metrics.horizontalAdvance(text);
        painter.setPen(QPen(m_theme.colors().muted, 1, Qt::DashLine));
        painter.drawLine(QPointF(at, area.top() - 2), QPointF(at, area.bottom()));
        painter.setPen(m_theme.colors().text);
        const double left = std::max(area.left(), std::min(at + 4, free - textWidth));
        painter.drawText(QPointF(left, area.top() - 3), text);
        free = left - 8;
    }
}

/// As steps over the bars, so that it can be told from them without its colour.
void HistogramChart::paintBefore(
    QPainter &painter, const QRectF &area, const std::vector<std::int64_t> &counts, double most) const
{
    const Range range = this->range();
    const int bars = (range.last - range.first) * BarsOfOne;
    const double width = area.width() / bars;
    QPolygonF line;
    for (int bar = 0; bar < bars; ++bar) {
        const int place = range.first * BarsOfOne + bar;
        const auto count = double(counts[static_cast<std::size_t>(place)]);
        const double y = std::round(area.bottom() - std::max(count > 0 ? 1.0 : 0.0, area.height() * count / most));
        line << QPointF(area.left() + width * bar, y) << QPointF(area.left() + width * (bar + 1), y);
    }
    painter.setPen(QPen(m_theme.colors().text, 1));
    painter.drawPolyline(line);
}

void HistogramChart::describe()
{
    const auto median = m_histogram.quantile(0.5);
    const auto most = m_histogram.quantile(0.99);
    setAccessibleDescription(median && most
            ? tr("%1 seen; half took up to %2, 99 of 100 up to %3")
                  .arg(countText(m_histogram.total()), exactDurationText(*median), exactDurationText(*most))
            : m_emptyText.isEmpty() ? tr("none was seen from its beginning to its end")
                                    : m_emptyText);
    const auto medianBefore = m_before ? m_before->quantile(0.5) : std::nullopt;
    if (medianBefore)
        setAccessibleDescription(accessibleDescription() + QStringLiteral("; ")
            + tr("before that %1 were seen, and half took up to %2")
                  .arg(countText(m_before->total()), exactDurationText(*medianBefore)));
}

} // namespace lockui
