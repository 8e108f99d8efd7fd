// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lane_painter.h"

#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int MostLabels = 4'096;
constexpr int FewSpans = 8; // of one pixel: whether they are of one owner is looked at
constexpr double WidestLabel = 140; // of whose hold it is: beside it more has room
constexpr double OutOfSight = 20; // there lies the end of a bar that leads out of the plot
constexpr double RoundFrom = 12; // wide bars have round corners, and edges that tell more
constexpr double Radius = 3;
constexpr double ToothWidth = 3;
constexpr int MarkWidth = 8;
constexpr int StepHeight = 3; // of a hold more by re-entry
constexpr int MostDepth = 4;
constexpr double Faint = 0.3; // of its colour, beside bars that are lit

QFont labelFont(const Theme &theme)
{
    QFont font = theme.monoFont();
    font.setPixelSize(11);
    return font;
}

/// A bar whose left or right edge is ragged: it was so already, or may go on.
QPainterPath raggedBar(const QRectF &place, bool left, bool right)
{
    const double teeth = std::max(2.0, std::round(place.height() / 5));
    const double tooth = place.height() / teeth;
    QPainterPath path(QPointF(place.left() + (left ? ToothWidth : 0), place.top()));
    path.lineTo(place.right() - (right ? ToothWidth : 0), place.top());
    if (right)
        for (int i = 0; i < int(teeth); ++i) {
            path.lineTo(place.right(), place.top() + tooth * (i + 0.5));
            path.lineTo(place.right() - ToothWidth, place.top() + tooth * (i + 1));
        }
    path.lineTo(place.right() - (right ? ToothWidth : 0), place.bottom());
    path.lineTo(place.left() + (left ? ToothWidth : 0), place.bottom());
    if (left)
        for (int i = int(teeth) - 1; i >= 0; --i) {
            path.lineTo(place.left(), place.top() + tooth * (i + 0.5));
            path.lineTo(place.left() + ToothWidth, place.top() + tooth * i);
        }
    path.closeSubpath();
    return path;
}

} // namespace

const std::vector<QColor> &clientColors(bool dark)
{
    static const std::vector<QColor> Light{ QColor(0x2f6fdb), QColor(0x0d7f72), QColor(0xb0478a), QColor(0x7a6a10),
        QColor(0x2e7d4a), QColor(0x5a63c4), QColor(0xa8561c), QColor(0x3f7385), QColor(0x66761c), QColor(0x96566c) };
    static const std::vector<QColor> Dark{ QColor(0x6ea8ff), QColor(0x45c2b0), QColor(0xe58fc0), QColor(0xd0ba58),
        QColor(0x76cc93), QColor(0x9aa4f2), QColor(0xe0a070), QColor(0x8fbccc), QColor(0xb6c46a), QColor(0xd3a0ae) };
    return dark ? Dark : Light;
}

QColor textOnClientColors(bool dark) { return dark ? QColor(0x15181d) : QColor(0xffffff); }

namespace {

QRectF oneOfRows(std::size_t count, std::size_t above, double top)
{
    const double distance = double(LaneShape::HoldsHeight + 1) / double(count);
    const double y = std::floor(distance * double(above));
    return { 0, top + LaneShape::HoldsTop + y, 0, std::max(2.0, std::floor(distance) - 1) };
}

} // namespace

QRectF LaneShape::lastHoldRow(double top) { return oneOfRows(MostHoldRows, MostHoldRows - 1, top); }

QRectF LaneShape::holdRow(const TimelineLane &lane, std::size_t row, WallTime from, double top)
{
    const auto place = firstEndingAfter(lane.sharing, from);
    if (place == lane.sharing.size() || lane.sharing[place].from > from)
        return oneOfRows(1, 0, top);
    const auto &rows = lane.sharing[place].rows;
    if ((rows >> (MostHoldRows - 1)).any())
        return row + 1 < MostHoldRows ? oneOfRows(MostHoldRows, row, top) : lastHoldRow(top);
    return oneOfRows(rows.count(), (rows & ~(~std::bitset<MostTimelineRows>() << row)).count(), top);
}

QRectF LaneShape::waitRow(std::size_t row, double top)
{
    const auto place = static_cast<int>(std::min<std::size_t>(row, MostWaitRows - 1));
    return { 0, top + WaitsTop + place * WaitDistance, 0, WaitHeight };
}

