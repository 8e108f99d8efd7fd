// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab_lane_painter.h"

#include "ui/lab/lane_text.h"
#include "ui/lab/lane_tips.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

#include <QPainter>

#include <algorithm>

namespace lockui {

using lab::SpanEnd;

namespace {

constexpr int LabWaitHeight = 3;

QString spanLabel(const lab::LaneHold &hold)
{
    std::int64_t deepest = 1;
    for (const lab::LaneDepth &each : hold.depths)
        deepest = std::max(deepest, each.depth);
    const QString held = deepest > 1 ? LabLanePainter::tr("held ×%1").arg(deepest) : LabLanePainter::tr("held");
    return hold.renewals.empty() ? held : LabLanePainter::tr("%1, renewed").arg(held);
}

Tone markTone(lab::MarkWeight weight)
{
    switch (weight) {
    case lab::MarkWeight::Plain:
        return Tone::Muted;
    case lab::MarkWeight::Good:
        return Tone::Good;
    case lab::MarkWeight::Doubtful:
        return Tone::Warning;
    case lab::MarkWeight::Bad:
        break;
    }
    return Tone::Danger;
}

Tone termTone(lab::HoldTerm term)
{
    return term == lab::HoldTerm::Permits ? Tone::Good : term == lab::HoldTerm::Lease ? Tone::Fixed : Tone::Accent;
}

QString killedText() { return lab::markText(lab::LaneMark::What::Killed); }

void drawCross(QPainter &painter, const QPointF &middle, const QColor &color)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 2.2, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(middle + QPointF(-5, -7), middle + QPointF(5, 7));
    painter.drawLine(middle + QPointF(-5, 7), middle + QPointF(5, -7));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void drawShape(QPainter &painter, const QPolygonF &shape, const QPointF &middle, const QColor &color)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(shape.translated(middle));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

const QPolygonF Triangle({ QPointF(-5, -4), QPointF(5, -4), QPointF(0, 4) }); // points down: it is over
const QPolygonF Diamond({ QPointF(0, -5), QPointF(5, 0), QPointF(0, 5), QPointF(-5, 0) });

} // namespace

QFont labFont(const Theme &theme)
{
    QFont font = theme.uiFont();
    font.setPixelSize(11);
    return font;
}

void LabLanePainter::paintLane(const lab::ClientLane &lane, int top)
{
    const double bottom = top + m_plot.laneHeight(lane) - LabPlot::LaneGap;
    for (const lab::LaneState &state : lane.states)
        paintState(state, top, bottom);
    double y = top;
    for (const lab::LaneRow &row : lane.rows) {
        paintRow(lane, row, y);
        y += m_plot.rowHeight();
    }
    for (const lab::LaneMark &mark : lane.marks) {
        const auto row = std::ranges::find_if(lane.rows, [&](const lab::LaneRow &each) {
            return each.lock == mark.lock && (mark.thread.empty() || each.thread == mark.thread);
        });
        const auto index = row == lane.rows.end() ? 0 : row - lane.rows.begin();
        paintMark(mark, top + static_cast<double>(index) * m_plot.rowHeight());
    }
}

void LabLanePainter::paintRow(const lab::ClientLane &lane, const lab::LaneRow &row, double top)
{
    for (const lab::LaneWait &wait : row.waits) {
        const QRectF line(
            x(wait.from), top + m_plot.waitTop(), std::max(2.0, x(wait.to) - x(wait.from)), LabWaitHeight);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.color(Tone::Waiting));
        m_painter.drawRoundedRect(line, 1.5, 1.5);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        note(line.adjusted(-2, -4, 2, 4), waitTip(m_record, lane, row, wait), wait.step);
        const bool wasOneTry = m_record.scenario.steps[wait.step].wait == lockcore::Millis{ 0 };
        if (wait.end == SpanEnd::NotAcquired && !wasOneTry)
            paintGaveUp(row, line);
    }
    for (const lab::LaneGhost &ghost : row.ghosts)
        paintGhost(lane, row, ghost, top);
    for (const lab::LaneHold &hold : row.holds)
        paintHold(lane, row, hold, top);
}

