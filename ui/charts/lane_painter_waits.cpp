// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lane_painter.h"

#include "ui/text/display_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

/// Who waits in a lane, and how many do.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

/// Rows beyond the last line share that one: it tells that somebody waits. Whether a ghost does is not known: pale.
void LanePainter::paintWaits(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top)
{
    const QColor color = tint(m_theme.color(Tone::Waiting));
    const QColor pale = blend(m_theme.colors().surface, color, 0.4);
    constexpr std::size_t LastLine = LaneShape::MostWaitRows - 1;
    for (std::size_t row = 0; row < lane.waits.size(); ++row) {
        const auto &spans = lane.waits[row].spans;
        const WallTime seenUntil = this->seenUntil(lane, row, true, now);
        const auto show = [&](int left, int right, std::size_t first, std::size_t last) {
            const bool leavesOne = right - left >= 4 && last - first == 1 && spans[first].to <= seenUntil
                && isApart(spans, last, right, scale);
            const bool isGhost = last - first == 1 && spans[first].isGhost;
            m_line.fill(left, leavesOne ? right - 1 : right, isGhost ? pale : color);
        };
        if (row <= LastLine)
            m_line.clear(scale.width);
        visitPieces(spans, scale, seenUntil, show, [this](int x) { return m_line.nextFree(x); });
        if (row < LastLine || row + 1 == lane.waits.size()) {
            const QRectF line = LaneShape::waitRow(row, top);
            m_line.paint(painter, { 0, line.top(), double(scale.width), line.height() });
        }
    }
}

/// A dotted line, with the number below it where there is room: no bar of anybody.
void LanePainter::paintCountedWaits(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top)
{
    if (lane.counted.empty())
        return;
    constexpr int Dot = 2;
    const QColor color = tint(m_theme.color(Tone::Waiting));
    const std::size_t row = std::min<std::size_t>(lane.waits.size(), LaneShape::MostWaitRows - 1);
    const QRectF line = LaneShape::waitRow(row, top);
    QFont font = m_theme.monoFont();
    font.setPixelSize(10);
    painter.setFont(font);
    painter.setPen(m_isStale ? m_theme.ink(Tone::Muted) : color);
    m_line.clear(scale.width);
    visitPieces(lane.counted, scale, now, [&](int left, int right, std::size_t first, std::size_t last) {
        for (int x = left; x < right; x += 2 * Dot)
            m_line.fill(x, std::min(x + Dot, right), color);
        const QString said = (m_timeline.sharesChannels() ? QStringLiteral("%1?") : QStringLiteral("≥\u200a%1"))
                                 .arg(countText(lane.counted[first].count));
        if (row == 0 && last - first == 1 && QFontMetricsF(font).horizontalAdvance(said) + 2 * Dot <= right - left)
            painter.drawText(QPointF(left, top + LaneShape::Height - Dot), said);
    });
    m_line.paint(painter, { 0, line.top(), double(scale.width), line.height() });
}

/// What is too thin to be ragged begins as a broken line.
void LanePainter::breakWaitsOfUnseenBeginning(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top) const
{
    constexpr int Gaps = 2;
    constexpr int GapWidth = 2;
    constexpr int Step = 5;
    const auto rows = std::min<std::size_t>(lane.waits.size(), LaneShape::MostWaitRows);
    for (std::size_t row = 0; row < rows; ++row) {
        const QRectF line = LaneShape::waitRow(row, top);
        const auto &spans = lane.waits[row].spans;
        const WallTime seenUntil = this->seenUntil(lane, row, true, now);
        for (auto i = firstEndingAfter(spans, scale.timeAt(0)); i < spans.size() && spans[i].from <= seenUntil; ++i) {
            if (spans[i].beginSeen)
                continue;
            const int left = static_cast<int>(std::floor(scale.pixel(spans[i].from)));
            const double right = scale.pixel(std::min(spans[i].to, seenUntil));
            for (int gap = 0; gap < Gaps && left < scale.width && right - left >= (Gaps + 1) * Step; ++gap) {
                const QRectF place(left + gap * Step + Step - GapWidth, line.top(), GapWidth, line.height());
                painter.fillRect(place, m_theme.colors().surface);
            }
        }
    }
}

} // namespace lockui
