// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab_lanes_view.h"

#include "ui/charts/time_axis.h"
#include "ui/lab/lane_tips.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>

namespace lockui {

using lockcore::MonoTime;

namespace {

constexpr int LabTitleDistance = 16; // between titles and lanes
constexpr int LabMostTitles = 190; // wide
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

} // namespace

LabLanesView::LabLanesView(const Theme &theme, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_theme(theme)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    makeOpaque(*viewport());
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
    m_plot.from = m_lanes.from;
    const double seconds = std::max(LabShortest, secondsFrom(m_lanes.from, m_lanes.to));
    m_plot.length = !record.start ? 5 : m_now ? std::max(2., lengthFor(seconds)) : seconds * 1.03;
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
    m_plot.spread = std::clamp((viewport()->height() - fullHeight()) / std::max(1, rowCount()), 0, LabMostSpread);
    m_plot.width = std::max(40, viewport()->width() - m_plot.left - LabPlot::RightMargin);
    verticalScrollBar()->setRange(0, std::max(0, fullHeight() - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(LabPlot::LeastRowHeight);
}

bool LabLanesView::hasServers() const { return !m_lanes.servers.empty() || !m_lanes.serverStates.empty(); }

int LabLanesView::fullHeight() const
{
    const auto lanes = static_cast<int>(m_lanes.clients.size()) + (hasServers() ? 1 : 0);
    return LabPlot::AxisHeight + rowCount() * LabPlot::LeastRowHeight + lanes * LabPlot::LaneGap;
}

int LabLanesView::rowCount() const
{
    int count = hasServers() ? 1 : 0;
    for (const lab::ClientLane &lane : m_lanes.clients)
        count += LabPlot::rowsOf(lane);
    return count;
}

int LabLanesView::lanesHeight() const
{
    int height = hasServers() ? m_plot.rowHeight() + LabPlot::LaneGap : 0;
    for (const lab::ClientLane &lane : m_lanes.clients)
        height += m_plot.laneHeight(lane);
    return height;
}

QPoint LabLanesView::placeOf(std::size_t client, MonoTime at) const
{
    int top = LabPlot::AxisHeight - verticalScrollBar()->value();
    for (std::size_t i = 0; i < client; ++i)
        top += m_plot.laneHeight(m_lanes.clients[i]);
    return { static_cast<int>(m_plot.x(at)), top + m_plot.barTop() + m_plot.barHeight() / 2 };
}

/// Its frame is drawn in the viewport, which Qt leaves as it is.
void LabLanesView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void LabLanesView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
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
    int top = LabPlot::AxisHeight - verticalScrollBar()->value();
    const int bottom = top + lanesHeight();
    paintAxis(painter);
    paintGrid(painter);
    painter.setClipRect(0, LabPlot::AxisHeight, viewport()->width(), viewport()->height());
    LabLanePainter lanes(painter, m_plot, *m_record, m_theme, m_spots);
    lanes.paintGaps(m_lanes, bottom);
    for (const lab::ClientLane &lane : m_lanes.clients) {
        paintTitle(painter, lane, top);
        lanes.paintLane(lane, top);
        top += m_plot.laneHeight(lane);
    }
    if (hasServers())
        lanes.paintServers(m_lanes, top);
    if (m_now)
        painter.fillRect(
            QRectF(std::round(m_plot.x(*m_now)), LabPlot::AxisHeight, 1, bottom - LabPlot::AxisHeight), colors.muted);
    painter.setClipping(false);
    if (hasFocus()) {
        painter.setPen(colors.accent);
        painter.setBrush(Qt::NoBrush); // that of the last mark is still set
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

double LabLanesView::axisStep() const
{
    constexpr double LeastDistance = 70;
    return timeAxisStep(m_plot.length * 1e3 / m_plot.width * LeastDistance) / 1e3;
}

/// Behind the lanes.
void LabLanesView::paintGrid(QPainter &painter) const
{
    const double step = axisStep();
    for (int i = 0; i * step <= m_plot.length; ++i) {
        const double at = m_plot.left + i * step / m_plot.length * m_plot.width;
        painter.fillRect(
            QRectF(std::round(at), LabPlot::AxisHeight - 4, 1, viewport()->height()), m_theme.colors().line);
    }
}

void LabLanesView::paintAxis(QPainter &painter) const
{
    painter.setFont(labFont(m_theme));
    painter.setPen(m_theme.colors().muted);
    const QFontMetricsF metrics(painter.font());
    const double step = axisStep();
    const int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
    for (int i = 0; i * step <= m_plot.length; ++i) {
        const double at = m_plot.left + i * step / m_plot.length * m_plot.width;
        const QString text = tr("%1 s").arg(QLocale().toString(i * step, 'f', i == 0 ? 0 : decimals));
        painter.drawText(QPointF(at - metrics.horizontalAdvance(text) / 2, LabPlot::AxisHeight - 11), text);
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
    m_rowTitleLeft = LabPlot::TitleLeft + nameWidth + 10;
    double width = LabPlot::TitleLeft + nameWidth;
    if (rowWidth > 0)
        width = m_rowTitleLeft + rowWidth;
    if (hasServers())
        width = std::max(width, LabPlot::TitleLeft + QFontMetricsF(m_theme.uiFont()).horizontalAdvance(tr("servers")));
    m_plot.left = static_cast<int>(std::min<double>(std::ceil(width), LabMostTitles)) + LabTitleDistance;
}

void LabLanesView::paintTitle(QPainter &painter, const lab::ClientLane &lane, int top) const
{
    const Colors &colors = m_theme.colors();
    const double room = m_plot.left - LabTitleDistance;
    double y = top + m_plot.barMiddle() + 5;
    painter.setFont(laneNameFont(m_theme));
    painter.setPen(colors.text);
    painter.drawText(QPointF(LabPlot::TitleLeft, y),
        elided(displayText(lane.client), QFontMetricsF(painter.font()),
            std::min(room - LabPlot::TitleLeft, LabMostTitles / 2.0)));
    painter.setFont(laneRowFont(m_theme));
    painter.setPen(colors.muted);
    for (const lab::LaneRow &row : lane.rows) {
        painter.drawText(QPointF(m_rowTitleLeft, y),
            elided(rowTitle(lane, row), QFontMetricsF(painter.font()), room - m_rowTitleLeft));
        y += m_plot.rowHeight();
    }
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