LanePainter::LanePainter(const Theme &theme, const ClientNames &names, const Timeline &timeline)
    : m_theme(theme)
    , m_names(names)
    , m_timeline(timeline)
{
}

void LanePainter::forgetLabels()
{
    m_labels.clear();
    m_signs = {};
    m_ends.clear();
}

QColor LanePainter::colorOf(std::uint32_t owner) const
{
    return clientColors(m_theme.colors().dark)[m_timeline.clientColor(owner)];
}

QColor LanePainter::tint(const QColor &color) const
{
    return m_isStale ? blend(m_theme.colors().surface, m_theme.colors().muted, 0.5) : color;
}

/// Faint, while the holds of another one are lit.
QColor LanePainter::barColor(std::uint32_t owner, const Lit &lit) const
{
    const QColor color = tint(colorOf(owner));
    const bool isFaint = lit.picked != 0 && owner != lit.picked && owner != lit.hovered;
    return isFaint ? blend(m_theme.colors().surface, color, Faint) : color;
}

QColor LanePainter::textOn(const QColor &bar) const
{
    return readableOn(bar, { textOnClientColors(m_theme.colors().dark), m_theme.colors().text });
}

/// The person's own name for a client says more than its id.
const LanePainter::Label &LanePainter::label(std::uint32_t owner)
{
    const auto before = std::exchange(m_ownersRevision, m_timeline.ownersRevision());
    if (before != m_ownersRevision || m_labels.size() > MostLabels)
        m_labels.clear();
    if (const auto known = m_labels.constFind(owner); known != m_labels.constEnd())
        return *known;
    const OwnerId &id = m_timeline.owner(owner);
    const QString name = m_names.nameOf(id.client);
    const QString said
        = name.isEmpty() ? shortOwner(id) : displayText(toBytes(name)) + QLatin1Char(':') + displayText(id.thread, 20);
    const QFont font = labelFont(m_theme);
    Label label{ QStaticText(said), QFontMetricsF(font).horizontalAdvance(said) };
    label.text.setTextFormat(Qt::PlainText);
    label.text.prepare({}, font);
    return *m_labels.insert(owner, label);
}

void LanePainter::paint(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top, const Lit &lit)
{
    paintGaps(painter, lane, scale, now, top);
    paintUncounted(painter, lane, scale, now, top);
    const auto unseenSince = m_timeline.unseenSince(lane);
    m_isStale = unseenSince.has_value();
    const WallTime seenUntil = std::min(now, unseenSince.value_or(now));
    if (!lane.steps.empty())
        paintSteps(painter, lane, scale, seenUntil, top);
    for (std::size_t row = 0; row < lane.holds.size(); ++row)
        paintHolds(painter, lane, row, scale, now, top, lit);
    paintWaits(painter, lane, scale, now, top);
    breakWaitsOfUnseenBeginning(painter, lane, scale, now, top);
    paintCountedWaits(painter, lane, scale, seenUntil, top);
    paintMarks(painter, lane, scale, now, top);
}

WallTime LanePainter::seenUntil(const TimelineLane &lane, std::size_t row, bool isWait, WallTime now) const
{
    return std::min(now, m_timeline.unseenSince(lane, row, isWait).value_or(now));
}

void LanePainter::paintUnseen(QPainter &painter, const QRectF &place) const
{
    const Colors &colors = m_theme.colors();
    painter.fillRect(place, hatching(blend(colors.faint, colors.muted, 0.12), *painter.device()));
}

/// Of a lock on several servers of which others were seen, a strip tells so.
void LanePainter::paintGaps(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top) const
{
    constexpr double PartHeight = 5;
    const auto placeOf = [&](WallTime from, WallTime to, bool isWhole) {
        const double left = std::max(0.0, scale.pixel(from));
        const double right = std::min<double>(scale.width, std::max(scale.pixel(to), scale.pixel(from) + 1));
        return QRectF(left, top, right - left, isWhole ? LaneShape::Height : PartHeight);
    };
    const auto paint = [&](WallTime from, WallTime to, bool isWhole) {
        if (const QRectF place = placeOf(from, to, isWhole); place.width() > 0)
            paintUnseen(painter, place);
    };
    if (const auto known = m_timeline.knownFrom(); known && *known < lane.keptFrom) {
        const QRectF before = placeOf(*known, std::min(lane.keptFrom, now), true);
        if (!lane.isDropped)
            paint(*known, std::min(lane.keptFrom, now), true);
        else if (before.width() > 0) // it was seen, and is not kept
            painter.fillRect(before, blend(m_theme.colors().surface, m_theme.colors().faint, 0.5));
    }
    const auto &gaps = m_timeline.gaps();
    for (auto i = firstEndingAfter(gaps, scale.timeAt(0)); i < gaps.size() && gaps[i].from < now; ++i)
        if (m_timeline.concerns(gaps[i], lane))
            paint(gaps[i].from, std::min(gaps[i].to, now), m_timeline.isWhole(gaps[i], lane));
    for (const TimelineGap &time : m_timeline.unsureTimes(lane))
        if (time.from < now)
            paint(time.from, std::min(time.to, now), true);
    for (const TimelineGap &part : m_timeline.unseenParts(lane))
        paint(part.from, std::max(now, part.from), false);
    if (const auto since = m_timeline.unseenSince(lane))
        paint(*since, std::max(now, *since), true);
}

