// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/count_chart.h"

#include "ui/charts/time_axis.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QPainter>

#include <algorithm>

namespace lockui {

using namespace lockcore;

namespace {

constexpr int BelowPlot = 18; // for the times
constexpr int AbovePlot = 8;
constexpr int LabelEdge = 3;
constexpr std::chrono::seconds Slack{ 1 }; // of the first look itself

/// Whole numbers, few enough to be read.
std::int64_t roundCount(std::int64_t least)
{
    for (std::int64_t unit = 1; unit < 1'000'000'000'000'000; unit *= 10)
        for (const std::int64_t step : { unit, 2 * unit, 5 * unit })
            if (step >= least)
                return step;
    return least;
}

} // namespace

CountChart::CountChart(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::TabFocus);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void CountChart::show(Picture picture)
{
    if (picture == m_picture)
        return;
    const bool changed = picture.curve != m_picture.curve || picture.all != m_picture.all
        || picture.end.isEmpty() != m_picture.end.isEmpty() || picture.isGone != m_picture.isGone;
    m_picture = std::move(picture);
    if (changed)
        describe();
    update();
}

QFont CountChart::smallFont() const
{
    QFont small = m_theme.uiFont();
    small.setPixelSize(10);
    return small;
}

std::int64_t CountChart::top() const
{
    return std::max<std::int64_t>({ 1, m_picture.curve.most, m_picture.all.value_or(0) });
}

QRectF CountChart::plot() const
{
    const QFontMetricsF metrics(smallFont());
    const double left = 6
        + std::max(
            metrics.horizontalAdvance(countText(top())), metrics.horizontalAdvance(countText(m_picture.curve.least)));
    return QRectF(rect()).adjusted(left, AbovePlot, -2, -BelowPlot);
}

double CountChart::placeOf(WallTime at) const
{
    const QRectF plot = this->plot();
    const double part = std::chrono::duration<double>(at - m_picture.from)
        / std::chrono::duration<double>(std::max<WallTime::duration>(m_picture.to - m_picture.from, Millis(1)));
    return plot.left() + plot.width() * std::clamp(part, 0.0, 1.0);
}

double CountChart::heightOf(std::int64_t value) const
{
    const QRectF plot = this->plot();
    const auto least = m_picture.curve.least;
    return plot.bottom() - plot.height() * double(value - least) / double(top() - least);
}

std::vector<CountCurve::Span> CountChart::hatched() const
{
    std::vector<CountCurve::Span> spans;
    const WallTime seenFrom = m_picture.curve.seenFrom().value_or(m_picture.to);
    if (seenFrom > m_picture.from)
        spans.push_back({ m_picture.from, seenFrom });
    for (const CountCurve::Span &span : m_picture.curve.unseen)
        spans.push_back({ std::max(span.from, m_picture.from), std::min(span.to, m_picture.to) });
    return spans;
}

void CountChart::drawScale(QPainter &painter) const
{
    const Colors &colors = m_theme.colors();
    const QRectF plot = this->plot();
    const QFontMetricsF metrics(painter.font());
    const std::int64_t most = top();
    const auto lines = std::max<std::int64_t>(1, std::int64_t(plot.height() / (2.2 * metrics.height())));
    const std::int64_t step = roundCount((most - m_picture.curve.least + lines - 1) / lines);
    for (std::int64_t value = m_picture.curve.least / step * step; value <= most; value += step) {
        const double y = heightOf(value);
        painter.setPen(QPen(value == 0 ? colors.border : colors.line, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.muted);
        painter.drawText(QRectF(0, y - metrics.height() / 2, plot.left() - 4, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, countText(value));
    }
    const auto window = std::chrono::duration_cast<std::chrono::seconds>(m_picture.to - m_picture.from);
    const int parts = window < std::chrono::minutes(2) ? 6 : 5; // of whole seconds or minutes
    for (int part = 0; part <= parts; ++part) {
        const QString text = momentBeforeText(window * (parts - part) / parts, m_picture.end);
        const double width = metrics.horizontalAdvance(text);
        const double x = plot.left() + plot.width() * part / parts;
        painter.drawText(QPointF(std::clamp(x - width / 2, plot.left(), plot.right() - width), height() - 4.0), text);
    }
}

void CountChart::drawSteps(QPainter &painter) const
{
    const Colors &colors = m_theme.colors();
    const QColor color = m_picture.isGrey ? colors.muted : m_picture.isLatch ? colors.waiting : colors.accent;
    QColor wash = color;
    wash.setAlphaF(0.16F);
    const QPen line(color, 1.8);
    const double zero = heightOf(std::max<std::int64_t>(0, m_picture.curve.least));
    const auto &steps = m_picture.curve.steps;
    std::optional<QPointF> end; // of the piece before, where it is joined to the next
    const auto draw = [&](WallTime from, WallTime to, std::int64_t value) {
        const QPointF left(placeOf(from), heightOf(value));
        const QPointF right(placeOf(to), left.y());
        painter.fillRect(QRectF(QPointF(left.x(), zero), right).normalized(), wash);
        painter.setPen(line);
        if (end && qFuzzyCompare(end->x(), left.x()))
            painter.drawLine(*end, left);
        painter.drawLine(left, right);
        end = right;
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const WallTime to = std::min(i + 1 < steps.size() ? steps[i + 1].from : m_picture.to, m_picture.to);
        WallTime from = std::max(steps[i].from, m_picture.from);
        if (!steps[i].value)
            end.reset();
        if (!steps[i].value || from >= to)
            continue;
        for (const CountCurve::Span &gap : m_picture.curve.unseen) {
            if (gap.to <= from || gap.from >= to)
                continue;
            if (gap.from > from)
                draw(from, gap.from, *steps[i].value);
            end.reset();
            from = gap.to;
        }
        if (from < to)
            draw(from, to, *steps[i].value);
    }
}

QString CountChart::allText() const
{
    const QString text = m_picture.end.isEmpty() ? tr("%1 in all now") : tr("%1 in all at last");
    return text.arg(countText(*m_picture.all));
}

/// Why there is no number before that: the lock was not watched yet, or it was, and was not there or not recognised.
QString CountChart::beforeText(WallTime seenFrom) const
{
    if (!m_picture.watchedSince)
        return tr("not known");
    return *m_picture.watchedSince + Slack < seenFrom ? tr("not seen before") : tr("not watched yet");
}

std::vector<CountChart::Label> CountChart::labels() const
{
    const QFontMetricsF metrics(smallFont());
    const QRectF plot = this->plot();
    std::vector<Label> labels;
    const auto spans = hatched();
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const bool isBeginning = i == 0 && spans[i].from == m_picture.from && m_picture.curve.seenFrom() == spans[i].to;
        const Millis length = std::chrono::duration_cast<Millis>(spans[i].to - spans[i].from);
        const QStringList texts = isBeginning ? QStringList{ beforeText(spans[i].to) }
            : !m_picture.curve.seenFrom()
            ? QStringList{ tr("no number was seen") }
            : QStringList{ tr("not seen for %1")
                               .arg((spans[i].from > m_picture.from ? QString() : QStringLiteral("≥ "))
                                   + durationText(length)),
                  tr("not seen") };
        const QRectF room(QPointF(placeOf(spans[i].from), plot.top()), QPointF(placeOf(spans[i].to), plot.bottom()));
        for (const QString &text : texts) {
            QRectF place(0, 0, metrics.horizontalAdvance(text) + 2 * LabelEdge, metrics.height());
            place.moveCenter(room.center());
            if (!room.contains(place))
                continue;
            labels.push_back({ text, place });
            break;
        }
    }
    return labels;
}

void CountChart::paintEvent(QPaintEvent *)
{
    const Colors &colors = m_theme.colors();
    QPainter painter(this);
    painter.setFont(smallFont());
    drawScale(painter);
    const QRectF plot = this->plot();
    const QBrush hatching = lockui::hatching(colors.faint, *painter.device());
    for (const CountCurve::Span &span : hatched())
        painter.fillRect(
            QRectF(QPointF(placeOf(span.from), plot.top()), QPointF(placeOf(span.to), plot.bottom())), hatching);
    drawSteps(painter);
    const QFontMetricsF metrics(painter.font());
    QColor ground = colors.window;
    ground.setAlphaF(0.85F);
    if (m_picture.all) {
        const double y = heightOf(*m_picture.all);
        painter.setPen(QPen(colors.waiting, 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        const QString text = allText();
        const QRectF place(plot.right() - metrics.horizontalAdvance(text) - 2 * LabelEdge, y + 2,
            metrics.horizontalAdvance(text) + 2 * LabelEdge, metrics.height());
        painter.fillRect(place, ground);
        painter.setPen(m_theme.ink(Tone::Waiting));
        painter.drawText(place, Qt::AlignCenter, text);
    }
    painter.setPen(colors.muted);
    for (const Label &label : labels()) {
        painter.fillRect(label.place, ground);
        painter.drawText(label.place, Qt::AlignCenter, label.text);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(colors.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString CountChart::numberText() const
{
    std::optional<std::int64_t> value;
    for (const CountCurve::Step &step : m_picture.curve.steps)
        if (step.value || !m_picture.isGone)
            value = step.value;
    if (!value)
        return m_picture.isLatch ? tr("open") : tr("does not exist");
    const QString text = countText(*value);
    if (m_picture.end.isEmpty())
        return (m_picture.isLatch ? tr("now: %1 to go") : tr("now: %1 free")).arg(text);
    return (m_picture.isLatch ? tr("last: %1 to go") : tr("last: %1 free")).arg(text);
}

/// Describes the chart for those who cannot see it: the number now, its range, and the times that were not seen.
void CountChart::describe()
{
    const CountCurve &curve = m_picture.curve;
    QStringList parts;
    if (!curve.steps.empty()) {
        parts << numberText();
        parts << tr("changed %1 times", nullptr, pluralOf(std::ssize(curve.steps) - 1))
                     .arg(countText(std::ssize(curve.steps) - 1));
        parts << tr("between %1 and %2").arg(countText(curve.least), countText(curve.most));
    }
    if (!curve.seenFrom())
        parts << tr("no number was seen");
    if (m_picture.all)
        parts << allText();
    for (const CountCurve::Span &span : curve.unseen)
        parts << tr("not seen for %1").arg(durationText(std::chrono::duration_cast<Millis>(span.to - span.from)));
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    setToolTip(plainToolTip(parts.join(QLatin1Char('\n'))));
}

} // namespace lockui
