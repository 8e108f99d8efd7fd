// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ttl_chart.h"

#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

#include <QAreaSeries>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QPainterPath>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace lockui {

using namespace lockcore;

namespace {

constexpr double WindowSeconds = 90;
constexpr std::size_t MostPoints = 1'000;

QString tenths(double seconds) { return QString::number(seconds, 'f', 1); }

/// A step that people count in.
double roundStep(double least)
{
    for (const double step :
        { 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0 })
        if (step >= least)
            return step;
    return std::ceil(least / 1'800) * 1'800;
}

/// What the TTL axis counts in.
struct Unit {
    double seconds = 1;
    QString format; // of a label

    static Unit of(double step)
    {
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
    setAccessibleName(tr("Time to live, last 90 seconds"));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(90);
    setFocusPolicy(Qt::TabFocus);
    buildChart();
    applyTheme();
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
    m_timeAxis->setTickInterval(15);
    m_timeAxis->setLabelFormat(QStringLiteral("%.0f s"));
    m_ttlAxis->setTickType(QValueAxis::TicksDynamic);

    m_lateEdge = new QLineSeries(this);
    m_late = new QAreaSeries(m_lateEdge);
    m_renewals = new QScatterSeries;
    for (QAbstractSeries *series : std::initializer_list<QAbstractSeries *>{ m_late, m_renewals }) {
        view->addSeries(series);
        series->attachAxis(m_timeAxis);
        series->attachAxis(m_ttlAxis);
    }
    m_lateLabel = new QGraphicsSimpleTextItem(view);
    m_endlessLabel = new QGraphicsSimpleTextItem(tr("no time to live: it never expires by itself"), view);
    for (QGraphicsSimpleTextItem *label : { m_lateLabel, m_endlessLabel })
        label->setZValue(10);
}

void TtlChart::applyTheme()
{
    const Colors &colors = m_theme.colors();
    chart()->setBackgroundBrush(colors.window);
    chart()->setBackgroundPen(Qt::NoPen);
    setBackgroundBrush(colors.window);
    QFont small = m_theme.uiFont();
    small.setPixelSize(10);
    for (QValueAxis *axis : { m_timeAxis, m_ttlAxis }) {
        axis->setLabelsFont(small);
        axis->setLabelsColor(colors.muted);
        axis->setLinePen(QPen(colors.border, 1));
        axis->setGridLinePen(QPen(colors.line, 1));
    }
    m_renewals->setMarkerSize(6);
    m_renewals->setColor(colors.accent);
    m_renewals->setBorderColor(colors.window);
    QColor lateWash = colors.warning;
    lateWash.setAlphaF(0.18F);
    m_late->setBrush(lateWash);
    m_late->setPen(Qt::NoPen);
    m_lateLabel->setFont(small);
    m_lateLabel->setBrush(colors.warning);
    m_endlessLabel->setFont(small);
    m_endlessLabel->setBrush(colors.warning);
}

void TtlChart::setLock(LockTableModel::Lock lock)
{
    const bool another = !m_lock || !lock || m_lock->name != lock->name;
    m_lock = std::move(lock);
    refresh();
    if (another)
        describe();
}

void TtlChart::refresh()
{
    const auto said = [this] {
        return std::tuple(m_curve.medianGap, m_curve.worstGap, m_curve.unseen.size(), m_curve.endlessFrom.has_value());
    };
    const auto before = said();
    m_curve = m_lock ? ttlCurve(*m_lock, m_end.value_or(m_clock.now()), Window, m_unseenTimes) : TtlCurve();
    if (Picture picture = this->picture(); picture != m_picture) {
        m_picture = std::move(picture);
        draw(m_curve);
        placeLabels();
        viewport()->update();
    }
    if (before != said())
        describe();
}

/// Whatever moves to the left does so by less than a pixel a tick.
TtlChart::Picture TtlChart::picture() const
{
    const QRectF plot = chart()->plotArea();
    const double now = std::chrono::duration<double>(m_end.value_or(m_clock.now()).time_since_epoch()).count();
    const double step = roundStep(m_curve.fullTtl / 4);
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
    if (m_curve.seenFrom)
        add(*m_curve.seenFrom, m_curve.beginsWithHold ? 1 : 0);
    if (m_curve.endlessFrom)
        add(*m_curve.endlessFrom, 2);
    if (moves)
        picture.push_back(qint64(now * plot.width() / WindowSeconds));
    return picture;
}

void TtlChart::setEnd(std::optional<MonoTime> end, const QString &how)
{
    if (end == m_end && how == m_howItEnded)
        return;
    m_end = end;
    m_howItEnded = how;
    refresh();
    viewport()->update();
    describe();
}

void TtlChart::setHandOvers(std::vector<HandOver> handOvers)
{
    if (handOvers == m_handOvers)
        return;
    m_handOvers = std::move(handOvers);
    viewport()->update();
}

void TtlChart::setUnseen(std::vector<UnseenTime> unseen)
{
    if (unseen == m_unseenTimes)
        return;
    m_unseenTimes = std::move(unseen);
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
    drawLine(*painter);
    drawMarks(*painter);
    if (hasFocus()) {
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(m_theme.colors().accent);
        painter->drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

bool TtlChart::isHandOver(double x) const
{
    constexpr double Same = 0.2; // seconds: between an event and what was read then
    const MonoTime at = m_end.value_or(m_clock.now())
        + std::chrono::duration_cast<MonoTime::duration>(std::chrono::duration<double>(x));
    return std::ranges::any_of(m_handOvers, [&](const HandOver &handOver) {
        return std::abs(std::chrono::duration<double>(handOver.at - at).count()) < Same;
    });
}

/// A lock that was gone comes back with a new history: what was before was seen, and is not kept.
bool TtlChart::wasWatchedBefore() const
{
    constexpr double Margin = 1; // seconds: of the first look itself
    const std::chrono::duration<double> since
        = m_end.value_or(m_clock.now()) - m_watchedSince.value_or(MonoTime::max());
    return m_watchedSince && *m_curve.seenFrom > Margin - since.count();
}

QString TtlChart::unseenText(const TtlCurve::Span &span) const
{
    return tr("not seen for %1").arg(durationText(Millis(qRound64((span.to - span.from) * 1'000))));
}

/// Hatched is what nobody saw: before it was watched, and while the connection was lost.
void TtlChart::drawUnseen(QPainter &painter) const
{
    const QRectF plot = chart()->plotArea();
    const auto hatch = [&](double from, double to) {
        const QRectF place(QPointF(placeOf(from, 0).x(), plot.top()), QPointF(placeOf(to, 0).x(), plot.bottom()));
        painter.fillRect(place, QBrush(m_theme.colors().faint, Qt::BDiagPattern));
        return place;
    };
    QFont small = m_theme.uiFont();
    small.setPixelSize(10);
    painter.setFont(small);
    painter.setPen(m_theme.colors().muted);
    const auto say = [&](const QRectF &place, const QString &text) {
        constexpr int Edge = 3;
        const QSizeF size(painter.fontMetrics().horizontalAdvance(text) + 2 * Edge, painter.fontMetrics().height());
        // Above the marks of hand-overs, which stand at the foot.
        const QRectF label(place.left() + Edge, place.center().y() - size.height() / 2, size.width(), size.height());
        if (!place.contains(label))
            return false;
        painter.fillRect(label, m_theme.colors().window); // no hatching behind letters
        painter.drawText(label, Qt::AlignCenter, text);
        return true;
    };
    // Who took it, and when, is seen; what was before the hold is not drawn, and may have been another.
    if (m_curve.seenFrom)
        say(hatch(-WindowSeconds, *m_curve.seenFrom),
            m_curve.beginsWithHold   ? tr("before this hold")
                : wasWatchedBefore() ? tr("no course kept from before")
                                     : tr("not watched yet"));
    for (const TtlCurve::Span &span : m_curve.unseen) {
        const QRectF place = hatch(span.from, span.to);
        if (!say(place, unseenText(span)))
            say(place, tr("not seen"));
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
    QPen pen(m_end ? m_theme.colors().muted : m_theme.colors().accent, 1.8);
    painter.strokePath(line, pen);
    pen.setStyle(Qt::DotLine);
    painter.strokePath(inferred, pen);
}

std::vector<TtlChart::Mark> TtlChart::marks() const
{
    std::vector<Mark> marks;
    const MonoTime now = m_end.value_or(m_clock.now());
    for (const HandOver &handOver : m_handOvers) {
        const double x = std::chrono::duration<double>(handOver.at - now).count();
        if (x >= -WindowSeconds && x <= 0)
            marks.push_back({ x, handOver.to });
    }
    const auto isAfterGap = [this](double x) {
        return std::ranges::any_of(m_curve.unseen, [x](const TtlCurve::Span &span) { return span.to == x; });
    };
    for (const TtlCurve::Point &point : m_curve.points)
        if (point.begins && !isHandOver(point.x)
            && !isAfterGap(point.x)) // whose hold it is after a gap is not told here
            marks.push_back({ point.x, {} });
    if (m_end)
        marks.push_back({ 0, m_howItEnded });
    std::ranges::sort(marks, {}, &Mark::x);
    return marks;
}

/// A foot on the axis for each, and a name where there is room for it: the newest first.
void TtlChart::drawMarks(QPainter &painter) const
{
    constexpr double Foot = 4;
    QFont small = m_theme.uiFont();
    small.setPixelSize(10);
    painter.setFont(small);
    const QRectF plot = chart()->plotArea();
    const auto all = marks();
    double free = plot.right(); // of names, to the left of it
    for (auto mark = all.rbegin(); mark != all.rend(); ++mark) {
        const double x = placeOf(mark->x, 0).x();
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.colors().muted);
        painter.drawPolygon(QPolygonF({ QPointF(x - Foot, plot.bottom()), QPointF(x + Foot, plot.bottom()),
            QPointF(x, plot.bottom() - 1.5 * Foot) }));
        const double width = painter.fontMetrics().horizontalAdvance(mark->text);
        const double left = std::min(x + Foot + 2, free - width - 2);
        const bool belongsThere = left > x - width - 3 * Foot && left > plot.left();
        if (mark->text.isEmpty() || !belongsThere || left + width > free)
            continue;
        painter.setPen(m_theme.colors().muted);
        painter.drawText(QPointF(left, plot.bottom() - 1.5 * Foot - 2), mark->text);
        free = left - 4;
    }
}

void TtlChart::draw(const TtlCurve &curve)
{
    const double step = roundStep(curve.fullTtl / 4);
    const Unit unit = Unit::of(step);
    const double top = curve.fullTtl * 1.12 / unit.seconds;
    m_ttlAxis->setRange(0, top);
    m_ttlAxis->setTickInterval(step / unit.seconds);
    m_ttlAxis->setLabelFormat(unit.format);
    m_unitSeconds = unit.seconds;
    m_renewals->replace(toPoints(curve.renewals, unit));
    QList<QPointF> late;
    for (const TtlCurve::LateSpan &span : curve.late)
        late << QPointF(span.from, 0) << QPointF(span.from, top) << QPointF(span.to, top) << QPointF(span.to, 0);
    m_lateEdge->replace(late);
    m_late->setVisible(!late.isEmpty());
}

void TtlChart::placeLabels()
{
    const QRectF plot = chart()->plotArea();
    const auto xOf = [&](double x) { return plot.left() + plot.width() * (x + WindowSeconds) / WindowSeconds; };
    m_lateLabel->setVisible(!m_curve.late.empty());
    if (!m_curve.late.empty()) {
        const TtlCurve::LateSpan &last = m_curve.late.back();
        m_lateLabel->setText(tr("renewal late (%1 s gap)").arg(tenths(last.gap)));
        const double width = m_lateLabel->boundingRect().width();
        const double left = std::clamp(xOf(last.from) + 3, plot.left(), std::max(plot.left(), plot.right() - width));
        m_lateLabel->setPos(left, plot.top() + 1);
    }
    const QRectF endless = m_endlessLabel->boundingRect();
    m_endlessLabel->setVisible(m_curve.endlessFrom.has_value());
    if (m_curve.endlessFrom) {
        const double from = xOf(std::max(-WindowSeconds, *m_curve.endlessFrom));
        const double middle = (from + plot.right() - endless.width()) / 2;
        m_endlessLabel->setPos(std::min(std::max(middle, from + 5), plot.right() - endless.width() - 5),
            plot.center().y() - endless.height() / 2);
    }
}

QString TtlChart::gapText() const
{
    if (!m_curve.medianGap)
        return {};
    return tr("median gap %1 s · worst %2 s").arg(tenths(*m_curve.medianGap), tenths(*m_curve.worstGap));
}

void TtlChart::describe()
{
    if (!m_lock) {
        setAccessibleDescription({});
        return;
    }
    QStringList parts;
    if (m_curve.endlessFrom)
        parts << m_endlessLabel->text();
    else
        parts << tr("%1 renewals in the last 90 seconds").arg(m_curve.renewals.size());
    if (m_curve.medianGap)
        parts << gapText();
    for (const TtlCurve::LateSpan &span : m_curve.late)
        parts << tr("renewal late: %1 s gap").arg(tenths(span.gap));
    for (const TtlCurve::Span &span : m_curve.unseen)
        parts << unseenText(span);
    if (m_end)
        parts << m_howItEnded;
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    setToolTip(plainToolTip(parts.join(QLatin1Char('\n'))));
}

} // namespace lockui
