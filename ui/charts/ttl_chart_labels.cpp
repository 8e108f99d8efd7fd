// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/time_axis.h"
#include "ui/charts/ttl_chart.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

/// What the chart of a time to live says in words: at its marks, in its plot, at its axis of times, and to those who
/// do not see it.
namespace lockui {

using namespace lockcore;

namespace {

constexpr double Foot = 4; // half of the width of a mark's
constexpr double Edge = 3; // of a label, at its left and right

QString endlessText() { return TtlChart::tr("no time to live: it never expires by itself"); }

QString passedOverText() { return TtlChart::tr("passed over: its events tell how it went on"); }

QString freeText() { return TtlChart::tr("nobody holds it: there is no time to live"); }

/// As everywhere: no more than it was.
QString tenths(double seconds) { return QString::number(std::floor(seconds * 10 + 1e-6) / 10, 'f', 1); }

void addIfFree(std::vector<TtlChart::Label> &labels, TtlChart::Label label)
{
    if (std::ranges::none_of(labels, [&](const auto &other) { return other.place.intersects(label.place); }))
        labels.push_back(std::move(label));
}

} // namespace

bool TtlChart::isHandOver(double x) const
{
    constexpr double Same = 0.2; // seconds: between an event and what was read then
    const MonoTime at = moment() + std::chrono::duration_cast<MonoTime::duration>(std::chrono::duration<double>(x));
    return std::ranges::any_of(m_handOvers, [&](const HandOver &handOver) {
        return std::abs(std::chrono::duration<double>(handOver.at - at).count()) < Same;
    });
}

/// A lock that was gone comes back with a new history: what was before was seen, and is not kept.
bool TtlChart::wasWatchedBefore(double x) const
{
    constexpr double Margin = 1; // seconds: of the first look itself
    const auto watchedSince = m_recordedSince ? m_recordedSince : m_watchedSince;
    const std::chrono::duration<double> since = moment() - watchedSince.value_or(MonoTime::max());
    return watchedSince && x > Margin - since.count();
}

std::optional<double> TtlChart::freeFrom() const
{
    if (!m_freeSince || !m_curve.seenFrom)
        return std::nullopt;
    const std::chrono::duration<double> ago = moment() - *m_freeSince;
    const double from = std::max(-WindowSeconds, -ago.count());
    return from < *m_curve.seenFrom ? std::optional(from) : std::nullopt;
}

QString TtlChart::beforeText(double x) const
{
    // Who took it, and when, is seen; what was before the hold is not drawn, and may have been another.
    if (m_curve.beginsWithHold && !freeFrom())
        return tr("before this hold");
    if (wasWatchedBefore(x))
        return tr("no course kept from before");
    return m_recordedSince ? tr("not known") : tr("not watched yet");
}

QString TtlChart::unseenText(const TtlCurve::Span &span) const
{
    const QString length = durationText(Millis(qRound64((span.to - span.from) * 1'000)));
    return tr("not seen for %1").arg(span.from > -WindowSeconds ? length : QStringLiteral("≥ ") + length);
}

std::vector<TtlChart::Mark> TtlChart::marks() const
{
    std::vector<Mark> marks;
    const MonoTime now = moment();
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

std::vector<QRectF> TtlChart::feet() const
{
    std::vector<QRectF> feet;
    for (const Mark &mark : marks())
        feet.emplace_back(
            placeOf(mark.x, 0).x() - Foot, chart()->plotArea().bottom() - 1.5 * Foot, 2 * Foot, 1.5 * Foot);
    return feet;
}

void TtlChart::drawFeet(QPainter &painter) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.colors().muted);
    for (const QRectF &foot : feet())
        painter.drawPolygon(
            QPolygonF({ foot.bottomLeft(), foot.bottomRight(), QPointF(foot.center().x(), foot.top()) }));
}

/// What warns comes first, then who took it: where there is no room for all, the later are left out.
std::vector<TtlChart::Label> TtlChart::labels() const
{
    const QFontMetricsF metrics(smallFont());
    const QRectF plot = chart()->plotArea();
    std::vector<Label> labels;
    const auto add = [&](const QString &text, double left, double top) {
        const double width = metrics.horizontalAdvance(text) + 2 * Edge;
        const double last = plot.right() - width;
        if (last >= plot.left())
            addIfFree(
                labels, { text, { std::clamp(left, plot.left(), last), top, width, metrics.height() }, Tone::Warning });
    };
    if (!m_curve.late.empty()) {
        const TtlCurve::LateSpan &last = m_curve.late.back();
        add(tr("renewal late (%1 s gap)").arg(tenths(last.gap)), placeOf(last.from, 0).x(), plot.top() + 1);
    }
    if (m_curve.endlessFrom) {
        const double from = placeOf(std::max(-WindowSeconds, *m_curve.endlessFrom), 0).x();
        const double width = metrics.horizontalAdvance(endlessText()) + 2 * Edge;
        add(endlessText(), std::max(from, (from + plot.right() - width) / 2),
            plot.top() + plot.height() / 3 - metrics.height());
    }
    addNames(labels);
    addUnseen(labels);
    if (isFreeThroughout()) {
        const QSizeF size(metrics.horizontalAdvance(freeText()) + 2 * Edge, metrics.height());
        const QPointF corner(plot.center().x() - size.width() / 2, plot.top() + plot.height() / 4 - size.height() / 2);
        addIfFree(labels, { freeText(), QRectF(corner, size) });
    }
    return labels;
}

/// A name stands to the right of its foot, and ends before the next one. Only the newest may be too near to the edge:
/// it stands a line higher then.
void TtlChart::addNames(std::vector<Label> &labels) const
{
    constexpr double Least = 40; // pixels: of less nobody can tell who it is
    const QFontMetricsF metrics(smallFont());
    const QRectF plot = chart()->plotArea();
    const auto all = marks();
    const auto feet = this->feet();
    const double top = plot.bottom() - 1.5 * Foot - 1 - metrics.height();
    double end = plot.right();
    for (std::size_t i = all.size(); i-- > 0; end = feet[i].left()) {
        const QString &text = all[i].text;
        const double width = metrics.horizontalAdvance(text) + 2 * Edge;
        const double room = end - feet[i].right();
        const bool fits = width <= room;
        const bool isHigher = !fits && i + 1 == all.size();
        if (text.isEmpty() || (!fits && !isHigher && room < Least))
            continue;
        const double used = std::min(width, isHigher ? plot.width() : room);
        const QPointF corner
            = isHigher ? QPointF(plot.right() - used, top - metrics.height()) : QPointF(feet[i].right(), top);
        addIfFree(labels, { elided(text, metrics, used - 2 * Edge), { corner, QSizeF(used, metrics.height()) } });
    }
}

/// In the middle of what has no line, if it is wide enough.
void TtlChart::addUnseen(std::vector<Label> &labels) const
{
    const QFontMetricsF metrics(smallFont());
    const auto say = [&](const QRectF &place, const QString &text) {
        const QRectF label(place.left() + Edge, place.center().y() - metrics.height() / 2,
            metrics.horizontalAdvance(text) + 2 * Edge, metrics.height());
        if (place.contains(label))
            addIfFree(labels, { text, label });
        return place.contains(label);
    };
    if (m_curve.seenFrom) {
        const double begin = freeFrom().value_or(*m_curve.seenFrom);
        say(placeOf(TtlCurve::Span{ -WindowSeconds, begin }), beforeText(begin));
        double free = begin;
        for (const TtlCurve::Span &span : m_curve.unseen)
            free = span.to <= *m_curve.seenFrom ? std::max(free, span.to) : free;
        say(placeOf(TtlCurve::Span{ free, *m_curve.seenFrom }), tr("nobody held it"));
    }
    for (const TtlCurve::Span &span : m_curve.unseen)
        if (!say(placeOf(span), unseenText(span)))
            say(placeOf(span), tr("not seen"));
    for (const TtlCurve::Span &span : m_curve.passedOver)
        if (!say(placeOf(span), passedOverText()))
            say(placeOf(span), tr("passed over"));
}

/// On a ground of their own: no hatching and no line runs through the letters.
void TtlChart::drawLabels(QPainter &painter) const
{
    painter.setFont(smallFont());
    QColor ground = m_theme.colors().window;
    ground.setAlphaF(0.85F);
    for (const Label &label : labels()) {
        painter.fillRect(label.place, ground);
        painter.setPen(m_theme.ink(label.tone));
        painter.drawText(label.place, Qt::AlignCenter, label.text);
    }
}

std::vector<TtlChart::Label> TtlChart::moments() const
{
    const QFontMetricsF metrics(smallFont());
    const QString end = endText();
    std::vector<Label> moments;
    for (auto before = std::chrono::floor<std::chrono::seconds>(Window); before.count() >= 0; before -= LabelEvery) {
        const QString text = momentBeforeText(before, end);
        const double width = metrics.horizontalAdvance(text);
        const double x = placeOf(-double(before.count()), 0).x();
        moments.push_back({ text,
            { std::min(x - width / 2, viewport()->width() - width), chart()->plotArea().bottom() + Edge, width,
                metrics.height() } });
    }
    return moments;
}

void TtlChart::drawMoments(QPainter &painter) const
{
    painter.setFont(smallFont());
    painter.setPen(m_theme.colors().muted);
    for (const Label &moment : moments())
        painter.drawText(moment.place, Qt::AlignCenter | Qt::TextDontClip, moment.text);
}

/// Its chart would be empty without a word.
bool TtlChart::isFreeThroughout() const
{
    return m_lock && !m_end && m_curve.points.empty() && !m_curve.endlessFrom && isFree(*m_lock);
}

QString TtlChart::gapText() const
{
    if (!m_curve.medianGap)
        return {};
    return tr("median gap %1 s · worst %2 s").arg(tenths(*m_curve.medianGap), tenths(*m_curve.worstGap));
}

void TtlChart::describe()
{
    const QString end = endText();
    setAccessibleName(m_end ? tr("Time to live, its last 90 seconds")
            : end.isEmpty() ? tr("Time to live, last 90 seconds")
                            : tr("Time to live, the 90 seconds until %1").arg(end));
    if (!m_lock) {
        setAccessibleDescription({});
        return;
    }
    const bool isWhole = m_curve.unseen.empty() && m_curve.passedOver.empty();
    const QString renewals = (isWhole ? QString() : QStringLiteral("≥ ")) + countText(std::ssize(m_curve.renewals));
    const WallTime now = m_clock.wallAt(m_clock.realNow());
    const std::chrono::duration<double> seenFrom(m_curve.seenFrom.value_or(0));
    const WallTime knownSince = m_clock.wallAt(moment() + std::chrono::duration_cast<MonoTime::duration>(seenFrom));
    QStringList parts;
    if (m_curve.endlessFrom)
        parts << endlessText();
    else if (isFreeThroughout())
        parts << freeText();
    else if (m_curve.seenFrom)
        parts << tr("renewals since %1: %2").arg(clockText(knownSince, now), renewals);
    else
        parts << (m_end         ? tr("renewals in its last 90 seconds: %1").arg(renewals)
                : end.isEmpty() ? tr("renewals in the last 90 seconds: %1").arg(renewals)
                                : tr("renewals in the 90 seconds until %1: %2").arg(end, renewals));
    if (m_curve.medianGap)
        parts << gapText();
    for (const TtlCurve::LateSpan &span : m_curve.late)
        parts << tr("renewal late: %1 s gap").arg(tenths(span.gap));
    for (const TtlCurve::Span &span : m_curve.unseen)
        parts << unseenText(span);
    if (!m_curve.passedOver.empty())
        parts << passedOverText();
    constexpr std::size_t MostNames = 8;
    const std::size_t older = m_handOvers.size() - std::min(m_handOvers.size(), MostNames);
    for (const HandOver &handOver : std::span(m_handOvers).subspan(older))
        parts << tr("taken by %1 at %2").arg(handOver.to, clockText(m_clock.wallAt(handOver.at), now));
    if (m_end)
        parts << m_howItEnded;
    setAccessibleDescription(parts.join(QStringLiteral("; ")));
    setToolTip(plainToolTip(parts.join(QLatin1Char('\n'))));
}

} // namespace lockui