/// Behind the line, or on its end where something else begins there; where neither has room its tip says so.
void LabLanePainter::paintGaveUp(const lab::LaneRow &row, const QRectF &line) const
{
    const QString text = tr("gave up");
    const double width = QFontMetricsF(labFont(m_theme)).horizontalAdvance(text) + 6;
    double end = m_plot.left + m_plot.width + LabPlot::RightMargin;
    for (const lab::LaneWait &each : row.waits) {
        if (x(each.from) >= line.right())
            end = std::min(end, x(each.from));
    }
    if (line.right() + 2 + width <= end)
        paintTag({ line.right() + 2, line.center().y() }, text, m_theme.colors().muted);
    else if (line.width() > width + 12)
        paintTag({ line.right() - width - 4, line.center().y() }, text, m_theme.colors().muted);
}

void LabLanePainter::paintHold(
    const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneHold &hold, double top)
{
    const Colors &colors = m_theme.colors();
    const QColor color = m_theme.color(termTone(termOf(m_record, row, hold)));
    const QRectF bar(x(hold.from), top + m_plot.barTop(), std::max(3.0, x(hold.to) - x(hold.from)), m_plot.barHeight());
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawRoundedRect(bar, 3, 3);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    // Nobody saw when it ended: its end is torn.
    if (hold.end == SpanEnd::FoundGone && bar.width() > 16)
        m_painter.fillRect(
            QRectF(bar.right() - 8, bar.top(), 8, bar.height()), QBrush(colors.window, Qt::Dense4Pattern));
    note(bar, holdTip(m_record, lane, row, hold), hold.step);
    if (hold.believedUntil) {
        const QRectF believed(bar.right(), bar.top(), x(*hold.believedUntil) - bar.right(), bar.height());
        m_painter.fillRect(believed, hatching(color, *m_painter.device()));
        m_painter.setPen(color);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(believed);
        note(believed, believedTip(m_record, hold), hold.step);
    }
    double textEnd = bar.right() - 5;
    const QColor onBar = colors.dark ? QColor(0x15, 0x18, 0x1d) : QColor(Qt::white);
    for (const lab::LaneRenewal &renewal : hold.renewals) {
        const QPointF middle(x(renewal.at), bar.center().y());
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(onBar);
        m_painter.drawEllipse(middle, 3, 3);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        note(QRectF(middle.x() - 5, bar.top(), 10, bar.height()), renewalTip(m_record, row, renewal));
        textEnd = std::min(textEnd, middle.x() - 6);
    }
    m_painter.setFont(labFont(m_theme));
    const QString text = spanLabel(hold);
    const double left = bar.left() + 6;
    const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(text);
    m_painter.setPen(onBar);
    if (left + width <= textEnd)
        m_painter.drawText(QPointF(left, bar.center().y() + 4), text);
}

void LabLanePainter::paintGhost(
    const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneGhost &ghost, double top)
{
    const Colors &colors = m_theme.colors();
    const double height = ghost.isWaiter ? 7 : m_plot.barHeight();
    const double y = ghost.isWaiter ? top + m_plot.waitTop() - 2 : top + m_plot.barTop();
    const QRectF place(x(ghost.from), y, std::max(3.0, x(ghost.to) - x(ghost.from)), height);
    QColor hatch = ghost.isWaiter ? m_theme.color(Tone::Waiting) : colors.danger;
    hatch.setAlpha(150);
    m_painter.fillRect(place, hatching(hatch, *m_painter.device()));
    m_painter.setPen(QPen(hatch, 1, Qt::DotLine));
    m_painter.drawLine(place.topLeft(), place.topRight());
    m_painter.drawLine(place.bottomLeft(), place.bottomRight());
    note(place, ghostTip(m_record, lane, row, ghost));
    const QString text
        = ghost.isWaiter ? tr("dead, and still in the queue") : tr("Redis still says %1").arg(displayText(lane.client));
    m_painter.setFont(labFont(m_theme));
    const QFontMetricsF metrics(m_painter.font());
    const double width = metrics.horizontalAdvance(text);
    if (!ghost.isWaiter && width + metrics.horizontalAdvance(killedText()) + 40 < place.width())
        paintTag({ place.right() - width - 10, place.center().y() }, text, colors.text);
}

/// A line above the lane's bars for as long as it lasts.
void LabLanePainter::paintState(const lab::LaneState &state, double top, double bottom)
{
    if (state.what == lab::LaneState::What::Dead)
        return; // its mark and its ghosts say so
    const QColor color = m_theme.color(Tone::Warning);
    const QRectF place(x(state.from), top, std::max(2.0, x(state.to) - x(state.from)), bottom - top);
    m_painter.fillRect(place, blend(m_theme.colors().window, color, 0.12));
    m_painter.fillRect(QRectF(place.left(), place.top(), place.width(), 2), color);
    note(place, stateTip(m_record, state));
}

