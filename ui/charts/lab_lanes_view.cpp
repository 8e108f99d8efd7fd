// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab_lanes_view.h"

#include "ui/charts/time_axis.h"
#include "ui/lab/lane_text.h"
#include "ui/lab/lane_tips.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>

namespace lockui {

using lab::SpanEnd;
using lockcore::MonoTime;

namespace {

constexpr int LabAxisHeight = 30;
constexpr int LabTitleLeft = 16;
constexpr int LabTitleDistance = 16; // between titles and lanes
constexpr int LabMostTitles = 190; // wide
constexpr int LabRightMargin = 18;
constexpr int LabRowHeight = 30;
constexpr int LabLaneGap = 10; // below its rows
constexpr int LabWaitHeight = 3;
constexpr int LabMostSpread = 64; // of a row
constexpr double LabShortest = 0.05; // seconds that are shown at least

/// Of a play that goes on: lengths of which each leaves some room for what is to come, so that it seldom changes.
double lengthFor(double seconds)
{
    for (double power = 0.1;; power *= 10) {
        for (const double factor : { 1., 2., 3., 5., 7. }) {
            if (factor * power >= seconds * 1.08)
                return factor * power;
        }
    }
}

double secondsFrom(MonoTime from, MonoTime to) { return std::chrono::duration<double>(to - from).count(); }

QFont labFont(const Theme &theme)
{
    QFont font = theme.uiFont();
    font.setPixelSize(11);
    return font;
}

QFont laneNameFont(const Theme &theme)
{
    QFont font = theme.uiFont();
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont laneRowFont(const Theme &theme)
{
    QFont font = theme.monoFont();
    font.setPixelSize(11);
    return font;
}

bool haveSeveralLocks(const std::vector<lab::ClientLane> &lanes)
{
    std::set<lockcore::LockName> locks;
    for (const lab::ClientLane &lane : lanes) {
        for (const lab::LaneRow &row : lane.rows)
            locks.insert(row.lock);
    }
    return locks.size() > 1;
}

QString spanLabel(const lab::LaneHold &hold)
{
    std::int64_t deepest = 1;
    for (const lab::LaneDepth &each : hold.depths)
        deepest = std::max(deepest, each.depth);
    const QString held = deepest > 1 ? LabLanesView::tr("held ×%1").arg(deepest) : LabLanesView::tr("held");
    return hold.renewals.empty() ? held : LabLanesView::tr("%1, renewed").arg(held);
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

int rowsOf(const lab::ClientLane &lane) { return std::max(1, static_cast<int>(lane.rows.size())); }

} // namespace

LabLanesView::LabLanesView(const Theme &theme, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumSize(320, 160);
    setAccessibleName(tr("Lanes of the clients"));
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void LabLanesView::setRecord(const lab::PlayRecord &record, std::optional<MonoTime> now)
{
    m_record = &record;
    m_now = record.start ? now : std::nullopt;
    m_lanes = lanesOf(record, m_now.value_or(lastMoment(record)));
    m_showsLocks = haveSeveralLocks(m_lanes.clients);
    fitTitles();
    const double seconds = std::max(LabShortest, secondsFrom(m_lanes.from, m_lanes.to));
    m_length = !record.start ? 5 : m_now ? std::max(2., lengthFor(seconds)) : seconds * 1.03;
    if (!m_now)
        setAccessibleDescription(description());
    arrange();
    viewport()->update();
}

/// What the lanes show, for who cannot see them: who held and waited for what, and what was done to whom.
QString LabLanesView::description() const
{
    QStringList lines;
    for (const lab::ClientLane &lane : m_lanes.clients) {
        for (const lab::LaneRow &row : lane.rows) {
            for (const lab::LaneWait &wait : row.waits)
                lines << waitTip(*m_record, lane, row, wait).join(QStringLiteral(", "));
            for (const lab::LaneHold &hold : row.holds)
                lines << holdTip(*m_record, lane, row, hold).join(QStringLiteral(", "));
            for (const lab::LaneGhost &ghost : row.ghosts)
                lines << ghostTip(*m_record, lane, row, ghost).join(QStringLiteral(", "));
        }
        for (const lab::LaneMark &mark : lane.marks)
            lines << displayText(lane.client) + QStringLiteral(": ")
                    + markTip(*m_record, mark).join(QStringLiteral(", "));
    }
    for (const lab::ServerMark &mark : m_lanes.servers)
        lines << serverMarkTip(*m_record, mark).join(QStringLiteral(", "));
    return lines.join(QLatin1Char('\n'));
}

/// Few lanes spread over the room that they have, as far as bars still look like bars.
void LabLanesView::arrange()
{
    m_spread = std::clamp((viewport()->height() - fullHeight()) / std::max(1, rowCount()), 0, LabMostSpread);
    verticalScrollBar()->setRange(0, std::max(0, fullHeight() - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(LabRowHeight);
}

bool LabLanesView::hasServers() const { return !m_lanes.servers.empty() || !m_lanes.serverStates.empty(); }

int LabLanesView::fullHeight() const
{
    const auto lanes = static_cast<int>(m_lanes.clients.size()) + (hasServers() ? 1 : 0);
    return LabAxisHeight + rowCount() * LabRowHeight + lanes * LabLaneGap;
}

int LabLanesView::rowCount() const
{
    int count = hasServers() ? 1 : 0;
    for (const lab::ClientLane &lane : m_lanes.clients)
        count += rowsOf(lane);
    return count;
}

int LabLanesView::rowHeight() const { return LabRowHeight + m_spread; }

int LabLanesView::barTop() const { return 3 + m_spread / 4; }

int LabLanesView::barHeight() const { return std::min(18 + m_spread / 3, 32); }

int LabLanesView::waitTop() const { return barTop() + barHeight() + 2 + m_spread / 12; }

int LabLanesView::laneHeight(const lab::ClientLane &lane) const { return rowsOf(lane) * rowHeight() + LabLaneGap; }

int LabLanesView::serversHeight() const { return hasServers() ? rowHeight() + LabLaneGap : 0; }

double LabLanesView::plotWidth() const { return std::max(40, viewport()->width() - m_titleWidth - LabRightMargin); }

double LabLanesView::x(MonoTime at) const
{
    return m_titleWidth + secondsFrom(m_lanes.from, at) / m_length * plotWidth();
}

QPoint LabLanesView::placeOf(std::size_t client, MonoTime at) const
{
    int top = LabAxisHeight - verticalScrollBar()->value();
    for (std::size_t i = 0; i < client; ++i)
        top += laneHeight(m_lanes.clients[i]);
    return { static_cast<int>(x(at)), top + barTop() + barHeight() / 2 };
}

void LabLanesView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void LabLanesView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const Colors &colors = m_theme.colors();
    painter.fillRect(viewport()->rect(), colors.window);
    m_spots.clear();
    if (!m_record)
        return;
    int bottom = LabAxisHeight - verticalScrollBar()->value();
    const int first = bottom;
    for (const lab::ClientLane &lane : m_lanes.clients)
        bottom += laneHeight(lane);
    bottom += serversHeight();
    paintAxis(painter);
    paintGrid(painter);
    painter.setClipRect(0, LabAxisHeight, viewport()->width(), viewport()->height());
    paintGaps(painter, bottom);
    int top = first;
    for (const lab::ClientLane &lane : m_lanes.clients) {
        paintLane(painter, lane, top);
        top += laneHeight(lane);
    }
    if (hasServers())
        paintServers(painter, top);
    if (m_now)
        painter.fillRect(QRectF(std::round(x(*m_now)), LabAxisHeight, 1, bottom - LabAxisHeight), colors.muted);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(colors.accent);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

double LabLanesView::axisStep() const
{
    constexpr double LeastDistance = 70;
    return timeAxisStep(m_length * 1e3 / plotWidth() * LeastDistance) / 1e3;
}

/// Behind the lanes.
void LabLanesView::paintGrid(QPainter &painter) const
{
    const double step = axisStep();
    for (int i = 0; i * step <= m_length; ++i) {
        const double at = m_titleWidth + i * step / m_length * plotWidth();
        painter.fillRect(QRectF(std::round(at), LabAxisHeight - 4, 1, viewport()->height()), m_theme.colors().line);
    }
}

void LabLanesView::paintAxis(QPainter &painter) const
{
    painter.setFont(labFont(m_theme));
    painter.setPen(m_theme.colors().muted);
    const QFontMetricsF metrics(painter.font());
    const double step = axisStep();
    const int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
    for (int i = 0; i * step <= m_length; ++i) {
        const double at = m_titleWidth + i * step / m_length * plotWidth();
        const QString text = tr("%1 s").arg(QLocale().toString(i * step, 'f', i == 0 ? 0 : decimals));
        painter.drawText(QPointF(at - metrics.horizontalAdvance(text) / 2, LabAxisHeight - 11), text);
    }
}

/// What tells the rows of a lane apart: empty where there is nothing to tell.
QString LabLanesView::rowTitle(const lab::ClientLane &lane, const lab::LaneRow &row) const
{
    if (m_showsLocks)
        return displayText(row.lock);
    if (lane.rows.size() < 2)
        return {};
    if (row.life > 0)
        return displayText(lane.client) + QString(static_cast<int>(row.life), QLatin1Char('\''));
    if (row.mode)
        return *row.mode == lockcore::synchronizers::HoldMode::Read ? tr("read") : tr("write");
    return tr("thread %1").arg(displayText(row.thread));
}

/// As wide as it must be: what it does not need belongs to the lanes.
void LabLanesView::fitTitles()
{
    const QFontMetricsF names(laneNameFont(m_theme));
    const QFontMetricsF rows(laneRowFont(m_theme));
    double nameWidth = 0;
    double rowWidth = 0;
    for (const lab::ClientLane &lane : m_lanes.clients) {
        nameWidth = std::max(nameWidth, names.horizontalAdvance(displayText(lane.client)));
        for (const lab::LaneRow &row : lane.rows)
            rowWidth = std::max(rowWidth, rows.horizontalAdvance(rowTitle(lane, row)));
    }
    nameWidth = std::min(nameWidth, LabMostTitles / 2.0);
    m_rowTitleLeft = LabTitleLeft + nameWidth + 10;
    double width = LabTitleLeft + nameWidth;
    if (rowWidth > 0)
        width = m_rowTitleLeft + rowWidth;
    if (hasServers())
        width = std::max(width, LabTitleLeft + QFontMetricsF(m_theme.uiFont()).horizontalAdvance(tr("servers")));
    m_titleWidth = static_cast<int>(std::min<double>(std::ceil(width), LabMostTitles)) + LabTitleDistance;
}

void LabLanesView::paintTitle(QPainter &painter, const lab::ClientLane &lane, int top) const
{
    const Colors &colors = m_theme.colors();
    const double room = m_titleWidth - LabTitleDistance;
    double y = top + barTop() + barHeight() / 2.0 + 5;
    painter.setFont(laneNameFont(m_theme));
    painter.setPen(colors.text);
    painter.drawText(QPointF(LabTitleLeft, y),
        elided(displayText(lane.client), QFontMetricsF(painter.font()),
            std::min(room - LabTitleLeft, LabMostTitles / 2.0)));
    painter.setFont(laneRowFont(m_theme));
    painter.setPen(colors.muted);
    for (const lab::LaneRow &row : lane.rows) {
        painter.drawText(QPointF(m_rowTitleLeft, y),
            elided(rowTitle(lane, row), QFontMetricsF(painter.font()), room - m_rowTitleLeft));
        y += rowHeight();
    }
}

void LabLanesView::paintLane(QPainter &painter, const lab::ClientLane &lane, int top)
{
    paintTitle(painter, lane, top);
    const double bottom = top + laneHeight(lane) - LabLaneGap;
    for (const lab::LaneState &state : lane.states)
        paintState(painter, state, top, bottom);
    double y = top;
    for (const lab::LaneRow &row : lane.rows) {
        paintRow(painter, lane, row, y);
        y += rowHeight();
    }
    for (const lab::LaneMark &mark : lane.marks) {
        const auto row = std::ranges::find_if(lane.rows, [&](const lab::LaneRow &each) {
            return each.lock == mark.lock && (mark.thread.empty() || each.thread == mark.thread);
        });
        const auto index = row == lane.rows.end() ? 0 : row - lane.rows.begin();
        paintMark(painter, mark, top + static_cast<double>(index) * rowHeight());
    }
}

void LabLanesView::paintRow(QPainter &painter, const lab::ClientLane &lane, const lab::LaneRow &row, double top)
{
    for (const lab::LaneWait &wait : row.waits) {
        const QRectF line(x(wait.from), top + waitTop(), std::max(2.0, x(wait.to) - x(wait.from)), LabWaitHeight);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(Tone::Waiting));
        painter.drawRoundedRect(line, 1.5, 1.5);
        painter.setRenderHint(QPainter::Antialiasing, false);
        note(line.adjusted(-2, -4, 2, 4), waitTip(*m_record, lane, row, wait), wait.step);
        const bool wasOneTry = m_record->scenario.steps[wait.step].wait == lockcore::Millis{ 0 };
        if (wait.end == SpanEnd::NotAcquired && !wasOneTry)
            paintGaveUp(painter, row, line);
    }
    for (const lab::LaneGhost &ghost : row.ghosts)
        paintGhost(painter, lane, row, ghost, top);
    for (const lab::LaneHold &hold : row.holds)
        paintHold(painter, lane, row, hold, top);
}

/// Behind the line, or on its end where something else begins there; where neither has room its tip says so.
void LabLanesView::paintGaveUp(QPainter &painter, const lab::LaneRow &row, const QRectF &line) const
{
    const QString text = tr("gave up");
    const double width = QFontMetricsF(labFont(m_theme)).horizontalAdvance(text) + 6;
    double end = viewport()->width();
    for (const lab::LaneWait &each : row.waits) {
        if (x(each.from) >= line.right())
            end = std::min(end, x(each.from));
    }
    if (line.right() + 2 + width <= end)
        paintTag(painter, { line.right() + 2, line.center().y() }, text, m_theme.colors().muted);
    else if (line.width() > width + 12)
        paintTag(painter, { line.right() - width - 4, line.center().y() }, text, m_theme.colors().muted);
}

void LabLanesView::paintHold(
    QPainter &painter, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneHold &hold, double top)
{
    const Colors &colors = m_theme.colors();
    const QColor color = m_theme.color(termTone(termOf(*m_record, row, hold)));
    const QRectF bar(x(hold.from), top + barTop(), std::max(3.0, x(hold.to) - x(hold.from)), barHeight());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(bar, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    // Nobody saw when it ended: its end is torn.
    if (hold.end == SpanEnd::FoundGone && bar.width() > 16)
        painter.fillRect(QRectF(bar.right() - 8, bar.top(), 8, bar.height()), QBrush(colors.window, Qt::Dense4Pattern));
    note(bar, holdTip(*m_record, lane, row, hold), hold.step);
    if (hold.believedUntil) {
        const QRectF believed(bar.right(), bar.top(), x(*hold.believedUntil) - bar.right(), bar.height());
        painter.fillRect(believed, QBrush(color, Qt::BDiagPattern));
        painter.setPen(color);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(believed);
        note(believed, believedTip(*m_record, hold), hold.step);
    }
    double textEnd = bar.right() - 5;
    const QColor onBar = colors.dark ? QColor(0x15, 0x18, 0x1d) : QColor(Qt::white);
    for (const lab::LaneRenewal &renewal : hold.renewals) {
        const QPointF middle(x(renewal.at), bar.center().y());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(onBar);
        painter.drawEllipse(middle, 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        note(QRectF(middle.x() - 5, bar.top(), 10, bar.height()), renewalTip(*m_record, row, renewal));
        textEnd = std::min(textEnd, middle.x() - 6);
    }
    painter.setFont(labFont(m_theme));
    const QString text = spanLabel(hold);
    const double left = bar.left() + 6;
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text);
    painter.setPen(onBar);
    if (left + width <= textEnd)
        painter.drawText(QPointF(left, bar.center().y() + 4), text);
}

void LabLanesView::paintGhost(
    QPainter &painter, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneGhost &ghost, double top)
{
    const Colors &colors = m_theme.colors();
    const double height = ghost.isWaiter ? 7 : barHeight();
    const double y = ghost.isWaiter ? top + waitTop() - 2 : top + barTop();
    const QRectF place(x(ghost.from), y, std::max(3.0, x(ghost.to) - x(ghost.from)), height);
    QColor hatch = ghost.isWaiter ? m_theme.color(Tone::Waiting) : colors.danger;
    hatch.setAlpha(150);
    painter.fillRect(place, QBrush(hatch, Qt::BDiagPattern));
    painter.setPen(QPen(hatch, 1, Qt::DotLine));
    painter.drawLine(place.topLeft(), place.topRight());
    painter.drawLine(place.bottomLeft(), place.bottomRight());
    note(place, ghostTip(*m_record, lane, row, ghost));
    const QString text
        = ghost.isWaiter ? tr("dead, and still in the queue") : tr("Redis still says %1").arg(displayText(lane.client));
    painter.setFont(labFont(m_theme));
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text);
    if (!ghost.isWaiter && width + metrics.horizontalAdvance(killedText()) + 40 < place.width())
        paintTag(painter, { place.right() - width - 10, place.center().y() }, text, colors.text);
}

/// A line above the lane's bars for as long as it lasts.
void LabLanesView::paintState(QPainter &painter, const lab::LaneState &state, double top, double bottom)
{
    if (state.what == lab::LaneState::What::Dead)
        return; // its mark and its ghosts say so
    const QColor color = m_theme.color(Tone::Warning);
    const QRectF place(x(state.from), top, std::max(2.0, x(state.to) - x(state.from)), bottom - top);
    painter.fillRect(place, blend(m_theme.colors().window, color, 0.12));
    painter.fillRect(QRectF(place.left(), place.top(), place.width(), 2), color);
    note(place, stateTip(*m_record, state));
}

void LabLanesView::paintMark(QPainter &painter, const lab::LaneMark &mark, double top)
{
    const QColor color = m_theme.color(markTone(lab::weightOf(mark.what)));
    const QPointF middle(x(mark.at), top + barTop() + barHeight() / 2.0);
    switch (mark.what) {
    case lab::LaneMark::What::Killed:
        drawCross(painter, middle, color);
        paintTag(painter, { middle.x() + 8, middle.y() }, killedText(), color);
        break;
    case lab::LaneMark::What::LeaseRanOut:
        drawShape(painter, Triangle, { middle.x(), top + barTop() - 1 }, color);
        break;
    case lab::LaneMark::What::ForceReleased:
    case lab::LaneMark::What::Deleted:
        drawShape(painter, Diamond, { middle.x(), top + barTop() - 1 }, color);
        break;
    case lab::LaneMark::What::Paused:
    case lab::LaneMark::What::NetworkCut:
        paintLabel(painter, QRectF(middle.x() + 6, top + waitTop() - 4, 200, 14), lab::markText(mark.what), color);
        break;
    default:
        drawShape(painter, Diamond, { middle.x(), top + waitTop() + 1 }, color);
    }
    note(QRectF(middle.x() - 6, top, 12, rowHeight()), markTip(*m_record, mark), mark.step);
}

void LabLanesView::paintServers(QPainter &painter, int top)
{
    const Colors &colors = m_theme.colors();
    painter.setFont(m_theme.uiFont());
    painter.setPen(colors.muted);
    painter.drawText(QPointF(16, top + barTop() + barHeight() / 2.0 + 5), tr("servers"));
    for (const lab::ServerState &state : m_lanes.serverStates) {
        const double y = top + barTop() + 4 + static_cast<double>(state.server) * 4;
        const QRectF line(x(state.from), y, std::max(2.0, x(state.to) - x(state.from)), 3);
        painter.fillRect(
            line, m_theme.color(state.what == lab::ServerState::What::Down ? Tone::Danger : Tone::Warning));
        note(line.adjusted(0, -3, 0, 3), serverStateTip(*m_record, state));
    }
    for (const lab::ServerMark &mark : m_lanes.servers) {
        const QPointF middle(x(mark.at), top + barTop() + barHeight() / 2.0);
        const QColor color = m_theme.color(markTone(lab::weightOf(mark.what)));
        if (mark.what == lab::ServerMark::What::Killed)
            drawCross(painter, middle, color);
        else
            drawShape(painter, Diamond, middle, color);
        note(QRectF(middle.x() - 6, top, 12, rowHeight()), serverMarkTip(*m_record, mark), mark.step);
    }
}

void LabLanesView::paintGaps(QPainter &painter, int bottom)
{
    const Colors &colors = m_theme.colors();
    for (const lab::LaneGap &gap : m_lanes.gaps) {
        const QRectF place(x(gap.from), LabAxisHeight, std::max(2.0, x(gap.to) - x(gap.from)), bottom - LabAxisHeight);
        painter.fillRect(place, QBrush(blend(colors.faint, colors.muted, 0.12), Qt::BDiagPattern));
        note(place, gapTip(*m_record, gap));
    }
}

void LabLanesView::paintLabel(QPainter &painter, const QRectF &place, const QString &text, const QColor &color) const
{
    painter.setFont(labFont(m_theme));
    painter.setPen(color);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
}

/// On a ground of its own: what lies below does not cross its letters.
void LabLanesView::paintTag(QPainter &painter, const QPointF &left, const QString &text, const QColor &color) const
{
    constexpr double Height = 14;
    const double width = QFontMetricsF(labFont(m_theme)).horizontalAdvance(text);
    const QRectF ground(left.x(), left.y() - Height / 2, width + 6, Height);
    painter.fillRect(ground, m_theme.colors().window);
    paintLabel(painter, ground.adjusted(3, 0, 3, 0), text, color);
}

void LabLanesView::note(const QRectF &place, const QStringList &lines, std::optional<std::size_t> step)
{
    m_spots.push_back({ place, lines.join(QLatin1Char('\n')), step });
}

QString LabLanesView::textAt(const QPoint &place) const
{
    QStringList texts;
    for (auto spot = m_spots.rbegin(); spot != m_spots.rend(); ++spot) {
        if (spot->place.contains(place) && !texts.contains(spot->text))
            texts << spot->text;
    }
    return texts.join(QStringLiteral("\n\n"));
}

void LabLanesView::mousePressEvent(QMouseEvent *event)
{
    for (auto spot = m_spots.rbegin(); spot != m_spots.rend(); ++spot) {
        if (spot->step && spot->place.contains(event->position()))
            return Q_EMIT stepChosen(*spot->step);
    }
}

bool LabLanesView::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    QToolTip::showText(help->globalPos(), plainToolTip(textAt(help->pos())), viewport());
    return true;
}

} // namespace lockui
