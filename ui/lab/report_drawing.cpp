// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/report_drawing.h"

#include "ui/lab/lane_text.h"
#include "ui/lab/lane_tips.h"
#include "ui/lab/step_text.h"
#include "ui/text/display_text.h"
#include "ui/text/printable_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockui::lab {

using lockcore::MonoTime;

namespace {

struct LabDrawing {
    Q_DECLARE_TR_FUNCTIONS(LabDrawing)
};

// In the units of the drawing, which is as wide as the page.
constexpr double DrawingWidth = 1'080;
constexpr double LabelWidth = 190;
constexpr double PlotEnd = DrawingWidth - 14;
constexpr double TopMargin = 36; // numbers of steps, and times
constexpr double RowHeight = 24;
constexpr double LabelLine = 15;
constexpr double BarHeight = 12;
constexpr double CharWidth = 6.0; // of small text, more than most characters need
constexpr int LabelCells = 28;

QString num(double value) { return QString::number(value, 'f', 1); }

QString cutLabel(const QString &text)
{
    return markupText(QString::fromStdString(elided(text.toStdString(), LabelCells, Elide::Middle)));
}

/// A moment with its words, beside others on as few lines as they need.
struct MomentLabel {
    double x = 0;
    QString text;
    QString shape; // a class of the style sheet
    QString title; // the whole
};

class LabelLines {
public:
    /// On which line there is room from `left` to `right`.
    std::size_t lineFor(double left, double right)
    {
        std::size_t line = 0;
        const auto isFree = [&](const std::vector<std::pair<double, double>> &taken) {
            return std::ranges::none_of(
                taken, [&](const auto &other) { return left < other.second && other.first < right; });
        };
        while (line < m_lines.size() && !isFree(m_lines[line]))
            ++line;
        if (line == m_lines.size())
            m_lines.emplace_back();
        m_lines[line].emplace_back(left, right);
        return line;
    }
    std::size_t count() const { return m_lines.size(); }

private:
    std::vector<std::vector<std::pair<double, double>>> m_lines;
};

QString shapeOf(MarkWeight weight)
{
    switch (weight) {
    case MarkWeight::Plain:
        return QStringLiteral("plain");
    case MarkWeight::Good:
        return QStringLiteral("good");
    case MarkWeight::Doubtful:
        return QStringLiteral("doubtful");
    case MarkWeight::Bad:
        break;
    }
    return QStringLiteral("bad");
}

QString shapeOf(HoldTerm term)
{
    return term == HoldTerm::Permits ? QStringLiteral("hold permits")
        : term == HoldTerm::Lease    ? QStringLiteral("hold fixed")
                                     : QStringLiteral("hold");
}

QString titleOf(const QStringList &tip) { return tip.join(QStringLiteral("; ")); }

class LaneDrawing {
public:
    LaneDrawing(const PlayRecord &record, QString stepLink)
        : m_record(record)
        , m_stepLink(std::move(stepLink))
        , m_lanes(lanesOf(record, lastMoment(record)))
    {
        const auto span = std::chrono::duration<double, std::milli>(m_lanes.to - m_lanes.from).count();
        m_millis = std::max(span, 1.0);
    }

    QString draw();

private:
    double x(MonoTime at) const
    {
        const auto since = std::chrono::duration<double, std::milli>(at - m_lanes.from).count();
        return pixel(std::clamp(since, 0.0, m_millis));
    }
    double pixel(double millis) const { return LabelWidth + millis / m_millis * (PlotEnd - LabelWidth); }

    void rect(const QString &shape, MonoTime from, MonoTime to, double height, const QString &title);
    void line(const QString &shape, double left, double top, double right, double bottom);
    void words(const QString &shape, double left, double bottom, const QString &markup);
    void beginLane(const QString &name);
    void drawMoments(const std::vector<MomentLabel> &labels);
    void drawServers();
    void drawClient(const ClientLane &lane);
    void drawRow(const ClientLane &lane, const LaneRow &row);
    void drawHold(const ClientLane &lane, const LaneRow &row, const LaneHold &hold);
    void drawAxis(double height);
    void drawSteps();
    void drawGaps(double height);