void LabLanePainter::paintMark(const lab::LaneMark &mark, double top)
{
    const Tone tone = markTone(lab::weightOf(mark.what));
    const QColor color = m_theme.color(tone);
    const QPointF middle(x(mark.at), top + m_plot.barMiddle());
    switch (mark.what) {
    case lab::LaneMark::What::Killed:
        drawCross(m_painter, middle, color);
        paintTag({ middle.x() + 8, middle.y() }, killedText(), m_theme.ink(tone));
        break;
    case lab::LaneMark::What::LeaseRanOut:
        drawShape(m_painter, Triangle, { middle.x(), top + m_plot.barTop() - 1 }, color);
        break;
    case lab::LaneMark::What::ForceReleased:
    case lab::LaneMark::What::Deleted:
        drawShape(m_painter, Diamond, { middle.x(), top + m_plot.barTop() - 1 }, color);
        break;
    case lab::LaneMark::What::Paused:
    case lab::LaneMark::What::NetworkCut:
        paintLabel(
            QRectF(middle.x() + 6, top + m_plot.waitTop() - 4, 200, 14), lab::markText(mark.what), m_theme.ink(tone));
        break;
    default:
        drawShape(m_painter, Diamond, { middle.x(), top + m_plot.waitTop() + 1 }, color);
    }
    note(QRectF(middle.x() - 6, top, 12, m_plot.rowHeight()), markTip(m_record, mark), mark.step);
}

void LabLanePainter::paintServers(const lab::Lanes &lanes, int top)
{
    const Colors &colors = m_theme.colors();
    m_painter.setFont(m_theme.uiFont());
    m_painter.setPen(colors.muted);
    m_painter.drawText(QPointF(LabPlot::TitleLeft, top + m_plot.barMiddle() + 5), tr("servers"));
    for (const lab::ServerState &state : lanes.serverStates) {
        const double y = top + m_plot.barTop() + 4 + static_cast<double>(state.server) * 4;
        const QRectF line(x(state.from), y, std::max(2.0, x(state.to) - x(state.from)), 3);
        m_painter.fillRect(
            line, m_theme.color(state.what == lab::ServerState::What::Down ? Tone::Danger : Tone::Warning));
        note(line.adjusted(0, -3, 0, 3), serverStateTip(m_record, state));
    }
    for (const lab::ServerMark &mark : lanes.servers) {
        const QPointF middle(x(mark.at), top + m_plot.barMiddle());
        const QColor color = m_theme.color(markTone(lab::weightOf(mark.what)));
        if (mark.what == lab::ServerMark::What::Killed)
            drawCross(m_painter, middle, color);
        else
            drawShape(m_painter, Diamond, middle, color);
        note(QRectF(middle.x() - 6, top, 12, m_plot.rowHeight()), serverMarkTip(m_record, mark), mark.step);
    }
}

void LabLanePainter::paintGaps(const lab::Lanes &lanes, int bottom)
{
    const Colors &colors = m_theme.colors();
    for (const lab::LaneGap &gap : lanes.gaps) {
        const QRectF place(
            x(gap.from), LabPlot::AxisHeight, std::max(2.0, x(gap.to) - x(gap.from)), bottom - LabPlot::AxisHeight);
        m_painter.fillRect(place, hatching(blend(colors.faint, colors.muted, 0.12), *m_painter.device()));
        note(place, gapTip(m_record, gap));
    }
}

void LabLanePainter::paintLabel(const QRectF &place, const QString &text, const QColor &color) const
{
    m_painter.setFont(labFont(m_theme));
    m_painter.setPen(color);
    m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

/// On a ground of its own: what lies below does not cross its letters.
void LabLanePainter::paintTag(const QPointF &left, const QString &text, const QColor &color) const
{
    constexpr double Height = 14;
    const double width = QFontMetricsF(labFont(m_theme)).horizontalAdvance(text);
    const QRectF ground(left.x(), left.y() - Height / 2, width + 6, Height);
    m_painter.fillRect(ground, m_theme.colors().window);
    paintLabel(ground.adjusted(3, 0, 3, 0), text, color);
}

void LabLanePainter::note(const QRectF &place, const QStringList &lines, std::optional<std::size_t> step)
{
    m_spots.push_back({ place, lines.join(QLatin1Char('\n')), step });
}

} // namespace lockui
