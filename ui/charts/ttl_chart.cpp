// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ttl_chart.h"

#include "lockcore/monitor/hold_sight.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QAreaSeries>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPainterPath>
#include <QScatterSeries>
#include <QValueAxis>
#include <QtMath>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace lockui {

using namespace lockcore;

namespace {

constexpr std::size_t MostPoints = 1'000;

/// A step that people count in.
double roundStep(double least)
{
    for (const double step :
        { 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0 })
        if (step >= least)
            return step;
    return std::ceil(least / 1'800) * 1'800;
}

/// An axis makes its lines whenever one of these changes: in between there must not be very many of them.
void setScale(QValueAxis &axis, double top, double step)
{
    if (axis.max() == top && axis.tickInterval() == step)
        return;
    axis.setTickInterval(std::max(top, axis.max()));
    axis.setRange(0, top);
    axis.setTickInterval(step);
}

/// What the TTL axis counts in.
struct Unit {
    double seconds = 1;
    QString format; // of a label

    static Unit of(double step)
    {
        constexpr double Day = 86'400;
        if (step >= 1'000 * Day)
            return { 365 * Day, QStringLiteral("%.0f y") };
        if (step >= Day)
            return { Day, QStringLiteral("%.0f d") };
        if (step >= 3'600)
            return { 3'600, QStringLiteral("%.1f h") };
        if (step >= 60)
            return { 60, QStringLiteral("%.0f m") };
        return { 1, step < 1 ? QStringLiteral("%.1f s") : QStringLiteral("%.0f s") };
    }
};

/// Newest last; beyond what can be told apart on the screen the oldest are left out.
QList<QPointF> toPoints(const std::vector<TtlCurve::Point> &points, const Unit &unit)
{
    const std::size_t first = points.size() > MostPoints ? points.size() - MostPoints : 0;
    QList<QPointF> list;
    for (std::size_t i = first; i < points.size(); ++i)
        list.append({ points[i].x, points[i].ttl / unit.seconds });
    return list;
}

} // namespace

TtlChart::TtlChart(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : QChartView(parent)
    , m_theme(theme)
    , m_clock(clock)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    makeOpaque(*viewport());
    setMinimumHeight(90);
    setFocusPolicy(Qt::TabFocus);
    buildChart();
    applyTheme();
    describe();
    connect(&theme, &Theme::changed, this, &TtlChart::applyTheme);
}

void TtlChart::buildChart()
{
    QChart *view = chart();
    view->legend()->hide();
    view->setAnimationOptions(QChart::NoAnimation);
    view->setMargins(QMargins());
    view->setBackgroundRoundness(0);
    view->layout()->setContentsMargins(0, 0, 0, 0);
    m_timeAxis = new QValueAxis(view);
    m_ttlAxis = new QValueAxis(view);
    view->addAxis(m_timeAxis, Qt::AlignBottom);
    view->addAxis(m_ttlAxis, Qt::AlignLeft);
    m_timeAxis->setRange(-WindowSeconds, 0);
    m_timeAxis->setTickType(QValueAxis::TicksDynamic);
    m_timeAxis->setTickInterval(LabelEvery.count());
    m_timeAxis->setLabelFormat(QStringLiteral("%.0f s")); // has the room of what is drawn there
    m_ttlAxis->setTickType(QValueAxis::TicksDynamic);

    m_lateEdge = new QLineSeries(this);
    m_late = new QAreaSeries(m_lateEdge);
    m_renewals = new QScatterSeries;
    for (QAbstractSeries *series : std::initializer_list<QAbstractSeries *>{ m_late, m_renewals }) {
        view->addSeries(series);
        series->attachAxis(m_timeAxis);
        series->attachAxis(m_ttlAxis);
    }
}

QFont TtlChart::smallFont() const
{
    QFont small = m_theme.uiFont();
    small.setPixelSize(10);
    return small;
}

void TtlChart::applyTheme()
{
    const Colors &colors = m_theme.colors();
    chart()->setBackgroundBrush(colors.window);
    chart()->setBackgroundPen(Qt::NoPen);
    setBackgroundBrush(colors.window);
    for (QValueAxis *axis : { m_timeAxis, m_ttlAxis }) {
        axis->setLabelsFont(smallFont());
        axis->setLabelsColor(axis == m_timeAxis ? Qt::transparent : colors.muted);
        axis->setLinePen(QPen(colors.border, 1));
        axis->setGridLinePen(QPen(colors.line, 1));
    }
    m_renewals->setMarkerSize(6);
    m_renewals->setColor(m_stale ? colors.muted : colors.accent);
    m_renewals->setBorderColor(colors.window);
    QColor lateWash = colors.warning;
    lateWash.setAlphaF(0.18F);
    m_late->setBrush(lateWash);
    m_late->setPen(Qt::NoPen);
}

void TtlChart::setLock(LockTableModel::Lock lock, std::optional<MonoTime> end, const QString &how)
{
    const bool isAnother = !m_lock || !lock || m_lock->name != lock->name;
    const bool endsOtherwise = end != m_end || how != m_howItEnded;
    m_lock = std::move(lock);
    m_end = end;
    m_howItEnded = how;
    refresh();
    if (endsOtherwise)
        viewport()->update();
    if (isAnother || endsOtherwise)
        describe();
}

void TtlChart::refresh()
{
    const auto said = [this] {
        return std::tuple(m_curve.medianGap, m_curve.worstGap, m_curve.unseen.size(), m_curve.passedOver.size(),
            m_curve.endlessFrom.has_value(), isFreeThroughout(), m_curve.seenFrom.has_value(), m_curve.renewals.size());
    };
    const auto before = said();
    m_curve = m_lock ? ttlCurve(*m_lock, moment(), Window, unseenTimes(), m_passedOver) : TtlCurve();
    if (Picture picture = this->picture(); picture != m_picture) {
        m_picture = std::move(picture);
        draw(m_curve);
        viewport()->update();
    }
    const QString end = endText();
    if (before == said() && end == m_toldEnd)
        return;
    m_toldEnd = end;
    viewport()->update(); // that moment stands at its axis
    describe();
}

/// What the first look after a gap found gone may have ended at any time in it.
std::vector<UnseenTime> TtlChart::unseenTimes() const
{
    auto times = m_unseenTimes;
    for (UnseenTime &time : times)
        if (m_end && time.to < *m_end && *m_end < time.to + monitor::NoticedSoon)
            time.to = *m_end;
    return times;
}

/// Where there is no room for the figures of four lines, there are fewer.
double TtlChart::tickStep() const
{
    constexpr double Line = 20; // pixels
    constexpr double Scale = 30; // above and below the plot, which has its size later than the widget
    return roundStep(m_curve.fullTtl / std::clamp(std::floor((viewport()->height() - Scale) / Line), 2.0, 4.0));
}

/// What its tip counts changes with the time.
bool TtlChart::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip)
        describe();
    return QChartView::event(event);
}

/// Its frame is drawn in the viewport, which Qt leaves as it is.
void TtlChart::focusInEvent(QFocusEvent *event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}

void TtlChart::focusOutEvent(QFocusEvent *event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

/// At once: lines that an axis gets later take the focus within the chart, which makes waiting tool tips sleep.
void TtlChart::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    refresh();
}

/// Whatever moves to the left does so by less than a pixel a tick, and is drawn anew every other pixel.
TtlChart::Picture TtlChart::picture() const
{
    constexpr double PixelsAtOnce = 2;
    const QRectF plot = chart()->plotArea();
    const double now = std::chrono::duration<double>(moment().time_since_epoch()).count();
    const double step = tickStep();
    const double pixelsPerSecond = plot.height() / (m_curve.fullTtl * 1.12);
    Picture picture{ qRound64(plot.width()), qRound64(plot.height()), qRound64(step * 1'000),
        qRound64(step * pixelsPerSecond), m_end ? 1 : 0 };
    bool moves = false;
    const auto add = [&](double x, double ttl) {
        const bool inside = x > -WindowSeconds && x < 0;
        moves = moves || inside;
        picture.push_back(inside ? qRound64((now + x) * 1'000) : 0);
        picture.push_back(qRound64(ttl * pixelsPerSecond));
    };
    for (const TtlCurve::Point &point : m_curve.points) {
        add(point.x, point.ttl);
        picture.push_back((point.begins ? 1 : 0) + (point.inferred ? 2 : 0));
    }
    for (const TtlCurve::Point &renewal : m_curve.renewals)
        add(renewal.x, renewal.ttl);
    for (const TtlCurve::LateSpan &span : m_curve.late) {
        add(span.from, 0);
        add(span.to, 0);
        picture.push_back(qRound64(span.gap * 10)); // as it is written
    }
    for (const Mark &mark : marks())
        add(mark.x, 0);
    for (const TtlCurve::Span &span : m_curve.unseen) {
        add(span.from, 0);
        add(span.to, 0);
    }
    for (const TtlCurve::Span &span : m_curve.passedOver) {
        add(span.from, 4);
        add(span.to, 4);
    }
    if (m_curve.seenFrom)
        add(*m_curve.seenFrom, m_curve.beginsWithHold ? 1 : 0);
    if (const auto free = freeFrom())
        add(*free, 3);
    picture.push_back(isFreeThroughout() ? 1 : 0);
    if (m_curve.endlessFrom)
        add(*m_curve.endlessFrom, 2);
    if (moves)
        picture.push_back(qint64(now * plot.width() / WindowSeconds / PixelsAtOnce));
    return picture;
}

MonoTime TtlChart::moment() const
{
    const MonoTime now = m_clock.now();
    return m_end.value_or(std::min(now, m_seenUntil.value_or(now)));
}

void TtlChart::setStale(bool stale, std::optional<MonoTime> seenUntil)
{
    if (stale == m_stale && seenUntil == m_seenUntil)
        return;
    m_stale = stale;
    m_seenUntil = seenUntil;
    applyTheme();
    refresh();
    viewport()->update();
    describe();
}

QString TtlChart::endText() const
{
    if (!m_end && !m_seenUntil && m_clock.isOfNow())
        return {};
    return clockText(m_clock.wallAt(moment()), m_clock.wallAt(m_clock.realNow()));
}

void TtlChart::setHandOvers(std::vector<HandOver> handOvers)
{
    if (handOvers == m_handOvers)
        return;
    m_handOvers = std::move(handOvers);
    viewport()->update();
    describe();
}

void TtlChart::setUnseen(std::vector<UnseenTime> unseen)
{
    if (unseen == m_unseenTimes)
        return;
    m_unseenTimes = std::move(unseen);
    refresh();
}

void TtlChart::setPassedOver(const std::optional<UnseenTime> &passedOver)
{
    if (passedOver == m_passedOver)
        return;
    m_passedOver = passedOver;
    refresh();
}

QPointF TtlChart::placeOf(double x, double ttl) const
{
    const QRectF plot = chart()->plotArea();
    const double part = ttl / m_unitSeconds / m_ttlAxis->max();
    return { plot.left() + plot.width() * (x + WindowSeconds) / WindowSeconds, plot.bottom() - plot.height() * part };
}

void TtlChart::drawForeground(QPainter *painter, const QRectF &)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    drawUnseen(*painter);
    drawPassedOver(*painter);
    drawLine(*painter);
    drawFeet(*painter);
    drawLabels(*painter);
    drawMoments(*painter);
    if (hasFocus()) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(m_theme.colors().accent);
        painter->drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

void TtlChart::setFreeSince(std::optional<MonoTime> since)
{
    if (std::exchange(m_freeSince, since) != since)
        refresh();
}

void TtlChart::setWatchedSince(std::optional<MonoTime> since)
{
    m_watchedSince = since;
    m_recordedSince.reset();
}

void TtlChart::setRecordedSince(MonoTime since)
{
    if (std::exchange(m_recordedSince, since) != since)
        viewport()->update();
}

QRectF TtlChart::placeOf(const TtlCurve::Span &span) const
{
    const QRectF plot = chart()->plotArea();
    return { QPointF(placeOf(span.from, 0).x(), plot.top()), QPointF(placeOf(span.to, 0).x(), plot.bottom()) };
}

/// Hatched is what nobody saw: before it was watched, and while the connection was lost. Not that nobody held it.
void TtlChart::drawUnseen(QPainter &painter) const
{
    const QBrush hatching = lockui::hatching(m_theme.colors().faint, *painter.device());
    if (m_curve.seenFrom)
        painter.fillRect(placeOf(TtlCurve::Span{ -WindowSeconds, freeFrom().value_or(*m_curve.seenFrom) }), hatching);
    for (const TtlCurve::Span &span : m_curve.unseen)
        painter.fillRect(placeOf(span), hatching);
}

/// Neither hatched, since it was seen, nor blank, since nobody would have held it then.
void TtlChart::drawPassedOver(QPainter &painter) const
{
    constexpr int Every = 6; // pixels
    painter.setPen(QPen(m_theme.colors().faint, 1, Qt::DotLine));
    for (const TtlCurve::Span &span : m_curve.passedOver) {
        const QRectF place = placeOf(span);
        for (int x = qCeil(place.left()); x <= qFloor(place.right()); x += Every)
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    }
}

/// Not a series of the chart: those have no gaps, and between two holds there is nothing.
void TtlChart::drawLine(QPainter &painter) const
{
    QPainterPath line;
    QPainterPath inferred;
    const auto &points = m_curve.points;
    const std::size_t first = points.size() > MostPoints ? points.size() - MostPoints : 0;
    for (std::size_t i = first; i < points.size(); ++i) {
        const QPointF place = placeOf(points[i].x, points[i].ttl);
        const bool jumps = i > first && points[i].x == points[i - 1].x;
        if (i == first || points[i].begins || (jumps && isHandOver(points[i].x))) {
            line.moveTo(place);
        } else if (points[i].inferred) {
            inferred.moveTo(line.currentPosition());
            inferred.lineTo(place);
            line.moveTo(place);
        } else {
            line.lineTo(place);
        }
    }
    QPen pen(m_end || m_stale ? m_theme.colors().muted : m_theme.colors().accent, 1.8);
    painter.strokePath(line, pen);
    pen.setStyle(Qt::DotLine);
    painter.strokePath(inferred, pen);
}

void TtlChart::draw(const TtlCurve &curve)
{
    const double step = tickStep();
    const Unit unit = Unit::of(step);
    const double top = curve.fullTtl * 1.12 / unit.seconds;
    setScale(*m_ttlAxis, top, step / unit.seconds);
    if (m_ttlAxis->labelFormat() != unit.format) // an axis that is told it lays out all of the chart anew
        m_ttlAxis->setLabelFormat(unit.format);
    m_unitSeconds = unit.seconds;
    m_renewals->replace(toPoints(curve.renewals, unit));
    QList<QPointF> late;
    for (const TtlCurve::LateSpan &span : curve.late)
        late << QPointF(span.from, 0) << QPointF(span.from, top) << QPointF(span.to, top) << QPointF(span.to, 0);
    m_lateEdge->replace(late);
    m_late->setVisible(!late.isEmpty());
}

} // namespace lockui