    const PlayRecord &m_record;
    QString m_stepLink;
    Lanes m_lanes;
    double m_millis = 1;
    double m_y = TopMargin;
    QString m_svg;
};

QString LaneDrawing::draw()
{
    drawServers();
    for (const ClientLane &lane : m_lanes.clients)
        drawClient(lane);
    const double height = m_y + 6;
    const QString lanes = std::exchange(m_svg, {});
    drawAxis(height);
    drawGaps(height);
    m_svg += lanes;
    drawSteps();
    return QStringLiteral("<svg class=\"lanes\" role=\"img\" viewBox=\"0 0 %1 %2\"><title>%3</title>\n%4</svg>\n")
        .arg(num(DrawingWidth), num(height), markupText(LabDrawing::tr("What each client held and waited for")), m_svg);
}

/// In the middle of the row that is drawn.
void LaneDrawing::rect(const QString &shape, MonoTime from, MonoTime to, double height, const QString &title)
{
    const double left = x(from);
    m_svg += QStringLiteral("<rect class=\"%1\" x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\" rx=\"2\"><title>%6</title>"
                            "</rect>\n")
                 .arg(shape, num(left), num(m_y + (RowHeight - height) / 2), num(std::max(x(to) - left, 1.5)),
                     num(height), markupText(title));
}

void LaneDrawing::line(const QString &shape, double left, double top, double right, double bottom)
{
    m_svg += QStringLiteral("<line class=\"%1\" x1=\"%2\" y1=\"%3\" x2=\"%4\" y2=\"%5\"/>\n")
                 .arg(shape, num(left), num(top), num(right), num(bottom));
}

void LaneDrawing::words(const QString &shape, double left, double bottom, const QString &markup)
{
    m_svg += QStringLiteral("<text class=\"%1\" x=\"%2\" y=\"%3\">%4</text>\n")
                 .arg(shape, num(left), num(bottom), markup);
}

void LaneDrawing::beginLane(const QString &name)
{
    line(QStringLiteral("edge"), 0, m_y, DrawingWidth, m_y);
    words(QStringLiteral("name"), 4, m_y + LabelLine, cutLabel(name));
}

void LaneDrawing::drawMoments(const std::vector<MomentLabel> &labels)
{
    constexpr double Beside = 7;
    LabelLines lines;
    for (const MomentLabel &label : labels) {
        const double width = Beside + static_cast<double>(label.text.size()) * CharWidth;
        const bool isLeft = label.x + width > DrawingWidth;
        const double left = isLeft ? label.x - width : label.x - Beside / 2;
        const double y = m_y + LabelLine * static_cast<double>(lines.lineFor(left, left + width + Beside) + 1);
        m_svg += QStringLiteral("<g class=\"mark %1\"><title>%2</title><circle cx=\"%3\" cy=\"%4\" r=\"3.5\"/><text "
                                "class=\"%5\" x=\"%6\" y=\"%7\">%8</text></g>\n")
                     .arg(label.shape, markupText(label.title), num(label.x), num(y - 4),
                         isLeft ? QStringLiteral("left") : QStringLiteral("right"),
                         num(isLeft ? label.x - Beside : label.x + Beside), num(y), markupText(label.text));
    }
    m_y += LabelLine * static_cast<double>(std::max<std::size_t>(lines.count(), 1)) + 4;
}

void LaneDrawing::drawServers()
{
    if (m_lanes.servers.empty())
        return;
    beginLane(m_record.scenario.servers == 1 ? LabDrawing::tr("server") : LabDrawing::tr("servers"));
    std::vector<MomentLabel> labels;
    for (const ServerMark &mark : m_lanes.servers) {
        const QString text = serverMarkText(mark, m_record.scenario);
        labels.push_back({ x(mark.at), text, shapeOf(weightOf(mark.what)), titleOf(serverMarkTip(m_record, mark)) });
    }
    std::ranges::sort(labels, {}, &MomentLabel::x);
    drawMoments(labels);
    for (std::size_t server = 0; server < m_record.scenario.servers; ++server) {
        const auto isItsOwn = [&](const ServerState &state) { return state.server == server; };
        if (std::ranges::none_of(m_lanes.serverStates, isItsOwn))
            continue;
        words(QStringLiteral("row"), 14, m_y + 16, LabDrawing::tr("server %1").arg(server + 1));
        for (const ServerState &state : m_lanes.serverStates) {
            if (isItsOwn(state))
                rect(
                    QStringLiteral("state"), state.from, state.to, BarHeight, titleOf(serverStateTip(m_record, state)));
        }
        m_y += RowHeight;
    }
}

void LaneDrawing::drawClient(const ClientLane &lane)
{
    beginLane(displayText(lane.client));
    std::vector<MomentLabel> labels;
    for (const LaneMark &mark : lane.marks) {
        labels.push_back(
            { x(mark.at), markText(mark.what), shapeOf(weightOf(mark.what)), titleOf(markTip(m_record, mark)) });
    }
    std::ranges::sort(labels, {}, &MomentLabel::x);
    drawMoments(labels);
    if (!lane.states.empty()) {
        for (const LaneState &state : lane.states)
            rect(QStringLiteral("state"), state.from, state.to, BarHeight, titleOf(stateTip(m_record, state)));
        QStringList names;
        for (const LaneState &state : lane.states) {
            if (!names.contains(stateText(state.what)))
                names << stateText(state.what);
        }
        words(QStringLiteral("row"), 14, m_y + 16, cutLabel(names.join(QStringLiteral(", "))));
        m_y += RowHeight;
    }
    for (const LaneRow &row : lane.rows)
        drawRow(lane, row);
}

void LaneDrawing::drawRow(const ClientLane &lane, const LaneRow &row)
{
    words(QStringLiteral("row"), 14, m_y + 16, cutLabel(rowText(row)));
    for (const LaneWait &wait : row.waits)
        rect(QStringLiteral("wait"), wait.from, wait.to, BarHeight / 2, titleOf(waitTip(m_record, lane, row, wait)));
    for (const LaneGhost &ghost : row.ghosts)
        rect(ghost.isWaiter ? QStringLiteral("ghost queued") : QStringLiteral("ghost"), ghost.from, ghost.to, BarHeight,
            titleOf(ghostTip(m_record, lane, row, ghost)));
    for (const LaneHold &hold : row.holds)
        drawHold(lane, row, hold);
    m_y += RowHeight;
}

/// Edges that nobody measured or saw are dashed.
void LaneDrawing::drawHold(const ClientLane &lane, const LaneRow &row, const LaneHold &hold)
{
    const double top = m_y + (RowHeight - BarHeight) / 2;
    const double bottom = top + BarHeight;
    rect(shapeOf(termOf(m_record, row, hold)), hold.from, hold.to, BarHeight,
        titleOf(holdTip(m_record, lane, row, hold)));
    if (hold.believedUntil)
        rect(QStringLiteral("believed"), hold.to, *hold.believedUntil, BarHeight, titleOf(believedTip(m_record, hold)));
    if (hold.begun == Known::Inferred)
        line(QStringLiteral("inferred"), x(hold.from), top - 4, x(hold.from), bottom + 4);
    if (hold.ended == Known::Inferred)
        line(QStringLiteral("inferred"), x(hold.to), top - 4, x(hold.to), bottom + 4);
    for (std::size_t i = 0; i < hold.depths.size(); ++i) {
        const double from = x(hold.depths[i].from);
        const double to = i + 1 < hold.depths.size() ? x(hold.depths[i + 1].from) : x(hold.to);
        const QString count = QStringLiteral("×%1").arg(countText(hold.depths[i].depth));
        if (i > 0)
            line(QStringLiteral("depth"), from, top, from, bottom);
        if (hold.depths[i].depth > 1 && to - from > static_cast<double>(count.size()) * CharWidth + 4)
            words(QStringLiteral("inBar"), from + 3, bottom - 2, count);
    }
    for (const LaneRenewal &renewal : hold.renewals)
        line(renewal.known == Known::Inferred ? QStringLiteral("renewal doubtful") : QStringLiteral("renewal"),
            x(renewal.at), top - 3, x(renewal.at), bottom + 3);
}

void LaneDrawing::drawAxis(double height)
{
    constexpr double MostTicks = 10;
    double tick = std::pow(10, std::ceil(std::log10(m_millis / MostTicks)));
    for (const double part : { 5.0, 2.0 }) {
        if (m_millis / (tick / part) <= MostTicks) {
            tick /= part;
            break;
        }
    }
    tick = std::max(tick, 1.0);
    const int digits = std::max(0, 3 - static_cast<int>(std::floor(std::log10(tick) + 1e-9)));
    for (int i = 0; i * tick <= m_millis; ++i) {
        const double at = i * tick;
        line(QStringLiteral("grid"), pixel(at), TopMargin - 4, pixel(at), height);
        words(QStringLiteral("tick"), pixel(at), TopMargin - 8,
            LabDrawing::tr("%1 s").arg(QString::number(at / 1'000, 'f', digits)));
    }
}

/// Above the times, where they began, as far as they have room: all stand in the table.
void LaneDrawing::drawSteps()
{
    double end = 0;
    for (std::size_t i = 0; i < m_record.progress.size(); ++i) {
        if (!m_record.progress[i].beganAt)
            continue;
        const double left = x(*m_record.progress[i].beganAt);
        const QString number = QString::number(i + 1);
        if (left < end)
            continue;
        end = left + static_cast<double>(number.size()) * CharWidth + 4;
        m_svg += QStringLiteral("<a href=\"#%1%2\"><text class=\"step\" x=\"%3\" y=\"12\">%2</text></a>\n")
                     .arg(m_stepLink, number, num(left));
    }
}

void LaneDrawing::drawGaps(double height)
{
    for (const LaneGap &gap : m_lanes.gaps) {
        m_svg += QStringLiteral("<rect class=\"gap\" x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\"><title>%5</title>"
                                "</rect>\n")
                     .arg(num(x(gap.from)), num(TopMargin), num(std::max(x(gap.to) - x(gap.from), 1.0)),
                         num(height - TopMargin), markupText(titleOf(gapTip(m_record, gap))));
    }
}

QString legendOf(const QString &shape, const QString &words)
{
    return QStringLiteral("<li><svg viewBox=\"0 0 26 16\" aria-hidden=\"true\">%1</svg>%2</li>")
        .arg(shape, markupText(words));
}

QString legendBar(const char *shape, const QString &words)
{
    return legendOf(QStringLiteral("<rect class=\"%1\" x=\"1\" y=\"2\" width=\"24\" height=\"12\" rx=\"2\"/>")
                        .arg(QLatin1String(shape)),
        words);
}

QString legendLine(const char *shape, const QString &words)
{
    return legendOf(
        QStringLiteral("<line class=\"%1\" x1=\"13\" y1=\"0\" x2=\"13\" y2=\"16\"/>").arg(QLatin1String(shape)), words);
}

} // namespace

QString markupText(const QString &text)
{
    return QString::fromStdString(withoutControls(text.toStdString())).toHtmlEscaped();
}

QString laneDrawing(const PlayRecord &record, const QString &stepLink)
{
    return record.start ? LaneDrawing(record, stepLink).draw() : QString();
}

QString drawingPatterns()
{
    return QStringLiteral(
        "<svg class=\"patterns\" aria-hidden=\"true\"><defs>\n"
        "<pattern id=\"hatched\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><line class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern>\n"
        "<pattern id=\"greyed\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(-45)\"><line class=\"greyHatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\"/></pattern>\n"
        "</defs></svg>\n");
}

QString drawingLegend()
{
    const QStringList parts{ legendBar("hold", LabDrawing::tr("held, renewed by a watchdog")),
        legendBar("hold fixed", LabDrawing::tr("held, with a lease")),
        legendBar("hold permits", LabDrawing::tr("permits held")), legendBar("wait", LabDrawing::tr("asks, and waits")),
        legendBar("believed", LabDrawing::tr("lost, and its client was not told yet")),
        legendBar("ghost", LabDrawing::tr("Redis still names a dead client")),
        legendBar("state", LabDrawing::tr("dead, cut off, or standing still")),
        legendBar("gap", LabDrawing::tr("not seen by the monitor")), legendLine("renewal", LabDrawing::tr("renewed")),
        legendLine("inferred", LabDrawing::tr("inferred: neither measured nor seen as such")) };
    return QStringLiteral("<ul class=\"legend\">%1</ul>\n").arg(parts.join(u'\n'));
}

} // namespace lockui::lab