/// Where waits would stand, of which it is not known how many there were.
void LanePainter::paintUncounted(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top) const
{
    const auto known = m_timeline.countedFrom();
    if (!known || !Timeline::isCounted(lane))
        return;
    const WallTime from = std::max(m_timeline.knownFrom().value_or(lane.keptFrom), lane.keptFrom);
    const double left = std::max(0.0, scale.pixel(from));
    const double right = std::min<double>(scale.width, scale.pixel(std::min(*known, now)));
    if (right > left)
        paintUnseen(
            painter, { left, top + LaneShape::WaitsTop, right - left, LaneShape::Height - LaneShape::WaitsTop });
}

/// Of a semaphore what is in use, as far as is known: the area between what is free and all there are, or the most that
/// was seen to be free. Of a latch what is still to be counted down: the area below it. In a pixel that holds several
/// steps, from the least to the most.
void LanePainter::paintSteps(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top) const
{
    const double height = LaneShape::HoldsHeight;
    const double above = top + LaneShape::HoldsTop;
    const auto most = static_cast<double>(std::max<std::int64_t>({ 1, lane.most, lane.mostInAll }));
    const auto y = [&](std::int64_t value) { return std::round(above + height * (1 - double(value) / most)); };
    const bool isLatch = lane.kind == synchronizers::Kind::CountDownLatch;
    const QColor color = tint(m_theme.color(Tone::Accent));
    const QColor wash = blend(m_theme.colors().surface, color, 0.28);
    auto i = static_cast<std::size_t>(
        std::ranges::upper_bound(lane.steps, scale.timeAt(0), {}, &TimelineStep::at) - lane.steps.begin());
    i -= i > 0 ? 1 : 0;
    std::int64_t before = TimelineStep::NotKnown;
    while (i < lane.steps.size() && lane.steps[i].at <= now) {
        const double begin = scale.pixel(lane.steps[i].at);
        if (begin >= scale.width)
            break;
        const int left = static_cast<int>(std::max(0.0, begin));
        std::int64_t least = lane.steps[i].value;
        std::int64_t greatest = least;
        bool isSeen = least >= 0;
        std::size_t next = i + 1;
        for (; next < lane.steps.size() && scale.pixel(lane.steps[next].at) < left + 1; ++next) {
            const std::int64_t value = lane.steps[next].value;
            isSeen = isSeen && value >= 0;
            least = std::min(least, value);
            greatest = std::max(greatest, value);
        }
        const WallTime until = next < lane.steps.size() ? std::min(lane.steps[next].at, now) : now;
        const double right = std::clamp<double>(scale.pixel(until), left + 1, scale.width);
        const std::int64_t last = lane.steps[next - 1].value;
        if (last >= 0) {
            const std::int64_t all = lane.steps[next - 1].all;
            const double from = isLatch ? above + height : y(all == TimelineStep::NotKnown ? lane.most : all);
            painter.fillRect(QRectF(QPointF(left, from), QPointF(right, y(last))).normalized(), wash);
            painter.fillRect(QRectF(left, y(last) - 1, right - left, 2), color);
        }
        if (isSeen) {
            const std::int64_t high = before >= 0 ? std::max(before, greatest) : greatest;
            const std::int64_t low = before >= 0 ? std::min(before, least) : least;
            painter.fillRect(QRectF(left, y(high) - 1, 1.5, y(low) - y(high) + 2), color);
        }
        before = last;
        i = next;
    }
}

/// Two that follow each other stay two where a pixel is left between them: unless that is all there is of the next.
bool LanePainter::isApart(const std::vector<TimelineSpan> &spans, std::size_t next, int right, const TimeScale &scale)
{
    return next >= spans.size() || scale.pixel(spans[next].to) > right;
}

namespace {

/// Of very many in one pixel it is not looked at when each of them shared the height.
QRectF holdPlace(const TimelineLane &lane, std::size_t row, std::size_t first, std::size_t last, double top)
{
    constexpr std::size_t Many = 64;
    const auto &spans = lane.holds[row].spans;
    const auto rows = std::min<std::size_t>(lane.holds.size(), LaneShape::MostHoldRows);
    if (last - first > Many)
        return oneOfRows(rows, std::min(row, rows - 1), top);
    QRectF place = LaneShape::holdRow(lane, row, spans[first].from, top);
    for (auto i = first + 1; i < last; ++i) {
        const QRectF other = LaneShape::holdRow(lane, row, spans[i].from, top);
        place.setTop(std::min(place.top(), other.top()));
        place.setBottom(std::max(place.bottom(), other.bottom()));
    }
    return place;
}

} // namespace

/// Who holds in a row. Rows beyond the last line share that one: of those who hold at the same time the first is seen,
/// unless another one stands out.
void LanePainter::paintHolds(QPainter &painter, const TimelineLane &lane, std::size_t row, const TimeScale &scale,
    WallTime now, double top, const Lit &lit)
{
    const Colors &colors = m_theme.colors();
    const auto &spans = lane.holds[row].spans;
    const WallTime seenUntil = this->seenUntil(lane, row, false, now);
    const bool isShared = row + 1 >= LaneShape::MostHoldRows && lane.holds.size() > LaneShape::MostHoldRows;
    const bool isAnyLit = lit.hovered != 0 || lit.picked != 0;
    if (!isShared || row + 1 == LaneShape::MostHoldRows)
        m_line.clear(scale.width);
    std::vector<Bar> bars;
    QRectF line = isShared ? LaneShape::lastHoldRow(top) : QRectF(); // of what is in m_line
    int lineFrom = 0;
    const auto paintLine = [&](int to) {
        m_line.paint(painter, { double(lineFrom), line.top(), double(to - lineFrom), line.height() });
    };
    const auto show = [&](int left, int right, std::size_t first, std::size_t last) {
        const TimelineSpan &span = spans[first];
        const QRectF place = holdPlace(lane, row, first, last, top);
        const auto few = std::min<std::size_t>(last, first + FewSpans);
        bool isOfOne = last - first <= FewSpans;
        for (auto i = first + 1; i < few && isOfOne; ++i)
            isOfOne = spans[i].owner == span.owner;
        const auto holds = [&](std::uint32_t owner) {
            if (owner == 0 || isOfOne)
                return owner != 0 && span.owner == owner;
            return std::any_of(spans.begin() + static_cast<std::ptrdiff_t>(first),
                spans.begin() + static_cast<std::ptrdiff_t>(last),
                [owner](const TimelineSpan &each) { return each.owner == owner; });
        };
        const bool isLit = isAnyLit && (holds(lit.hovered) || holds(lit.picked));
        QColor color = barColor(span.owner, lit);
        if (!isOfOne && isLit)
            color = tint(colorOf(holds(lit.hovered) ? lit.hovered : lit.picked));
        else if (!isOfOne)
            color = blend(colors.surface, tint(blend(colors.surface, colors.muted, 0.7)), lit.picked != 0 ? Faint : 1);
        if (isShared && !isLit)
            return m_line.fillWhereFree(left, right, color);
        if (!isShared && right - left >= RoundFrom && last - first == 1) {
            bars.push_back({ &span, left, right, color, isLit, place });
            return;
        }
        if (!isShared && place != line) {
            paintLine(left);
            m_line.clear(scale.width);
            line = place;
            lineFrom = left;
        }
        const bool leavesOne
            = right - left >= 3 && last - first == 1 && span.to < seenUntil && isApart(spans, last, right, scale);
        m_line.fill(left, leavesOne ? right - 1 : right, color);
    };
    if (isShared && !isAnyLit)
        visitPieces(spans, scale, seenUntil, show, [this](int x) { return m_line.nextFree(x); });
    else
        visitPieces(spans, scale, seenUntil, show);
    if (!isShared || row + 1 == lane.holds.size())
        paintLine(scale.width);
    for (const Bar &bar : bars) {
        const QRectF place(bar.left, bar.line.top(), bar.right - bar.left, bar.line.height());
        const double before = scale.pixel(bar.span->from) < 0 ? OutOfSight : 0;
        const double after = scale.pixel(std::min(bar.span->to, seenUntil)) > scale.width ? OutOfSight : 0;
        paintHold(painter, bar, place.adjusted(-before, 0, after, 0), seenUntil, seenUntil < now);
        if (!bar.isLit)
            continue;
        painter.setPen(QPen(colors.text, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    paintDepths(painter, lane, row, scale, seenUntil, top, lit);
}

void LanePainter::paintHold(
    QPainter &painter, const Bar &inSight, const QRectF &place, WallTime seenUntil, bool isUnseenSince)
{
    const TimelineSpan &span = *inSight.span;
    const QColor &color = inSight.color;
    const Colors &colors = m_theme.colors();
    const bool isOver = span.to <= seenUntil;
    const bool isLostFromSight = isOver ? span.end == TimelineSpan::End::NotSeen : isUnseenSince || m_isStale;
    const bool isSoft = isOver && span.endCertainty != Certainty::Seen;
    const QRectF bar = isOver && !isLostFromSight ? place.adjusted(0, 0, -1, 0) : place;
    if (!span.beginSeen || isLostFromSight) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawPath(raggedBar(bar, !span.beginSeen, isLostFromSight));
        painter.setRenderHint(QPainter::Antialiasing, false);
    } else if (isOver && bar.height() > 2 * Radius) {
        const double ratio = painter.device()->devicePixelRatioF();
        const QPixmap &ends = roundEnds(color, static_cast<int>(bar.height()), ratio);
        const QRectF end(0, 0, Radius * ratio, bar.height() * ratio);
        painter.drawPixmap(QRectF(bar.left(), bar.top(), Radius, bar.height()), ends, end);
        painter.drawPixmap(
            QRectF(bar.right() - Radius, bar.top(), Radius, bar.height()), ends, end.translated(Radius * ratio, 0));
        painter.fillRect(bar.adjusted(Radius, 0, -Radius, 0), color);
    } else {
        painter.fillRect(bar, color);
    }
    const auto dashed = [&](double x) {
        QPen pen(colors.surface, 2);
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({ 1.5, 1.0 });
        painter.setPen(pen);
        painter.drawLine(QPointF(x, bar.top()), QPointF(x, bar.bottom()));
    };
    if (isSoft)
        dashed(bar.right() - 2);
    if (span.beginSeen && span.beginInferred)
        dashed(bar.left() + 2);
    if (bar.height() < 13)
        return;
    const double left = std::max<double>(bar.left() + (span.beginSeen ? 0 : ToothWidth), inSight.left) + 6;
    const Label &said = label(span.owner);
    if (left + said.width + 6 > std::min<double>(bar.right(), inSight.right))
        return;
    painter.setFont(labelFont(m_theme));
    painter.setPen(textOn(color));
    const double raised = span.depth > 1 ? StepHeight - 1 : 0;
    painter.drawStaticText(
        QPointF(left, bar.top() + (bar.height() - said.text.size().height() - raised) / 2), said.text);
}

/// The left and the right end of a bar, beside each other.
const QPixmap &LanePainter::roundEnds(const QColor &color, int height, double pixelRatio)
{
    constexpr int MostEnds = 256;
    if (m_ends.size() > MostEnds)
        m_ends.clear();
    QPixmap &ends = m_ends[std::uint64_t{ color.rgba() } << 32U | static_cast<std::uint32_t>(height)];
    if (!ends.isNull() && ends.devicePixelRatio() == pixelRatio)
        return ends;
    ends = QPixmap((QSizeF(2 * Radius, height) * pixelRatio).toSize());
    ends.setDevicePixelRatio(pixelRatio);
    ends.fill(Qt::transparent);
    QPainter painter(&ends);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(0, 0, 2 * Radius, height), Radius, Radius);
    return ends;
}

/// Each hold more that was taken by re-entry is a dark stripe at the bottom of the bar.
void LanePainter::paintDepths(QPainter &painter, const TimelineLane &lane, std::size_t row, const TimeScale &scale,
    WallTime now, double top, const Lit &lit) const
{
    const auto &spans = lane.holds[row].spans;
    const auto &depths = lane.holds[row].depths;
    if (depths.empty())
        return;
    const QColor shade(0, 0, 0, 130);
    QFont font = m_theme.monoFont();
    font.setPixelSize(10);
    visitPieces(depths, scale, now, [&](int left, int right, std::size_t first, std::size_t last) {
        const QRectF line = LaneShape::holdRow(lane, row, depths[first].from, top);
        std::int64_t depth = 0;
        for (auto i = first; i < std::min<std::size_t>(last, first + FewSpans); ++i)
            depth = std::max(depth, depths[i].depth);
        const bool isHigh = line.height() >= RoundFrom;
        const int steps = isHigh ? static_cast<int>(std::min<std::int64_t>(depth - 1, MostDepth)) : 1;
        const double height = isHigh ? StepHeight - 1 : 1;
        for (int step = 0; step < steps; ++step)
            painter.fillRect(QRectF(left, line.bottom() - height - step * StepHeight, right - left, height), shade);
        const QString said = QStringLiteral("×") + countText(depth);
        if (isHigh && QFontMetricsF(font).horizontalAdvance(said) + WidestLabel <= right - left) {
            painter.setFont(font);
            const auto hold = firstEndingAfter(spans, depths[first].from);
            painter.setPen(textOn(barColor(hold < spans.size() ? spans[hold].owner : 0, lit)));
            painter.drawText(QRectF(left, line.top(), right - left - 5, line.height() - StepHeight),
                Qt::AlignRight | Qt::AlignVCenter, said);
        }
    });
}

/// A moment has no width: in a place that holds several of them the gravest is drawn.
void LanePainter::paintMarks(
    QPainter &painter, const TimelineLane &lane, const TimeScale &scale, WallTime now, double top)
{
    const auto first = std::ranges::lower_bound(lane.marks, scale.timeAt(-MarkWidth), {}, &TimelineMark::at);
    const double y = top + LaneShape::HoldsTop;
    for (auto mark = first; mark != lane.marks.end() && mark->at <= now;) {
        const double x = scale.pixel(mark->at);
        if (x > scale.width + MarkWidth)
            break;
        auto shown = mark;
        const WallTime end = std::max(mark->at + Millis(1), scale.timeAt(x + double(MarkWidth) / 2));
        const auto next = std::ranges::lower_bound(mark, lane.marks.end(), end, {}, &TimelineMark::at);
        if (shown->kind == EventKind::Expired) {
            const auto isGraver = [](const TimelineMark &each) { return each.kind != EventKind::Expired; };
            const auto graver = std::find_if(mark, next, isGraver);
            shown = graver == next ? shown : graver;
        }
        const auto place = std::lround(scale.pixel(shown->at));
        painter.drawPixmap(QPointF(double(place - MarkWidth), y - MarkWidth),
            markSign(shown->kind == EventKind::Expired, shown->certainty != Certainty::Seen,
                painter.device()->devicePixelRatioF()));
        mark = next;
    }
}

/// Twice as wide as the sign itself, around the moment. To draw its edges each time would be dear.
const QPixmap &LanePainter::markSign(bool isExpiry, bool isInferred, double pixelRatio)
{
    QPixmap &sign = m_signs[(isExpiry ? 0 : 2) + (isInferred ? 1 : 0) + (m_isStale ? 4 : 0)];
    if (!sign.isNull() && sign.devicePixelRatio() == pixelRatio)
        return sign;
    constexpr int Size = 2 * MarkWidth;
    sign = QPixmap(QSize(Size, Size) * pixelRatio);
    sign.setDevicePixelRatio(pixelRatio);
    sign.fill(Qt::transparent);
    QPainter painter(&sign);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = tint(m_theme.color(isExpiry ? Tone::Warning : Tone::Danger));
    painter.setPen(QPen(isInferred ? color : m_theme.colors().surface, 1));
    painter.setBrush(isInferred ? m_theme.colors().surface : color);
    constexpr double Half = double(MarkWidth) / 2;
    constexpr double X = MarkWidth;
    constexpr double Y = MarkWidth; // the top of the holds
    if (isExpiry)
        painter.drawPolygon(QPolygonF({ { X - Half - 0.5, Y - 6 }, { X + Half + 0.5, Y - 6 }, { X, Y + 2 } }));
    else
        painter.drawPolygon(
            QPolygonF({ { X, Y - 7 }, { X + Half + 0.5, Y - 2 }, { X, Y + 3 }, { X - Half - 0.5, Y - 2 } }));
    return sign;
}

} // namespace lockui
